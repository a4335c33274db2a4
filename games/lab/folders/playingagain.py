"""Runs of policies played again side by side, their lines held to the stored ones byte for byte.

A line holds all that is kept of a step: turn, actions, events, payoffs, the chained hash, measures. Where each is what
the same policies give from the same seed there is nothing left that resolving it again could find; where one is not,
`verifying` does so and says which part differs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from games.core.agents import BadPolicy
from games.core.batch import alike, together
from games.core.bulk import in_bulk
from games.core.game import Step
from games.core.pack import NoBatch, Pack, Sitting
from games.core.written import Written
from games.errors.faults import BadFolder
from games.lab.analysis.tally import ByRound, Tally
from games.lab.folders.packing import Row
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.recorder import Lines, gather
from games.lab.folders.sidebyside import Rounds, unmade
from games.lab.wire.plainjson import encoded

FEWEST: Final = 4
"""Below so many runs of one config it is quicker to resolve each again."""


@dataclass(slots=True)
class Again:
    """A run under way once more: its measures, and how it was played."""

    lines: Lines
    stored: Iterator[bytes]
    tally: Tally
    by_round: ByRound
    series: list[Mapping[str, Any]] = field(default_factory=list)
    before: Step[Any, Any] | None = None
    is_same: bool = True

    def hold(self, step: Step[Any, Any] | Written, measured: Mapping[str, Any] | None) -> bool:
        """Hold the next step to the next line: whether it is the same."""
        record, line = self.lines.next(step, measured)
        self.is_same = _next(self.stored) == line
        if measured is not None:
            self.series.append(measured)
        gather(self.tally, self.by_round, record, measured)
        return self.is_same


def key_of(folder: RunFolder) -> Callable[[Entry], Hashable]:
    """What is the same of runs that are played again together."""
    agents = {name: encoded(told.get("agents")) for name, told in folder.conditions.items()}

    @cache
    def key(condition: str) -> Hashable:
        try:
            return agents[condition], alike(folder.pack.batch, folder.config(condition))
        except (BadFolder, NoBatch):  # told where its runs are verified
            return condition

    return lambda entry: key(entry.condition)


def played_again(folder: RunFolder, runs: Sequence[tuple[Entry, Row | None]]) -> dict[Entry, Again]:
    """What runs of one key come to, of those whose every stored line is what their policies do again; nothing where
    they cannot be played side by side. Raises `BadFolder` for a config that is none.
    """
    if len(runs) < FEWEST or folder.is_seeded:
        return {}
    entries = [entry for entry, _ in runs]
    known = {name: folder.config(name) for name in dict.fromkeys(entry.condition for entry in entries)}
    configs = [known[entry.condition] for entry in entries]
    if (rounds := _rounds(folder, configs, entries)) is None:
        return {}
    again = [begun(folder, *one) for one in runs]
    try:
        with in_bulk():
            for steps in rounds:
                if not _hold(folder.pack, configs, again, steps):
                    break
    except (ArithmeticError, LookupError, TypeError, ValueError):  # of what is no state of the game, if it was bent
        return {}
    return {entry: run for entry, run in zip(entries, again, strict=True) if _is_whole(run, entry)}


def _rounds(folder: RunFolder, configs: Sequence[Any], entries: Sequence[Entry]) -> Rounds | None:
    agents = folder.conditions[entries[0].condition].get("agents", ())
    try:
        if folder.pack.batch is None or any(agent["kind"] != "policy" for agent in agents):
            return None
        seated = {seat: Sitting(agent["policy"], agent["params"]) for seat, agent in enumerate(agents)}
        return together(folder.pack.batch, configs, [entry.seed for entry in entries], seated)
    except (NoBatch, BadPolicy, LookupError, TypeError, ValueError):
        return None


def begun(folder: RunFolder, entry: Entry, row: Row | None) -> Again:
    """``row`` says which measures are told by round, and nothing else is taken from it."""
    names = () if row is None else tuple((row.told or {}).get("rounds", ()))
    lines = Lines(folder.pack.game, entry.condition, entry.replicate, entry.seed)
    stored = folder.logs.of_run(entry.number, entry.first, entry.steps, 0, entry.steps + 1)
    return Again(lines, stored, Tally(), ByRound(names))


def _hold(pack: Pack, configs: Sequence[Any], runs: Sequence[Again], steps: Sequence[Step[Any, Any] | None]) -> bool:
    """Hold a round of all runs to their lines; whether any is still the same."""
    measures, written = unmade(steps, packs=True)
    for world, run in enumerate(runs):
        if not run.is_same:
            continue
        if measures is not None and written is not None:
            run.hold(written[world], measures[world])
        elif (step := steps[world]) is not None:
            before = run.before
            run.hold(step, None if before is None else pack.metrics.measure(configs[world], before.state, step))
            run.before = step
    return any(run.is_same for run in runs)


def _is_whole(run: Again, entry: Entry) -> bool:
    """Whether the run ends where the stored one does, with the hash that is told of it."""
    ends = len(run.series) == entry.steps and run.lines.hash == (entry.hash or run.lines.hash)
    return run.is_same and ends and _next(run.stored) is None


def _next(lines: Iterator[bytes]) -> bytes | None:
    """The next stored line; None where none is left. What cannot be read is a line that no run has."""
    try:
        return next(lines, None)
    except (OSError, ValueError):
        return b""
