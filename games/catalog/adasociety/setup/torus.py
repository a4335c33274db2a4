"""The torus: what lies around a cell, over the edges of the map. Cells count row by row: row * width + column."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

Cell: TypeAlias = int

DIRECTIONS: Final = ("up", "down", "left", "right", "stay")
OFFSETS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
"""Rows down and columns right, by direction."""


def cells_at(height: int, width: int, cell: Cell, offsets: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    """The cells so many rows down and columns right of one."""
    row, column = divmod(cell, width)
    return tuple((row + down) % height * width + (column + right) % width for down, right in offsets)


def apart(height: int, width: int, one: Cell, other: Cell) -> int:
    """Steps between two cells of an empty torus."""
    down, right = abs(one // width - other // width), abs(one % width - other % width)
    return min(down, height - down) + min(right, width - right)


@lru_cache(maxsize=65536)
def window_cells(height: int, width: int, sight: int, cell: Cell) -> tuple[Cell, ...]:
    """The cells of the window around one, row by row."""
    reach = range(-sight, sight + 1)
    return cells_at(height, width, cell, ((down, right) for down in reach for right in reach))


@lru_cache(maxsize=65536)
def neighbours(height: int, width: int, cell: Cell) -> tuple[Cell, ...]:
    """The four cells around one: up, down, left, right."""
    return cells_at(height, width, cell, OFFSETS[:4])
