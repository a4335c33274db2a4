"""Runs as folders of files: playing many, reading, verifying, aggregating, viewing, one replay as one file."""
