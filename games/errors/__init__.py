"""What is refused and what it is called: one family of errors, and their sentences in every language."""
