"""A round robin of agents that are seated already, as a scenario: a condition a pair, with the seeds of its matches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from games.core.pack import Pack
from games.core.robin import RoundRobin
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import Seated


def tournament(
    module: str, pack: Pack, config: BaseModel, entrants: Sequence[Seated], labels: Sequence[str], design: RoundRobin
) -> Scenario:
    """``labels`` are the entrants' distinct names; conditions bear short forms of them."""
    names = short_names(labels)
    conditions = tuple(
        Condition(
            f"{names[i]}-vs-{names[j]}",
            config,
            (entrants[i], entrants[j]),
            {"en": f"{labels[i]} vs {labels[j]}"},
            seeds=design.seeds(i, j),
        )
        for i, j in design.pairs()
    )
    held = {"repetitions": design.repetitions, "seed": design.seed}
    told = {**held, "self_play": design.self_play, "pairing": design.pairing}
    return Scenario(
        module, pack, "tournament", {"en": "Round robin", "zh": "循环赛"}, {}, conditions, (), tournament=told
    )


def short_names(labels: Sequence[str]) -> list[str]:
    """Names that a condition may bear: without what stands in brackets, numbered where that makes two alike."""
    plain = [re.sub(r"[^A-Za-z0-9._-]+", "-", label.split("(")[0]).strip("-")[:24] or "agent" for label in labels]
    return [name if plain.count(name) == 1 else f"{name}-{plain[: n + 1].count(name)}" for n, name in enumerate(plain)]
