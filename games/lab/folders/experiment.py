"""A run folder as an experiment: what was declared of it, and its runs as statistics see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from games.lab.analysis.plan import Plan
from games.lab.analysis.runs import Conduct, Rounds, Run
from games.lab.analysis.tally import ByRound, Tally, conduct_of
from games.lab.folders.packing import RUNS_LOG, Row
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.recorder import ROUNDS
from games.lab.folders.results import measures
from games.lab.folders.sealing import MANIFEST

EXPERIMENT = "experiment"
Told = Callable[[int, int], None]
Found = Callable[[str, int], Mapping[str, float | None]]
NOTHING: Final[Mapping[str, Rounds]] = {}


class _Line(msgspec.Struct):
    """What statistics want of a round's record; the rest is passed over unread."""

    condition: str
    replicate: int
    step: int
    clock: list[tuple[str, int]]
    seats: list[int]
    notes: list[tuple[int, msgspec.Raw]]
    flags: list[tuple[int, list[str]]]
    payoffs: list[tuple[int, float]]
    metrics: dict[str, msgspec.Raw] | None


@dataclass(slots=True)
class _Gathered:
    """One run's rounds, as they come."""

    rounds: ByRound
    tally: Tally = field(default_factory=Tally)

    def add(self, line: _Line) -> None:
        noted = sum(bytes(notes) != b"[]" for _, notes in line.notes)
        self.tally.add(line.step, line.payoffs, line.seats, noted, line.flags)
        told = line.metrics or {}
        wanted = {name: msgspec.json.decode(told[name]) for name in self.rounds.names if name in told}
        self.rounds.add(line.step, line.clock, wanted)


def plan_of(folder: RunFolder) -> Plan:
    """What the folder's manifest declares; of a folder that declares nothing, its conditions alone."""
    told = folder.manifest.get(EXPERIMENT)
    if told is None:
        return Plan(tuple(folder.conditions))
    try:
        plan = Plan.read(told)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise folder.bad(MANIFEST, f"{EXPERIMENT}: not an experiment of this form") from None
    if set(plan.conditions) != set(folder.conditions):
        raise folder.bad(MANIFEST, f"{EXPERIMENT}.conditions: not the conditions that were played")
    return plan


def runs_of(folder: RunFolder, plan: Plan, tell: Told | None = None) -> list[Run]:
    """Every run with its measures, rounds, payoffs and conduct; raises `BadFolder`.

    ``tell`` is told how many runs of how many were read.
    """
    found = measures(folder)
    wanted = plan.round_metrics()
    if folder.is_packed:
        alike: dict[Conduct, Conduct] = {}
        return [_packed_run(row, found, alike) for row in _with_rounds(folder, wanted)]
    gathered: dict[tuple[str, int], _Gathered] = {}
    for line in _lines(folder, bool(wanted) or plan.robin is not None):
        key = line.condition, line.replicate
        if key not in gathered:
            gathered[key] = _Gathered(ByRound(wanted))
            if tell is not None:
                tell(len(gathered), len(folder.entries))
        gathered[key].add(line)
    return [_run(entry, found, gathered) for entry in folder.entries]


def _run(entry: Entry, found: Found, gathered: Mapping[Any, _Gathered]) -> Run:
    key = entry.condition, entry.replicate
    metrics = found(*key)
    lived = gathered.get(key) or _Gathered(ByRound(()))
    payoffs = tuple(float(payoff) for payoff in lived.tally.by_seat)
    rounds, conduct = lived.rounds.means(), lived.tally.conduct()
    return Run(entry.condition, entry.replicate, entry.seed, entry.steps, metrics, rounds, payoffs, conduct)


def _with_rounds(folder: RunFolder, wanted: Collection[str]) -> Iterator[Row]:
    for row in folder.rows():
        if row.told is None or not set(wanted) <= row.told["rounds"].keys():
            raise folder.bad(RUNS_LOG, f"{row.condition}, replicate {row.replicate}: not how it was played")
        yield row


def _packed_run(row: Row, found: Found, alike: dict[Conduct, Conduct]) -> Run:
    """``alike`` keeps one of each conduct, which many runs share."""
    told = row.told or {}
    rounds = {name: dict(pairs) for name, pairs in told["rounds"].items()} or NOTHING
    payoffs = tuple(float(payoff) for payoff in told["payoffs"])
    conduct = conduct_of(told)
    metrics, conduct = found(row.condition, row.replicate), alike.setdefault(conduct, conduct)
    return Run(row.condition, row.replicate, row.seed, row.steps, metrics, rounds, payoffs, conduct)


def _lines(folder: RunFolder, are_needed: bool) -> Iterator[_Line]:
    """The records of all rounds. Runs that are kept by their seeds are played again, where anything needs them."""
    if folder.is_seeded:
        for entry in folder.entries if are_needed else ():
            for record, _ in folder.steps(entry):
                told = {**record, "condition": entry.condition, "replicate": entry.replicate}
                yield msgspec.json.decode(msgspec.json.encode(told), type=_Line)
        return
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(folder.lines(ROUNDS), 1):
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError:
            raise folder.bad(f"{ROUNDS}:{number}", "cannot be read as a record") from None
