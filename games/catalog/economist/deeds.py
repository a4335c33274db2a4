"""Who owns which house, derived from the houses once and carried on when another is built.

Bulk play asks for it in every step while houses change in few, so what was made last is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from games.catalog.economist.money import Micro, decimal
from games.catalog.economist.state import Cell, House
from games.core.answers import JSON
from games.core.game import Event, Seat


class Deeds:
    """The houses by cell and by owner. Never changed once made, but for what it keeps.

    ``owners`` by cell, -1 for none. ``cells`` by owner, owners in the order of their first house, cells as built.
    """

    __slots__ = ("_of", "_rents", "cells", "houses", "owners")

    def __init__(self, houses: tuple[House, ...], size: int, before: Deeds | None = None) -> None:
        self.houses = houses
        self.owners: list[Seat] = list(before.owners) if before else [-1] * size
        self.cells: dict[Seat, tuple[Cell, ...]] = dict(before.cells) if before else {}
        for house in houses[len(before.houses) :] if before else houses:
            self.owners[house.cell] = house.owner
            self.cells[house.owner] = (*self.cells.get(house.owner, ()), house.cell)
        self._of: tuple[Sequence[Micro], int] = ((), 0)
        self._rents: Sequence[Event] = ()

    def rents(self, paid: Sequence[Micro], cols: int) -> Sequence[Event]:
        """What the houses pay in a step, an event for each owner; mostly what they paid in the last."""
        if self._of != (paid, cols):
            self._of = paid, cols
            self._rents = [_rent(seat, cells, paid[seat], cols) for seat, cells in self.cells.items()]
        return self._rents


@lru_cache(maxsize=4096)
def _rent(seat: Seat, cells: tuple[Cell, ...], paid: Micro, cols: int) -> Event:
    places: list[JSON] = [list(divmod(cell, cols)) for cell in cells]
    return Event("house_income", {"by": seat, "income": decimal(paid), "houses": places, "count": len(cells)}, (seat,))


_LAST: Final = [Deeds((), 0)]


def deeds(houses: tuple[House, ...], size: int) -> Deeds:
    """Of these houses on a land of so many cells; made of the last ones where houses were only added to them."""
    last = _LAST[0]
    fits = len(last.owners) == size
    if fits and last.houses is houses:
        return last
    grown = fits and last.houses == houses[: len(last.houses)]
    _LAST[0] = Deeds(houses, size, last if grown else None)
    return _LAST[0]
