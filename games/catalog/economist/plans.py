"""What a worker means to do for some steps, as data that stands in the log.

``{"plan": "gather", "resource": "wood", "n": 3}`` · ``{"plan": "build"}`` · ``{"plan": "go", "row": 2, "column": 5}`` ·
``{"plan": "sell", "resource": "stone", "n": 2, "price": 3.5}`` · ``{"plan": "buy", ...}`` ·
``{"plan": "wait", "steps": 2}`` ·
``{"plan": "once", "action": {"do": "misreport", "fraction": 0.2}}``. A bare action counts as once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from games.catalog.economist.state import Resource, WorkerAction
from games.core.answers import JSON, read_as

STEPS_MAX: Final = 50
TRIES: Final = 3
Units: TypeAlias = Annotated[float, Field(gt=0, le=1000)]
Price: TypeAlias = Annotated[float, Field(gt=0, le=1_000_000)]
Tries: TypeAlias = Annotated[int, Field(ge=1, le=STEPS_MAX)]


@dataclass(frozen=True, slots=True)
class GatherPlan:
    """Gather so many units more, from the nearest cell in sight each time. ``goal``: what is held when it is done."""

    resource: Resource
    n: Units = 1
    goal: float | None = None
    plan: Literal["gather"] = "gather"


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Go to the nearest free cell in sight and build there."""

    plan: Literal["build"] = "build"


@dataclass(frozen=True, slots=True)
class DealPlan:
    """Offer (or bid for) up to ``n`` units at a price, for so many steps at most. ``goal``: what is held in the end."""

    plan: Literal["sell", "buy"]
    resource: Resource
    n: Units
    price: Price
    tries: Tries = TRIES
    goal: float | None = None


@dataclass(frozen=True, slots=True)
class GoPlan:
    """Walk to a cell."""

    row: Annotated[int, Field(ge=0, le=99)]
    column: Annotated[int, Field(ge=0, le=99)]
    plan: Literal["go"] = "go"


@dataclass(frozen=True, slots=True)
class WaitPlan:
    """Do nothing for some steps."""

    steps: Tries = 1
    plan: Literal["wait"] = "wait"


@dataclass(frozen=True, slots=True)
class OncePlan:
    """One action as it stands."""

    action: Annotated[WorkerAction, Field(discriminator="do")]
    plan: Literal["once"] = "once"


Plans: TypeAlias = GatherPlan | BuildPlan | DealPlan | GoPlan | WaitPlan | OncePlan
_ADAPTER: TypeAdapter[Any] = TypeAdapter(Annotated[Plans, Field(discriminator="plan")])


def read_plan(raw: Any) -> Plans:
    """A plan from JSON, or an action as a plan of its own; raises `BadAction`."""
    if isinstance(raw, dict) and "do" in raw and "plan" not in raw:
        raw = {"plan": "once", "action": raw}
    plan: Plans = read_as(_ADAPTER, raw)
    return plan


def write_plan(plan: Plans) -> JSON:
    """The plan as plain JSON, which `read_plan` reads back."""
    written: JSON = _ADAPTER.dump_python(plan, mode="json")
    return written
