"""What a seat may know now: its window, the windows it is shown, its bag, the social graph, its messages.

The window is one `itemgetter` over a layer of the map that all seats with the same access share.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.catalog.adasociety import contract, exploration, negotiation
from games.catalog.adasociety.config import AdaSocietyConfig
from games.catalog.adasociety.crafting import legal_physical
from games.catalog.adasociety.graph import Message, SocialGraph
from games.catalog.adasociety.knowledge import Kit, kit
from games.catalog.adasociety.state import MOVES, State
from games.catalog.adasociety.task import Bag, Cell, Stack, Task, task_of
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
    row by row: row * kit.width + column.
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
        """Every action that the rules would carry out as it is; texts and vectors of messages are left empty."""
        if self.stage == "contract":
            return contract.options(self.graph)
        if self.stage == "negotiation":
            return negotiation.options(self.graph, self.kit.seat, self.step)
        event, stack = self.here
        physical = legal_physical(self.kit, MOVES, self.bag, event, stack)
        if self.stage == "exploration":
            return (*physical, *exploration.options(self.graph, self.kit.seat))
        return physical


def sight(task: Task, state: State, seat: Seat) -> Sight:
    """What a seat sees by itself."""
    seen: Sight | None = state.sights.get(seat)
    if seen is None:
        cell = state.cells[seat]
        window = task.windows[cell]
        layer = state.land.layer(task, task.facts(state.bags[seat]).access)
        seen = state.sights[seat] = Sight(seat, cell, window(layer), window(state.occupants))
    return seen


def observe(config: AdaSocietyConfig, state: State, seat: Seat) -> Observation:
    task = task_of(config)
    graph = state.graph
    public = graph.public
    shown_to = graph.shown_to.get(seat)
    return Observation(
        state.step,
        task.horizon,
        task.stages[state.step] if state.step < task.horizon else "over",
        kit(task, seat, state.known[seat]),
        sight(task, state, seat),
        state.bags[seat],
        public,
        tuple(sight(task, state, tail) for tail in shown_to) if shown_to else (),
        graph.inbox.get(seat, ()),
        state.order,
    )
