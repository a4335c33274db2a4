"""A scenario: its file, its layers, who sits in its seats, what it costs; the site and the shell both read it."""
