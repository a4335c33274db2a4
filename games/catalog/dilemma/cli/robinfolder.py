"""A tournament as a run folder: a condition a pair, a replicate a repetition, and the tables beside them as CSV.

Where policies alone play, no round is stored: the manifest says ``rounds: from seeds``, and a match is played again
from its seed by whoever looks at it. With any other agent every match is recorded, as in other run folders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from games.catalog.dilemma.metrics import match_results
from games.catalog.dilemma.mixed import Agent, Guest, sit
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.tournament import Results
from games.core.answers import JSON
from games.core.engine import play
from games.core.registry import Pack
from games.lab.aggregates import write_aggregates
from games.lab.cells import Cell, Played, Recorder
from games.lab.finding import Shelf
from games.lab.folder import AGGREGATES, Gathering, fresh, manifest_of, write_manifest
from games.lab.scenario import Condition, Scenario
from games.lab.seeded import FROM_SEEDS, ROUNDS_KEY

MODULE = "games.catalog.dilemma"


@dataclass(frozen=True, slots=True)
class Entered:
    """An entrant as a condition seats it; ``label`` is its distinct name in the tournament."""

    agent: Agent
    label: str

    def plain(self) -> dict[str, Any]:
        if isinstance(self.agent, Guest):
            return {"kind": "llm", "label": self.label}
        params = POLICIES[self.agent.policy].params.model_validate(dict(self.agent.params))
        told = params.model_dump(mode="json")
        return {"kind": "policy", "policy": self.agent.policy, "params": told, "label": self.label}


def write_folder(held: Results, out: Path) -> None:
    """Raises `BadFolder` where something stands at ``out``."""
    asked = held.tournament
    started = datetime.now(UTC)
    pack = Shelf().pack("dilemma")
    entered = [Entered(agent, name) for agent, name in zip(asked.entrants, held.names, strict=True)]
    names = _short(held.names)
    pairs = {(i, j): f"{names[i]}-vs-{names[j]}" for i, j in asked.pairs()}
    conditions = tuple(
        Condition(name, asked.config, (entered[i], entered[j]), {"en": f"{held.names[i]} vs {held.names[j]}"})  # type: ignore[arg-type]
        for (i, j), name in pairs.items()
    )
    scenario = Scenario(MODULE, pack, "tournament", {"en": "Round robin", "zh": "循环赛"}, {}, conditions, ())
    seeded = not any(isinstance(agent, Guest) for agent in asked.entrants)
    with fresh(out) as folder:
        if seeded:
            digests: dict[str, str] = {}
            played = [_counted(held, n, pairs[i, j]) for n, (i, j, _) in enumerate(held.cells)]
        else:
            gathering = Gathering(folder, len(held.cells))
            played = []
            for n, (i, j, _) in enumerate(held.cells):
                played.append(_recorded(pack, held, n, pairs[i, j], gathering.part(n)))
                gathering.add(n, played[-1])
            digests = gathering.close()
        write_aggregates(folder / AGGREGATES, played)
        held.write(folder)
        told: dict[str, Any] = {"repetitions": asked.repetitions, "seed": asked.seed}
        told |= {"self_play": asked.self_play, "pairing": asked.pairing}
        own: Mapping[str, Any] = {ROUNDS_KEY: FROM_SEEDS} if seeded else {}
        write_manifest(folder, {**manifest_of(scenario, played, digests, started), **own, "tournament": told})


def _short(names: Sequence[str]) -> list[str]:
    """Names that a condition may bear: without what the strategy plays by, numbered where that makes two alike."""
    plain = [re.sub(r"[^A-Za-z0-9._-]+", "-", name.split("(")[0]).strip("-")[:24] or "agent" for name in names]
    return [name if plain.count(name) == 1 else f"{name}-{plain[: n + 1].count(name)}" for n, name in enumerate(plain)]


def _counted(held: Results, n: int, condition: str) -> Played:
    """A match of policies, measured from its moves alone."""
    config = held.tournament.config
    moves = held.matches.moves(n)
    length = len(moves[0])
    last = {"total_a": held.totals[0][n], "total_b": held.totals[1][n]}
    metrics: dict[str, JSON] = {"rounds": length, "invalid_rate": 0.0, "invalid_rate_a": 0.0, "invalid_rate_b": 0.0}
    metrics |= {"is_void": False, **dict(match_results(config, moves, last))}
    steps = length * (2 if config.talk else 1)
    return Played(condition, held.cells[n][2] + 1, held.matches.played[n].seed, steps, None, metrics)


def _recorded(pack: Pack, held: Results, n: int, condition: str, part: Path) -> Played:
    """A match with an agent that is no policy, played again and recorded."""
    i, j, repetition = held.cells[n]
    asked = held.tournament
    seed = held.matches.played[n].seed
    cell = Cell(MODULE, condition, repetition + 1, seed, asked.config.model_dump(mode="json"), ())
    deciders = {0: sit(asked.entrants[i]), 1: sit(asked.entrants[j])}
    series: list[Mapping[str, JSON]] = []
    before = None
    with Recorder(pack, cell, asked.config, part) as recorder:
        for step in play(pack.game, asked.config, seed, deciders):
            found = None if before is None else pack.metrics.measure(asked.config, before, step)
            if found is not None:
                series.append(found)
            recorder.add(step, found)
            before = step.state
        summary = dict(pack.metrics.summarise(asked.config, series))
        return Played(condition, repetition + 1, seed, len(series), recorder.hash, summary)
