"""The one place where a round happens.

`drive` is the loop without I/O: a generator that yields `Ask` (send it the decisions), the resolved `Step` (send it
nothing) and, for agents that rewrite their memory, `News` (send it the new memories). `hosted` answers it by plain
calls, `play` by policies; agents that must be awaited host the same generator.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from games.core.agents import Controller, Decider, Decision, Memory, Plan, Request, Teams, begin, teams_of
from games.core.answers import Note
from games.core.game import A, C, Game, O, Resolution, S, Seat, Step, Turn, cleaning
from games.core.requests import Position as Position
from games.core.requests import Requests, news
from games.core.rng import Rng
from games.core.values import swift

START = Turn(clock=(), stage="start", seats=())
NOBODY: Mapping[Seat, Any] = {}


@dataclass(slots=True)
class Carried:
    """What each seat carries from step to step. The loop keeps it; a host may read it whenever it has the floor."""

    memories: dict[Seat, Memory] = field(default_factory=dict)
    plans: dict[Seat, Plan] = field(default_factory=dict)


@swift
@dataclass(frozen=True, slots=True)
class Ask(Generic[O, A]):
    """Send `drive` a mapping from seat to Decision, or `Answers`.

    A seat that is missing plays what its plan does (`Request.standing`); where no plan stands it counts as
    ``no_answer``. A decision that has a plan and no action begins with the plan's first.
    """

    index: int
    turn: Turn
    requests: Requests[O, A]


@swift
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


def cleaned(
    game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], seat: Seat, action: A | None
) -> tuple[A, tuple[Note, ...]]:
    """What the rules will leave of a seat's action in the step after ``position``, and why: a dry run of `advance`."""
    step = Rng.root(seed).step(position.last.index + 1)
    return game.clean(config, position.last.state, seat, action, cleaning(step, seat))


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
    last = position.steps[-1]
    index, state = last.index + 1, last.state
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
    resolved = game.resolve(config, state, actions, rng)
    return Step(index, turn, actions, notes, flags, resolved.events, resolved.payoffs, resolved.state)


def drive(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    since: Position[S, A] | None = None,
    reflecting: Sequence[Seat] = (),
    controller: Controller | None = None,
    carried: Carried | None = None,
) -> Drive:
    """The loop. Starts at step 0, which it yields first, or goes on after ``since``; returns the last position.

    Plans are carried out by ``controller``. A step after which `Game.reflects` names some of the ``reflecting`` seats
    is followed by its `News` to them. A run that goes on begins with the news of its last step, since nobody knows
    whether they were read: the host answers with what it has stored. ``carried`` is kept up to date for the host.
    """
    if carried is None:
        carried = Carried()
    memories, plans = carried.memories, carried.plans
    if since is None:
        since = Position((start(game, config, seed),))
        yield since.last
    memories.update(since.memories)
    plans.update(since.plans)
    recall = game.recall(config)
    steps = list(since.steps)
    position = Position(steps, memories, plans)
    if reflecting:
        yield from _told(game, config, seed, position, reflecting, carried)
    while (turn := game.turn(config, steps[-1].state)) is not None:
        decisions: Mapping[Seat, Decision[A]] = {}
        together: Mapping[Seat, A] = NOBODY
        if turn.seats:
            ask = Ask(steps[-1].index + 1, turn, Requests(game, config, seed, position, turn, controller))
            answer = yield ask
            if isinstance(answer, Answers):
                decisions, together = answer.decisions, answer.together
            else:
                decisions = answer
            if controller is not None and (decisions or plans):
                decisions = _carried_out(controller, ask, plans, decisions, together)
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
            yield from _told(game, config, seed, position, reflecting, carried)
    return position


def _carried_out(
    controller: Controller,
    ask: Ask[O, A],
    plans: Mapping[Seat, Plan],
    decisions: Mapping[Seat, Decision[A]],
    together: Mapping[Seat, A],
) -> Mapping[Seat, Decision[A]]:
    """The decisions with what standing plans do for seats that sent none, and with the first action of new plans."""
    found: dict[Seat, Decision[A]] = {}
    for seat in ask.turn.seats:
        decision = decisions.get(seat)
        if decision is None and plans.get(seat) is not None and seat not in together:
            decision = ask.requests[seat].standing
        elif decision is not None and decision.plan is not None and decision.action is None:
            decision = begin(controller, ask.requests[seat], decision)
        if decision is not None:
            found[seat] = decision
    return found


def _told(
    game: Game[C, S, O, A],
    config: C,
    seed: int,
    position: Position[S, A],
    reflecting: Sequence[Seat],
    carried: Carried,
) -> Generator[Yield, Any, None]:
    """Yield the last step's news to those of the seats that may reflect on it, and keep their new memories.

    A seat whose plan goes on does not reflect: it is asked nothing in which a memory could be used.
    """
    told = set(reflecting).intersection(game.reflects(config, position.last))
    seats = sorted(seat for seat in told if carried.plans.get(seat) is None)
    if seats:
        carried.memories.update((yield News(position.last.index, news(game, config, seed, position, seats))) or {})


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
    controller: Controller | None = None,
) -> Iterator[Step[S, A]]:
    """Every step of a run whose seats are all played without I/O, from step 0 or after ``since``."""
    teams = teams_of(deciders, Rng.root(seed))
    loop = drive(game, config, seed, since, controller=controller)
    return hosted(loop, lambda ask: answered(ask, deciders, teams))


def answered(ask: Ask[Any, A], deciders: Mapping[Seat, Decider], teams: Teams) -> Answers[A] | dict[Seat, Decision[A]]:
    """What the seats of a turn answer: teams that are on turn as a whole at once, the others one by one."""
    seats, requests = ask.turn.seats, ask.requests
    if not teams:
        return {seat: deciders[seat](request) for seat, request in requests.items() if request.standing is None}
    for team in teams:
        if team.seats == seats:
            return Answers(NOBODY, dict(zip(seats, team.decide(ask.index, requests.observations(seats)), strict=True)))
    playing, among, alone = teams.on_turn(seats)
    seen = requests.observations(among) if among else ()
    together: dict[Seat, A] = {}
    for team, places in playing:
        observed = [seen[place] for place in places]
        together.update(zip(team.seats, team.decide(ask.index, observed), strict=True))
    if not alone:
        return Answers(NOBODY, together)
    decisions = {seat: deciders[seat](requests[seat]) for seat in alone if requests[seat].standing is None}
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


def _step(
    index: int,
    turn: Turn,
    actions: Mapping[Seat, A],
    notes: Mapping[Seat, tuple[Note, ...]],
    flags: Mapping[Seat, tuple[str, ...]],
    resolved: Resolution[S],
) -> Step[S, A]:
    return Step(index, turn, actions, notes, flags, resolved.events, resolved.payoffs, resolved.state)
