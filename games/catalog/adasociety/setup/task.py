"""A configuration worked out once: indices for names, tables for windows and moves, values in millionths.

Everything here follows from the configuration alone; nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.synthesis import UNLIMITED
from games.catalog.adasociety.setup.torus import OFFSETS, Cell, cells_at, window_cells
from games.core.game import Seat, SeatSpec, Turn
from games.core.values import picking

MICRO: Final = 1_000_000
"""Rewards are counted in millionths of the paper's unit, so that splits can be conserved exactly."""

Bag: TypeAlias = tuple[int, ...]
"""Units held, by resource."""
Stack: TypeAlias = tuple[tuple[int, int], ...]
"""What lies on a cell: (resource, units), in the order in which the kinds arrived."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An event kind by indices: ``change`` is the bag's change by resource, ``needs`` what must be held to do it."""

    name: str
    inputs: tuple[tuple[int, int], ...]
    outputs: tuple[tuple[int, int], ...]
    requires: tuple[tuple[int, int], ...]
    change: tuple[int, ...]
    needs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class BagFacts:
    """What holding a bag means: ``access`` the bits of what it lets one see, ``held`` those of what it holds."""

    access: int
    held: int


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Task:
    """The tables of one configuration. Bits of masks: resources first, then events. Under survival pressure ``decay``
    is (resource, every so many steps), ``needs`` (resource, every, units, loss); losses are in millionths."""

    config: AdaSocietyConfig
    horizon: int
    stages: tuple[str, ...]
    height: int
    width: int
    cells: int
    seats: tuple[SeatSpec, ...]
    everyone: tuple[Seat, ...]
    names: tuple[str, ...]
    roles: tuple[str, ...]
    resources: tuple[str, ...]
    resource_index: Mapping[str, int]
    requires: tuple[tuple[tuple[int, int], ...], ...]
    events: tuple[str, ...]
    recipes: tuple[Recipe, ...]
    values: tuple[tuple[int, ...], ...]
    capacities: tuple[tuple[int, ...], ...]
    start_bags: tuple[Bag, ...]
    ahead: tuple[tuple[Cell, ...], ...]
    windows: tuple[Callable[[Sequence[Any]], tuple[Any, ...]], ...]
    window_cells: tuple[tuple[Cell, ...], ...]
    decay: tuple[tuple[int, int], ...] = ()
    needs: tuple[tuple[int, int, int, int], ...] = ()
    bite: int = 0
    bag_facts: dict[Bag, BagFacts] = field(default_factory=dict)
    glimpses: dict[tuple[int, Stack, int], tuple[int, Stack]] = field(default_factory=dict)
    kits: dict[tuple[Seat, int], Any] = field(default_factory=dict)
    turns: dict[int, Turn] = field(default_factory=dict)
    trees: dict[int, dict[str, Any]] = field(default_factory=dict)
    specs: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    veiled: dict[int, Any] = field(default_factory=dict)

    def facts(self, bag: Bag) -> BagFacts:
        """Remembered by bag: few different ones occur."""
        facts = self.bag_facts.get(bag)
        if facts is None:
            access = sum(1 << r for r, needs in enumerate(self.requires) if holds(bag, needs))
            resources = len(self.resources)
            access |= sum(1 << (resources + e) for e, each in enumerate(self.recipes) if holds(bag, each.requires))
            facts = BagFacts(access, sum(1 << r for r, units in enumerate(bag) if units))
            if len(self.bag_facts) > 200_000:
                self.bag_facts.clear()
            self.bag_facts[bag] = facts
        return facts

    def glimpse(self, event: int, stack: Stack, access: int) -> tuple[int, Stack]:
        """What somebody with that access sees of a cell: (event or -1, stack); (-2, ()) is a block."""
        key = (event, stack, access)
        seen = self.glimpses.get(key)
        if seen is None:
            shown = tuple(pile for pile in stack if access >> pile[0] & 1)
            visible = event if event < 0 or access >> (len(self.resources) + event) & 1 else -1
            seen = (visible, shown)
            if len(self.glimpses) > 200_000:
                self.glimpses.clear()
            self.glimpses[key] = seen
        return seen

    def bits(self, event: int, stack: Stack) -> int:
        """Bits of what is on a cell."""
        bits = 1 << (len(self.resources) + event) if event >= 0 else 0
        for resource, _ in stack:
            bits |= 1 << resource
        return bits

    @property
    def presses(self) -> bool:
        """Whether there is survival pressure."""
        return bool(self.decay or self.needs or self.config.creatures)

    @property
    def everything(self) -> int:
        """The bits of all that there is."""
        return (1 << (len(self.resources) + len(self.events))) - 1

    def stock(self) -> list[int]:
        """Units of each resource on the map and in bags at the start."""
        stock = [sum(bag[r] for bag in self.start_bags) for r in range(len(self.resources))]
        for piles in self.config.piles:
            stock[self.resource_index[piles.resource]] += (piles.count + len(piles.cells)) * piles.units
        return stock

    def lying(self) -> list[int]:
        """Of that, what lies on the map."""
        return [units - sum(bag[r] for bag in self.start_bags) for r, units in enumerate(self.stock())]

    def place(self, cell: Cell) -> tuple[int, int]:
        return divmod(cell, self.width)

    def cell(self, row: int, column: int) -> Cell:
        """The cell at a place of the torus; any integers."""
        return row % self.height * self.width + column % self.width


