"""A run folder that was sent as a zip file, as an experiment of the site."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final

from games.errors.faults import BadFolder
from games.errors.requests import BadRequest
from games.lab.folders.folder import MANIFEST
from games.lab.folders.reading import RunFolder
from games.site.experiments.importing import folder_import
from games.site.models import Experiment

FILES_MAX: Final = 500
BYTES_MAX: Final = 200_000_000
STEPS_MAX: Final = 100_000
"""Steps that are resolved again while somebody waits for the answer; the shell takes any number."""
CHUNK: Final = 1 << 20


def archive_import(*, archive: bytes, slug: str) -> Experiment:
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
            return folder_import(path=path, slug=slug)
        except BadFolder as error:
            bare = [replace(one, source=one.source.replace(place, "").strip("/")) for one in error.faults]
            raise BadFolder(bare) from None


def _unpacked(archive: bytes, place: Path) -> Path:
    """The folder with the manifest, of what the archive holds, written under ``place``."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            return _written(packed, place)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        if isinstance(error, BadRequest):
            raise
        told = "archive: no zip file that can be opened; send the run folder as one, without a password"
        raise BadRequest("bad_archive", told, "archive", why="unreadable") from None


def _written(packed: zipfile.ZipFile, place: Path) -> Path:
    files = [one for one in packed.infolist() if not one.is_dir()]
    manifests = [PurePosixPath(one.filename) for one in files if PurePosixPath(one.filename).name == MANIFEST]
    if len(manifests) != 1:
        told = f"archive: {len(manifests)} files named {MANIFEST}; a run folder has one"
        raise BadRequest("bad_archive", told, "archive", why="no_folder", found=len(manifests))
    if len(files) > FILES_MAX:
        told = f"archive: {len(files)} files; at most {FILES_MAX}"
        raise BadRequest("bad_archive", told, "archive", why="many", files=len(files), most=FILES_MAX)
    left = BYTES_MAX
    for one in files:
        target = _inside(place, PurePosixPath(one.filename))
        target.parent.mkdir(parents=True, exist_ok=True)
        # Read and counted: the sizes that an archive tells of itself are not to be believed.
        with packed.open(one) as source, target.open("wb") as out:
            while chunk := source.read(CHUNK):
                left -= len(chunk)
                if left < 0:
                    told = f"archive: more than {BYTES_MAX} bytes when unpacked. In the shell: polity import DIR"
                    raise BadRequest("bad_archive", told, "archive", why="big", most=BYTES_MAX)
                out.write(chunk)
    return _inside(place, manifests[0].parent)


def _inside(place: Path, name: PurePosixPath) -> Path:
    """Under the place, whatever the name says."""
    return place.joinpath(*(part for part in name.parts if part not in ("/", "..")))
