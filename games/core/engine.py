"""The one place where a round happens.

`drive` is the loop without I/O: a generator that yields `Ask` (send it the decisions), the resolved `Step` (send it
nothing) and, for agents that rewrite their memory, `News` (send it the new memories). `hosted` answers it by plain
calls, `play` by policies; agents that must be awaited host the same generator.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from games.core.agents import Decider, Decision, Memory, Plan, Request, Team, teams_of
from games.core.answers import Note
from games.core.game import A, C, Game, O, Past, Resolution, S, Seat, Step, Turn
from games.core.rng import Rng

START = Turn(clock=(), stage="start", seats=())
NOBODY: Mapping[Seat, Any] = {}


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
    """Send `drive` a mapping from seat to Decision, or `Answers`; a seat that is missing counts as ``no_answer``."""

    index: int
    turn: Turn
    requests: Requests[O, A]


@dataclass(frozen=True, slots=True)
class Answers(Generic[A]):
    """Decisions, and the bare actions of policies that decided for many seats ``together``, in seat order."""

    decisions: Mapping[Seat, Decision[A]]
    together: Mapping[Seat, A]


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


class Requests(Mapping[Seat, Request[O, A]]):
    """What each seat of a turn is asked, in seat order; made when first read, which bulk play seldom does."""

    __slots__ = ("_config", "_game", "_kept", "_made", "_position", "_seed", "_turn")

    def __init__(self, game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], turn: Turn) -> None:
        self._game: Game[Any, Any, O, A] = game
        self._config, self._seed, self._position, self._turn = config, seed, position, turn
        self._kept = recalled(game, config, position.steps)
        self._made: dict[Seat, Request[O, A]] | None = None

    def __len__(self) -> int:
        return len(self._turn.seats)

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._turn.seats)

    def __getitem__(self, seat: Seat) -> Request[O, A]:
        return self.made()[seat]

    def items(self) -> ItemsView[Seat, Request[O, A]]:
        return self.made().items()

    def made(self) -> dict[Seat, Request[O, A]]:
        """All of them."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def observations(self, seats: Sequence[Seat]) -> Sequence[O]:
        """What those seats of the turn see, and nothing else of their requests."""
        return self._game.observe_all(self._config, self._position.last.state, seats, self._kept)

    def _make(self) -> dict[Seat, Request[O, A]]:
        game, config, position, turn = self._game, self._config, self._position, self._turn
        state, index, kept = position.last.state, position.last.index + 1, self._kept
        rng = Rng.root(self._seed).step(index)
        return {
            seat: Request(
                index,
                turn,
                seat,
                game.observe(config, state, seat, Past(kept, seat)),
                game.actions(config, state, seat),
                position.memories.get(seat),
                position.plans.get(seat),
                rng.at("seat", seat),
            )
            for seat in turn.seats
        }


def requests(game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], turn: Turn) -> Requests[O, A]:
    """What each seat of the turn is asked, in seat order."""
    return Requests(game, config, seed, position, turn)


def advance(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    position: Position[S, A],
    turn: Turn,
    decisions: Mapping[Seat, Decision[A]],
    together: Mapping[Seat, A] = NOBODY,
) -> Step[S, A]:
    """One round: clean every answer, then resolve them together. Seat order is kept, arrival order has no say.

    ``together`` are actions of policies that decided for many seats at once.
    """
    index = position.last.index + 1
    state = position.last.state
    rng = Rng.root(seed).step(index)
    flags: dict[Seat, tuple[str, ...]] = {}
    answers: Mapping[Seat, A | None] = together
    if len(together) < len(turn.seats):
        answers = {}
        for seat in turn.seats:
            decision = decisions.get(seat)
            answer = decision.action if decision is not None else together.get(seat)
            flagged = decision.flags if decision is not None else ()
            if answer is None and not flagged:
                flagged = ("no_answer",)
            answers[seat] = answer
            if flagged:
                flags[seat] = flagged
    actions, notes = game.clean_all(config, state, answers, rng)
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
    while (turn := game.turn(config, steps[-1].state)) is not None:
        decisions: Mapping[Seat, Decision[A]] = {}
        together: Mapping[Seat, A] = NOBODY
        if turn.seats:
            answer = yield Ask(steps[-1].index + 1, turn, requests(game, config, seed, position, turn))
            if isinstance(answer, Answers):
                decisions, together = answer.decisions, answer.together
            else:
                decisions = answer
            for seat in turn.seats if decisions else ():
                decision = decisions.get(seat)
                if decision is not None:
                    memories[seat], plans[seat] = decision.memory, decision.plan
            if plans:
                plans.update(dict.fromkeys(together))
        steps.append(advance(game, config, seed, position, turn, decisions, together))
        if recall is not None and len(steps) > 2 * recall + 2:
            del steps[: -max(recall, 1)]
        yield steps[-1]
        if reflecting:
            position = yield from _told(game, config, seed, position, reflecting)
            memories, plans = dict(position.memories), dict(position.plans)
            position = Position(steps, memories, plans)
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


def hosted(
    loop: Drive,
    ask: Callable[[Ask[Any, Any]], Any],
    hear: Callable[[News[Any, Any]], Mapping[Seat, Memory]] | None = None,
) -> Iterator[Step[Any, Any]]:
    """The steps of a loop: ``ask`` gives the decisions of a turn, ``hear`` the memories rewritten from the news."""
    answer: Any = None
    while True:
        try:
            told = loop.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(told, Ask):
            answer = ask(told)
        elif isinstance(told, Step):
            yield told
        elif hear is not None:
            answer = hear(told)


def play(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    deciders: Mapping[Seat, Decider],
    since: Position[S, A] | None = None,
) -> Iterator[Step[S, A]]:
    """Every step of a run whose seats are all played without I/O, from step 0 or after ``since``."""
    teams = teams_of(deciders, Rng.root(seed))
    return hosted(drive(game, config, seed, since), lambda ask: _answered(ask, deciders, teams))


def _answered(
    ask: Ask[Any, A], deciders: Mapping[Seat, Decider], teams: Sequence[Team]
) -> Answers[A] | dict[Seat, Decision[A]]:
    """What the seats of a turn answer: teams that are on turn as a whole at once, the others one by one."""
    seats, requests = ask.turn.seats, ask.requests
    if not teams:
        return {seat: deciders[seat](request) for seat, request in requests.items()}
    for team in teams:
        if team.seats == seats:
            return Answers(NOBODY, dict(zip(seats, team.decide(ask.index, requests.observations(seats)), strict=True)))
    decisions = {}
    together: dict[Seat, A] = {}
    on_turn = frozenset(seats)
    for team in teams:
        if on_turn.issuperset(team.seats):
            together.update(zip(team.seats, team.decide(ask.index, requests.observations(team.seats)), strict=True))
    for seat in seats:
        if seat not in together:
            decisions[seat] = deciders[seat](requests[seat])
    return Answers(decisions, together)


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
    notes: Mapping[Seat, tuple[Note, ...]],
    flags: Mapping[Seat, tuple[str, ...]],
    resolved: Resolution[S],
) -> Step[S, A]:
    return Step(index, turn, actions, notes, flags, resolved.events, resolved.payoffs, resolved.state)
