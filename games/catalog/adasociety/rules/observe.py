"""What a seat may know now: its window, the windows it is shown, its bag, the social graph, its messages.

The window is one `itemgetter` over a layer of the map that all seats with the same access share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from games.catalog.adasociety.rules import contract, exploration, negotiation
from games.catalog.adasociety.rules.crafting import legal_physical
from games.catalog.adasociety.rules.graph import Message, SocialGraph
from games.catalog.adasociety.rules.knowledge import Kit, kit
from games.catalog.adasociety.rules.state import MOVES, Land, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import Bag, Stack, Task, task_of
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import Seat


class Sight(NamedTuple):
    """A window, row by row: ``things`` (event or -1, stack) with -2 for a block, ``people`` a seat or -1."""

    seat: Seat
    cell: Cell
    things: tuple[tuple[int, Stack], ...]
    people: tuple[int, ...]


class Observation(NamedTuple):
    """``step`` counts resolved steps of ``horizon``; ``order`` is the contract stage's turn order.

    ``sight`` is the own window, ``shared`` those of the seats that show theirs, as they see them. Cells are numbered
    row by row: row * kit.width + column. ``creatures`` are those in these windows.
    """

    step: int
    horizon: int
    stage: str
    kit: Kit
    sight: Sight
    bag: Bag
    graph: SocialGraph
    shared: tuple[Sight, ...] = ()
    messages: tuple[tuple[Seat, Message], ...] = ()
    order: tuple[Seat, ...] = ()
    creatures: tuple[Cell, ...] = ()

    @property
    def seat(self) -> Seat:
        return self.kit.seat

    @property
    def cell(self) -> Cell:
        return self.sight.cell

    @property
    def here(self) -> tuple[int, Stack]:
        """(event or -1, stack) of the own cell."""
        return self.sight.things[len(self.sight.things) // 2]

    def legal(self) -> tuple[Any, ...]:
        """Every action that the rules would carry out as it is, but for those that a configuration opens; texts and
        vectors of messages are left empty."""
        if self.stage == "contract":
            return contract.options(self.graph)
        if self.stage == "negotiation":
            return negotiation.options(self.graph, self.kit.seat, self.step)
        event, stack = self.here
        physical = legal_physical(self.kit, MOVES, self.bag, event, stack)
        if self.stage == "exploration":
            return (*physical, *exploration.options(self.graph, self.kit.seat))
        return physical

    def opened(self) -> tuple[Any, ...]:
        """Of the social actions that the configuration opens, those that would change something now."""
        if self.stage != "exploration" or not self.kit.opened:
            return ()
        return exploration.opened(self.graph, self.kit.seat, self.kit.opened)


def sight(task: Task, state: State, seat: Seat) -> Sight:
    """What a seat sees by itself."""
    seen: Sight | None = state.sights.get(seat)
    if seen is None:
        cell = state.cells[seat]
        window = task.windows[cell]
        layer = state.land.layer(task, state.facts(task)[seat].access)
        seen = state.sights[seat] = Sight(seat, cell, window(layer), window(state.occupants))
    return seen


def observe(config: AdaSocietyConfig, state: State, seat: Seat) -> Observation:
    """What one seat may know. Where all decide at once, everybody's is made together, once for a state."""
    task = task_of(config)
    if state.step >= task.horizon or task.stages[state.step] in ("contract", "negotiation"):
        return _observe(task, state, seat)
    return everybodys(task, state)[seat]


def everybodys(task: Task, state: State) -> Sequence[Observation]:
    """What each seat may know, made once for a state."""
    made: Kept | None = state.__dict__.get("_observations")
    if made is None or made[0] is not task:
        made = state.__dict__["_observations"] = (task, observe_all(task, state), state.land)
    return made[1]


def _observe(task: Task, state: State, seat: Seat) -> Observation:
    graph = state.graph
    shown_to = graph.shown_to.get(seat, ())
    return Observation(
        state.step,
        task.horizon,
        task.stages[state.step] if state.step < task.horizon else "over",
        kit(task, seat, state.known[seat]),
        sight(task, state, seat),
        state.bags[seat],
        graph.public,
        tuple(sight(task, state, tail) for tail in shown_to),
        graph.inbox.get(seat, ()),
        state.order,
        creatures_seen(task, state, (seat, *shown_to)) if state.creatures else (),
    )


def creatures_seen(task: Task, state: State, lookers: Sequence[Seat]) -> tuple[Cell, ...]:
    """Where creatures are, of the cells that those seats see by themselves."""
    seen = {cell for looker in lookers for cell in task.window_cells[state.cells[looker]]}
    return tuple(sorted({cell for cell in state.creatures if cell in seen}))


def observe_all(task: Task, state: State) -> list[Observation]:
    """`observe` for every seat in one pass. What is common to all is fetched once; records are made without their
    keyword constructors, which would cost as much as the windows. Where a step changed nothing, nobody looks again;
    where nothing lies elsewhere, whoever stands and holds what it did sees the same things.
    """
    graph, land, occupants = state.graph, state.land, state.occupants
    if graph.shown_to or graph.inbox or state.creatures:
        return [_observe(task, state, seat) for seat in task.everyone]
    step, stage, new = state.step, task.stages[state.step], tuple.__new__
    kept: Kept | None = state.__dict__.pop("_seen", None)
    before: Sequence[Observation | None] = [None] * len(task.everyone)
    if kept is not None and kept[0] is task and kept[2] is land:
        before = kept[1]
        if "_resting" in state.__dict__ and kept[1][0].stage == stage:
            now = (step,)
            return [new(Observation, now + seen[1:]) for seen in kept[1]]
    horizon, order, public = task.horizon, state.order, graph.public
    windows, layers = task.windows, land.layers
    made: list[Observation] = []
    for seat, cell, bag, knows, facts, last in zip(
        task.everyone, state.cells, state.bags, kits(task, state), state.facts(task), before, strict=True
    ):
        window = windows[cell]
        if last is not None and last.bag is bag and last.sight.cell == cell:
            things = last.sight.things
        else:
            layer = layers.get(facts.access) or land.layer(task, facts.access)
            things = window(layer)
        seen = new(Sight, (seat, cell, things, window(occupants)))
        made.append(new(Observation, (step, horizon, stage, knows, seen, bag, public, (), (), order, ())))
    return made


Kept: TypeAlias = tuple[Task, list[Observation], Land]
"""What everybody saw of a state, and its map."""


def kits(task: Task, state: State) -> list[Kit]:
    """What each seat knows of the rules. Carried on from state to state, since few learn. Not to be changed."""
    kept: tuple[Task, list[Kit]] | None = state.__dict__.get("_kits")
    if kept is None or kept[0] is not task:
        made = [kit(task, seat, known) for seat, known in enumerate(state.known)]
        kept = state.__dict__["_kits"] = (task, made)
    return kept[1]
