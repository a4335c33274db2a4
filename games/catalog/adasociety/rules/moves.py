"""Who ends up where when all step at once.

An agent stays where its target is a block, is held by somebody who stays, or was won by another. Following, cycles and
swaps go through. Source: the authors' environment, whose paper leaves collisions open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from games.catalog.adasociety.setup.torus import Cell
from games.core.game import Seat
from games.core.rng import Rng

Contest: TypeAlias = tuple[Cell, Seat, tuple[Seat, ...]]
"""(cell, who drew it, all who wanted it in seat order)."""


def settle_moves(
    cells: Sequence[Cell],
    occupants: Sequence[int],
    targets: Mapping[Seat, Cell],
    terrain: Sequence[int],
    block: int,
    rng: Rng,
) -> tuple[list[Cell], list[Contest]]:
    """All places after the step, and the contests in which the winner did move.

    ``occupants`` names by cell who stands there (-1: nobody), ``targets`` the cells of those who try to move.
    Among several who want one cell the winner is drawn uniformly, by cell; whoever then wants the cell of somebody who
    stays, stays too.
    """
    wanted: dict[Cell, Seat] = {}
    rivals: dict[Cell, list[Seat]] = {}
    for seat in sorted(targets):
        target = targets[seat]
        if terrain[target] == block:
            continue
        if target in wanted:
            rivals.setdefault(target, [wanted[target]]).append(seat)
        else:
            wanted[target] = seat
    for cell in sorted(rivals):
        wanted[cell] = rng.choice(rivals[cell], "contest", cell)
    goes = set(wanted.values())
    held = [cell for cell in wanted if occupants[cell] >= 0 and occupants[cell] not in goes]
    while held:
        bounced = wanted.pop(held.pop())
        if cells[bounced] in wanted:
            held.append(cells[bounced])
    after = list(cells)
    for cell, seat in wanted.items():
        after[seat] = cell
    return after, [(cell, wanted[cell], tuple(rivals[cell])) for cell in sorted(rivals) if cell in wanted]
