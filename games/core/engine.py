"""The one place where a round happens.

`drive` is the loop without I/O: a generator that yields `Ask` (send it the decisions), the resolved `Step` (send it
nothing) and, for agents that rewrite their memory, `News` (send it the new memories). `play` hosts it for policies;
asynchronous agents and the conductor host the same generator.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from games.core.agents import Decider, Decision, Memory, Plan, Request
from games.core.game import A, C, Game, O, Past, Resolution, S, Seat, Step, Turn
from games.core.rng import Rng

START = Turn(clock=(), stage="start", seats=())


@dataclass(frozen=True, slots=True)
class Position(Generic[S, A]):
    """All that the loop needs to go on: the last step, those before it that `Game.recall` asks for, memories, plans."""

    steps: Sequence[Step[S, A]]
    memories: Mapping[Seat, Memory] = field(default_factory=dict)
    plans: Mapping[Seat, Plan] = field(default_factory=dict)

    @property
    def last(self) -> Step[S, A]:
        return self.steps[-1]


@dataclass(frozen=True, slots=True)
class Ask(Generic[O, A]):
    """Send `drive` a mapping from seat to Decision; a seat that is missing counts as ``no_answer``."""

    index: int
    turn: Turn
    requests: Mapping[Seat, Request[O, A]]


@dataclass(frozen=True, slots=True)
class News(Generic[O, A]):
    """Send `drive` a mapping from seat to its rewritten memory; a missing seat keeps the old one."""

    index: int
    requests: Mapping[Seat, Request[O, A]]


Yield: TypeAlias = Ask[Any, Any] | Step[Any, Any] | News[Any, Any]
Drive: TypeAlias = Generator[Yield, Any, Position[Any, Any]]


def start(game: Game[C, S, O, A], config: C, seed: int) -> Step[S, A]:
    """Step 0: the first state and its news."""
    first = game.initial(config, Rng.root(seed).step(0))
    return _step(0, START, {}, {}, {}, first)


def requests(
    game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], turn: Turn
) -> dict[Seat, Request[O, A]]:
    """What each seat of the turn is asked, in seat order."""
    last = position.last
    rng = Rng.root(seed).step(last.index + 1)
    kept = recalled(game, config, position.steps)
    return {
        seat: Request(
            last.index + 1,
            turn,
            seat,
            game.observe(config, last.state, seat, Past(kept, seat)),
            game.actions(config, last.state, seat),
            position.memories.get(seat),
            position.plans.get(seat),
            rng.at("seat", seat),
        )
        for seat in turn.seats
    }


def advance(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    position: Position[S, A],
    turn: Turn,
    decisions: Mapping[Seat, Decision[A]],
) -> Step[S, A]:
    """One round: clean every answer, then resolve them together. Seat order is kept, arrival order has no say."""
    index = position.last.index + 1
    state = position.last.state
    rng = Rng.root(seed).step(index)
    actions: dict[Seat, A] = {}
    notes: dict[Seat, tuple[str, ...]] = {}
    flags: dict[Seat, tuple[str, ...]] = {}
    for seat in turn.seats:
        decision = decisions.get(seat)
        answer = decision.action if decision is not None else None
        flagged = decision.flags if decision is not None else ()
        if answer is None and not flagged:
            flagged = ("no_answer",)
        actions[seat], reasons = game.clean(config, state, seat, answer, rng.at("clean", seat))
        if reasons:
            notes[seat] = reasons
        if flagged:
            flags[seat] = flagged
    return _step(index, turn, actions, notes, flags, game.resolve(config, state, actions, rng))


def drive(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    since: Position[S, A] | None = None,
    reflecting: Sequence[Seat] = (),
) -> Drive:
    """The loop. Starts at step 0, which it yields first, or goes on after ``since``; returns the last position.

    Each step is followed by its `News` to the ``reflecting`` seats. A run that goes on begins with the news of its last
    step, since nobody knows whether they were read: the host answers with what it has stored.
    """
    if since is None:
        since = Position((start(game, config, seed),))
        yield since.last
    since = yield from _told(game, config, seed, since, reflecting)
    memories, plans = dict(since.memories), dict(since.plans)
    recall = game.recall(config)
    steps = list(since.steps)
    position = Position(steps, memories, plans)
    while (turn := game.turn(config, position.last.state)) is not None:
        decisions: Mapping[Seat, Decision[A]] = {}
        if turn.seats:
            asked = requests(game, config, seed, position, turn)
            decisions = yield Ask(position.last.index + 1, turn, asked)
            for seat in turn.seats:
                decision = decisions.get(seat)
                if decision is not None:
                    memories[seat], plans[seat] = decision.memory, decision.plan
        steps.append(advance(game, config, seed, position, turn, decisions))
        if recall is not None and len(steps) > 2 * recall + 2:
            steps = steps[-max(recall, 1) :]
        yield steps[-1]
        position = yield from _told(game, config, seed, Position(steps, memories, plans), reflecting)
        memories, plans = dict(position.memories), dict(position.plans)
    return position


def _told(
    game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], reflecting: Sequence[Seat]
) -> Generator[Yield, Any, Position[S, A]]:
    """Yield the last step's news to the seats that want them; the position with their new memories."""
    if not reflecting:
        return position
    memories = yield News(position.last.index, news(game, config, seed, position, reflecting))
    return Position(position.steps, {**position.memories, **(memories or {})}, position.plans)


