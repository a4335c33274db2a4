"""What is to be played into a run folder, run by run, and what each came to: plain values for any process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.core.agents import Decider
from games.core.answers import JSON
from games.core.game import Seat, Step
from games.errors.faults import BadScenario, Fault, Refused
from games.lab.analysis.plan import Plan
from games.lab.folders.calllog import Keep
from games.lab.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run, as plain values that another process can be sent. Replicates count from 1 within a condition.

    ``keep`` says whether models' prompts are kept whole or as hashes, ``journal`` where calls are noted as they come,
    ``additions`` what a command of its own adds, ``by_round`` measures whose means by round statistics will want.
    """

    module: str
    condition: str
    replicate: int
    seed: int
    config: Mapping[str, Any]
    agents: tuple[Mapping[str, Any], ...]
    keep: Keep = "full"
    journal: Path | None = None
    additions: Additions | None = None
    is_packed: bool = False
    by_round: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"condition {self.condition}, replicate {self.replicate} (seed {self.seed})"


@dataclass(frozen=True, slots=True)
class Played:
    """What a run came to: its steps after the start, its last chained hash (where records were kept), its metrics.

    ``account``  what its models were asked and cost; None where none plays
    ``told``     how it was played, where it is packed (`recorder.told_of`)
    """

    condition: str
    replicate: int
    seed: int
    steps: int
    hash: str | None
    metrics: Mapping[str, JSON]
    account: Mapping[str, JSON] | None = None
    told: Mapping[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in self.__slots__ if name != "told"}
        if self.account is None:
            del told["account"]
        return told


Traces = Mapping[Seat, Mapping[str, Any]]
"""What the seats' deciders told of their last decisions (`Decision.trace`)."""


class Additions:
    """What a command of its own adds to the folders that it plays: seats, fields of a record, tables, manifest's keys.

    Adds nothing. A form of it goes along to the processes that play, so it must be picklable.
    """

    def deciders(self, spec: RunSpec) -> Mapping[Seat, Decider]:
        """Who answers in the seats of a run that are neither policies' nor models'."""
        return {}

    def fields(self, spec: RunSpec, config: Any, step: Step[Any, Any], traces: Traces) -> Mapping[str, Any]:
        """Fields of the step's record in ``rounds.jsonl``, before those that every record has."""
        return {}

    def is_round(self, step: Step[Any, Any]) -> bool:
        """Whether a step's record stands in ``rounds.jsonl``; any other stands in ``steps.jsonl``."""
        return True

    def may_replace(self, place: Path) -> bool:
        """Whether what stands at a run folder's place may be replaced without being asked to."""
        return False

    def finish(self, folder: Path, played: Collection[Played], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the tables into a folder whose logs are complete; the manifest as it is to be written."""
        return manifest


class RunFailed(RuntimeError):
    """A game that raised: a bug, told with its run and step so that it can be played up to there again.

    ``kept``  what the run came to before, where records were kept; None where it has no step
    """

    def __init__(self, where: str, trace: str, kept: Played | None = None) -> None:
        self.where, self.trace, self.kept = where, trace, kept
        super().__init__(where)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.where, self.trace, self.kept)


class RunStopped(Refused):
    """A run that may not go on, such as one whose limit of money is reached. ``kept`` as in `RunFailed`."""

    def __init__(self, faults: Sequence[Fault] | str, kept: Played | None = None) -> None:
        self.kept = kept
        super().__init__(faults)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.faults, self.kept)


def specs_of(
    scenario: Scenario,
    keep: Keep = "full",
    journals: Path | None = None,
    additions: Additions | None = None,
    is_packed: bool = False,
    are_played: bool = False,
) -> list[RunSpec]:
    """Every run of a scenario: conditions in their order, and in each the seeds in theirs.

    ``journals`` is a folder for the calls of runs that cannot be repeated for nothing. Raises `BadScenario` where a
    person would sit, since nobody can join without a site, unless ``are_played``: the runs are over.
    """
    for condition in () if are_played else scenario.conditions:
        person = next((seat for seat, agent in enumerate(condition.seats) if agent.kind in ("person", "program")), None)
        if person is not None:
            kind = condition.seats[person].kind
            told = f"seat {person} is a {kind}'s, who can join on a site alone; use polity serve, or --agents"
            raise BadScenario([Fault(scenario.name, f"{condition.name}.seats", told)])
    by_round = Plan.read(scenario.experiment.plain()).round_metrics() if scenario.experiment is not None else ()
    return [
        RunSpec(
            scenario.module,
            condition.name,
            replicate,
            scenario.seed(place, replicate - 1),
            config,
            agents,
            keep,
            None if journals is None else journals / f"{condition.name}-{seed}.jsonl",
            additions,
            is_packed,
            by_round,
        )
        for place, condition in enumerate(scenario.conditions)
        for config, agents in [(condition.config.model_dump(mode="json"), tuple(a.plain() for a in condition.seats))]
        for replicate, seed in enumerate(scenario.seeds_of(condition), 1)
    ]
