"""Who answers a request: requests and decisions, policies, and plans that a controller carries out.

An agent of any kind (policy, model, person, recording) turns a `Request` into a `Decision`. Memory and plans are data
in the decision, never in a process, so that a run can be resumed, forked and handed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from games.core import codec
from games.core.answers import JSON, ActionSpec, BadValue, Note, first_fault
from games.core.game import A, O, Seat, Turn
from games.core.rng import Rng, SeatDraws
from games.core.settings import Settings
from games.core.values import swift

Memory: TypeAlias = JSON
Plan: TypeAlias = JSON
Purpose: TypeAlias = Literal["act", "reflect", "before", "after", "end"]
"""A move, a rewritten memory, or questions beside the play: before a move, after it, when the match is over."""
Policy: TypeAlias = Callable[[Any, Memory, Rng], tuple[Any, Memory]]
"""``(observation, memory, rng) -> (action, memory)``; pure. Memory starts as None and is plain JSON."""


@swift
@dataclass(frozen=True, slots=True)
class Request(Generic[O, A]):
    """What one seat is asked at one step. Purpose "reflect" asks for a new memory after the news, not for an action.

    ``plan``      what was planned before; None where no plan stands, or the one that stood has come to its end
    ``standing``  what that plan does now: it is played unless another decision is sent; None where no plan stands
    ``replan``    why the plan that stood until now cannot go on
    """

    index: int
    turn: Turn
    seat: Seat
    observation: O
    actions: ActionSpec[A] | None
    memory: Memory
    plan: Plan
    rng: Rng
    purpose: Purpose = "act"
    standing: Decision[A] | None = None
    replan: Note | None = None


@swift
@dataclass(frozen=True, slots=True)
class Decision(Generic[A]):
    """An answer. ``action`` None means that none came; the game's default is then played, and ``flags`` say so.

    ``plan`` stands for the steps to come (None: no plan). ``trace`` is kept with the decision for whoever inspects it.
    """

    action: A | None
    memory: Memory = None
    plan: Plan = None
    flags: tuple[str, ...] = ()
    trace: Mapping[str, JSON] = field(default_factory=dict)


class Agent(Protocol):
    """Whoever answers with I/O: a model, a person."""

    async def decide(self, request: Request[Any, Any]) -> Decision[Any]: ...


Decider: TypeAlias = Callable[[Request[Any, Any]], Decision[Any]]
"""An agent without I/O, for bulk play."""


# --- plans ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(Generic[A]):
    """The controller's next action, and what remains of the plan (None: it is done)."""

    action: A
    plan: Plan


@dataclass(frozen=True, slots=True)
class Replan:
    """The plan is done or has become impossible; ``reason`` is told to whoever plans, in the game's words."""

    reason: Note


Controller: TypeAlias = Callable[[Any, Plan, Rng], "Act[Any] | Replan"]
"""``(observation, plan, rng) -> Act | Replan``; pure. Serves models and people alike."""


def carry_on(controller: Controller, request: Request[O, A]) -> Request[O, A]:
    """A request with what its plan does now; without the plan, and with the reason, where it cannot go on."""
    match controller(request.observation, request.plan, request.rng):
        case Act(action, plan):
            return replace(request, standing=Decision(action, request.memory, plan))
        case Replan(reason):
            return replace(request, plan=None, replan=reason)


def without_plan(request: Request[O, A]) -> Request[O, A]:
    """A request whose plan has been ended from outside."""
    return replace(request, plan=None, standing=None)


def begin(controller: Controller, request: Request[Any, Any], decision: Decision[Any]) -> Decision[Any]:
    """A decision that has a plan and no action, with the plan's first action; flagged where the plan cannot begin."""
    match controller(request.observation, decision.plan, request.rng):
        case Act(action, plan):
            return replace(decision, action=action, plan=plan)
        case Replan(reason):
            trace = {**decision.trace, "replan": codec.encode_note(reason)}
            return replace(decision, plan=None, flags=(*decision.flags, "impossible_plan"), trace=trace)


# --- policies -------------------------------------------------------------------------------------

P = TypeVar("P", bound=BaseModel)


class NoParams(Settings):
    """The parameters of a policy that has none."""


class BadPolicy(BadValue):
    """A policy that does not exist, or parameters that it refuses."""


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """A named policy. ``rule`` is its rule in one sentence, ``source`` where it comes from, ``aka`` its known names.

    ``play`` takes ``(params, observation, memory, rng)``. A policy without memory may also offer ``play_all``, which
    takes ``(params, observations, draws)`` of all seats that it plays in a turn and gives their actions, each the one
    that ``play`` gives (none of them None): bulk play then asks once a turn. ``roles`` are those that it can play, by
    their names in `SeatSpec.role`; none named: any. ``reckons``: it plays on in imagined worlds or learns, beside the
    game's own policies and with their help; tables of all policies leave it out, since it may cost a thousand times
    what they do.
    """

    name: str
    rule: str
    source: str
    play: Callable[[Any, Any, Memory, Rng], tuple[Any, Memory]]
    params: type[BaseModel] = NoParams
    aka: tuple[str, ...] = ()
    play_all: Callable[[Any, Sequence[Any], SeatDraws], Sequence[Any]] | None = None
    roles: tuple[str, ...] = ()
    reckons: bool = False

    def can_play(self, role: str) -> bool:
        """Whether it knows what to do in a seat of that role."""
        return not self.roles or role in self.roles

    def bind(self, params: Mapping[str, Any] | None = None) -> BoundPolicy:
        """The policy with its parameters set; raises `BadPolicy` naming the parameter that is wrong."""
        try:
            bound = self.params.model_validate(dict(params or {}))
        except ValidationError as error:
            text, note = first_fault(error)
            raise BadPolicy(f"policy {self.name}: {text}", note) from None
        return BoundPolicy(self, bound)


