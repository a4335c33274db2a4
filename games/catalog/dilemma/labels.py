"""What the two moves are called: by letter, by neutral letters, or by what they do; the same for people and models.

Rules, policies, measures and stored decisions know C and D alone. Whoever plays reads and writes the labels, and so do
the events, which people read; `words` and `prompts/LANGUAGE/lines.md` have what each is called in a language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from games.catalog.dilemma.config import WORDS, Labels, Move
from games.catalog.dilemma.state import Choice
from games.core.answers import JSON, ActionSpec, BadAction

LABELS: Final[Mapping[Labels, Mapping[Move, str]]] = {
    "letters": {"C": "C", "D": "D"},
    # Neither initials of what the moves do, nor the names of the seats.
    "neutral": {"C": "X", "D": "Y"},
    "framed": {"C": "cooperate", "D": "defect"},
}
_LETTER: Final = re.compile(r"(?<![A-Za-z0-9])[CD](?![A-Za-z0-9])")


def relabelled(text: str, called: Mapping[Move, str]) -> str:
    """A text about C and D with the moves as they are called; letters within words stay."""
    return _LETTER.sub(lambda letter: called["C" if letter[0] == "C" else "D"], text)


def answered(labels: Labels, raw: JSON) -> JSON:
    """A stored choice as whoever made it wrote it; anything else as it is."""
    match raw:
        case {"move": "C" | "D" as move}:
            return {"move": LABELS[labels][move]}
    return raw


@lru_cache(maxsize=8)
def choosing(labels: Labels) -> ActionSpec[Any]:
    """The choice: its schema names the labels; C and D are read all the same, as policies and records write them."""
    stored: ActionSpec[Choice] = ActionSpec.of(Choice)
    options = (Choice("C"), Choice("D"))
    if labels == "letters":
        return ActionSpec(stored.schema, stored.read, options)
    called = LABELS[labels]
    moves: dict[str, Move] = {called["C"]: "C", called["D"]: "D"}
    schema: dict[str, JSON] = {
        "type": "object", "title": "Choice", "required": ["move"],
        "properties": {"move": {"type": "string", "title": "Move", "enum": list(moves)}},
    }  # fmt: skip

    def read(raw: Any) -> Choice:
        move = raw.get("move") if isinstance(raw, Mapping) and set(raw) == {"move"} else None
        if isinstance(move, str) and move in moves:
            return Choice(moves[move])
        try:
            return stored.read(raw)
        except BadAction:
            raise BadAction.told(WORDS.fault("no_choice", c=called["C"], d=called["D"])) from None

    return ActionSpec(schema, read, options)
