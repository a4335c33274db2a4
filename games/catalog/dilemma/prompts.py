"""Prompts from template files: deterministic, by `str.format`, showing the configured window and nothing beyond it."""

from __future__ import annotations

import string
from typing import Final, NamedTuple

from games.catalog.dilemma.config import Move
from games.catalog.dilemma.parsing import Format
from games.catalog.dilemma.state import Observation
from games.core.game import Number

SYSTEM_FIELDS: Final = frozenset({"payoff_table", "length", "noise", "persona", "answer_format"})
ROUND_FIELDS: Final = frozenset({"round", "transcript", "totals", "messages", "answer_format"})

ANSWER_FORMATS: Final = {
    "token": "Reply with exactly one letter, C or D, and nothing else.",
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
    form: Format = "token",
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
    return f"Before this move you wrote: {mine!r}. The other player wrote: {theirs!r}."


def _number(value: Number) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
