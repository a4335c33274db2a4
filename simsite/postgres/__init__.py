"""Django's backend for PostgreSQL, whose pool knows whether the server is away or its connections are in use."""

from typing import Final

TURN_S: Final = 1.0
"""How long the pool is asked at a time, and goes on trying to connect."""
