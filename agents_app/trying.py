"""One question of one seat, from a scenario without a run: to read a prompt, and to try a model before it plays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents_app.budget import MemoryLedger
from agents_app.deciders.calling import Caller
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.onecall import UNASKED
from agents_app.deciders.seating import check_profile, model_agent, provider_for
from agents_app.gate import Gate, gate_for
from agents_app.ports import CallRecord, RunStop
from agents_app.profile import Profile
from agents_app.providers.protocol import Message, Provider, tokens_in_prompt
from agents_app.providers.streamed import Streams, Timed
from games.core import codec
from games.core.agents import Decision, Request, deciding
from games.core.answers import Note
from games.core.engine import Position, cleaned, play
from games.core.game import Seat
from games.core.pack import Pack
from games.core.requests import Requests

STEPS_MAX = 400
"""So many steps are played to come to a moment; a later one is not shown."""
TRIED_S = 90.0
"""A trial ends after so long, whatever the profile allows."""


class NoSuchMoment(ValueError):
    """The seat is not asked then. The text says when it is."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A seat that is asked something, and where the match stands."""

    pack: Pack
    config: Any
    seed: int
    position: Position[Any, Any]
    request: Request[Any, Any]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one question.

    ``firsts``  for each call, the seconds until its first piece; None where no pieces came
    ``asked``   the action as it was read, before the rules; a plan stands in the decision
    ``action``  what the rules leave of it; where nothing was usable, what is played in its place
    ``notes``   what they struck out or changed, each with its reason
    ``spent``   what the action takes of what the seat may spend; None where the game has no such bound
    ``stop``    why a run would have paused; "" where it would have gone on
    """

    calls: tuple[CallRecord, ...]
    firsts: tuple[float | None, ...]
    decision: Decision[Any] | None
    asked: Any
    action: Any
    notes: tuple[Note, ...]
    spent: Note | None
    stop: str


def moment_of(pack: Pack, config: Any, seed: int, seat: Seat, step: int) -> Moment:
    """The first time from ``step`` on (the first is 1) that a seat is asked; the game's default policies play up to it.

    Raises `NoSuchMoment`.
    """
    game = pack.game
    specs = game.seats(config)
    if not 0 <= seat < len(specs):
        raise NoSuchMoment(f"seat: {seat}; from 0 to {len(specs) - 1}")
    deciders = {index: deciding(pack.policies[pack.default_for(spec.role)].bind()) for index, spec in enumerate(specs)}
    steps: list[Any] = []
    for made in play(game, config, seed, deciders, controller=pack.controller):
        steps.append(made)
        position = Position(steps)
        turn = game.turn(config, made.state)
        if turn is not None and made.index + 1 >= step and seat in turn.seats:
            return Moment(pack, config, seed, position, Requests(game, config, seed, position, turn)[seat])
        if made.index >= STEPS_MAX:
            break
    raise NoSuchMoment(f"round: {step}; this seat is not asked from then on, in the first {len(steps) - 1} steps")


def preview(moment: Moment, profile: Profile) -> tuple[Sequence[Message], int]:
    """The prompt that the seat would get then, and about how many tokens it has. Nobody is called."""
    role = moment.pack.game.seats(moment.config)[moment.request.seat].role
    prompt = model_agent(moment.pack, moment.config, profile, role=role).first_prompt(moment.request)
    return prompt.messages, tokens_in_prompt(prompt.messages)


async def tried(moment: Moment, profile: Profile) -> Trial:
    """Ask the model once, corrections and repetitions as its profile says. Never raises for what a model does."""
    role = moment.pack.game.seats(moment.config)[moment.request.seat].role
    times = {name: min(getattr(profile, name), TRIED_S) for name in ("budget_s", "timeout_s")}
    bounded = profile.model_copy(update={**times, "cache": False, "aside": ()})
    check_profile(moment.pack, bounded, role)
    provider = _timed(provider_for(moment.pack, bounded, role))
    gate = Gate(bounded.concurrency) if bounded.is_mock else gate_for(bounded)
    agent = ModelAgent(moment.pack, moment.config, bounded, Caller(bounded, provider, gate))
    calls: list[CallRecord] = []
    request = moment.request
    try:
        decision = await agent.decide(request, MemoryLedger(request.seat, request.index, calls))
    except RunStop as stop:
        return Trial(tuple(calls), _firsts(provider, calls), None, None, None, (), None, str(stop))
    game, pack, position = moment.pack.game, moment.pack, moment.position
    left, notes = cleaned(game, moment.config, moment.seed, position, request.seat, decision.action)
    asked = None if decision.action is None else codec.dump(game.action_type, decision.action)
    spent = None
    if pack.spent is not None and left is not None:
        spent = pack.spent(moment.config, position.last.state, request.seat, left)
    played = codec.dump(game.action_type, left)
    return Trial(tuple(calls), _firsts(provider, calls), decision, asked, played, notes, spent, "")


def _timed(provider: Provider) -> Provider:
    return Timed(provider) if isinstance(provider, Streams) else provider


def _firsts(provider: Provider, calls: Sequence[CallRecord]) -> tuple[float | None, ...]:
    """When each call's first piece came; one that could not begin in time asked nobody."""
    seen = iter(provider.firsts if isinstance(provider, Timed) else ())
    return tuple(None if call.failure == UNASKED else next(seen, None) for call in calls)


def tried_now(moment: Moment, profile: Profile) -> Trial:
    """The same for a caller without an event loop."""
    return asyncio.run(tried(moment, profile))
