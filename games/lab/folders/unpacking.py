"""A packed run folder as plain files: what `polity run --plain` would have written, with the game's own files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from games.lab.folders.additions import Aggregates
from games.lab.folders.calllog import CALLS
from games.lab.folders.folder import Gathering
from games.lab.folders.packing import PACKING, Row
from games.lab.folders.place import fresh
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.recorder import Recorder
from games.lab.folders.runspec import Played, RunSpec
from games.lab.folders.sealing import FILES, SEAL, write_manifest


def unpack(folder: RunFolder, out: Path, force: bool = False) -> int:
    """Write it at ``out``; how many runs there are. Every step is resolved again, which needs the game.

    Raises `BadFolder` where ``out`` is taken, and where the folder is not what was written.
    """
    if not folder.is_packed:
        raise folder.bad("", "it is plain already")
    folder.check_unaltered()
    played = []
    with fresh(out, force) as building:
        gathering = Gathering(building, len(folder.entries))
        for number, (entry, row) in enumerate(zip(folder.entries, folder.rows(), strict=True)):
            _write(folder, entry, row, gathering.part(number))
            played.append(row.played())
            gathering.add(number, played[-1])
        write_manifest(building, Aggregates().finish(building, played, _plain(folder, played, gathering.close())))
    return len(played)


def _write(folder: RunFolder, entry: Entry, row: Row, part: Path) -> None:
    told = folder.conditions[entry.condition]
    config = folder.config(entry.condition)
    spec = RunSpec("", entry.condition, entry.replicate, entry.seed, told["config"], tuple(told["agents"]))
    with Recorder(folder.pack, spec, config, part) as recorder:
        for record, step in folder.steps(entry):
            recorder.add(step, record["metrics"])
    if row.calls is not None:
        with (part / CALLS).open("wb") as file:
            file.writelines(folder.logs.calls_of(entry.number))


def _plain(folder: RunFolder, played: list[Played], digests: dict[str, str]) -> dict[str, Any]:
    """The manifest of the plain folder, its keys where they stand in such a one."""

    def parts() -> Iterator[tuple[str, Any]]:
        for (name, value), (after, _) in pairwise([*folder.manifest.items(), (SEAL, "")]):
            if name not in (PACKING, SEAL):
                yield name, dict(digests) if name == FILES else value
            if after == FILES:
                yield "runs", [{key: value for key, value in one.plain().items() if key != "metrics"} for one in played]

    return dict(parts())
