"""A model's reply to a move, strictly: one letter, or one JSON object where that is asked for."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple, TypeAlias

from games.catalog.dilemma.config import Move

Format: TypeAlias = Literal["token", "json"]


class Parsed(NamedTuple):
    """A move, or in one line why there is none."""

    move: Move | None
    fault: str = ""


def parse(reply: str, form: Format = "token") -> Parsed:
    return parse_token(reply) if form == "token" else parse_json(reply)


def parse_token(reply: str) -> Parsed:
    """C or D, in either case, white space around it forgiven; anything else is invalid.

    Source: 'Allowed outputs: "C" or "D" (case-insensitive trimming permitted). Anything else is invalid'.
    """
    match reply.strip():
        case "C" | "c":
            return Parsed("C")
        case "D" | "d":
            return Parsed("D")
        case "":
            return Parsed(None, "an empty reply; answer with the single letter C or D")
    return Parsed(None, f"{_shown(reply)} is not the single letter C or D")


def parse_json(reply: str) -> Parsed:
    """``{"action": "C"}`` and nothing else: no other key, no text around it."""
    wanted = '{"action": "C"} or {"action": "D"}'
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        return Parsed(None, f"{_shown(reply)} is not JSON; answer {wanted}")
    if not isinstance(value, dict) or set(value) != {"action"} or not isinstance(value["action"], str):
        return Parsed(None, f"{_shown(reply)} is not {wanted}")
    parsed = parse_token(value["action"])
    return parsed if parsed.move else Parsed(None, f"action {_shown(value['action'])} is neither C nor D")


def _shown(text: str) -> str:
    one_line = ascii(text)
    return one_line if len(one_line) <= 60 else one_line[:57] + "..."