def news(
    game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], seats: Iterable[Seat]
) -> dict[Seat, Request[O, A]]:
    """What each of the seats sees after the last step, to rewrite its memory from."""
    last = position.last
    rng = Rng.root(seed).step(last.index)
    kept = recalled(game, config, position.steps)
    return {
        seat: Request(
            last.index,
            last.turn,
            seat,
            game.observe(config, last.state, seat, Past(kept, seat)),
            None,
            position.memories.get(seat),
            position.plans.get(seat),
            rng.at("news", seat),
            "reflect",
        )
        for seat in seats
    }


def play(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    deciders: Mapping[Seat, Decider],
    since: Position[S, A] | None = None,
) -> Iterator[Step[S, A]]:
    """Every step of a run whose seats are all played without I/O, from step 0 or after ``since``."""
    loop = drive(game, config, seed, since)
    answer: Any = None
    while True:
        try:
            told = loop.send(answer)
        except StopIteration:
            return
        if isinstance(told, Ask):
            answer = {seat: deciders[seat](request) for seat, request in told.requests.items()}
        elif isinstance(told, Step):
            yield told
            answer = None


def replay(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    actions: Iterable[Mapping[Seat, A]],
    since: Step[S, A] | None = None,
) -> Iterator[Step[S, A]]:
    """`resolve` folded over stored, cleaned actions: one mapping for each step after ``since`` (the start, if None).

    The step that it begins with is given back first.
    """
    step = start(game, config, seed) if since is None else since
    yield step
    root = Rng.root(seed)
    for chosen in actions:
        turn = game.turn(config, step.state)
        if turn is None:
            raise ValueError(f"step {step.index + 1}: actions are stored, but the run is over after step {step.index}")
        if tuple(sorted(chosen)) != turn.seats:
            raise ValueError(f"step {step.index + 1}: actions of seats {sorted(chosen)}; {list(turn.seats)} decide")
        index = step.index + 1
        ordered = {seat: chosen[seat] for seat in turn.seats}
        step = _step(index, turn, ordered, {}, {}, game.resolve(config, step.state, ordered, root.step(index)))
        yield step


def recalled(game: Game[C, S, O, A], config: C, steps: Sequence[Step[S, A]]) -> Sequence[Step[S, A]]:
    """The latest of the steps, as many as `observe` needs."""
    recall = game.recall(config)
    return steps if recall is None else steps[max(0, len(steps) - recall) :]


def _step(
    index: int,
    turn: Turn,
    actions: Mapping[Seat, A],
    notes: Mapping[Seat, tuple[str, ...]],
    flags: Mapping[Seat, tuple[str, ...]],
    resolved: Resolution[S],
) -> Step[S, A]:
    return Step(index, turn, actions, notes, flags, resolved.events, resolved.payoffs, resolved.state)
