"""A run folder as data: which runs it holds, their records by number, and their steps resolved again from actions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from games.core.codec import SCHEMAS_READ, config_hash, decode_actions, decode_notes
from games.core.engine import replay
from games.core.game import Step
from games.core.pack import Pack
from games.core.registry import Registry
from games.errors.faults import BadFolder, Fault, Refused, shown
from games.lab.folders.logs import Logs, PackedLogs, PlainLogs
from games.lab.folders.packing import PACKING, RUNS_LOG, Line, Row, Rows, places_of, rows_of
from games.lab.folders.sealing import FILES, MANIFEST, SEAL, TIMELESS, digest_of, seal_of
from games.lab.folders.seeded import FROM_SEEDS, ROUNDS_KEY, Unplayable, steps_from_seed
from games.lab.scenarios.finding import pack_named
from games.lab.wire.plainjson import decoded

STAMP: Final = re.compile(rb',"timestamp_utc":"[^"]*"')
MANIFEST_BYTES_MAX: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of the folder: ``number`` in the plan, and of its record of step 0 among all records (``first``)."""

    condition: str
    replicate: int
    seed: int
    steps: int
    hash: str
    first: int
    number: int

    def __str__(self) -> str:
        return f"condition {self.condition}, replicate {self.replicate}"


class RunFolder:
    """A complete run folder, opened for reading. Nothing in it is written or trusted; `BadFolder` says what is off."""

    def __init__(self, path: Path, registry: Registry | None = None) -> None:
        self.path, self.registry = path, registry or Registry()
        self.manifest = self._read_manifest()
        try:
            self.game = str(self.manifest["game"])
            self.conditions: dict[str, Mapping[str, Any]] = {one["name"]: one for one in self.manifest["conditions"]}
        except (KeyError, TypeError, ValueError) as error:
            raise self.bad(MANIFEST, f"not a manifest of this form: {shown(error)}") from None
        if not self.is_packed:
            _ = self.entries  # statistics of many packed runs do without them

    @cached_property
    def entries(self) -> list[Entry]:
        """Every run, in the plan's order; raises `BadFolder`."""
        return self._contents[0]

    @cached_property
    def logs(self) -> Logs:
        """Where the records stand; raises `BadFolder`."""
        return self._contents[1]

    @cached_property
    def _contents(self) -> tuple[list[Entry], Logs]:
        logs = PackedLogs(self.path) if self.is_packed else None
        try:
            return self._read_entries(logs), logs or PlainLogs(self.path)
        except BadFolder:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise self.bad(MANIFEST, f"not a manifest of this form: {shown(error)}") from None

    def _read_manifest(self) -> Mapping[str, Any]:
        try:
            with (self.path / MANIFEST).open("rb") as file:
                data = json.loads(file.read(MANIFEST_BYTES_MAX), parse_float=_finite, parse_constant=_finite)
        except (FileNotFoundError, NotADirectoryError):
            raise BadFolder([Fault(str(self.path), "", f"no run folder: it holds no {MANIFEST}")]) from None
        except OSError as error:
            raise self.bad(MANIFEST, f"cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise self.bad(MANIFEST, "not JSON") from None
        if not isinstance(data, dict) or data.get("schema") not in SCHEMAS_READ:
            found = data.get("schema") if isinstance(data, dict) else None
            raise self.bad(
                MANIFEST, f"schema {shown(found)}; this version reads {' and '.join(map(str, SCHEMAS_READ))}"
            )
        return data

    def _read_entries(self, logs: PackedLogs | None) -> list[Entry]:
        entries: list[Entry] = []
        first = 0
        for number, one in enumerate(self._runs(logs)):
            steps = int(one["steps"])
            hash_ = "" if self.is_seeded else str(one["hash"])
            told = one["condition"], int(one["replicate"]), int(one["seed"]), steps, hash_, first
            entry = Entry(*told, one.get("n", number))
            if entry.condition not in self.conditions or steps < 0:
                raise ValueError(f"run {entry}")
            entries.append(entry)
            first += steps + 1
        return entries

    def _runs(self, logs: PackedLogs | None) -> Iterator[Mapping[str, Any]]:
        """What the manifest says of each run, or where they are packed the file beside it, which names their frames."""
        if logs is None:
            yield from self.manifest["runs"]
            return
        for row in self._packed(places_of):
            logs.add(row.n, row.rounds, row.calls)
            yield {name: getattr(row, name) for name in ("n", "condition", "replicate", "seed", "steps", "hash")}

    @property
    def is_packed(self) -> bool:
        return PACKING in self.manifest

    def rows(self) -> Iterator[Row]:
        """What a packed folder keeps of each run beside its records."""
        return self._packed(rows_of)

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.path / RUNS_LOG)

    def rows_at(self, places: Sequence[int]) -> dict[int, Row]:
        """The same of some runs by their places, see `Rows.at`; nothing of a folder that is not packed."""
        try:
            return self._rows.at(places) if self.is_packed else {}
        except (OSError, ValueError) as error:
            raise self.bad(RUNS_LOG, f"cannot be read: {shown(str(error))}") from None

    def _packed(self, read: Callable[[Path], Iterator[Line]]) -> Iterator[Line]:
        try:
            yield from read(self.path / RUNS_LOG)
        except (OSError, ValueError) as error:
            raise self.bad(RUNS_LOG, f"cannot be read: {shown(str(error))}") from None

    @property
    def is_seeded(self) -> bool:
        """Whether the runs are kept by their seeds alone; ``records`` has nothing to read then."""
        return self.manifest.get(ROUNDS_KEY) == FROM_SEEDS

    def bad(self, where: str, message: str) -> BadFolder:
        return BadFolder([Fault(str(self.path / where), "", message)])

    # --- the game ---------------------------------------------------------------------------------

    @cached_property
    def pack(self) -> Pack:
        """The game, if its rules are still those of the folder; raises `BadFolder`."""
        try:
            pack = pack_named(self.registry, self.game)
        except Refused as error:
            raise self.bad(MANIFEST, str(error)) from None
        made, now = self.manifest.get("rules_version"), pack.game.rules_version
        if made != now:
            why = f"{self.game} is at version {now} now and cannot resolve it again"
            raise self.bad(MANIFEST, f"rules_version {shown(made)}; {why}")
        return pack

    def config(self, condition: str) -> BaseModel:
        """A condition's config; raises `BadFolder` where it is not the one whose hash stands beside it."""
        told = self.conditions[condition]
        kind: type[BaseModel] = self.pack.game.config_type
        try:
            config = kind.model_validate(told["config"])
        except (ValidationError, KeyError):
            raise self.bad(MANIFEST, f"conditions.{condition}.config: no config of {self.game}") from None
        if config_hash(self.pack.game, config) != told.get("config_hash"):
            raise self.bad(MANIFEST, f"conditions.{condition}.config: not the config whose hash stands beside it")
        return config

    # --- records ----------------------------------------------------------------------------------

    def find(self, condition: str, replicate: int) -> Entry:
        """The run of a condition and replicate; raises `BadFolder`."""
        for entry in self.entries:
            if (entry.condition, entry.replicate) == (condition, replicate):
                return entry
        raise self.bad(MANIFEST, f"no run of condition {shown(condition)}, replicate {replicate}")

    def lines(self, log: str) -> Iterator[bytes]:
        """The lines of one of the logs, by its plain name (``rounds.jsonl``)."""
        try:
            yield from self.logs.lines(log)
        except (OSError, ValueError) as error:
            raise self.bad(log, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None

    def records(self, entry: Entry, start: int = 0, stop: int | None = None) -> Iterator[dict[str, Any]]:
        """Records of one run from step ``start`` up to before ``stop``, read as they are asked for."""
        end = entry.steps + 1 if stop is None else min(stop, entry.steps + 1)
        try:
            lines = self.logs.of_run(entry.number, entry.first, entry.steps, start, end)
            for index, line in enumerate(lines, start):
                yield self._record(line, entry, index)
        except BadFolder:
            raise
        except (OSError, ValueError) as error:
            why = f"{entry}: cannot be read: {getattr(error, 'strerror', None) or error}"
            raise self.bad(self.logs.where(entry.number, entry.first), why) from None

    def _where(self, entry: Entry, index: int) -> str:
        return self.logs.where(entry.number, entry.first + index)

    def _record(self, line: bytes, entry: Entry, index: int) -> dict[str, Any]:
        if not line:
            raise self._missing(entry, index)
        try:
            record = decoded(line)
            same = (record["condition"], record["replicate"], record["seed"], record["step"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise self.bad(self._where(entry, index), f"{entry}, step {index}: cannot be read as a record") from None
        if same != (entry.condition, entry.replicate, entry.seed, index):
            told = f"{entry}, step {index} should stand here; found {shown(same)}"
            raise self.bad(self._where(entry, index), told)
        return dict(record)

    def _missing(self, entry: Entry, index: int) -> BadFolder:
        return self.bad(self._where(entry, index), f"{entry}, step {index}: the record is missing")

    @property
    def is_sealed(self) -> bool:
        """Whether the manifest covers itself and every file; older ones name the digests of the logs alone."""
        return SEAL in self.manifest

    def covers(self, name: str) -> bool:
        """Whether the manifest has the digest of a file."""
        return name in self.manifest.get(FILES, {}) or name in self.manifest.get(TIMELESS, {})

    def altered(self, only: Collection[str] = ()) -> list[str]:
        """The manifest if its seal is wrong, and files whose bytes are not those that it names, or that are gone.

        ``only``: of these files alone.
        """
        broken = [MANIFEST] if self.is_sealed and self.manifest[SEAL] != seal_of(self.manifest) else []
        kinds = ((self.manifest.get(FILES, {}), digest_of), (self.manifest.get(TIMELESS, {}), timeless_digest))
        return broken + [
            name
            for files, digest in kinds
            for name, written in files.items()
            if (not only or name in only) and self._digest(name, digest) != written
        ]

    def _digest(self, name: str, digest: Callable[[Path], str]) -> str | None:
        path = self.path / name
        inside = path.resolve().is_relative_to(self.path.resolve())
        return digest(path) if inside and path.is_file() else None

    def check_unaltered(self, only: Collection[str] = (), leave_out: Collection[str] = ()) -> None:
        """Refuse a folder that is not the bytes that were written. Raises `BadFolder`, a line a file.

        ``only``: of these files alone. ``leave_out``: files that are about to be made anew.
        """
        why = "not the bytes that were written; polity verify finds the place"
        if altered := [name for name in self.altered(only) if name not in leave_out]:
            raise BadFolder([Fault(str(self.path / name), "", why) for name in altered])

    # --- steps ------------------------------------------------------------------------------------

    def steps(self, entry: Entry) -> Iterator[tuple[dict[str, Any], Step[Any, Any]]]:
        """Each record of a run with its step, resolved again from the seed and the stored actions.

        Notes and flags, which nothing can resolve again, are taken from the record. Raises `BadFolder` naming the step.
        """
        if self.is_seeded:
            yield from self._played_again(entry)
            return
        game, config = self.pack.game, self.config(entry.condition)
        read: list[dict[str, Any]] = []

        def actions() -> Iterator[Mapping[int, Any]]:
            for record in self.records(entry):
                read.append(record)
                if record["step"] > 0:
                    try:
                        yield decode_actions(game, record["actions"])
                    except (ValidationError, KeyError, TypeError, ValueError):
                        raise self._unresolved(entry, record["step"], "its actions cannot be read") from None

        chosen = actions()
        loop = replay(game, config, entry.seed, chosen)
        for index in range(entry.steps + 1):
            try:
                step = next(loop, None)
                if index == 0:
                    read.append(next(self.records(entry, 0, 1)))
            except BadFolder:
                raise
            except Exception as error:
                raise self._unresolved(entry, index, " ".join(str(error).split())) from error
            if step is None:
                raise self._unresolved(entry, index, "the run is over before it")
            record = read[-1]
            del read[:-1]
            try:
                step = _with_notes(step, record)
            except (KeyError, TypeError, ValueError):
                raise self._unresolved(entry, index, "its notes or flags cannot be read") from None
            yield record, step

    def _played_again(self, entry: Entry) -> Iterator[tuple[dict[str, Any], Step[Any, Any]]]:
        agents = self.conditions[entry.condition]["agents"]
        last = -1
        try:
            for record, step in steps_from_seed(self.pack, self.config(entry.condition), entry.seed, agents):
                last = step.index
                yield record, step
        except Unplayable as error:
            raise self.bad(MANIFEST, f"{entry}: {error}") from None
        if last != entry.steps:
            raise self.bad(MANIFEST, f"{entry}: {entry.steps} steps are told; played again it has {last}")

    def _unresolved(self, entry: Entry, index: int, why: str) -> BadFolder:
        return self.bad(self._where(entry, index), f"{entry}, step {index}: {why}")


def _finite(text: str) -> float:
    """A number as no database keeps any other."""
    if not isfinite(number := float(text)):
        raise ValueError(text)
    return number


def timeless_digest(path: Path) -> str:
    """The digest of a log's lines without their timestamps."""
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        for line in file:
            digest.update(STAMP.sub(b"", line, count=1))
    return digest.hexdigest()


def _with_notes(step: Step[Any, Any], record: Mapping[str, Any]) -> Step[Any, Any]:
    notes = decode_notes(record["notes"])
    flags = {seat: tuple(flags) for seat, flags in record["flags"]}
    return Step(step.index, step.turn, step.actions, notes, flags, step.events, step.payoffs, step.state)
