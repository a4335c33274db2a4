"""Prompts from template files: deterministic, by `str.format`, showing the configured window and nothing beyond it."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.catalog.dilemma.config import Move
from games.catalog.dilemma.parsing import Format
from games.catalog.dilemma.state import Observation
from games.core.agents import Request
from games.core.game import JSON, Number
from games.core.prompts import GamePrompts, quoted

FILES: Final = Path(__file__).parent / "configs" / "prompts"
Asked: TypeAlias = Format | Literal["open"]
"""How an answer is asked for; "open" leaves it to whoever asks."""

SYSTEM_FIELDS: Final = frozenset({"payoff_table", "length", "noise", "persona", "answer_format"})
ROUND_FIELDS: Final = frozenset({"round", "transcript", "totals", "messages", "answer_format"})

ANSWER_FORMATS: Final = {
    "token": "Reply with exactly one letter, C or D, and nothing else.",
    "open": "",
    "json": 'Reply with exactly {"action": "C"} or {"action": "D"}, and nothing else.',
}


class Prompt(NamedTuple):
    system: str
    round: str


class BadTemplate(ValueError):
    """A template with a placeholder that nothing fills; one line."""


def check_template(text: str, fields: frozenset[str]) -> None:
    """Raises `BadTemplate` where the template does not format, or names a placeholder that is not among ``fields``."""
    try:
        named = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise BadTemplate(f"is no template: {error}; write {{{{ and }}}} for braces") from None
    unknown = sorted(set(named) - fields)
    if unknown:
        raise BadTemplate(f"placeholder {{{unknown[0]}}} is unknown; there are {', '.join(sorted(fields))}")


def render(
    observation: Observation,
    system: str,
    round_: str,
    persona: str,
    window: int | None = None,
    include_totals: bool = True,
    form: Asked = "token",
) -> Prompt:
    """Both prompts of one request. ``window`` None: that of the match. Hidden totals stay hidden."""
    seen = observation.window if window is None else window
    return Prompt(
        system.format(
            payoff_table=payoff_table(observation),
            length=length(observation),
            noise=noise(observation),
            persona=persona.strip(),
            answer_format=ANSWER_FORMATS[form],
        ),
        round_.format(
            round=observation.round,
            transcript=transcript(observation, seen),
            totals=totals(observation) if include_totals else "",
            messages=messages(observation),
            answer_format=ANSWER_FORMATS[form],
        ),
    )


def correction(round_prompt: str, fault: str, form: Format) -> str:
    """The same round again, with what was wrong in one line."""
    return f"{round_prompt}\n\nYour last reply could not be used: {fault}. {ANSWER_FORMATS[form]}"


def payoff_table(observation: Observation) -> str:
    t, r, p, s = (_number(paid) for paid in observation.payoffs)
    return "\n".join([
        f"- you C, other C: you get {r}, the other gets {r}",
        f"- you C, other D: you get {s}, the other gets {t}",
        f"- you D, other C: you get {t}, the other gets {s}",
        f"- you D, other D: you get {p}, the other gets {p}",
    ])  # fmt: skip


def length(observation: Observation) -> str:
    if observation.rounds is not None:
        return f"The match lasts exactly {observation.rounds} rounds."
    if observation.stop_prob is not None:
        return f"After each round the match ends with probability {observation.stop_prob:g}."
    return "You are not told how long the match lasts."


def noise(observation: Observation) -> str:
    mine, theirs = observation.noise
    if not mine and not theirs:
        return ""
    return (
        f"A move is sometimes carried out as the other one by accident: yours with probability {mine:g}, "
        f"the other player's with probability {theirs:g}. The record shows what was carried out."
    )


def transcript(observation: Observation, window: int) -> str:
    """The last ``window`` rounds, oldest first, a line each."""
    played = len(observation.mine)
    first = max(0, played - window)
    if first == played:
        return "No earlier round is shown." if played else "This is the first round."
    lines = []
    for number in range(first, played):
        own: Move = "C" if observation.mine[number] == "C" else "D"
        other: Move = "C" if observation.theirs[number] == "C" else "D"
        paid, theirs = observation.payoffs.of(own, other), observation.payoffs.of(other, own)
        lines.append(f"round {number + 1}: you {own}, other {other}; you got {_number(paid)}, other {_number(theirs)}")
    return "\n".join(lines)


def totals(observation: Observation) -> str:
    if observation.totals is None:
        return ""
    mine, theirs = observation.totals
    return f"Totals so far: you {_number(mine)}, other {_number(theirs)}."


def messages(observation: Observation) -> str:
    if observation.said is None:
        return ""
    mine, theirs = observation.said
    return f"Before this move you wrote: {quoted(mine)}. The other player wrote: {quoted(theirs)}."


def _number(value: Number) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class MatchPrompts(GamePrompts):
    """What this game says to any model in one of its seats, from the files of its experiment. In English so far.

    ``window`` -1 is the match's own; the form of the answer is asked for by whoever asks.
    """

    stages = frozenset({"talk", "choose"})
    options: Mapping[str, JSON] = {"window": -1, "include_totals": True}
    output = "token"

    def __init__(self) -> None:
        self.personas = _personas()

    def render(
        self,
        *,
        config: Any,
        observation: Observation,
        request: Request[Any, Any],
        language: str,
        persona: str,
        memory: str,
        options: Mapping[str, JSON],
    ) -> Mapping[str, str]:
        """``system`` and ``user``. Other players' words stand in quotation marks."""
        window = options["window"] if isinstance(options["window"], int) and options["window"] >= 0 else None
        shows_totals = bool(options["include_totals"])
        told = render(observation, _file("pd_system.md"), _file("pd_round.md"), persona, window, shows_totals, "open")
        user = told.round
        if observation.stage == "talk":
            user = _file("pd_talk.md").format(
                round=observation.round,
                transcript=transcript(observation, observation.window if window is None else window),
                totals=totals(observation) if shows_totals else "",
                talk_limit=observation.talk_limit,
            )
        return {"system": told.system.strip(), "user": f"{user.strip()}\n\n{memory}".strip()}


@lru_cache(maxsize=8)
def _file(name: str) -> str:
    return (FILES / name).read_text("utf-8")


@lru_cache(maxsize=1)
def _personas() -> Mapping[str, Mapping[str, str]]:
    texts = {path.stem: path.read_text("utf-8").strip() for path in sorted((FILES / "personas").glob("*.md"))}
    return {name: {"en": text, "zh": text} for name, text in texts.items()}
