"""What the games' sources state, and what is measured beside it: read, played, kept."""
