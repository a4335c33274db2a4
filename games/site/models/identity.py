"""Names that tell nothing, for what has an address of its own."""

from __future__ import annotations

import secrets

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def opaque_id() -> str:
    """Eleven letters that tell nothing: about 64 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(11))