def holds(bag: Bag, units: Sequence[tuple[int, int]]) -> bool:
    return all(bag[resource] >= needed for resource, needed in units)


_MADE: dict[int, tuple[AdaSocietyConfig, Task]] = {}
_IMAGINED: dict[int, tuple[AdaSocietyConfig, Task]] = {}
_KEPT: Final = 64


def task_of(config: AdaSocietyConfig) -> Task:
    """The tables of a configuration, made once and kept for the last few configurations in use."""
    kept = _MADE.get(id(config)) or _IMAGINED.get(id(config))
    if kept is not None and kept[0] is config:
        return kept[1]
    task = _build(config)
    if len(_MADE) >= _KEPT:
        _MADE.pop(next(iter(_MADE)), None)
    _MADE[id(config)] = (config, task)
    return task


def imagined(config: AdaSocietyConfig, task: Task) -> Task:
    """Tables that a configuration shares with another one, kept apart: many are imagined for one that is played."""
    if len(_IMAGINED) >= _KEPT:
        _IMAGINED.pop(next(iter(_IMAGINED)), None)
    _IMAGINED[id(config)] = (config, task)
    return task


def _build(config: AdaSocietyConfig) -> Task:
    kinds, events = config.resource_kinds, config.event_kinds
    index = {name: i for i, name in enumerate(kinds)}
    roles = [crew.role for crew in config.agents for _ in range(crew.count)]
    makeup = config.makeup
    cells = config.height * config.width
    height, width = config.height, config.width
    spans = [window_cells(height, width, config.sight, cell) for cell in range(cells)]
    return Task(
        config,
        config.horizon,
        _stages(config),
        height,
        width,
        cells,
        _seats(roles),
        tuple(range(len(roles))),
        tuple(spec.name for spec in _seats(roles)),
        tuple(roles),
        tuple(kinds),
        index,
        tuple(_units(kind.requires, index) for kind in kinds.values()),
        tuple(events),
        tuple(_recipe(name, event, index) for name, event in events.items()),
        tuple(
            tuple(round(body.preferences.get(name, 1.0) * kind.value * MICRO) for name, kind in kinds.items())
            for body in makeup
        ),
        tuple(tuple(body.capacity.get(name, UNLIMITED) for name in kinds) for body in makeup),
        tuple(tuple(body.inventory.get(name, 0) for name in kinds) for body in makeup),
        tuple(zip(*(cells_at(height, width, cell, OFFSETS) for cell in range(cells)), strict=True)),
        tuple(map(picking, spans)),
        tuple(spans),
        tuple(sorted((index[name], every) for name, every in config.decay.items())),
        tuple((index[need.resource], need.every, need.units, round(need.loss * MICRO)) for need in config.needs),
        round(config.bite * MICRO),
    )


def _stages(config: AdaSocietyConfig) -> tuple[str, ...]:
    """The stage of each step, by the number of steps resolved before it."""
    free = config.mini_game == "exploration" and config.social_control == "free"
    return (config.mini_game,) * config.social_steps + ("exploration" if free else "physical",) * config.steps


def _seats(roles: Sequence[str]) -> tuple[SeatSpec, ...]:
    """Names as the paper's prompts have them: ``carpenter_0``, ``carpenter_1``, ``miner_0`` ..."""
    counts: dict[str, int] = {}
    named = []
    for role in roles:
        counts[role] = counts.get(role, -1) + 1
        named.append(SeatSpec(f"{role}_{counts[role]}", role))
    return tuple(named)


def _units(units: Mapping[str, int], index: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((index[name], count) for name, count in units.items()))


def _recipe(name: str, event: Any, index: Mapping[str, int]) -> Recipe:
    inputs, outputs = _units(event.inputs, index), _units(event.outputs, index)
    requires = _units(event.requires, index)
    change = [0] * len(index)
    needs: dict[int, int] = dict(requires)
    for resource, count in inputs:
        change[resource] -= count
        needs[resource] = max(count, needs.get(resource, 0))
    for resource, count in outputs:
        change[resource] += count
    return Recipe(name, inputs, outputs, requires, tuple(change), tuple(sorted(needs.items())))
