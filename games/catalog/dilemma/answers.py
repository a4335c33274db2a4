"""What may be answered: a move or a message, how each is read, and what stands in for an invalid one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.labels import LABELS
from games.catalog.dilemma.state import Action, Choice, DilemmaState, Say, Void
from games.core.answers import ActionSpec, Note, shortened
from games.core.cleaning import Notes, printable
from games.core.game import Seat

COOPERATE: Final = Choice("C")
DEFECT: Final = Choice("D")
SILENCE: Final = Say("")
INSTEAD: Final = {"C": "replaced", "D": "replaced", "repeat": "repeated", "void": "voided"}
"""What becomes of a move that is missing or invalid, by the setting ``fallback``."""


@lru_cache(maxsize=64)
def talking(limit: int) -> ActionSpec[Action]:
    """A message; one that is too long is read all the same, and cut by `clean_message` with its note."""
    spec: ActionSpec[Say] = ActionSpec.of(Say)
    schema: dict[str, Any] = {**spec.schema, "properties": {"text": {"type": "string", "maxLength": limit}}}
    return ActionSpec(schema, spec.read)


def clean_move(
    config: DilemmaConfig, state: DilemmaState, seat: Seat, action: Action | None
) -> tuple[Action, tuple[Note, ...]]:
    """The move as it was sent, or the fallback and why."""
    if isinstance(action, Choice) and (action.move == "C" or action.move == "D"):
        return action, ()
    if isinstance(action, Void) and config.fallback == "void":
        return action, ()
    instead = fall_back(config, state, seat)
    data = {} if action is None else {"what": _shown(action)}
    if isinstance(instead, Choice):
        data["move"] = LABELS[config.labels][instead.move]
    fault = "no_move" if action is None else "bad_move"
    return instead, (Note(f"{fault}_{INSTEAD[config.fallback]}", data),)


def fall_back(config: DilemmaConfig, state: DilemmaState, seat: Seat) -> Choice | Void:
    """What stands in for a move that did not come or cannot be read."""
    if config.fallback == "void":
        return Void()
    move = state.moves[seat][-1:] if config.fallback == "repeat" else config.fallback
    return DEFECT if move == "D" else COOPERATE


def clean_message(config: DilemmaConfig, action: Action | None) -> tuple[Say, tuple[Note, ...]]:
    """The message, cut to the limit; silence where none came."""
    if action is None:
        return SILENCE, (Note("no_message"),)
    if not isinstance(action, Say) or not isinstance(action.text, str):
        return SILENCE, (Note("bad_message", {"what": _shown(action)}),)
    notes, text = Notes(), printable(action.text)
    if text != action.text:
        notes.add("message_unprintable")
    if len(text) > config.talk_limit:
        notes.add("message_too_long", length=len(text), most=config.talk_limit)
        text = text[: config.talk_limit]
    return (action if text == action.text else Say(text)), tuple(notes)


def _shown(value: object) -> str:
    return shortened(ascii(getattr(value, "move", value)), 40)
