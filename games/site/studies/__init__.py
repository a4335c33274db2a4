"""Studies with people: a study is a list of steps, a member walks it, and a play step is a run."""
