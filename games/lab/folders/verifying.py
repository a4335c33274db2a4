"""Resolves a run folder again from seeds and stored actions, and compares every chained hash and every measure."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from games.core.bulk import in_bulk
from games.core.codec import COVERED, GENESIS, as_hashed, canonical, chain, encode_step
from games.core.game import Game, Step
from games.core.registry import Registry, look_in, looked_in
from games.errors import extras
from games.errors.faults import BadFolder
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.packing import RUNS_LOG, Row
from games.lab.folders.place import UNFINISHED
from games.lab.folders.playingagain import Again, begun, key_of, played_again
from games.lab.folders.processes import WORTH_A_POOL_S, cores, processes
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.recorder import DECISIONS, ROUNDS, decisions_of, told_of
from games.lab.folders.results import aggregates_of
from games.lab.folders.sidebyside import cut, in_turn
from games.lab.wire.plainjson import decoded, encoded

STEP_S: Final = 5e-5
"""What it takes to hold a step to what is stored, at least."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verification found in one run: how many of its steps are identical, and what differs first."""

    entry: Entry
    identical: int
    difference: str | None = None

    def __str__(self) -> str:
        told = f"{self.entry}: identical {self.identical}/{self.entry.steps}"
        return told if self.difference is None else f"{told}; {self.difference}"


def verify(folder: RunFolder, jobs: int | None = 1) -> Iterator[Verdict]:
    """A verdict for each run, in order. Raises `BadFolder` where the game or a config cannot be used.

    Every step is resolved and measured again, and what the aggregates say of the run is held to that. Runs that are
    kept by their seeds alone are played again, and so are those of policies whose game has a batch form (`_of`).
    ``jobs`` processes do it beside each other, to the same answer; None: as many as pay.
    """
    entries, first = folder.entries, 0
    if jobs is None and sum(entry.steps for entry in entries) * STEP_S >= WORTH_A_POOL_S:
        jobs = cores()
    if jobs is None:
        began, first = time.perf_counter(), min(1, len(entries))
        if first:
            yield from _of(folder, [0])
        jobs = cores() if (time.perf_counter() - began) * (len(entries) - first) > WORTH_A_POOL_S else 1
    groups = cut(entries[first:], key_of(folder), jobs)
    blocks = [(group, [first + place for place in group]) for group in groups]
    if min(jobs, len(entries) - first) <= 1:
        yield from in_turn((group, _of(folder, places)) for group, places in blocks)
        return
    with processes(jobs, partial(look_in, looked_in())) as pool:
        found = [(group, pool.submit(_block, folder.path, folder.registry, places)) for group, places in blocks]
        yield from in_turn((group, block.result()) for group, block in found)


def _block(path: Path, registry: Registry, places: Sequence[int]) -> list[Verdict]:
    return list(_of(_opened(path, registry), places))


@lru_cache(maxsize=1)
def _opened(path: Path, registry: Registry) -> RunFolder:
    """The folder, opened once in a process that is given block after block of it."""
    return RunFolder(path, registry)


def _of(folder: RunFolder, places: Sequence[int]) -> Iterator[Verdict]:
    """The verdicts on runs that can be played side by side, by their places.

    The first run of each condition is resolved again by the rules of `play`, whatever played it; the others first run
    side by side once more.
    """
    try:
        aggregates = aggregates_of(folder) if extras.has("pyarrow") else {}
    except BadFolder:  # `unexplained` names it
        aggregates = {}
    entries, rows = folder.entries, folder.rows_at(places)
    later = [place for place in places if place and entries[place - 1].condition == entries[place].condition]
    again = played_again(folder, [(entries[place], rows.get(place)) for place in later])
    for place in places:
        entry, row, run = entries[place], rows.get(place), again.get(entries[place])
        measured = aggregates.get((entry.condition, entry.replicate))
        if run is None:
            with in_bulk():
                verdict = _verified(folder, entry, measured, row)
            yield verdict
        else:
            yield Verdict(entry, entry.steps, _wrong_measures(folder, entry, run, measured, row))


def _verified(folder: RunFolder, entry: Entry, aggregates: Mapping[str, Any] | None, row: Row | None) -> Verdict:
    """``row`` is what a packed folder says of the run; nothing of it is believed."""
    game, metrics, config = folder.pack.game, folder.pack.metrics, folder.config(entry.condition)
    again, previous = begun(folder, entry, row), GENESIS
    series = again.series
    last: Step[Any, Any] | None = None
    try:
        for record, step in folder.steps(entry):
            measures = None if last is None else metrics.measure(config, last.state, step)
            if not again.hold(step, measures):
                wrong = None if folder.is_seeded else difference(game, previous, record, step)
                if wrong is None and canonical(measures) != canonical(record.get("metrics")):
                    wrong = "metrics"
                if wrong is not None:
                    return Verdict(entry, max(0, step.index - 1), f"step {step.index} differs: {wrong}")
            previous, last = str(record.get("hash")), step
    except BadFolder as error:
        return Verdict(entry, len(series), str(error))
    if last is None or previous != (entry.hash or previous):
        return Verdict(entry, len(series), f"step {len(series)} differs: the manifest ends this run with another hash")
    if game.turn(config, last.state) is not None:
        return Verdict(entry, len(series), f"step {len(series) + 1} is missing: the run is not over")
    return Verdict(entry, len(series), _wrong_measures(folder, entry, again, aggregates, row))


