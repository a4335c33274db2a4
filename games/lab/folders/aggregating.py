"""Metrics anew from the rounds of a run folder, for when the metrics' code has changed. Idempotent."""

from __future__ import annotations

from collections.abc import Iterator

from games.lab.folders.reading import RunFolder
from games.lab.folders.runspec import Played


def measured(folder: RunFolder) -> Iterator[Played]:
    """Each run with its metrics, measured on states that are resolved again from the stored actions."""
    metrics = folder.pack.metrics
    for entry in folder.entries:
        config = folder.config(entry.condition)
        series, before = [], None
        for _, step in folder.steps(entry):
            if before is not None:
                series.append(metrics.measure(config, before.state, step))
            before = step
        summary = dict(metrics.summarise(config, series))
        yield Played(entry.condition, entry.replicate, entry.seed, entry.steps, entry.hash, summary)
