"""One world of `worlds`, with each seat's arrays by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.tensors import COMMON, STAYS
from games.lab.learning.adasociety.worlds import Worlds

Arrays = dict[str, NDArray[Any]]
SILENT = 0
"""A number that no stage in which one has to join allows: whoever is silent there is played as naming it."""


class Alone:
    """One world, ``worlds`` of which there is one. What it gives are arrays of their own, as `tensors.encode_all`'s."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        seats = range(worlds.layout.seats)
        self._key: tuple[object, ...] | None = None
        self._common: Arrays = {}
        self._constant = [
            {"capacity": _fixed(np.array(worlds.task.capacities[seat], np.int16)), "identity": _one(seat, len(seats))}
            for seat in seats
        ]

    def begin(self, seed: int) -> None:
        """The world in the first state of a run."""
        self.worlds.begin([seed])
        self._key = None

    def forbids(self, numbers: Sequence[int | None]) -> bool:
        """Whether any of the seats' actions is one that its mask shuts. `see` must have been called since the last
        step."""
        mask = self._mask
        return any(number is not None and not mask[seat][number] for seat, number in enumerate(numbers))

    def step(self, numbers: Sequence[int | None]) -> tuple[list[float], bool]:
        """One step: the seats' rewards, and whether the run is over. None is a seat that says nothing."""
        worlds = self.worlds
        silent = SILENT if worlds.stage == "contract" else STAYS
        rewards = worlds.act(np.array([[silent if number is None else number for number in numbers]]))
        return rewards[0].tolist(), worlds.step == worlds.horizon

    def see(self) -> list[Arrays]:
        """Each seat's arrays."""
        worlds = self.worlds
        seen = worlds.see()
        stage, step = worlds.stage, worlds.step
        key = (worlds.society.changes, stage, step if stage in ("contract", "negotiation") else None)
        if key != self._key:
            self._key = key
            self._common = {name: _fixed(array[0].copy()) for name, array in seen.items() if name in COMMON}
        common = {**self._common, "time": _fixed(seen["time"][0].copy())}
        own = {name: array[0].copy() for name, array in seen.items() if name not in _KEPT}
        self._mask = own["action_mask"].tolist()
        rows = zip(*own.values(), strict=True)
        names = tuple(own)
        return [
            {**dict(zip(names, row, strict=True)), **common, **constant}
            for row, constant in zip(rows, self._constant, strict=True)
        ]


_KEPT = COMMON | {"capacity", "identity"}


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _one(seat: int, seats: int) -> NDArray[np.int8]:
    """1 for the own seat."""
    made = np.zeros(seats, np.int8)
    made[seat] = 1
    return _fixed(made)
