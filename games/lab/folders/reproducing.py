"""A publication held to itself: every run resolved and played again, every other file made anew from the runs."""

from __future__ import annotations

import csv
import io
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

from games.core.codec import digest
from games.core.registry import Registry
from games.errors.faults import BadFolder, Fault
from games.lab.folders.bundle import Bundle
from games.lab.folders.calllog import CALLS
from games.lab.folders.crate import METADATA, read_metadata
from games.lab.folders.publishing import REGISTER, RUNS, STUDY, Wanted, contents
from games.lab.folders.reading import RunFolder
from games.lab.folders.reel import run_id
from games.lab.folders.rerunning import rerun_folder
from games.lab.folders.seeded import steps_from_seed
from games.lab.folders.verifying import unexplained, verify
from games.lab.wire.plainjson import decoded

FILES_MAX = 100_000
BYTES_MAX = 20 * 2**30


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The package as a folder. Raises `BadFolder` where it is none, or a zip file that cannot be unpacked safely."""
    if path.is_dir():
        yield path
        return
    try:
        with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory(prefix="polity-crate-") as place:
            members = archive.infolist()
            names = [one.filename for one in members]
            if len(set(names)) != len(names) or len(names) > FILES_MAX or sum(m.file_size for m in members) > BYTES_MAX:
                raise zipfile.BadZipFile("names twice, or too much of it")
            archive.extractall(place)
            yield Path(place)
    except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise BadFolder([Fault(str(path), "", f"no publication: {error}")]) from None


def reproduce(crate: Path, registry: Registry, bundle: Bundle | None = None) -> Iterator[tuple[str, str | None]]:
    """What was held to what it should be, one after the other: its name, and what is wrong with it or None.

    Runs are resolved from their recorded decisions; where policies alone play they are played from their seeds, too,
    and where models do from their stored replies. Files are held to their digests, and but for the runs and the entry
    of the register made anew. Without ``bundle`` replays are held to their digests alone.
    """
    try:
        data = (crate / METADATA).read_bytes()
        sums, licence, authors = read_metadata(data)
    except (OSError, ValueError) as error:
        raise BadFolder([Fault(str(crate / METADATA), "", f"cannot be read: {error}")]) from None
    there = {path.relative_to(crate).as_posix(): path for path in sorted(crate.rglob("*")) if path.is_file()}
    yield from ((name, "missing") for name in sums if name not in there)
    yield from ((name, "not told of in the metadata") for name in there if name not in sums and name != METADATA)
    altered = {name for name in sums if name in there and sha256(there[name].read_bytes()).hexdigest() != sums[name]}
    yield from ((name, "not the bytes that the metadata tell of") for name in sorted(altered))
    try:
        folder = RunFolder(crate / RUNS, registry)
        yield from _runs(folder)
        yield from ((RUNS + line.partition(":")[0], line) for line in unexplained(folder))
        yield from _files(folder, _wanted(crate, sums, licence, authors, bundle), there, data)
    except BadFolder as error:
        yield RUNS, str(error)


def _runs(folder: RunFolder) -> Iterator[tuple[str, str | None]]:
    for verdict in verify(folder):
        entry, wrong = verdict.entry, verdict.difference
        agents = folder.conditions[entry.condition]["agents"]
        if wrong is None and not folder.is_seeded and all(agent["kind"] == "policy" for agent in agents):
            last = ""
            for record, _ in steps_from_seed(folder.pack, folder.config(entry.condition), entry.seed, agents):
                last = record["hash"]
            wrong = None if last == entry.hash else "played again from its seed it ends with another hash"
        yield str(entry), wrong
    if folder.logs.files(CALLS):
        for entry, again in rerun_folder(folder):
            yield f"{entry}, from its models' replies", str(again) if again.difference else None


def _wanted(crate: Path, sums: dict[str, str], licence: str, authors: list[str], bundle: Bundle | None) -> Wanted:
    """As what stands there says that it was made."""
    page = (crate / "report" / "report.html").read_text("utf-8", "replace") if "report/report.html" in sums else ""
    language = "zh" if '<html lang="zh' in page[:60] else "en"
    replays = tuple(name[len("replays/") : -len(".html")] for name in sums if name.startswith("replays/"))
    study = [name for name in sums if name.startswith(STUDY) and (crate / name).is_file()]
    files = {name[len(STUDY) :]: (crate / name).read_bytes() for name in study}
    wanted = Wanted(language, licence, tuple(authors), replays, bundle, study=files)
    if REGISTER not in sums or not (crate / REGISTER).is_file():
        return wanted
    try:
        return replace(wanted, register=decoded((crate / REGISTER).read_bytes()))
    except ValueError:
        return wanted


def _files(
    folder: RunFolder, wanted: Wanted, there: dict[str, Path], metadata: bytes
) -> Iterator[tuple[str, str | None]]:
    made = set()
    for name, data in contents(folder, wanted):
        made.add(name)
        if name == METADATA and wanted.replays and wanted.bundle is None:
            continue  # it tells of replays, which cannot be made here
        stands = metadata if name == METADATA else there[name].read_bytes() if name in there else None
        same = stands == data or (name.endswith(".parquet") and stands is not None and _same_table(there[name], data))
        wrong = None if same else "made anew it is another"
        if name == REGISTER and wanted.register is not None:
            wrong = wrong or _register_fault(folder, wanted.register)
        if name in (STUDY + "decisions.csv", STUDY + "matches.csv"):
            wrong = wrong or _study_fault(folder, name, data.decode("utf-8", "replace"))
        yield name, wrong
    for name in there:
        if name.startswith("replays/") and wanted.bundle is None:
            yield name, None  # its digest was looked at
        elif name not in made and not name.startswith(RUNS) and name != METADATA:
            yield name, "nothing makes it"


def _register_fault(folder: RunFolder, entry: Any) -> str | None:
    """An entry has the digest of its document, which declares what was played, and a hash over all that it says."""
    document = entry.get("document")
    if document is not None and entry.get("digest") != digest(document):
        return "its digest is not that of its document"
    if document is not None and document.get("plan_hash") != folder.manifest.get("plan_hash"):
        return "it declares another plan"
    told = [entry.get(name) for name in ("number", "at", "kind", "subject", "digest", "previous")]
    return None if entry.get("hash") == digest(told) else "its hash is not that of what it says"


def _study_fault(folder: RunFolder, name: str, text: str) -> str | None:
    """Each match of the runs has the hash, and each decision the action and payoff, that stand in the records."""
    told: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO(text)):
        told[row.get("run", "")].append(row)
    for entry in folder.entries:
        rows = told[run_id(entry)]
        if name.endswith("matches.csv"):
            if [row["hash"] for row in rows] != [entry.hash]:
                return f"{entry}: not the hash of its run"
            continue
        made: list[tuple[Any, ...]] = []
        for record in folder.records(entry, 1):
            actions, payoffs = dict(record["actions"]), dict(record["payoffs"])
            paid = {seat: float(one) for seat, one in payoffs.items() if one is not None}
            made += [(record["step"], seat, actions.get(seat), paid.get(seat)) for seat in record["seats"]]
        given = [
            (
                int(row["step"]),
                int(row["seat"]),
                decoded(row["action"].encode()),
                float(row["payoff"]) if row["payoff"] else None,
            )
            for row in rows
        ]
        for right, found in zip_longest(sorted(made, key=_place), sorted(given, key=_place)):
            if right != found:
                return f"{entry}: {found} where the records have {right}"
    return None


def _place(told: tuple[Any, ...]) -> tuple[int, int]:
    return told[0], told[1]


def _same_table(path: Path, data: bytes) -> bool:
    """Whether two Parquet files hold the same, whichever version of the library wrote them."""
    parquet: Any = import_module("pyarrow.parquet")
    try:
        return bool(parquet.read_table(path).equals(parquet.read_table(io.BytesIO(data))))
    except (OSError, ValueError):
        return False
