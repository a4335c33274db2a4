"""The shape of JSON by its signs, before it is parsed: how many values it holds, and how deep it nests."""

from __future__ import annotations

import re
from typing import Final

from games.errors.requests import BadRequest

DEPTH_MAX: Final = 64
"""Lists and mappings inside of each other; the settings of the site's own scenarios have 5."""
TEXT: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.S)
"""A text of JSON; one that has no end takes all that follows, so that a body is read once."""
OTHER_SIGNS: Final = re.compile(r"[^\[\]{},]+")
OPENING: Final = frozenset("[{")


def check_json(text: str, most: int) -> None:
    """Raises `BadRequest` where a body, or a socket's message, holds more values or nests deeper than may be read."""
    values, depth = shape_of(text)
    if values > most:
        raise BadRequest("too_big", f"this holds more than {most} values; send less", why="values", most=most)
    if depth > DEPTH_MAX:
        told = f"this nests more than {DEPTH_MAX} lists and mappings; send less"
        raise BadRequest("too_big", told, why="depth", most=DEPTH_MAX)


def shape_of(text: str) -> tuple[int, int]:
    """How many values JSON holds at most, and how deep it nests, by its signs outside of texts."""
    signs = OTHER_SIGNS.sub("", TEXT.sub("", text))
    commas = signs.count(",")
    brackets = signs.replace(",", "")
    depth = deepest = openings = 0
    for sign in brackets:
        if sign in OPENING:
            depth += 1
            openings += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return 1 + commas + openings, deepest
