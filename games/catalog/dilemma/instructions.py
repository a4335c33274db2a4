"""What players of the dilemma are told: payoffs, length and noise as a model is told them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.prompts import MOVES, TEXTS, facts
from games.catalog.dilemma.state import Observation
from games.core.agents import Request
from games.core.answers import JSON
from games.core.instructions import Instructions, PayTable, from_texts


def tell(config: DilemmaConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen: Observation = request.observation
    told = facts(seen, language, fallback=config.fallback)
    pays = [[(seen.payoffs.of(own, other), seen.payoffs.of(other, own)) for other in MOVES] for own in MOVES]
    title, *choices = TEXTS.lines(language, "table", told)
    outcomes: list[dict[str, JSON]] = [
        {"moves": own + other, "mine": mine, "theirs": theirs, "labels": seen.labels}
        for own, row in zip(MOVES, pays, strict=True)
        for other, (mine, theirs) in zip(MOVES, row, strict=True)
    ]
    made = from_texts(
        TEXTS,
        language,
        told,
        facts={
            "horizon": seen.rounds if seen.rounds is not None else seen.stop_prob,
            "payoffs": [[mine for mine, _ in row] for row in pays],
            "default": config.fallback,
        },
        name=TEXTS.say(language, "name", told),
        acts_title=TEXTS.say(language, "acts_title", told),
        table=PayTable(title, tuple(choices[2:]), tuple(choices[:2]), tuple(map(tuple, pays))),
    )
    # An outcome has a picture with its own moves and points; to talk has one without.
    pictured = [replace(act, facts=each) for act, each in zip(made.acts, outcomes, strict=False)]
    return replace(made, acts=(*pictured, *made.acts[len(pictured) :]))
