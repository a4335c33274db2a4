"""Mutants of a game: its source changed in one place, to see whether laws, traces and examples find it out."""
