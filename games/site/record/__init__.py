"""What is kept of a run: rows, calls, decisions; every read of them."""
