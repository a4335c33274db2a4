"""One run of a folder as frames by number, through one pair of eyes; resolved forward as they are asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from games.core.conduct import UNSOUND, Decisions
from games.core.game import All, Eyes, SeatEyes, Step
from games.errors.faults import BadFolder, Refused
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.telling import story_of
from games.lab.scenarios.naming import agent_label
from games.lab.story import Story, plain_text
from games.lab.wire.frames import FRAMES_MAX, Frame, frame, recorded
from games.lab.wire.plainjson import encoded
from games.lab.wire.run import NotOwn, RunSummary, SeatKind, SeatSummary, not_own_out, said_of, seed_out

KINDS: Mapping[str, SeatKind] = {"llm": "model"}
"""Kinds of agents that a page calls otherwise than the files do."""


def run_id(entry: Entry) -> str:
    """The run's name in addresses: condition and replicate."""
    return f"{entry.condition}-{entry.replicate}"


class FolderFrames:
    """Frames are kept encoded and compressed, so that a long run of many seats has room.

    From the step on that does not resolve again they are made of the records, and ``trouble`` says why.
    """

    def __init__(self, folder: RunFolder, entry: Entry, eyes: Eyes) -> None:
        self.folder, self.entry, self.eyes = folder, entry, eyes
        self.trouble: str | None = None
        self.size = 0
        self._kept: list[bytes] = []
        self._source = self._frames()

    @property
    def head(self) -> int:
        return self.entry.steps

    @cached_property
    def not_own(self) -> NotOwn | None:
        """Who decided, from the records; None where policies alone play, whose decisions are their own."""
        agents = self.folder.conditions[self.entry.condition]["agents"]
        if self.folder.is_seeded or all(agent["kind"] == "policy" for agent in agents):
            return None
        counts = Decisions()
        try:
            for record in self.folder.records(self.entry, 1):
                counts.add(record["seats"], record["flags"])
        except BadFolder:
            return None
        return not_own_out(counts, len(agents), UNSOUND)

    @cached_property
    def story(self) -> Story | None:
        """What came of it and how; None for eyes that do not see all, and where it cannot be told."""
        try:
            return story_of(self.folder, self.entry) if isinstance(self.eyes, All) else None
        except BadFolder:
            return None

    def one(self, number: int) -> bytes:
        """The frame of a step as JSON; raises `Refused` where there is none of that number."""
        if not 0 <= number <= self.head:
            raise Refused(f"n: {number}; from 0 to {self.head}")
        self._reach(number)
        return zlib.decompress(self._kept[number])

    def after(self, number: int, limit: int = FRAMES_MAX) -> Iterator[bytes]:
        """The frames that follow a number, as JSON."""
        until = min(self.head, number + max(1, min(limit, FRAMES_MAX)))
        return (self.one(n) for n in range(max(number + 1, 0), until + 1))

    def _reach(self, number: int) -> None:
        while len(self._kept) <= number:
            packed = zlib.compress(encoded(next(self._source)), 1)
            self._kept.append(packed)
            self.size += len(packed)

    def _frames(self) -> Iterator[Frame]:
        number = 0
        try:
            game, config = self.folder.pack.game, self.folder.config(self.entry.condition)
            for record, step in self.folder.steps(self.entry):
                yield self._seen(game, config, record, step)
                number = step.index + 1
        except BadFolder as error:
            if self.folder.is_seeded or not isinstance(self.eyes, All):
                raise  # there is nothing else to show, or nothing that says what these eyes may see
            self.trouble = str(error)
            for record in self.folder.records(self.entry, number):
                yield recorded(record)

    def _seen(self, game: Any, config: Any, record: Mapping[str, Any], step: Step[Any, Any]) -> Frame:
        return frame(game, config, step, self.eyes, str(record.get("hash")), record.get("metrics"))


def run_summary(reel: FolderFrames) -> RunSummary:
    """What a page says of the run beside its frames. A folder's run is over, and nobody steers it."""
    folder, entry = reel.folder, reel.entry
    told = folder.conditions[entry.condition]
    everything = isinstance(reel.eyes, All)
    try:
        pack, config = folder.pack, folder.config(entry.condition)
        horizon, rounds = pack.game.horizon(config), pack.game.rounds(config)
        cadences = dict(pack.cadences)
    except BadFolder:
        pack, config, horizon, rounds, cadences = None, None, None, None, {}
    scenario = folder.manifest.get("scenario", {})
    stamps = folder.manifest.get("timestamps", {})
    seats = [
        SeatSummary(
            seat=agent["seat"],
            name=agent["name"],
            role=agent["role"],
            kind=KINDS.get(agent["kind"], agent["kind"]),
            agent=agent_label(pack, config, agent),
        )
        for agent in told["agents"]
    ]
    title = reel.story["title"] if reel.story else {}
    return {
        "id": run_id(entry),
        "game": folder.game,
        "scenario": {"name": scenario.get("name", ""), "title": scenario.get("title", {}), "look": {}},
        "condition": entry.condition,
        "replicate": entry.replicate,
        "seed": seed_out(entry.seed),
        "status": "finished",
        "head": entry.steps,
        "clock": None,
        "counted": pack.game.counted if pack else "",
        "horizon": horizon if everything else None,
        "rounds": rounds if everything else None,
        "cadences": cadences,
        "pace": 0,
        "seats": seats,
        "config": told["config"] if everything else None,
        "rules_version": folder.manifest.get("rules_version", 0),
        "audience": {"kind": "omniscient"},
        "error": reel.trouble,
        "can": {"control": False},
        "waiting_for": [],
        "fallback_rate": None,
        "not_own": reel.not_own,
        "away": False,
        "undriven": False,
        "people": None,
        "notices": [],
        "created": stamps.get("started", ""),
        "ended": stamps.get("finished"),
        "cost_usd": None,
        "unpriced": False,
        "outcome": {lang: plain_text(title, lang, said_of(seats)) for lang in title},
        "limits": {},
        "parent": None,
        "fork_at": None,
    }


def eyes_of(seat: int | None, seats: int) -> Eyes:
    """Everyone's, or those of a seat; raises `Refused` where there is no such seat."""
    if seat is None:
        return All()
    if not 0 <= seat < seats:
        raise Refused(f"as: {seat}; this run has seats 0 to {seats - 1}")
    return SeatEyes(seat)
