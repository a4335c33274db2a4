"""Where a run folder comes to stand: one writer at a time, built beside its place, whole there or not at all."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from glob import escape
from pathlib import Path

from games.core.pack import Pack
from games.errors.faults import BadFolder, Fault
from games.lab.folders.packing import JOURNAL
from games.lab.folders.sealing import MANIFEST

try:
    import fcntl
except ImportError:  # no POSIX: then nothing keeps two writers apart but the last look before the place is taken
    fcntl = None  # type: ignore[assignment]

AUTO = Path("auto")
"""In the place of a run folder's path: the game names it, by the scenario, the first seed and the time."""
UNFINISHED = "unfinished"
"""The manifest's key, and the ending of the folder's name, of what a run that failed has left."""


def named(pack: Pack, scenario: str, seed: int, at: datetime) -> Path:
    """The folder that ``--out auto`` names: by the game's own rule, else ``runs/<timestamp>_<game>_seed<seed>``."""
    timestamp = f"{at:%Y%m%d-%H%M%S}"
    if pack.folder_name is not None:
        return Path(pack.folder_name(scenario, seed, timestamp))
    return Path("runs") / f"{timestamp}_{pack.slug}_seed{seed}"


@contextmanager
def fresh(target: Path, force: bool = False, resume: str | None = None) -> Iterator[Path]:
    """A folder to fill, which takes ``target``'s name when the block ends well and vanishes when it does not.

    The place is ours from the start: whoever else wants it is refused before anything is played. What writers that were
    killed have left beside it is cleared away, unless it bears the name ``resume``: that is gone on with, and it stays
    where the block ends badly as long as runs stand in its journal. Raises `BadFolder` where something stands at
    ``target`` already, unless ``force`` lets it be replaced, where another writer holds it, and where it cannot be
    written.
    """
    check_free(target, force)
    building = target.parent / f".{target.name}.partial-{resume or secrets.token_hex(4)}"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _held(target):
            _clear(target, building if resume else None)
            building.mkdir(exist_ok=resume is not None)
            try:
                yield building
                _take_place(building, target, force)
            finally:
                if resume is None or not _begun(building):
                    shutil.rmtree(building, ignore_errors=True)
    except OSError as error:
        kept = "the runs that were played are kept; the same command goes on with them"
        kept = kept if resume is not None and _begun(building) else "nothing was kept"
        raise _bad(target, f"cannot be written: {error.strerror or error}; {kept}") from None


def _begun(building: Path) -> bool:
    """Whether a run stands in the journal of a folder that is being built."""
    path = building / JOURNAL
    return path.is_file() and path.stat().st_size > 0


def check_free(target: Path, force: bool = False) -> None:
    """Refuse a place that is taken. ``force`` replaces a run folder, never anything else."""
    if not target.name:
        raise _bad(target, "no name for a run folder; name one, such as --out results/first")
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not force:
        raise _bad(target, "already exists; a run never writes into it. Name another --out, or replace it with --force")
    if not (target / MANIFEST).is_file():
        raise _bad(target, f"holds no {MANIFEST}, so it is no run folder and --force leaves it alone")


def set_aside(building: Path, target: Path) -> Path | None:
    """Keep what a failed run has written as ``NAME.unfinished``, in place of an older one; None where that is taken."""
    place = target.with_name(f"{target.name}.{UNFINISHED}")
    if place.exists():
        try:
            older = UNFINISHED in json.loads((place / MANIFEST).read_text("utf-8"))
        except (OSError, ValueError, TypeError):
            older = False
        if not older:
            return None
        shutil.rmtree(place)
    building.rename(place)
    return place


@contextmanager
def _held(target: Path) -> Iterator[None]:
    """Keep other writers of the same place out. Raises `BadFolder` where one is at work there."""
    if fcntl is None:
        yield
        return
    path = target.parent / f".{target.name}.lock"
    while True:
        file = path.open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise _bad(target, "another run is being written there; wait for its end, or name another --out") from None
        if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
            break
        file.close()  # its last holder has taken the file away between our opening and our locking it
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        file.close()


def _clear(target: Path, spared: Path | None) -> None:
    """Take away what killed writers of this place have left; a folder that one was about to replace comes back."""
    for path in sorted(target.parent.glob(f".{escape(target.name)}.partial-*")):
        if path == spared:
            continue
        if path.name.endswith("-old") and not target.exists():
            path.rename(target)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _take_place(building: Path, target: Path, force: bool) -> None:
    check_free(target, force)
    old = building.with_name(building.name + "-old")
    if target.exists():
        target.rename(old)
    building.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _bad(path: Path, message: str) -> BadFolder:
    return BadFolder([Fault(str(path), "", message)])
