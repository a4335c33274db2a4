"""What a request's body may hold, by who sends it. It is measured before it is parsed, and refused by size, number of
values and depth: what is wrong with each of a million values costs a gigabyte to say.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from games.errors.jsonshape import check_json
from games.errors.requests import BadRequest
from games.site.accounts.roles import Role, role_of


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
