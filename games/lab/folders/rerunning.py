"""Runs of a folder once more from their recordings: models' stored replies in place of calls, compared step by step."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from agents_app.deciders.rerun import Rerun, rerun
from agents_app.ports import CallRecord
from agents_app.profile import BadProfile, read_profile
from games.core.codec import encode_step
from games.lab.folders.calllog import CALLS, read_line
from games.lab.folders.playing import deciders_of
from games.lab.folders.reading import Entry, RunFolder


def rerun_folder(folder: RunFolder) -> Iterator[tuple[Entry, Rerun]]:
    """The verdict on each run in which models play. Raises `BadFolder`, also where none does."""
    if not folder.logs.files(CALLS):
        raise folder.bad(CALLS, "the manifest names no calls: no models played, or they were not kept")
    calls = _calls(folder)
    for entry in folder.entries:
        yield entry, _again(folder, entry, calls.get((entry.condition, entry.replicate), []))


def _again(folder: RunFolder, entry: Entry, calls: list[CallRecord]) -> Rerun:
    pack, config = folder.pack, folder.config(entry.condition)
    agents: tuple[Mapping[str, Any], ...] = tuple(folder.conditions[entry.condition]["agents"])
    try:
        profiles = {seat: read_profile(one["profile"]) for seat, one in enumerate(agents) if one["kind"] == "model"}
        deciders = deciders_of(pack, agents)
    except (BadProfile, KeyError, TypeError, ValueError) as error:
        raise folder.bad("", f"{entry}: its agents cannot be seated: {error}") from None
    records = [encode_step(pack.game, step) for _, step in folder.steps(entry)]
    return asyncio.run(rerun(pack, config, entry.seed, deciders, profiles, calls, records))


def _calls(folder: RunFolder) -> dict[tuple[str, int], list[CallRecord]]:
    """The calls of each run by condition and replicate."""
    found: dict[tuple[str, int], list[CallRecord]] = {}
    for number, line in enumerate(folder.lines(CALLS), 1):
        try:
            told = json.loads(line)
            found.setdefault((told["condition"], told["replicate"]), []).append(read_line(told))
        except (ValueError, KeyError, TypeError, ArithmeticError):
            raise folder.bad(f"{CALLS}:{number}", "cannot be read as a call") from None
    return found
