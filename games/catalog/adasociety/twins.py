"""Worlds that a seat cannot tell apart: what lies out of its sight differs, and what it may not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games.catalog.adasociety.rules.crafting import with_one_more
from games.catalog.adasociety.rules.graph import Message
from games.catalog.adasociety.rules.state import BLANK, Land, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import Task, task_of
from games.catalog.adasociety.setup.torus import Cell
from games.core.game import Seat


def twins(config: AdaSocietyConfig, state: State, seat: Seat) -> Iterator[State]:
    task = task_of(config)
    lookers = (seat, *state.graph.shown_to.get(seat, ()))
    seen = {cell for looker in lookers for cell in task.window_cells[state.cells[looker]]}
    hidden = [cell for cell in range(task.cells) if cell not in seen and state.land.terrain[cell] == BLANK]
    others = [other for other in task.everyone if other not in lookers]
    yield from _other_land(state, hidden)
    yield from _hidden_goods(task, state, lookers, seen)
    prowling = [number for number, cell in enumerate(state.creatures) if cell not in seen]
    if prowling and hidden:
        moved = (hidden[-1] if number == prowling[0] else cell for number, cell in enumerate(state.creatures))
        yield replace(state, creatures=tuple(moved))
    for other in others[:1]:
        known = tuple(task.everything if seat == other else had for seat, had in enumerate(state.known))
        yield replace(state, bags=_given(state, other), known=known)
        yield replace(state, returns=tuple(had + (seat == other) for seat, had in enumerate(state.returns)))
        away = [cell for cell in hidden if state.occupants[cell] < 0]
        if away and state.cells[other] not in seen:
            cells = list(state.cells)
            cells[other] = away[0]
            yield replace(state, cells=tuple(cells))
    if len(others) > 1 and config.mini_game == "exploration":
        bond = replace(state.graph.bond(others[0], others[1]), message=Message("between others"))
        yield replace(state, graph=state.graph.put(bond))


def reseated(state: State, places: Sequence[Seat]) -> State:
    """Agents on each other's cells, with what is known there, and at each other's place in the order of a contract."""
    return replace(
        state,
        cells=tuple(state.cells[place] for place in places),
        known=tuple(state.known[place] for place in places),
        order=tuple(places.index(seat) for seat in state.order),
    )


def _other_land(state: State, hidden: list[Cell]) -> Iterator[State]:
    """Another pile where nobody who matters looks."""
    if hidden:
        stacks = list(state.land.stacks)
        stacks[hidden[-1]] = with_one_more(stacks[hidden[-1]], 0)
        yield replace(state, land=Land(state.land.terrain, tuple(stacks)))


def _hidden_goods(task: Task, state: State, lookers: Sequence[Seat], seen: set[Cell]) -> Iterator[State]:
    """A thing in plain sight that needs a tool which neither the seat nor anybody who shows it the map holds."""
    accesses = [task.facts(state.bags[looker]).access for looker in lookers]
    unseen = [r for r in range(len(task.resources)) if not any(access >> r & 1 for access in accesses)]
    cell = min(seen)
    if unseen and state.land.terrain[cell] != -2:
        stacks = list(state.land.stacks)
        stacks[cell] = with_one_more(stacks[cell], unseen[0])
        yield replace(state, land=Land(state.land.terrain, tuple(stacks)))


def _given(state: State, other: Seat) -> tuple[tuple[int, ...], ...]:
    """Everybody's bags, with one more of everything for one seat."""
    more = tuple(units + 1 for units in state.bags[other])
    return tuple(more if seat == other else kept for seat, kept in enumerate(state.bags))
