"""What holds in every state that a run reaches."""

from __future__ import annotations

from collections.abc import Iterator

from games.catalog.adasociety.rules.physical import worth
from games.catalog.adasociety.rules.state import BLOCK, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import Task, task_of
from games.core.game import Invariant


def invariants(config: AdaSocietyConfig, state: State) -> Iterator[Invariant]:
    task = task_of(config)
    paid, owned = sum(state.returns), sum(worth(task, seat, bag) for seat, bag in enumerate(state.bags))
    told = f"paid {paid}, bags worth {owned}, {state.lost} lost, in millionths"
    yield Invariant("rewards are conserved", paid == owned - state.lost, told)
    for name, expected, there in _goods(task, state):
        yield Invariant(f"{name} is conserved", expected == there, f"{there} there, {expected} by the executions")
    yield Invariant("cells are held once", len(set(state.cells)) == len(state.cells), str(state.cells))
    walled = [cell for cell in (*state.cells, *state.creatures) if state.land.terrain[cell] == BLOCK]
    yield Invariant("nobody stands on a block", not walled, f"cells {walled}")
    over = [
        (seat, task.resources[r], units, most)
        for seat, bag in enumerate(state.bags)
        for r, (units, most) in enumerate(zip(bag, task.capacities[seat], strict=True))
        if not 0 <= units <= most
    ]
    yield Invariant("capacities are kept", not over, f"(seat, resource, units, capacity): {over}")


def _goods(task: Task, state: State) -> Iterator[tuple[str, int, int]]:
    """Of each resource: how many units must be there by the start and the executions, and how many are."""
    expected = task.stock()
    for recipe, times in zip(task.recipes, state.made, strict=True):
        for resource, change in enumerate(recipe.change):
            expected[resource] += change * times
    for resource, units in enumerate(state.spent):
        expected[resource] -= units
    there = [sum(bag[r] for bag in state.bags) for r in range(len(task.resources))]
    for stack in state.land.stacks:
        for resource, units in stack:
            there[resource] += units
    yield from zip(task.resources, expected, there, strict=True)