def rule_of(play: Callable[..., Any]) -> str:
    """A policy's rule: the first paragraph of its docstring."""
    return " ".join((play.__doc__ or "").partition("\n\n")[0].split())


def policy(
    name: str, source: str, params: type[P] | type[NoParams] = NoParams, aka: tuple[str, ...] = ()
) -> Callable[[Callable[[Any, Any, Rng], A]], PolicySpec]:
    """Names a policy without memory, ``(params, observation, rng) -> action``.

    Its rule is the first paragraph of its docstring.
    """

    def named(play: Callable[[Any, Any, Rng], A]) -> PolicySpec:
        def play_alone(bound: Any, seen: Any, memory: Memory, rng: Rng) -> tuple[A, Memory]:
            return play(bound, seen, rng), None

        def play_all(bound: Any, seen: Sequence[Any], draws: SeatDraws) -> Sequence[A]:
            return [play(bound, seat, rng) for seat, rng in zip(seen, draws.each(), strict=True)]

        return PolicySpec(name, rule_of(play) or name, source, play_alone, params, aka, play_all)

    return named


class BoundPolicy:
    """A named policy with its parameters: a `Policy` that says which one it is."""

    __slots__ = ("_play", "params", "spec")

    def __init__(self, spec: PolicySpec, params: BaseModel) -> None:
        self.spec, self.params, self._play = spec, params, spec.play

    def __call__(self, observation: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        return self._play(self.params, observation, memory, rng)


@dataclass(frozen=True, slots=True)
class PolicyDecider:
    """A decider that shows which policy it is."""

    policy: Policy

    def __call__(self, request: Request[Any, Any]) -> Decision[Any]:
        action, memory = self.policy(request.observation, request.memory, request.rng)
        return Decision(action, memory)


def deciding(policy: Policy) -> Decider:
    """A policy as a decider."""
    return PolicyDecider(policy)


class Team:
    """The seats that one policy without memory plays, in seat order: it decides for all of them at once."""

    __slots__ = ("_draws", "_play_all", "params", "seats")

    def __init__(self, policy: BoundPolicy, seats: tuple[Seat, ...], root: Rng) -> None:
        assert policy.spec.play_all is not None
        self._play_all, self.params, self.seats = policy.spec.play_all, policy.params, seats
        self._draws = SeatDraws(root, seats)

    def decide(self, index: int, observations: Sequence[Any]) -> Sequence[Any]:
        """Their actions at a step, from what they see."""
        return self._play_all(self.params, observations, self._draws.at(index))


class Teams(tuple[Team, ...]):
    """The teams of a run, by first seat."""

    @cached_property
    def _parted(self) -> dict[tuple[Seat, ...], Parted]:
        return {}

    def on_turn(self, seats: tuple[Seat, ...]) -> Parted:
        """Who of the seats of a turn decides together. Remembered, since few different turns occur."""
        parted = self._parted.get(seats)
        if parted is None:
            present = frozenset(seats)
            whole = [team for team in self if present.issuperset(team.seats)]
            place = {seat: at for at, seat in enumerate(sorted(seat for team in whole for seat in team.seats))}
            playing = [(team, [place[seat] for seat in team.seats]) for team in whole]
            parted = playing, tuple(place), tuple(seat for seat in seats if seat not in place)
            if len(self._parted) >= TURNS_MAX:
                self._parted.clear()
            self._parted[seats] = parted
        return parted


Parted: TypeAlias = tuple[Sequence[tuple[Team, Sequence[int]]], tuple[Seat, ...], tuple[Seat, ...]]
"""The teams that are on turn as a whole, each with the places of its seats among those of all these; these seats, in
their order; and those who decide alone."""
TURNS_MAX: Final = 64


def teams_of(deciders: Mapping[Seat, Decider], root: Rng) -> Teams:
    """The teams among the deciders of a run, by first seat. ``root`` is the run's key."""
    found: list[tuple[BoundPolicy, list[Seat]]] = []
    for seat in sorted(deciders):
        decider = deciders[seat]
        policy = decider.policy if isinstance(decider, PolicyDecider) else None
        if not isinstance(policy, BoundPolicy) or policy.spec.play_all is None:
            continue
        for known, seats in found:
            if known is policy or (known.spec is policy.spec and known.params == policy.params):
                seats.append(seat)
                break
        else:
            found.append((policy, [seat]))
    return Teams(Team(policy, tuple(seats), root) for policy, seats in found)
