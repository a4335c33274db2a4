"""A run once more from its recording: no call is made, and every step is compared with the stored one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents_app.budget import MemoryLedger
from agents_app.deciders.hosting import play_seated
from agents_app.deciders.recording import RecordingProvider
from agents_app.deciders.seating import model_agent
from agents_app.ports import CallRecord, Ledger, SeatedAgent
from agents_app.profile import Profile
from games.core import codec
from games.core.agents import Decider, Decision, Memory, Request
from games.core.game import Seat
from games.core.pack import Pack

COMPARED = ("clock", "stage", "seats", "actions", "notes", "flags", "events", "payoffs")


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of it. ``steps`` stored steps, ``identical`` of them before the first that differs; calls stay 0."""

    steps: int
    identical: int
    difference: str = ""
    calls: int = 0

    def __str__(self) -> str:
        told = f"identical {self.identical}/{self.steps}"
        return f"{told}; {self.difference}" if self.difference else told


async def rerun(
    pack: Pack,
    config: Any,
    seed: int,
    deciders: Mapping[Seat, Decider],
    profiles: Mapping[Seat, Profile],
    calls: Iterable[CallRecord],
    records: Sequence[Mapping[str, Any]],
    recordings: Mapping[Seat, Sequence[CallRecord]] | None = None,
    stored: Mapping[Seat, Mapping[int, Decision[Any]]] | None = None,
) -> Rerun:
    """Play again with the stored ``calls`` and compare with the stored ``records`` (`codec.encode_step`), from step 0.

    ``deciders`` hold the seats that are no models', ``profiles`` those that are; ``recordings`` are what the seats
    among them had to say that were recordings themselves. ``stored`` are answers by seat and step that are given again
    as they are: those of people, and of whoever sat in a seat before it was handed over.
    """
    by_seat: dict[Seat, list[CallRecord]] = {seat: [] for seat in profiles}
    for call in calls:
        by_seat.setdefault(call.seat, []).append(call)
    providers = {seat: RecordingProvider(by_seat[seat]) for seat in profiles}
    for seat, said in (recordings or {}).items():
        providers[seat] = RecordingProvider(said, by_step=True)
    specs = pack.game.seats(config)
    agents: dict[Seat, SeatedAgent] = {
        seat: model_agent(pack, config, profile, providers[seat], specs[seat].role)
        for seat, profile in profiles.items()
    }
    given = {seat: dict(by_step) for seat, by_step in (stored or {}).items()}
    for seat in sorted(given.keys() & agents.keys()):
        agents[seat] = _Given(agents[seat], given[seat])
    known = {seat: _given(decider, given.get(seat, {})) for seat, decider in deciders.items()}
    people = {
        seat: _given(None, by_step) for seat, by_step in given.items() if seat not in deciders and seat not in agents
    }
    kept: list[CallRecord] = []
    told = iter(records)
    same = 0
    steps = play_seated(
        pack.game,
        config,
        seed,
        {**known, **people},
        agents,
        lambda seat, step: MemoryLedger(seat, step, kept),
        controller=pack.controller,
    )
    async for step in steps:
        record = next(told, None)
        if record is None:
            return Rerun(len(records), same, f"step {step.index}: the record ends before it")
        made = codec.plain(codec.encode_step(pack.game, step))
        if difference := _difference(made, codec.plain(dict(record))):
            return Rerun(len(records), same, f"step {step.index}: {difference}{_unknown(providers)}")
        same += 1
    if same < len(records):
        return Rerun(len(records), same, f"step {same}: stored, but the run is over before it")
    return Rerun(len(records), same)


@dataclass(slots=True)
class _Given:
    """A seat's agent, but for the steps of which its answer is given."""

    agent: SeatedAgent
    by_step: Mapping[int, Decision[Any]]
    reflects: bool = field(init=False)
    is_asked_at_end: bool = field(init=False)

    def __post_init__(self) -> None:
        self.reflects = self.agent.reflects
        self.is_asked_at_end = self.agent.is_asked_at_end

    async def decide(self, request: Request[Any, Any], ledger: Ledger) -> Decision[Any]:
        if request.index in self.by_step:
            return self.by_step[request.index]
        return await self.agent.decide(request, ledger)

    async def reflect(self, news: Request[Any, Any], ledger: Ledger) -> Memory:
        return await self.agent.reflect(news, ledger)

    async def look_back(self, news: Request[Any, Any], ledger: Ledger) -> None:
        await self.agent.look_back(news, ledger)


def _given(decider: Decider | None, by_step: Mapping[int, Decision[Any]]) -> Decider:
    """The stored answers, and the decider's own (or none) where there is none for a step."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        if request.index in by_step:
            return by_step[request.index]
        return Decision(None, request.memory) if decider is None else decider(request)

    return decide


def _difference(made: Mapping[str, Any], stored: Mapping[str, Any]) -> str:
    """The first part of a step that differs, with its seat where it has one."""
    for part in COMPARED:
        if made[part] == stored[part]:
            continue
        if part in ("actions", "notes", "flags", "payoffs"):
            ours, theirs = dict(made[part]), dict(stored[part])
            seat = next(seat for seat in sorted({*ours, *theirs}) if ours.get(seat) != theirs.get(seat))
            return f"{part} of seat {seat}: now {_shown(ours.get(seat))}, stored {_shown(theirs.get(seat))}"
        return f"{part}: now {_shown(made[part])}, stored {_shown(stored[part])}"
    return ""


def _unknown(providers: Mapping[Seat, RecordingProvider]) -> str:
    missed = sorted(seat for seat, provider in providers.items() if provider.missed)
    return f" (seat {missed[0]} was asked something that is not in the recording)" if missed else ""


def _shown(value: Any) -> str:
    text = codec.canonical(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."
