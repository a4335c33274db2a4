"""What a run of AdaSociety is set up with: every row of the paper's table 6, the mini-game and its stages.

Source: AdaSociety paper, tables 6 and 7; numbers that only the authors' configuration files give stand in the presets.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic.config import JsonDict

from games.catalog.adasociety.setup import synthesis
from games.catalog.adasociety.setup.structures import Milestone
from games.catalog.adasociety.setup.synthesis import OF_RESOURCES, ByName, EventKind, Name, ResourceKind
from games.core.settings import Settings as CoreSettings

MiniGame = Literal["social_structure", "contract", "negotiation", "exploration"]
SocialControl = Literal["free", "forced_one", "forced"]
SocialAct = Literal["leave", "pass_on", "weigh"]
OfResources = Field(json_schema_extra=OF_RESOURCES)
UnitsOfResources = Field(json_schema_extra={**OF_RESOURCES, "unit": "units"})
Factors = Annotated[dict[Name, Annotated[float, Field(ge=-1000, le=1000)]], ByName, OfResources]
Limits = Annotated[dict[Name, Annotated[int, Field(ge=0, le=synthesis.UNLIMITED)]], ByName, UnitsOfResources]
Holdings = Annotated[dict[Name, Annotated[int, Field(ge=0, le=1000)]], ByName, UnitsOfResources]
CellAt = tuple[Annotated[int, Field(ge=0, le=199)], Annotated[int, Field(ge=0, le=199)]]
Cells = tuple[CellAt, ...]
HORIZON_MAX = 100_000


def _unset(value: object) -> bool:
    """Whether a setting that came later is left out: it is then not written, so that older runs keep their hash."""
    return not value


def _is(group: str, unit: str = "") -> JsonDict:
    return {"group": group, "unit": unit}


class Piles(CoreSettings):
    """Piles of one resource: so many on random blank cells, or one on each of the cells given."""

    resource: Name = Field(title="Resource", json_schema_extra=OF_RESOURCES)
    count: int = Field(default=0, ge=0, le=40_000, title="Piles", description="Piles on random blank cells.")
    units: int = Field(default=1, ge=1, le=1000, title="Units", description="Units in each pile.")
    cells: Cells = Field(default=(), title="Cells", description="Piles at these places (row, column).")


class EventGrids(CoreSettings):
    """Event grids of one kind: so many on random blank cells, or on the cells given."""

    event: Name = Field(title="Event", json_schema_extra={"examples": [*synthesis.EVENTS], "names": ["new_events"]})
    count: int = Field(default=0, ge=0, le=40_000, title="Grids", description="Grids on random blank cells.")
    cells: Cells = Field(default=(), title="Cells", description="Grids at these places (row, column).")


class Role(CoreSettings):
    """What a kind of agent values, can carry and starts with."""

    preferences: Factors = Field(
        default={},
        title="Preferences",
        description="h: factor on a resource's objective reward; 1 where not named, below 0 for what is a burden.",
    )
    capacity: Limits = Field(default={}, title="Capacity", description="Most units carried; unlimited where not named.")
    inventory: Holdings = Field(default={}, title="Starts with", description="Units held at the start.")


class Crew(CoreSettings):
    """Some agents of one role, in seat order. What is named here holds for them in place of what their role says."""

    role: Name = Field(title="Role", json_schema_extra={"names": ["roles"]})
    count: int = Field(default=1, ge=1, le=1000, title="Agents")
    cells: Cells = Field(default=(), title="Cells", description="Where they start, one each; random where left out.")
    preferences: Factors = Field(
        default={},
        title="Own preferences",
        description="In place of the role's, resource by resource.",
        exclude_if=_unset,
    )
    capacity: Limits = Field(
        default={}, title="Own capacity", description="In place of the role's, resource by resource.", exclude_if=_unset
    )
    inventory: Holdings = Field(
        default={}, title="Own start", description="In place of the role's, resource by resource.", exclude_if=_unset
    )


class Settings(CoreSettings):
    """All settings of a run, each within its own bounds. The defaults are the paper's Contract Easy."""

    mini_game: MiniGame = Field(
        default="contract",
        title="Mini-game",
        description="Which social actions exist, and when.",
        json_schema_extra=_is("social"),
    )
    height: int = Field(default=7, ge=2, le=200, title="Height", description="Rows of the torus.",
                        json_schema_extra=_is("map", "cells"))  # fmt: skip
    width: int = Field(default=7, ge=2, le=200, title="Width", description="Columns of the torus.",
                       json_schema_extra=_is("map", "cells"))  # fmt: skip
    blocks: int = Field(default=0, ge=0, le=39_999, title="Blocks", description="Impassable cells at random places.",
                        json_schema_extra=_is("map", "cells"))  # fmt: skip
    block_cells: Cells = Field(default=(), title="Placed blocks", description="Impassable cells (row, column).",
                               json_schema_extra=_is("map"))  # fmt: skip
    resources: tuple[Annotated[Name, Field(json_schema_extra={"examples": [*synthesis.RESOURCES]})], ...] = Field(
        default=("wood", "stone", "hammer"),
        min_length=1,
        title="Resources",
        description="Built-in resources in play.",
        json_schema_extra={**_is("tree"), "uniqueItems": True},
    )
    new_resources: Annotated[dict[Name, ResourceKind], ByName] = Field(
        default={},
        title="Own resources",
        description="Resources defined here, in play beside the built-in ones.",
        json_schema_extra=_is("tree"),
    )
    new_events: Annotated[dict[Name, EventKind], ByName] = Field(
        default={},
        title="Own events",
        description="Kinds of event defined here.",
        json_schema_extra=_is("tree"),
    )
    consume_cutter: bool = Field(
        default=False,
        title="Cutter is consumed",
        description="Gem cutting uses the cutter up (authors' code) instead of only requiring it (paper).",
        json_schema_extra=_is("tree"),
    )
    piles: tuple[Piles, ...] = Field(
        default=(Piles(resource="wood", count=4, units=5), Piles(resource="stone", count=4, units=5)),
        title="Piles",
        description="Resources on the map at the start.",
        json_schema_extra=_is("map"),
    )
    events: tuple[EventGrids, ...] = Field(
        default=(EventGrids(event="hammer_craft", count=41),),
        title="Event grids",
        description="Where things can be made.",
        json_schema_extra=_is("map"),
    )
    roles: Annotated[dict[Name, Role], ByName] = Field(
        default={
            "carpenter": Role(capacity={"hammer": 1}),
            "miner": Role(preferences={"hammer": 2}, capacity={"wood": 0, "stone": 0}),
        },
        min_length=1,
        title="Roles",
        description="Preferences, capacities and initial inventories by role.",
        json_schema_extra=_is("agents"),
    )
    agents: tuple[Crew, ...] = Field(
        default=(Crew(role="carpenter", count=2), Crew(role="miner", count=2)),
        min_length=1,
        title="Agents",
        description="Who plays, in seat order.",
        json_schema_extra=_is("agents"),
    )
    sight: int = Field(
        default=3,
        ge=0,
        le=20,
        title="Sight",
        description="o: the window reaches so many cells each way.",
        json_schema_extra=_is("agents", "cells"),
    )
    steps: int = Field(
        default=100,
        ge=1,
        le=HORIZON_MAX,
        title="Physical steps",
        description="T: steps in which agents act on the map, after the social stage if there is one.",
        json_schema_extra=_is("stages", "steps"),
    )
    contract_rounds: int = Field(
        default=5,
        ge=1,
        le=1000,
        title="Contract rounds",
        description="c: turns of each agent in the contract stage.",
        json_schema_extra=_is("stages", "rounds"),
    )
    negotiation_steps: int = Field(
        default=20,
        ge=1,
        le=HORIZON_MAX,
        title="Negotiation steps",
        description="Length of the negotiation stage.",
        json_schema_extra=_is("stages", "steps"),
    )
    groups: int | None = Field(
        default=None,
        ge=1,
        le=1000,
        title="Group nodes",
        description="Groups that agents may join (contract, exploration); as many as agents where left out.",
        json_schema_extra=_is("social"),
    )
    schedule: tuple[Milestone, ...] = Field(
        default=(),
        title="Structure schedule",
        description="Social structures by step (social structure; the one at step 0 also starts exploration).",
        json_schema_extra=_is("social"),
    )
    social_control: SocialControl = Field(
        default="free",
        title="Social control",
        description="free: agents act; forced_one: all in one group; forced: each in group 0 with the "
        "probability below, else in a random one. Social actions are off in the last two.",
        json_schema_extra=_is("social"),
    )
    forced_probability: float = Field(
        default=1.0,
        ge=0,
        le=1,
        title="Forced probability",
        description="p of social control 'forced'.",
        json_schema_extra=_is("social"),
    )
    social_actions: tuple[SocialAct, ...] = Field(
        default=(),
        title="Opened social actions",
        description="leave: leave all groups; pass_on: pass a part of the own reward to a seat; weigh: set the own "
        "weight in a group (exploration).",
        json_schema_extra={**_is("social"), "uniqueItems": True},
        exclude_if=_unset,
    )
    message_chars: int = Field(
        default=200,
        ge=0,
        le=2000,
        title="Message text",
        description="Longest text of a message (exploration).",
        json_schema_extra=_is("social", "characters"),
    )
    message_numbers: int = Field(
        default=3,
        ge=0,
        le=64,
        title="Message vector",
        description="Numbers in a message's vector (exploration).",
        json_schema_extra=_is("social", "numbers"),
    )

    @property
    def seat_count(self) -> int:
        return sum(crew.count for crew in self.agents)

    @property
    def group_count(self) -> int:
        """Group nodes that stand from the start for agents to join."""
        return self.seat_count if self.groups is None else self.groups

    @property
    def makeup(self) -> tuple[Role, ...]:
        """What each seat values, can carry and starts with: its role's, and in its place what its own entry names."""
        return tuple(self.of_crew(crew) for crew in self.agents for _ in range(crew.count))

    def of_crew(self, crew: Crew) -> Role:
        """What the agents of an entry value, can carry and start with."""
        role = self.roles[crew.role]
        return Role.model_construct(
            preferences={**role.preferences, **crew.preferences},
            capacity={**role.capacity, **crew.capacity},
            inventory={**role.inventory, **crew.inventory},
        )

    @property
    def social_steps(self) -> int:
        """Length of the social stage; 0 where there is none or the social state is forced."""
        if self.social_control != "free":
            return 0
        if self.mini_game == "contract":
            return self.contract_rounds * self.seat_count
        return self.negotiation_steps if self.mini_game == "negotiation" else 0

    @property
    def horizon(self) -> int:
        return self.social_steps + self.steps

    @property
    def resource_kinds(self) -> dict[str, ResourceKind]:
        """Every resource in play, in the order of all tables: built-in ones, then the run's own."""
        chosen = {name: kind for name, kind in synthesis.RESOURCES.items() if name in self.resources}
        return {**chosen, **self.new_resources}

    @property
    def event_kinds(self) -> dict[str, EventKind]:
        """Every kind of event on the map, built-in ones first."""
        placed = {grids.event for grids in self.events}
        kinds = {**synthesis.EVENTS, **self.new_events}
        if self.consume_cutter and "gem_cutting" not in self.new_events:
            kinds["gem_cutting"] = synthesis.with_cutter_consumed(kinds["gem_cutting"])
        return {name: kind for name, kind in kinds.items() if name in placed}
