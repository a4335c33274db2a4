"""A run folder that was sent as a zip file, as an experiment of the site."""

from __future__ import annotations

import errno
import io
import logging
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from games.errors.faults import BadFolder, Fault, Refused, shown
from games.errors.jsonshape import check_json
from games.errors.requests import BadRequest
from games.lab.folders.packing import lines_in
from games.lab.folders.reading import RunFolder
from games.lab.folders.recorder import PACKED
from games.lab.folders.sealing import MANIFEST
from games.site.experiments.importing import Told, folder_import
from games.site.models import Experiment

log = logging.getLogger(__name__)
FILES_MAX: Final = 500
BYTES_MAX: Final = 100_000_000
MANIFEST_MAX: Final = 4 * 2**20
LINE_MAX: Final = 2 * 2**20
"""Bytes of a line: one round of one run, of which the largest games write some ten thousand."""
VALUES_MAX: Final = 200_000
BEGINNING: Final = b"PK\x03\x04"
METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Packed otherwise, a byte may name a window of gigabytes."""
STEPS_MAX: Final = 100_000
"""Steps that are resolved again while somebody waits for the answer; the shell takes any number."""
CHUNK: Final = 1 << 20


def archive_import(*, archive: bytes, slug: str, tell: Told | None = None, is_again: bool = False) -> Experiment:
    """All of the folder's runs as a finished experiment, or nothing. Raises `BadRequest`, or `BadFolder` where the
    folder is not what was written.
    """
    with TemporaryDirectory(prefix="polity-import-") as place:
        try:
            path = _unpacked(archive, Path(place))
            steps = sum(entry.steps for entry in RunFolder(path).entries)
            if steps > STEPS_MAX:
                told = f"archive: {steps} steps; at most {STEPS_MAX} here. In the shell: polity import DIR"
                raise BadRequest("too_many_steps", told, "archive", steps=steps, most=STEPS_MAX)
            return folder_import(path=path, slug=slug, tell=tell, is_again=is_again)
        except BadFolder as error:
            bare = [replace(one, source=one.source.replace(place, "").strip("/")) for one in error.faults]
            raise BadFolder(bare) from None
        except (BadRequest, Refused):
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            log.warning("an archive's manifest is not of its form", exc_info=error)
            raise BadFolder([Fault(MANIFEST, "", f"not a manifest of this form: {shown(error)}")]) from None


def _unpacked(archive: bytes, place: Path) -> Path:
    """Write what an import reads of the archive's run folder to ``place``."""
    with zipfile.ZipFile(_opened(archive)) as packed:
        files = {one.filename: one for one in packed.infolist() if not one.is_dir()}
        manifests = [PurePosixPath(name) for name in files if PurePosixPath(name).name == MANIFEST]
        if len(manifests) != 1:
            told = f"archive: {len(manifests)} files named {MANIFEST}; a run folder has one"
            raise _bad("no_folder", told, found=len(manifests))
        if len(files) > FILES_MAX:
            raise _bad("many", f"archive: {len(files)} files; at most {FILES_MAX}", files=len(files), most=FILES_MAX)
        left = BYTES_MAX
        for member in sorted(files.values(), key=lambda one: PurePosixPath(one.filename).name != MANIFEST):
            path = PurePosixPath(member.filename)
            if not path.is_relative_to(manifests[0].parent) or ".." in path.relative_to(manifests[0].parent).parts:
                continue  # none of the folder's
            target = place / path.relative_to(manifests[0].parent)
            with _making(target) as out:
                for chunk in _read(packed, member):
                    left -= len(chunk)
                    if left < 0:
                        told = f"archive: more than {BYTES_MAX} bytes when unpacked. In the shell: polity import DIR"
                        raise _bad("big", told, most=BYTES_MAX)
                    out.write(chunk)
            if path.name.endswith(PACKED):
                left -= _inflated(target, member.filename, left)
            if path.name == MANIFEST:
                check_json(target.read_text(errors="replace"), VALUES_MAX)
    return place


def _inflated(path: Path, name: str, left: int) -> int:
    """Bytes of a packed log when unpacked; raises `BadRequest` beyond ``left``."""
    size = 0
    try:
        with path.open("rb") as file:
            for line in lines_in(file, LINE_MAX):
                if (size := size + len(line)) > left:
                    told = f"archive: more than {BYTES_MAX} bytes when unpacked. In the shell: polity import DIR"
                    raise _bad("big", told, most=BYTES_MAX)
    except BadRequest:
        raise
    except ValueError as error:
        told = f"archive: {name[-40:]!r}, or a line of it, has more than {LINE_MAX} bytes, or cannot be unpacked"
        raise _bad("long", told, most=LINE_MAX) from error
    return size


def _making(target: Path) -> IO[bytes]:
    """The file, to be written; raises `BadRequest` for a name that no folder can hold beside the others."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise _unreadable() from error


def _opened(archive: bytes) -> io.BytesIO:
    """The archive, where it is one from its first byte on, and packed as all are; raises `BadRequest`."""
    file = io.BytesIO(archive)
    try:
        members = zipfile.ZipFile(file).infolist() if archive.startswith(BEGINNING) else ()
        if members and all(one.compress_type in METHODS for one in members):
            return file
    except Exception as error:  # a damaged archive raises whatever its reader stumbles over
        raise _unreadable() from error
    raise _unreadable()


def _read(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """A file by chunks, in which no line is too long to be read. Sizes that an archive tells of itself count for
    nothing.
    """
    name = PurePosixPath(member.filename).name
    is_log = name.endswith(".jsonl")
    most, length = LINE_MAX if is_log else MANIFEST_MAX if name == MANIFEST else BYTES_MAX, 0
    try:
        source = packed.open(member)
    except Exception as error:
        raise _unreadable() from error
    with source:
        while True:
            try:
                chunk = source.read(CHUNK)
            except Exception as error:
                raise _unreadable() from error
            if not chunk:
                return
            first, *lines = chunk.split(b"\n") if is_log else [chunk]
            if max(length + len(first), *map(len, lines), 0) > most:
                told = f"archive: {member.filename[-40:]!r}, or a line of it, has more than {most} bytes when unpacked"
                raise _bad("long", told, most=most)
            length = len(lines[-1]) if lines else length + len(first)
            yield chunk


def _bad(why: str, told: str, **values: Any) -> BadRequest:
    return BadRequest("bad_archive", told, "archive", why=why, **values)


def _unreadable() -> BadRequest:
    return _bad("unreadable", "archive: no zip file that can be opened; send the run folder as one, without a password")
