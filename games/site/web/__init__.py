"""What the web answers: REST, pages, access, headers."""
