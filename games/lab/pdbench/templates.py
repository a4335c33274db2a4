"""The source's prompts: templates that an experiment file names, filled by `str.format`, and what corrects a reply."""

from __future__ import annotations

import string
from typing import Final, NamedTuple

from games.catalog.dilemma.prompts import TEXTS, facts
from games.catalog.dilemma.state import Observation
from games.lab.pdbench.parsing import Format

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
    told = facts(observation, window=window)

    def say(block: str) -> str:
        return TEXTS.say("en", block, told).strip()

    return Prompt(
        system.format(
            payoff_table=say("pays"),
            length=say("length"),
            noise=say("slips"),
            persona=persona.strip(),
            answer_format=ANSWER_FORMATS[form],
        ),
        round_.format(
            round=observation.round,
            transcript=say("transcript"),
            totals=say("totals") if include_totals else "",
            messages=say("said"),
            answer_format=ANSWER_FORMATS[form],
        ),
    )


def correction(round_prompt: str, fault: str, form: Format) -> str:
    """The same round again, with what was wrong in one line."""
    return f"{round_prompt}\n\nYour last reply could not be used: {fault}. {ANSWER_FORMATS[form]}"
