"""Who owns which house, derived from the houses once and carried on when another is built.

Bulk play asks for it in every step while houses change in few, so what was made last is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.catalog.economist.money import Micro, decimal
from games.catalog.economist.state import Cell, House
from games.core.answers import JSON
from games.core.game import Event, Seat


class Deeds:
    """The houses by cell and by owner. Never changed once made.

    ``owners`` by cell, -1 for none. ``cells`` by owner, owners in the order of their first house, cells as built.
    """

    __slots__ = ("_rents", "cells", "houses", "owners")

    def __init__(self, houses: tuple[House, ...], size: int, before: Deeds | None = None) -> None:
        self.houses = houses
        self.owners: list[Seat] = list(before.owners) if before else [-1] * size
        self.cells: dict[Seat, tuple[Cell, ...]] = dict(before.cells) if before else {}
        self._rents: dict[Seat, tuple[int, Micro, Event]] = dict(before._rents) if before else {}
        for house in houses[len(before.houses) :] if before else houses:
            self.owners[house.cell] = house.owner
            self.cells[house.owner] = (*self.cells.get(house.owner, ()), house.cell)
            self._rents.pop(house.owner, None)

    def rents(self, each: Micro, cols: int) -> Iterator[Event]:
        """What the houses pay in a step, an event for each owner."""
        for seat, cells in self.cells.items():
            kept = self._rents.get(seat)
            if kept is None or kept[:2] != (cols, each):
                where: list[JSON] = [list(divmod(cell, cols)) for cell in cells]
                data: dict[str, JSON] = {
                    "by": seat, "income": decimal(each * len(cells)), "houses": where, "count": len(cells),
                }  # fmt: skip
                kept = self._rents[seat] = (cols, each, Event("house_income", data, (seat,)))
            yield kept[2]


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
