"""Who learns in the economist: a planner that sets the rates of brackets."""
