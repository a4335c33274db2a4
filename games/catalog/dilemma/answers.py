"""What may be answered: a move or a message, how each is read, and what stands in for an invalid one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.state import Action, Choice, DilemmaState, Say, Void
from games.core.game import ActionSpec, Seat

COOPERATE: Final = Choice("C")
DEFECT: Final = Choice("D")
SILENCE: Final = Say("")


def _choosing() -> ActionSpec[Action]:
    spec: ActionSpec[Choice] = ActionSpec.of(Choice)
    return ActionSpec(spec.schema, spec.read, (COOPERATE, DEFECT))


CHOOSING: Final = _choosing()


@lru_cache(maxsize=64)
def talking(limit: int) -> ActionSpec[Action]:
    """A message; one that is too long is read all the same, and cut by `clean_message` with its reason."""
    spec: ActionSpec[Say] = ActionSpec.of(Say)
    schema: dict[str, Any] = {**spec.schema, "properties": {"text": {"type": "string", "maxLength": limit}}}
    return ActionSpec(schema, spec.read)


def clean_move(
    config: DilemmaConfig, state: DilemmaState, seat: Seat, action: Action | None
) -> tuple[Action, tuple[str, ...]]:
    """The move as it was sent, or the fallback with its reason."""
    if isinstance(action, Choice) and (action.move == "C" or action.move == "D"):
        return action, ()
    if isinstance(action, Void) and config.fallback == "void":
        return action, ()
    instead = fall_back(config, state, seat)
    does = f"plays {instead.move}" if isinstance(instead, Choice) else "the match is void"
    fault = "no answer" if action is None else f"{_shown(action)} is neither C nor D"
    return instead, (f"move: {fault}; {does} (fallback: {config.fallback}).",)


def fall_back(config: DilemmaConfig, state: DilemmaState, seat: Seat) -> Choice | Void:
    """What stands in for a move that did not come or cannot be read."""
    match config.fallback:
        case "C":
            return COOPERATE
        case "D":
            return DEFECT
        case "repeat":
            return DEFECT if state.moves[seat].endswith("D") else COOPERATE
        case "void":
            return Void()


def clean_message(config: DilemmaConfig, action: Action | None) -> tuple[Say, tuple[str, ...]]:
    """The message, cut to the limit; silence where none came."""
    if action is None:
        return SILENCE, ("message: no answer; says nothing.",)
    if not isinstance(action, Say) or not isinstance(action.text, str):
        return SILENCE, (f"message: {_shown(action)} is no text; says nothing.",)
    text = action.text
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    notes = () if text == action.text else ("message: line breaks and control characters became spaces.",)
    if len(text) > config.talk_limit:
        notes = (*notes, f"message: {len(text)} characters; at most {config.talk_limit} (talk_limit). Cut.")
        text = text[: config.talk_limit]
    return (action if text == action.text else Say(text)), notes


def _shown(value: object) -> str:
    text = ascii(getattr(value, "move", value))
    return text if len(text) <= 40 else text[:37] + "..."
