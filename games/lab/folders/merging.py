"""Parts of one plan that were played apart, put together: the bytes that one machine would have written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from games.errors.faults import BadFolder, Fault
from games.lab.folders.additions import Aggregates
from games.lab.folders.calllog import CALLS
from games.lab.folders.packing import PACKING, Packing, frame_of
from games.lab.folders.place import UNFINISHED, fresh
from games.lab.folders.reading import RunFolder
from games.lab.folders.recorder import ROUNDS
from games.lab.folders.running import Kept
from games.lab.folders.sealing import FILES, SEAL, write_manifest

OWN: Final = frozenset({PACKING, FILES, SEAL, "timestamps"})
"""What parts of one plan need not have in common."""


def merge(parts: Sequence[RunFolder], out: Path, force: bool = False) -> int:
    """Write the whole folder at ``out``; how many runs it holds.

    Raises `BadFolder` where a part is missing, there twice, altered, unfinished, or of another plan or program.
    """
    ordered = _ordered(parts)
    first = ordered[0]
    with fresh(out, force) as building:
        total = sum(len(one.entries) for one in ordered)
        packing = Packing(building, range(total))
        rows = [one.rows() for one in ordered]
        for number in range(total):
            part = number % len(ordered)
            row = next(rows[part], None)
            if row is None or row.n != number:
                raise ordered[part].bad("", f"run {number} of the plan should be its next; it is not")
            at = {log: row.frame(log) for log in (ROUNDS, CALLS)}
            frames = {log: frame_of(ordered[part].path, log, number, one) for log, one in at.items() if one is not None}
            packing.take(number, row.played(), frames)
        packing.close()
        manifest: dict[str, Any] = {
            **{name: value for name, value in first.manifest.items() if name != SEAL},
            FILES: {},
            "timestamps": _times(ordered),
            PACKING: {"runs": total},
        }
        write_manifest(building, Aggregates().finish(building, Kept(building), manifest))
    return total


def _ordered(parts: Sequence[RunFolder]) -> list[RunFolder]:
    """The parts as they count, each there once and whole."""
    found: dict[int, RunFolder] = {}
    first = parts[0]
    for one in parts:
        told = one.manifest.get(PACKING, {})
        if "part" not in told:
            raise one.bad("", "no part of a plan; polity run SCENARIO --shard 1/2 --out DIR writes one")
        if UNFINISHED in one.manifest:
            raise one.bad("", "it was not played to its end; start its command again")
        differs = [
            name for name in first.manifest if name not in OWN and first.manifest[name] != one.manifest.get(name)
        ]
        if differs or told["of"] != first.manifest[PACKING]["of"]:
            why = ", ".join(differs) or "number of parts"
            raise one.bad("", f"not of the same plan and program as {first.path}: {why} differ; play them alike")
        if told["part"] in found:
            raise one.bad("", f"part {told['part']} is there twice, in {found[told['part']].path}, too")
        found[told["part"]] = one
        one.check_unaltered()
    of = first.manifest[PACKING]["of"]
    missing = [str(number) for number in range(1, of + 1) if number not in found]
    if missing:
        raise BadFolder([Fault(str(first.path), "", f"of {of} parts {', '.join(missing)} are missing")])
    return [found[number] for number in range(1, of + 1)]


def _times(parts: Sequence[RunFolder]) -> dict[str, str]:
    """From when the first began to when the last was over."""
    told = [one.manifest["timestamps"] for one in parts]
    return {
        "started": min((one["started"] for one in told), key=datetime.fromisoformat),
        "finished": max((one["finished"] for one in told), key=datetime.fromisoformat),
    }
