"""The grid: what it bears, where ways lead, and regrowth. Source: contract, "Grid World" and "Step Semantics", 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import Micro
from games.catalog.economist.state import NONE, STONE, WOOD, Cell, Direction, Land
from games.core.rng import Rng
from games.core.values import picking


@dataclass(frozen=True, slots=True)
class Sites:
    """The cells that bear something, ascending; ``at`` gives a cell's place among them, -1 for none."""

    cells: tuple[Cell, ...]
    at: tuple[int, ...]
    laid: Callable[[Sequence[Micro]], tuple[Micro, ...]]

    def by_cell(self, stock: Sequence[Micro]) -> tuple[Micro, ...]:
        """A stock by place as one by cell, 0 where nothing grows."""
        return self.laid((*stock, 0))


class Grid:
    """Ways and sights on a grid of a size; all cells by number. One for each size, so that it is compared by identity.

    ``ways`` by cell: the neighbour in each direction, -1 off the map. ``sights`` by cell: the cells seen from it, row
    by row, and ``look`` takes their values out of a list by cell. ``near`` by cell: places in that sight, the own cell
    left out, nearest first (ties row by row), each with the way's first step. ``own`` by cell: its own place in it.
    """

    __slots__ = ("cols", "look", "near", "own", "rows", "sights", "ways")

    def __init__(self, rows: int, cols: int, sight: int) -> None:
        cells = range(rows * cols)
        self.rows, self.cols = rows, cols
        self.ways = tuple(_ways(cell, rows, cols) for cell in cells)
        self.sights = tuple(_sight(cell, rows, cols, sight) for cell in cells)
        self.look = tuple(map(picking, self.sights))
        self.near = tuple(_near(cell, seen, cols) for cell, seen in enumerate(self.sights))
        self.own = tuple(seen.index(cell) for cell, seen in enumerate(self.sights))


grid: Final = lru_cache(maxsize=32)(Grid)


def lay_out(config: EconomistConfig, rng: Rng) -> Land:
    """One draw a cell: below the wood density wood, below both densities together stone, else nothing.

    In halves: wood at twice its density in the columns left of the middle, stone at twice its own in the others.
    """
    width, wood, stone = config.map.width, config.map.wood_density, config.map.stone_density
    draws = (rng.unit("cell", cell) for cell in range(config.map.height * width))
    if config.map.layout == "halves":
        halves = ((cell % width < width // 2, u) for cell, u in enumerate(draws))
        return Land(
            tuple((WOOD if u < 2 * wood else NONE) if left else STONE if u < 2 * stone else NONE for left, u in halves)
        )
    both = wood + stone
    return Land(tuple(WOOD if u < wood else STONE if u < both else NONE for u in draws))


def sites(land: Land) -> Sites:
    """Made once for each land and kept with it."""
    known = getattr(land, "carried", None)
    if isinstance(known, Sites):
        return known
    cells = tuple(cell for cell, kind in enumerate(land.bears) if kind != NONE)
    places = {cell: place for place, cell in enumerate(cells)}
    at = tuple(places.get(cell, -1) for cell in range(len(land.bears)))
    known = Sites(cells, at, picking(at))
    object.__setattr__(land, "carried", known)
    return known


@lru_cache(maxsize=8)
def regrow(stock: tuple[Micro, ...], by: Micro, most: Micro) -> tuple[Micro, ...]:
    """Each resource cell's stock after regrowth; what is seen before a step is asked for again when it is done."""
    turning = most - by
    return tuple([had + by if had <= turning else most for had in stock])


def seen_from(config: EconomistConfig, cell: Cell) -> frozenset[Cell]:
    """The cells that a worker sees from a cell."""
    return frozenset(grid(config.map.height, config.map.width, config.sight).sights[cell])


def _ways(cell: Cell, rows: int, cols: int) -> Mapping[Direction, Cell]:
    row, col = divmod(cell, cols)
    return {
        "up": cell - cols if row else -1,
        "down": cell + cols if row < rows - 1 else -1,
        "left": cell - 1 if col else -1,
        "right": cell + 1 if col < cols - 1 else -1,
    }


def _sight(cell: Cell, rows: int, cols: int, sight: int) -> tuple[Cell, ...]:
    row, col = divmod(cell, cols)
    return tuple(
        r * cols + c
        for r in range(max(0, row - sight), min(rows, row + sight + 1))
        for c in range(max(0, col - sight), min(cols, col + sight + 1))
    )


def _near(cell: Cell, sight: tuple[Cell, ...], cols: int) -> tuple[tuple[int, Direction], ...]:
    row, col = divmod(cell, cols)
    others = [(abs(other // cols - row) + abs(other % cols - col), place) for place, other in enumerate(sight)]
    return tuple((place, towards(cell, sight[place], cols)) for far, place in sorted(others) if far)


def towards(cell: Cell, other: Cell, cols: int) -> Direction:
    """The first step of the way: vertical where that distance is at least as long as the horizontal one."""
    down, right = other // cols - cell // cols, other % cols - cell % cols
    if abs(down) >= abs(right):
        return "down" if down > 0 else "up"
    return "right" if right > 0 else "left"
