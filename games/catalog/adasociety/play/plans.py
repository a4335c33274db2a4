"""Plans: what an agent means to do for some steps, as data that stands in the log.

``{"plan": "gather", "resource": "wood", "n": 3}`` · ``{"plan": "craft", "resource": "hammer"}`` ·
``{"plan": "dump", "resource": "hammer"}`` · ``{"plan": "explore"}`` · ``{"plan": "go", "row": 2, "column": 5}`` ·
``{"plan": "bargain", "seat": 1, "ask": 60, "least": 40}`` · ``{"plan": "once", "action": {"do": "accept"}}``,
or the paper's lines: ``GATHER 3 WOOD``, ``CRAFT 1 HAMMER``, ``DUMP HAMMER``, ``EXPLORE MAP``; ``GO 2 5``, ``JOIN 2``
and ``BARGAIN 1 60 40`` are ours.
Source: AdaSociety paper, appendix D.2 and listings 2 to 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from games.catalog.adasociety.rules.state import Action
from games.core.answers import JSON, BadAction, read_as, shortened
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent.parent / "words")
GATHER_MAX: Final = 10
EXPLORE_STEPS: Final = 5
OFFERS: Final = 3
CALLS: Final = 3
Share: TypeAlias = Annotated[int, Field(ge=10, le=90, multiple_of=10)]


class BadPlan(BadAction):
    """What cannot be read as a plan; one line for whoever sent it."""


@dataclass(frozen=True, slots=True)
class Gather:
    """Pick so many units, from the nearest pile seen each time.

    ``goal`` is the count held when it is done, ``to`` the cell chosen, ``at`` where the last step began.
    """

    resource: Annotated[str, Field(max_length=24)]
    n: Annotated[int, Field(ge=1, le=GATHER_MAX)] = 1
    goal: int | None = None
    to: int | None = None
    at: int | None = None
    plan: Literal["gather"] = "gather"


@dataclass(frozen=True, slots=True)
class Craft:
    """Do an event once, on the nearest grid seen: the one of this name, or one that makes this resource."""

    resource: Annotated[str, Field(max_length=24)]
    to: int | None = None
    at: int | None = None
    plan: Literal["craft"] = "craft"


@dataclass(frozen=True, slots=True)
class DumpPlan:
    """Put one down where the agent stands."""

    resource: Annotated[str, Field(max_length=24)]
    plan: Literal["dump"] = "dump"


@dataclass(frozen=True, slots=True)
class Explore:
    """Five steps in a direction drawn once."""

    direction: Literal["", "up", "down", "left", "right", "stay"] = ""
    left: Annotated[int, Field(ge=1, le=EXPLORE_STEPS)] = EXPLORE_STEPS
    plan: Literal["explore"] = "explore"


@dataclass(frozen=True, slots=True)
class Go:
    """Walk to a cell. ``at`` is where the last step began, as in the other plans that walk."""

    row: Annotated[int, Field(ge=0, le=199)]
    column: Annotated[int, Field(ge=0, le=199)]
    at: int | None = None
    plan: Literal["go"] = "go"


@dataclass(frozen=True, slots=True)
class Bargain:
    """Ask a seat until it asks back, propose ``ask`` percent for the own side, accept whatever leaves ``least``.

    ``offers`` and ``calls`` count down: proposals before the bargain is ended, steps in which nobody asks back.
    """

    seat: Annotated[int, Field(ge=0, le=4095)]
    ask: Share = 50
    least: Share = 50
    offers: Annotated[int, Field(ge=0, le=OFFERS)] = OFFERS
    calls: Annotated[int, Field(ge=1, le=CALLS)] = CALLS
    plan: Literal["bargain"] = "bargain"


@dataclass(frozen=True, slots=True)
class Once:
    """One action as it stands: the way to join, speak, show the map, answer an offer."""

    action: Action
    plan: Literal["once"] = "once"


Plans: TypeAlias = Gather | Craft | DumpPlan | Explore | Go | Bargain | Once
AnyPlan: TypeAlias = Annotated[Plans, Field(discriminator="plan")]

_ADAPTER: TypeAdapter[Any] = TypeAdapter(AnyPlan)
_LINES: Final = [
    re.compile(rf"\W*(?:plan\W+)?{line}\W*", re.IGNORECASE)
    for line in (
        r"(?P<plan>gather)\s+(?P<n>\d{1,4})\s+<?(?P<resource>\w+)>?",
        r"(?P<plan>craft|dump)\s+(?:1\s+)?<?(?P<resource>\w+)>?",
        r"(?P<plan>explore)(?:\s+map)?",
        r"(?P<direction>stay)",
        r"(?P<do>join)\s+(?:group\s+)?(?P<group>\d{1,4})",
        r"(?P<plan>bargain)\s+(?:with\s+)?(?P<seat>\d{1,4})\s+(?P<ask>\d{1,3})%?\s+(?P<least>\d{1,3})%?",
        r"(?P<plan>go)\s+(?:to\s+)?\(?(?P<row>\d{1,3})\s*,?\s*(?P<column>\d{1,3})\)?",
    )
]
"""The paper's lines, and ours; each group is a field of what the line means."""


def read_plan(raw: Any) -> Plans:
    """A plan from JSON or from one of the paper's lines; raises `BadPlan`."""
    plan: Plans = read_as(_ADAPTER, _from_line(raw) if isinstance(raw, str) else raw, BadPlan)
    return plan


def _from_line(line: str) -> dict[str, Any]:
    matches = (each.fullmatch(line.strip()) for each in _LINES) if len(line) <= 200 else ()
    found = next((match.groupdict() for match in matches if match is not None), None)
    if found is None:
        raise BadPlan.told(WORDS.fault("no_plan", what=repr(shortened(line, 60))))
    if "direction" in found:
        found |= {"do": "move"}
    texts = ("plan", "do", "resource", "direction")
    parts = {name: value.lower() if name in texts else int(value) for name, value in found.items()}
    return parts if "plan" in parts else {"plan": "once", "action": parts}


def write_plan(plan: Plans) -> JSON:
    """The plan as plain JSON, which `read_plan` reads back."""
    written: JSON = _ADAPTER.dump_python(plan, mode="json")
    return written
