"""Users' own keys to the API, and the trail of who did what."""
