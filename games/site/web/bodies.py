"""What a request's body may hold, by who sends it. It is measured before it is parsed, and refused by size, number of
values and depth: what is wrong with each of a million values costs a gigabyte to say.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from games.errors.requests import BadRequest
from games.site.accounts.roles import Role, role_of

DEPTH_MAX: Final = 64
"""Lists and mappings inside of each other; the settings of the site's own scenarios have 5."""
TEXT: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.S)
"""A text of JSON; one that has no end takes all that follows, so that a body is read once."""
OTHER_SIGNS: Final = re.compile(r"[^\[\]{},]+")
OPENING: Final = frozenset("[{")


@dataclass(frozen=True, slots=True)
class Bounds:
    """``size``: bytes. ``values``: entries of lists and mappings, themselves counted."""

    size: int
    values: int


STRANGER: Final = Bounds(256 * 2**10, 20_000)
"""Sixteen times a person's longest move; the longest settings of the site's own scenarios have 2 kB."""
MEMBER_VALUES: Final = 200_000
"""A map of 200 × 200 cells has 120 000; the bytes are Django's bound."""


def bounds_of(request: HttpRequest) -> Bounds:
    """The bounds of whoever sends a request."""
    if role_of(getattr(request, "user", None)) is Role.STRANGER:
        return STRANGER
    return Bounds(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, MEMBER_VALUES)


def check_body(request: HttpRequest) -> None:
    """Raises `BadRequest` where a body of JSON is more than its sender may have read."""
    bounds = bounds_of(request)
    body = request.body
    if len(body) > bounds.size:
        raise BadRequest(
            "too_big", f"the body is longer than {bounds.size} bytes; send less, or sign in", most=bounds.size
        )
    with suppress(UnicodeDecodeError):  # the parser refuses it
        check_json(body.decode(json.detect_encoding(body)), bounds.values)


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
