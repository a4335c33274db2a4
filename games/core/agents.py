"""Who answers a request: requests and decisions, policies, and plans that a controller carries out.

An agent of any kind (policy, model, person, recording) turns a `Request` into a `Decision`. Memory and plans are data
in the decision, never in a process, so that a run can be resumed, forked and handed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from games.core.game import JSON, A, ActionSpec, O, Seat, Turn, first_error
from games.core.rng import Rng

Memory: TypeAlias = JSON
Plan: TypeAlias = JSON
Purpose: TypeAlias = Literal["act", "reflect"]
Policy: TypeAlias = Callable[[Any, Memory, Rng], tuple[Any, Memory]]
"""``(observation, memory, rng) -> (action, memory)``; pure. Memory starts as None and is plain JSON."""


@dataclass(frozen=True, slots=True)
class Request(Generic[O, A]):
    """What one seat is asked at one step. Purpose "reflect" asks for a new memory after the news, not for an action."""

    index: int
    turn: Turn
    seat: Seat
    observation: O
    actions: ActionSpec[A] | None
    memory: Memory
    plan: Plan
    rng: Rng
    purpose: Purpose = "act"


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


class Reflecting(Protocol):
    """An agent that also rewrites its memory after each step's news."""

    async def reflect(self, news: Request[Any, Any]) -> Memory: ...


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
    """The plan is done or has become impossible; ``reason`` is shown to whoever plans."""

    reason: str


Controller: TypeAlias = Callable[[Any, Plan, Rng], "Act[Any] | Replan"]
"""``(observation, plan, rng) -> Act | Replan``; pure. Serves models and people alike."""


def carry_on(controller: Controller | None, request: Request[Any, Any]) -> Decision[Any] | Replan | None:
    """The standing plan's next action as a decision; Replan where it cannot go on; None where no plan stands."""
    if controller is None or request.plan is None or request.purpose != "act":
        return None
    match controller(request.observation, request.plan, request.rng):
        case Act(action, plan):
            return Decision(action, request.memory, plan)
        case Replan() as replan:
            return replan


def begin(controller: Controller | None, request: Request[Any, Any], decision: Decision[Any]) -> Decision[Any]:
    """A fresh decision with the first action of its plan filled in; unchanged where it names an action itself."""
    if controller is None or decision.plan is None or decision.action is not None:
        return decision
    match controller(request.observation, decision.plan, request.rng):
        case Act(action, plan):
            return replace(decision, action=action, plan=plan)
        case Replan(reason):
            trace = {**decision.trace, "replan": reason}
            return replace(decision, plan=None, flags=(*decision.flags, "impossible_plan"), trace=trace)


def planning(controller: Controller, planner: Decider) -> Decider:
    """A decider that asks ``planner`` only when no plan stands or the standing one cannot go on."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        standing = carry_on(controller, request)
        if isinstance(standing, Decision):
            return standing
        return begin(controller, replace(request, plan=None), planner(request))

    return decide


# --- policies -------------------------------------------------------------------------------------

P = TypeVar("P", bound=BaseModel)


class NoParams(BaseModel, frozen=True, extra="forbid"):
    """The parameters of a policy that has none."""


class BadPolicy(ValueError):
    """A policy that does not exist, or parameters that it refuses; one line with the remedy."""


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """A named policy. ``rule`` is its rule in one sentence, ``source`` where it comes from, ``aka`` its known names.

    ``play`` takes ``(params, observation, memory, rng)``.
    """

    name: str
    rule: str
    source: str
    play: Callable[[Any, Any, Memory, Rng], tuple[Any, Memory]]
    params: type[BaseModel] = NoParams
    aka: tuple[str, ...] = ()

    def bind(self, params: Mapping[str, Any] | None = None) -> Policy:
        """The policy with its parameters set; raises `BadPolicy` naming the parameter that is wrong."""
        try:
            bound = self.params.model_validate(dict(params or {}))
        except ValidationError as error:
            raise BadPolicy(f"policy {self.name}: {first_error(error)}") from None
        play = self.play

        def policy(observation: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
            return play(bound, observation, memory, rng)

        return policy


def deciding(policy: Policy) -> Decider:
    """A policy as a decider."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        action, memory = policy(request.observation, request.memory, request.rng)
        return Decision(action, memory)

    return decide
