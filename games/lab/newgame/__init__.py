"""A new game's folder, copied from the template."""
