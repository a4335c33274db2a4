"""Runs in forms that packages bring (`games.core.plugs`, kind exporters)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from games.core import plugs
from games.errors.faults import Refused
from games.lab.notebook import load


@dataclass(frozen=True, slots=True)
class Exported:
    name: str
    kind: str
    body: bytes


def exported(exporter: str, folders: Sequence[Path]) -> Exported:
    """What an exporter makes of run folders. Raises `Refused` with its name where it is missing or raises."""
    try:
        plug, export = plugs.loaded_one("exporters", exporter)
        try:
            name, kind, body = export([load(folder) for folder in folders])
            whole = bytes(body) if isinstance(body, bytes | bytearray) else b"".join(body)
            if Path(name).name != name or not name.isprintable() or '"' in name or not kind.isascii():
                raise ValueError(f"{name!r}, {kind!r}: a file name without folders, and a media type")
        except Exception as error:
            raise plug.fault(error) from error
    except plugs.BrokenPlug as error:
        raise Refused(str(error)) from error
    return Exported(name, kind, whole)
