"""A tournament as a run folder: a condition a pair, a replicate a repetition, and the tables beside them as CSV.

Where policies alone play, no round is stored: the manifest says ``rounds: from seeds``, and a match is played again
from its seed by whoever looks at it. With any other agent every match is recorded, as in other run folders.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from games.catalog.dilemma.metrics import match_results
from games.catalog.dilemma.policies import POLICIES
from games.core.agents import Decider
from games.core.answers import JSON
from games.core.game import Seat
from games.core.registry import Registry
from games.lab.folders.aggregates import write_aggregates
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.running import run
from games.lab.folders.runspec import Additions, Played, RunSpec
from games.lab.folders.seedfolder import write_seeds
from games.lab.pdbench.mixed import Agent, Guest, sit
from games.lab.pdbench.plan import MODULE
from games.lab.pdbench.tournament import Results
from games.lab.scenarios.seating import Seated
from games.lab.scenarios.tournament import tournament


@dataclass(frozen=True, slots=True)
class Entered:
    """An entrant as a condition seats it; ``label`` is its distinct name in the tournament."""

    agent: Agent
    label: str

    @property
    def kind(self) -> str:
        return "llm" if isinstance(self.agent, Guest) else "policy"

    def plain(self) -> dict[str, Any]:
        if isinstance(self.agent, Guest):
            return {"kind": self.kind, "label": self.label}
        params = POLICIES[self.agent.policy].params.model_validate(dict(self.agent.params))
        settings = params.model_dump(mode="json")
        return {"kind": self.kind, "policy": self.agent.policy, "params": settings, "label": self.label}


@dataclass(frozen=True, slots=True)
class RobinFiles(Additions):
    """What a tournament adds: its entrants, by condition, and its tables."""

    results: Results
    pairs: Mapping[str, tuple[Agent, Agent]]

    def deciders(self, spec: RunSpec) -> Mapping[Seat, Decider]:
        return {seat: sit(agent) for seat, agent in enumerate(self.pairs[spec.condition])}

    def finish(self, folder: Path, played: Collection[Played], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        write_aggregates(folder / AGGREGATES, played)
        self.results.write(folder)
        return manifest


def write_folder(results: Results, out: Path) -> None:
    """Raises `BadFolder` where something stands at ``out``."""
    asked = results.tournament
    entered = [Entered(agent, name) for agent, name in zip(asked.entrants, results.names, strict=True)]
    seated = cast("list[Seated]", entered)
    scenario = tournament(MODULE, Registry().get("dilemma"), asked.config, seated, results.names, asked.design)
    names = [condition.name for condition in scenario.conditions]
    agents = dict(zip(asked.design.pairs(), names, strict=True))
    files = RobinFiles(results, {name: (asked.entrants[i], asked.entrants[j]) for (i, j), name in agents.items()})
    if any(isinstance(agent, Guest) for agent in asked.entrants):
        run(scenario, out, jobs=1, additions=files, is_plain=True)
    else:
        played = [_counted(results, n, agents[i, j]) for n, (i, j, _) in enumerate(results.cells)]
        write_seeds(scenario, out, played, files)


def _counted(results: Results, n: int, condition: str) -> Played:
    """A match of policies, measured from its moves alone."""
    config = results.tournament.config
    moves = results.matches.moves(n)
    length = len(moves[0])
    last = {"total_a": results.totals[0][n], "total_b": results.totals[1][n]}
    metrics: dict[str, JSON] = {"rounds": length, "invalid_rate": 0.0, "invalid_rate_a": 0.0, "invalid_rate_b": 0.0}
    metrics |= {"is_void": False, **dict(match_results(config, moves, last))}
    steps = length * (2 if config.talk else 1)
    return Played(condition, results.cells[n][2] + 1, results.matches.played[n].seed, steps, None, metrics)
