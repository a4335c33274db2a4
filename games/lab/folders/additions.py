"""What every run folder gets beside its logs: the tables over its runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from games.errors import extras
from games.lab.folders.aggregates import write_aggregates
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.runspec import Additions, Played


class Aggregates(Additions):
    """The tables over runs and conditions, and nothing else; none where Parquet cannot be written (extra report)."""

    def finish(self, folder: Path, played: Collection[Played], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        if extras.has("pyarrow"):
            write_aggregates(folder / AGGREGATES, played)
        return manifest
