"""Drives one run: the lease, the conductor, the seats of models and of people. The only writer of steps."""
