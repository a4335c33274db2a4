"""Plain data to JSON and back, as fast as it goes: what is sent, shown or read again.

What is hashed and compared is written by `codec.canonical`; its bytes are read here as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec


def encoded(value: Any) -> bytes:
    """A value as one line of JSON in UTF-8, keys in their order; null for NaN and infinity."""
    try:
        return msgspec.json.encode(value, enc_hook=_base)
    except OverflowError:  # whole numbers beyond 64 bits
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_read).encode()


def _base(value: Any) -> str | int | float | dict[Any, Any]:
    """A library's own kind of text, number or mapping as what it is."""
    if isinstance(value, Mapping):
        return dict(value)
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(f"{value!r} is no plain data")


def _read(value: Any) -> Any:
    """What is JSON already or a line's own kind, as plain data."""
    return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else json.loads(bytes(value))


def decoded(text: bytes) -> Any:
    """The value of a JSON text. Raises ValueError where it is none."""
    return msgspec.json.decode(text)
