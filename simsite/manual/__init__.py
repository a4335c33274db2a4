"""The documentation of this very version at `/docs` of every site: read, searched and listed without a network."""
