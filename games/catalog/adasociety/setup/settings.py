"""What a run of AdaSociety is set up with: every row of the paper's table 6, the mini-game and its stages.

Source: AdaSociety paper, tables 6 and 7; numbers that only the authors' configuration files give stand in the presets.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from games.catalog.adasociety.setup import synthesis
from games.catalog.adasociety.setup.structures import Milestone
from games.catalog.adasociety.setup.synthesis import OF_RESOURCES, ByName, EventKind, Name, ResourceKind
from games.core.settings import Settings as CoreSettings
from games.core.settings import setting

MiniGame = Literal["social_structure", "contract", "negotiation", "exploration"]
SocialControl = Literal["free", "forced_one", "forced"]
SocialAct = Literal["leave", "pass_on", "weigh"]
GroupNorm = Literal["none", "vote", "consensus", "delegation"]
OfResources = Field(json_schema_extra=OF_RESOURCES)
StepsOfResources = Field(json_schema_extra={**OF_RESOURCES, "unit": "steps"})
UnitsOfResources = Field(json_schema_extra={**OF_RESOURCES, "unit": "units"})
Factors = Annotated[dict[Name, Annotated[float, Field(ge=-1000, le=1000)]], ByName, OfResources]
Limits = Annotated[dict[Name, Annotated[int, Field(ge=0, le=synthesis.UNLIMITED)]], ByName, UnitsOfResources]
Holdings = Annotated[dict[Name, Annotated[int, Field(ge=0, le=1000)]], ByName, UnitsOfResources]
CellAt = tuple[Annotated[int, Field(ge=0, le=199)], Annotated[int, Field(ge=0, le=199)]]
Cells = tuple[CellAt, ...]
HORIZON_MAX = 100_000
BITE = 1.0
"""What a creature's bite costs where nothing else is said."""


def _unset(value: object) -> bool:
    """Whether a setting that came later is left out: it is then not written, so that older runs keep their hash."""
    return not value


class Piles(CoreSettings):
    """Piles of one resource: so many on random blank cells, or one on each of the cells given."""

    resource: Name = setting(schema=OF_RESOURCES)
    count: int = setting(0, 0, 40_000)
    units: int = setting(1, 1, 1000)
    cells: Cells = setting(())


class EventGrids(CoreSettings):
    """Event grids of one kind: so many on random blank cells, or on the cells given."""

    event: Name = setting(schema={"examples": [*synthesis.EVENTS], "names": ["new_events"]})
    count: int = setting(0, 0, 40_000)
    cells: Cells = setting(())


class Need(CoreSettings):
    """What everybody eats: so many units of a resource every so many steps; each that is missing costs ``loss``."""

    resource: Name = setting(schema=OF_RESOURCES)
    every: int = setting(10, 1, 1000, unit="steps")
    units: int = setting(1, 1, 100, unit="units")
    loss: float = setting(1.0, 0, 1000)


class Role(CoreSettings):
    """What a kind of agent values, can carry and starts with."""

    preferences: Factors = setting({})
    capacity: Limits = setting({})
    inventory: Holdings = setting({})


class Crew(CoreSettings):
    """Some agents of one role, in seat order. What is named here holds for them in place of what their role says."""

    role: Name = setting(schema={"names": ["roles"]})
    count: int = setting(1, 1, 1000)
    cells: Cells = setting(())
    preferences: Factors = setting({}, exclude_if=_unset)
    capacity: Limits = setting({}, exclude_if=_unset)
    inventory: Holdings = setting({}, exclude_if=_unset)


class Settings(CoreSettings):
    """All settings of a run, each within its own bounds. The defaults are the paper's Contract Easy."""

    mini_game: MiniGame = setting("contract", group="social")
    height: int = setting(7, 2, 200, unit="cells", group="map")
    width: int = setting(7, 2, 200, unit="cells", group="map")
    blocks: int = setting(0, 0, 39_999, unit="cells", group="map")
    block_cells: Cells = setting((), group="map")
    resources: tuple[Annotated[Name, Field(json_schema_extra={"examples": [*synthesis.RESOURCES]})], ...] = setting(
        ("wood", "stone", "hammer"), group="tree", schema={"uniqueItems": True}, min_length=1
    )
    new_resources: Annotated[dict[Name, ResourceKind], ByName] = setting({}, group="tree")
    new_events: Annotated[dict[Name, EventKind], ByName] = setting({}, group="tree")
    consume_cutter: bool = setting(False, group="tree")
    piles: tuple[Piles, ...] = setting(
        (Piles(resource="wood", count=4, units=5), Piles(resource="stone", count=4, units=5)), group="map"
    )
    events: tuple[EventGrids, ...] = setting((EventGrids(event="hammer_craft", count=41),), group="map")
    roles: Annotated[dict[Name, Role], ByName] = setting(
        {
            "carpenter": Role(capacity={"hammer": 1}),
            "miner": Role(preferences={"hammer": 2}, capacity={"wood": 0, "stone": 0}),
        },
        group="agents",
        min_length=1,
    )
    agents: tuple[Crew, ...] = setting(
        (Crew(role="carpenter", count=2), Crew(role="miner", count=2)), group="agents", min_length=1
    )
    sight: int = setting(3, 0, 20, unit="cells", group="agents")
    steps: int = setting(100, 1, HORIZON_MAX, unit="steps", group="stages")
    contract_rounds: int = setting(5, 1, 1000, unit="rounds", group="stages")
    negotiation_steps: int = setting(20, 1, HORIZON_MAX, unit="steps", group="stages")
    groups: int | None = setting(None, 1, 1000, group="social")
    schedule: tuple[Milestone, ...] = setting((), group="social")
    social_control: SocialControl = setting("free", group="social")
    forced_probability: float = setting(1.0, 0, 1, group="social")
    social_actions: tuple[SocialAct, ...] = setting((), group="social", schema={"uniqueItems": True}, exclude_if=_unset)
    group_norm: GroupNorm = setting("none", group="social", exclude_if=lambda norm: norm == "none")
    message_chars: int = setting(200, 0, 2000, unit="characters", group="social")
    message_numbers: int = setting(3, 0, 64, unit="numbers", group="social")
    needs: tuple[Need, ...] = setting((), group="survival", exclude_if=_unset)
    decay: Annotated[dict[Name, Annotated[int, Field(ge=1, le=1000)]], ByName, StepsOfResources] = setting(
        {}, group="survival", exclude_if=_unset
    )
    creatures: int = setting(0, 0, 1000, group="survival", exclude_if=_unset)
    bite: float = setting(BITE, 0, 1000, group="survival", exclude_if=lambda loss: loss == BITE)

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
