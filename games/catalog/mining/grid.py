"""The shape of the land: cells, plot numbers, neighbours. Plots count row by row: plot = columns x row + column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.catalog.mining.state import Cell, Item, Kind
from games.core.answers import JSON


class Items(dict[tuple[Kind, int, int], Item]):
    """Items on a grid by kind, plot and stamina: each is made once, since every plan is made of the same few."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = cells

    def __missing__(self, key: tuple[Kind, int, int]) -> Item:
        kind, plot, s = key
        self[key] = made = Item(kind, self._cells[plot], s)
        return made


@dataclass(frozen=True, slots=True)
class Grid:
    """Made once for each shape, by `grid`.

    ``cells``       (row, column) by plot
    ``plot_of``     plot by (row, column); what is no key is no cell of this grid
    ``items``       what plans are made of
    ``places``      the same as ``cells``, as events hold them: nobody changes these lists
    ``neighbours``  the up to four plots that share an edge with a plot, ascending; the map's edge is no neighbour
    """

    rows: int
    cols: int
    cells: tuple[Cell, ...]
    plot_of: Mapping[Cell, int]
    neighbours: tuple[tuple[int, ...], ...]
    items: Items
    places: tuple[list[JSON], ...]

    def closest(self, plot: int, among: Iterable[int]) -> int | None:
        """The closest of some plots, the lowest number where several are as close; None where there are none."""
        return min(among, key=_nearness(self.rows, self.cols, plot).__getitem__, default=None)

    def nearest(self, start: Iterable[int], is_wanted: Callable[[int], bool], count: int) -> list[int]:
        """Up to ``count`` wanted plots by their steps from the nearest of the start, then by number."""
        ring = sorted(set(start))
        reached = set(ring)
        found: list[int] = []
        while ring and len(found) < count:
            found.extend(plot for plot in ring if is_wanted(plot))
            outward = {near for plot in ring for near in self.neighbours[plot] if near not in reached}
            reached |= outward
            ring = sorted(outward)
        return found[:count]


@lru_cache(maxsize=32)
def grid(rows: int, cols: int) -> Grid:
    cells = tuple((row, col) for row in range(rows) for col in range(cols))
    plot_of = {cell: plot for plot, cell in enumerate(cells)}
    around = ((-1, 0), (0, -1), (0, 1), (1, 0))
    neighbours = tuple(
        tuple(plot_of[row + down, col + right] for down, right in around if (row + down, col + right) in plot_of)
        for row, col in cells
    )
    return Grid(rows, cols, cells, plot_of, neighbours, Items(cells), tuple(list(cell) for cell in cells))


@lru_cache(maxsize=1024)
def _nearness(rows: int, cols: int, plot: int) -> tuple[int, ...]:
    """By other plot a number that is lower the closer it is, then the lower its number: each raid is told by it."""
    row, col = divmod(plot, cols)
    steps = (abs(row - other // cols) + abs(col - other % cols) for other in range(rows * cols))
    return tuple(distance * rows * cols + other for other, distance in enumerate(steps))