def _wrong_measures(
    folder: RunFolder,
    entry: Entry,
    again: Again,
    aggregates: Mapping[str, Any] | None,
    row: Row | None,
) -> str | None:
    """The first measure or count of a run, in the files that tell what it came to, which is not what it comes to."""
    summary = folder.pack.metrics.summarise(folder.config(entry.condition), again.series)
    wrong = _wrong_measure(AGGREGATES, aggregates or {}, summary)
    if row is None:
        return wrong
    played = told_of(again.tally, again.by_round)
    if played != row.told:
        played = decoded(encoded(played))
    return wrong or _wrong_measure(RUNS_LOG, row.metrics, summary) or _wrong_measure(RUNS_LOG, row.told or {}, played)


def _wrong_measure(file: str, written: Mapping[str, Any], measured: Mapping[str, Any]) -> str | None:
    """The first measure in a file that is not what the run comes to when it is measured again."""
    for name, value in written.items():
        if value != measured.get(name):
            again = f"measured again it is {measured[name]}" if name in measured else "there is no such measure"
            return f"{file} differs: {name} is {value}; {again}"
    return None


def difference(
    game: Game[Any, Any, Any, Any], previous: str, record: Mapping[str, Any], step: Step[Any, Any]
) -> str | None:
    """Which part of a stored record is not what resolves again, in words; None where all is identical."""
    ours = encode_step(game, step)
    for part in ("clock", "stage", "seats"):
        if ours[part] != record.get(part):
            return part
    told = record.get("hash")
    try:
        again, stored = as_hashed(ours), as_hashed(record)
    except (KeyError, ValueError):
        return "a part of the record is missing"
    same_again = chain(game, previous, step, again) == told
    is_same = all(again[part] == stored.get(part) for part in ("step", *COVERED))
    same_stored = same_again if is_same else chain(game, previous, step, stored) == told
    if same_again and same_stored:
        return None
    parts = [part for part in COVERED if canonical(ours[part]) != canonical(record.get(part))]
    if same_stored:
        return " and ".join(parts) or "state"
    if not parts:
        return "actions, or the hash itself (the record does not have the hash that stands in it)"
    restored = {**record, **{part: ours[part] for part in parts}}
    if chain(game, previous, step, restored) == told:
        return " and ".join(parts)
    return f"actions, from which other {' and '.join(parts)} follow"


def unexplained(folder: RunFolder) -> list[str]:
    """Files that are not the bytes which were written, one line each, with the first place where that shows; and
    aggregates that are gone or of other runs.
    """
    files = [f"{name}: not the bytes that were written{_place(folder, name)}" for name in folder.altered()]
    return files + _wrong_aggregates(folder)


def _wrong_aggregates(folder: RunFolder) -> list[str]:
    remedy = "make them anew with polity aggregate"
    has_none = not folder.covers(AGGREGATES) and not (folder.path / AGGREGATES).exists()
    if has_none or not extras.has("pyarrow"):  # written by a base install, or verified by one: its digest was compared
        return []
    try:
        runs = set(aggregates_of(folder))
    except BadFolder as error:
        return [str(error)]
    whole = UNFINISHED not in folder.manifest
    ours = {(one.condition, one.replicate) for one in folder.entries}
    return [] if runs == ours or (runs < ours and not whole) else [f"{AGGREGATES}: not of these runs; {remedy}"]


def _place(folder: RunFolder, name: str) -> str:
    """Where rounds and decisions, which tell the same of actions, notes and flags, disagree first."""
    if name not in (ROUNDS, DECISIONS):
        return ""
    lines = folder.lines(DECISIONS)
    for entry in folder.entries:
        run = {"condition": entry.condition, "replicate": entry.replicate}
        try:
            for record in folder.records(entry):
                for made in decisions_of(record):
                    if next(lines, b"") != encoded({**run, "step": record["step"], **made}) + b"\n":
                        at = f"{entry}, step {record['step']}, seat {made['seat']}"
                        return f"; {ROUNDS} and {DECISIONS} disagree on {at}"
        except (BadFolder, KeyError, TypeError, ValueError) as error:
            return f"; {error}"
    return ""
