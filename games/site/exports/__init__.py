"""Data taken away: runs as tables at nine levels, or as run folders; counted before, streamed, checked after."""
