"""Runs with models in their seats, and providers that say what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents_app.budget import MemoryLedger, Meter
from agents_app.deciders.hosting import play_seated
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.seating import model_agent
from agents_app.ports import CallRecord, SeatedAgent
from agents_app.profile import Profile
from agents_app.providers.protocol import Prompt, Provider, ProviderFault, Reply
from games.core.agents import Decider, Request, deciding
from games.core.engine import Position, play
from games.core.game import Seat, Step
from games.core.pack import Pack
from games.core.registry import get
from games.core.requests import Requests


@dataclass
class Scripted:
    """A provider that gives its replies in order, the last for ever; a fault among them is raised."""

    replies: Sequence[str | Reply | ProviderFault | float]
    asked: list[Prompt] = field(default_factory=list)
    structured: bool = True
    address: str = ""
    loads: str = ""

    async def ready(self) -> None:
        """Nothing to prepare."""

    def has_structured_output(self, model: str) -> bool:
        return self.structured

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        said = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(prompt)
        if isinstance(said, ProviderFault):
            raise said
        if isinstance(said, float):
            await asyncio.sleep(said)
            return Reply("{}")
        return said if isinstance(said, Reply) else Reply(said, False, 10, 5)


def mining(**settings: Any) -> tuple[Pack, Any]:
    pack = get("mining")
    return pack, pack.game.config_type(**settings)


def seated(pack: Pack, config: Any, profile: Profile, provider: Provider | None = None, role: str = "") -> ModelAgent:
    return model_agent(pack, config, profile, provider, role)


def position_after(pack: Pack, config: Any, rounds: int, policy: str | None = None) -> Position:
    """Where a run stands after some rounds of a policy's play."""
    bound = deciding(pack.policies[policy or pack.default_policy].bind())
    seats = range(len(pack.game.seats(config)))
    steps: list[Step] = []
    for step in play(pack.game, config, 1, dict.fromkeys(seats, bound)):
        steps.append(step)
        if step.index == rounds:
            break
    return Position(steps)


def first_state(pack: Pack, config: Any, rounds: int, policy: str = "greedy-mine") -> Any:
    return position_after(pack, config, rounds, policy).last.state


def first_request(
    pack: Pack, config: Any, rounds: int = 0, policy: str | None = None, seat: Seat | None = None
) -> Request:
    """What a seat (the first on turn, where none is named) is asked after some rounds of a policy's play."""
    position = position_after(pack, config, rounds, policy)
    turn = pack.game.turn(config, position.last.state)
    assert turn is not None
    if not turn.seats:  # the world moves alone first, as where values are dealt
        return first_request(pack, config, rounds + 1, policy, seat)
    return Requests(pack.game, config, 1, position, turn)[turn.seats[0] if seat is None else seat]


@dataclass
class Run:
    """A run and its calls so far."""

    steps: list[Step] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)


async def played(
    pack: Pack,
    config: Any,
    agents: Mapping[Seat, SeatedAgent],
    deciders: Mapping[Seat, Decider] | None = None,
    seed: int = 1,
    meters: Sequence[Meter] = (),
    run: Run | None = None,
    since: Position | None = None,
    until: Callable[[Step], bool] | None = None,
) -> Run:
    """Play to the end (or until a step says so); what was played and called is in ``run`` even where it raises."""
    run = Run() if run is None else run
    kept = run.calls
    steps = play_seated(
        pack.game,
        config,
        seed,
        deciders or {},
        agents,
        lambda seat, step: MemoryLedger(seat, step, kept, meters),
        since,
        pack.controller,
    )
    async for step in steps:
        run.steps.append(step)
        if until is not None and until(step):
            break
    return run


def everyone(pack: Pack, config: Any, profile: Profile, seats: Iterable[Seat] | None = None) -> dict[Seat, SeatedAgent]:
    specs = pack.game.seats(config)
    chosen = range(len(specs)) if seats is None else seats
    return {seat: seated(pack, config, profile, role=specs[seat].role) for seat in chosen}
