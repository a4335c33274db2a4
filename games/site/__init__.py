"""The site: all that rests on Django."""
