"""Writes run folders that keep their runs by their seeds alone, where policies play; see `seeded` for reading them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from games.lab.folders.folder import manifest_of
from games.lab.folders.place import fresh
from games.lab.folders.runspec import Additions, Played
from games.lab.folders.sealing import write_manifest
from games.lab.folders.seeded import FROM_SEEDS, ROUNDS_KEY
from games.lab.scenarios.scenario import Scenario


def write_seeds(scenario: Scenario, out: Path, played: Sequence[Played], additions: Additions) -> None:
    """A folder of runs that have been played already, without their rounds. Raises `BadFolder`."""
    started = datetime.now(UTC)
    with fresh(out) as folder:
        manifest = {**manifest_of(scenario, played, {}, started), ROUNDS_KEY: FROM_SEEDS}
        write_manifest(folder, additions.finish(folder, played, manifest))
