"""The story of a run in a folder, from its records; of runs that are kept as seeds, from the steps that they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.core.codec import encode_step
from games.lab.folders.reading import Entry, RunFolder
from games.lab.story import Story, story
from games.lab.story.rules import new_log


def story_of(folder: RunFolder, entry: Entry) -> Story:
    """Raises `BadFolder` where records cannot be read, or the game is not here."""
    log, series = new_log(folder.pack), []
    for record in read(folder, entry):
        log.add(record)
        if record["step"]:
            series.append(record.get("metrics") or {})
    measures = folder.pack.metrics.summarise(folder.config(entry.condition), series) if all(series) else {}
    roles = [agent["role"] for agent in folder.conditions[entry.condition]["agents"]]
    return story(folder.pack, log, roles, measures=measures)


def read(folder: RunFolder, entry: Entry) -> Iterator[Mapping[str, Any]]:
    """The records of a run in a folder, resolved anew where it keeps seeds."""
    if not folder.is_seeded:
        yield from folder.records(entry, 0)
        return
    for record, step in folder.steps(entry):
        yield {**encode_step(folder.pack.game, step), "metrics": record.get("metrics")}
