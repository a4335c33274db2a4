"""What binds a run folder together: a digest of each of its files in the manifest, and a seal over the manifest itself.

A changed byte of any file shows in the manifest, and a changed manifest in its seal. Where the seal was made anew too,
`verifying` finds the change: it resolves every step and measures every run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "run_manifest.json"
FILES: Final = "files"
"""The manifest's key for the digest of each file, by its path in the folder."""
TIMELESS: Final = "files_without_timestamps"
"""The manifest's key for digests of logs whose lines hold a timestamp, taken without it."""
SEAL: Final = "seal"
"""The manifest's key for the digest of all else that it says."""


def digest_of(path: Path) -> str:
    """BLAKE2b of a file's bytes, 128 bits in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, lambda: blake2b(digest_size=16)).hexdigest()


def seal_of(manifest: Mapping[str, Any]) -> str:
    """BLAKE2b of the manifest without its seal as canonical JSON, 128 bits in hexadecimal."""
    rest = {name: value for name, value in manifest.items() if name != SEAL}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def files_beside(folder: Path) -> dict[str, Path]:
    """Every file of a folder but its manifest, by its path in the folder, sorted."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {name: path for path in paths if (name := path.relative_to(folder).as_posix()) != MANIFEST}


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, sealed, with digests of the files that it does not name yet; all must be written by now."""
    covered = manifest.get(FILES, {}).keys() | manifest.get(TIMELESS, {}).keys()
    _write(folder, manifest, [name for name in files_beside(folder) if name not in covered])


def seal_again(folder: Path, manifest: Mapping[str, Any], changed: Iterable[str]) -> None:
    """Seal a folder after these of its files were made anew; what else lies in it is not looked at."""
    _write(folder, manifest, changed)


def _write(folder: Path, manifest: Mapping[str, Any], names: Iterable[str]) -> None:
    whole = {**manifest, FILES: {**manifest.get(FILES, {}), **{name: digest_of(folder / name) for name in names}}}
    text = json.dumps({**whole, SEAL: seal_of(whole)}, indent=1, ensure_ascii=False, allow_nan=False)
    building = folder / f"{MANIFEST}.partial"
    building.write_text(text + "\n", encoding="utf-8", newline="\n")
    building.replace(folder / MANIFEST)
