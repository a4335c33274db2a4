"""Profiles of agents as the site stores and edits them."""
