"""What a command of its own adds to the run folders that it has played: seats, fields of a record, tables, a manifest's
keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.core.agents import Decider
from games.core.game import Seat, Step
from games.folders.aggregates import write_aggregates
from games.folders.folder import AGGREGATES
from games.folders.runspec import Played, RunSpec

Traces = Mapping[Seat, Mapping[str, Any]]
"""What the seats' deciders told of their last decisions (`Decision.trace`)."""


class Additions:
    """Adds nothing. A form of it goes along to the processes that play, so it must be picklable."""

    def deciders(self, spec: RunSpec) -> Mapping[Seat, Decider]:
        """Who answers in the seats of a run that are neither policies' nor models'."""
        return {}

    def fields(self, spec: RunSpec, config: Any, step: Step[Any, Any], traces: Traces) -> Mapping[str, Any]:
        """Fields of the step's record in ``rounds.jsonl``, before those that every record has."""
        return {}

    def may_replace(self, place: Path) -> bool:
        """Whether what stands at a run folder's place may be replaced without being asked to."""
        return False

    def finish(self, folder: Path, played: Sequence[Played], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Write the tables into a folder whose logs are complete; the manifest as it is to be written."""
        write_aggregates(folder / AGGREGATES, played)
        return manifest
