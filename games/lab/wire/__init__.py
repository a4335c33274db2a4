"""The shapes that leave the process: frames, briefs, runs, errors, as plain JSON."""
