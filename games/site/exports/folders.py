"""Runs as folders in one zip: what `polity run` writes of a run, with its source's own files, made from the record.

Each run is written to a temporary folder, its chained hash compared with the stored one, packed and thrown away: never
more than one run lies on the disk. People's names are in none of these files.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, cast

from games.core.codec import GENESIS, SCHEMA
from games.lab.exporters import Exported, exported
from games.lab.folders.folder import machine
from games.lab.folders.recorder import EXPORT, Recorder
from games.lab.folders.runspec import RunSpec
from games.lab.folders.sealing import write_manifest
from games.site.exports.chosen import Chosen
from games.site.exports.codebook import codebook
from games.site.exports.plan import plan_of
from games.site.exports.writing import CHUNK, WrongCount
from games.site.models import Participant, Run
from games.site.record import calls, selectors

README: Final = """Runs of a Polity site, a folder each.

manifest.json   which runs, and how many steps of each were counted before they were written
checked.json    what was then written; the last hash of each run is compared with the stored one
codebook.json   what columns, events, measures and settings mean, in English and Chinese
RUN/            run_manifest.json, rounds.jsonl, events.jsonl, decisions.jsonl, calls.jsonl where models played,
                participants.jsonl where people did (by pseudonym), and the files that the game's source names

`polity view RUN`, `polity verify RUN` and `polity aggregate RUN` read a folder. Texts are as they were written:
look through them for names before you pass them on.
"""


class _Outlet(io.RawIOBase):
    """A file for `zipfile` that keeps nothing: what is written is handed on."""

    def __init__(self) -> None:
        self.held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.held += data
        return len(data)

    def taken(self) -> bytes:
        out, self.held = bytes(self.held), bytearray()
        return out


def zipped(chosen: Sequence[Chosen]) -> Iterator[bytes]:
    """The whole zip, in chunks. Raises `WrongCount` where a run is not what is stored of it."""
    outlet = _Outlet()
    checked: list[dict[str, Any]] = []
    with zipfile.ZipFile(cast(IO[bytes], outlet), "w", zipfile.ZIP_DEFLATED, compresslevel=5) as archive:
        told = [{"run": one.run_id, "steps": one.until} for one in chosen]
        _put(archive, "README.txt", README)
        _put(archive, "manifest.json", _json({"runs": told}))
        _put(archive, "codebook.json", _json(codebook({one.run().game for one in chosen})))
        yield outlet.taken()
        for one in chosen:
            with tempfile.TemporaryDirectory(prefix="polity-export-") as place:
                folder = Path(place) / one.run_id
                checked.append(_written(one, folder))
                for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                    yield from _packed(archive, outlet, path, f"{one.run_id}/{path.relative_to(folder).as_posix()}")
        _put(archive, "checked.json", _json({"runs": checked}))
    yield outlet.taken()


def by_exporter(exporter: str, chosen: Sequence[Chosen]) -> Exported:
    """Runs in a form that a package brings, which gets a folder for each; raises `Refused` and `WrongCount`."""
    with tempfile.TemporaryDirectory(prefix="polity-export-") as place:
        folders = [Path(place) / one.run_id for one in chosen]
        for one, folder in zip(chosen, folders, strict=True):
            _written(one, folder)
        return exported(exporter, folders)


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"


def _packed(archive: zipfile.ZipFile, outlet: _Outlet, path: Path, name: str) -> Iterator[bytes]:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    with path.open("rb") as source, archive.open(info, "w", force_zip64=True) as packed:
        while block := source.read(CHUNK):
            packed.write(block)
            if len(outlet.held) >= CHUNK:
                yield outlet.taken()
    yield outlet.taken()


def _written(one: Chosen, folder: Path) -> dict[str, Any]:
    """One run's folder, and what was written of it; raises `WrongCount`."""
    run = one.run()
    play = selectors.playing(run)
    agents = tuple(seat.agent for seat in selectors.seats_of(run))
    spec = RunSpec(run.game, run.condition, run.replicate, run.seed, run.config, agents)
    last, made = GENESIS, 0
    with Recorder(play.pack, spec, play.config, folder) as recorder:
        for call in calls.each_record(run):
            if call.step <= one.until:
                recorder.add_call(call)
        for stored in selectors.steps(play, -1, one.until):
            recorder.add(stored.step, stored.metrics)
            last, made = stored.hash, made + 1
        found = recorder.hash
    if made != one.until + 1 or (play.is_current and run.fork_at is None and found != last):
        raise WrongCount(f"run {run.pk}: {made} steps, hash {found}; stored are {one.until + 1} and {last}")
    export = folder / EXPORT
    if export.is_dir():
        for path in sorted(export.iterdir()):
            path.rename(folder / path.name)
        export.rmdir()
    _people(run, folder)
    write_manifest(folder, _manifest(run, one, found))
    return {"run": run.pk, "steps": one.until, "hash": found}


def _people(run: Run, folder: Path) -> None:
    """Who took part, by pseudonym, where anybody did."""
    if not Participant.objects.filter(run=run).exists():
        return
    from games.site.exports.writing import written

    plan = plan_of("participants", [run.pk], None)
    (folder / "participants.jsonl").write_bytes(b"".join(written(plan, "jsonl")))


def _manifest(run: Run, one: Chosen, hash_: str) -> Mapping[str, Any]:
    """As `polity run` writes it (`games.lab.folders.folder`), of the one run."""
    seats = selectors.seats_of(run)
    return {
        "schema": SCHEMA,
        "game": run.game,
        "rules_version": run.rules_version,
        "scenario": {
            "name": run.scenario.name,
            "title": run.scenario.title,
            "about": run.scenario.document.get("about") or {},
        },
        "conditions": [
            {
                "name": run.condition,
                "title": {},
                "about": {},
                "config": run.config,
                "config_hash": run.config_hash,
                "agents": [{"seat": seat.index, "name": seat.name, "role": seat.role, **seat.agent} for seat in seats],
            }
        ],
        "seeds": [run.seed],
        "runs": [
            {
                "condition": run.condition,
                "replicate": run.replicate,
                "seed": run.seed,
                "steps": max(one.until, 0),
                "hash": hash_,
            }
        ],
        **machine(),
        "site": {"run": run.pk, "status": str(run.status), "parent": run.parent_id, "fork_at": run.fork_at},
        "timestamps": {
            "started": (run.started or run.created).isoformat(timespec="milliseconds"),
            "finished": (run.ended or run.created).isoformat(timespec="milliseconds"),
        },
    }
