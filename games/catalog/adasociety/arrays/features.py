"""What a small network is shown: the arrays of `tensors` as one row of whole numbers for each seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.layout import Layout

FEATURE_MAX: Final = 255
MOMENTS: Final = 16
"""Parts into which the run is divided for a network."""
TURNS: Final = 4
"""Parts into which a moment is divided while turns are taken."""
TENTHS: Final = 10
MATE: Final = 8
ONESELF: Final = 4
"""What stands for a seat with which one shares a group, and for oneself, beside the many cells of a window."""


def features(shape: Layout, seen: Mapping[str, NDArray[Any]], mates: bool = False) -> NDArray[np.int16]:
    """Rows of whole numbers from -255 to 255, for one seat's arrays (numbers) or many worlds' (worlds, seats, numbers).

    The own window and bag; who is in which group; who decides, in which order; who one is; the time, in sixteenths. In
    negotiation also who bargains, and the shares that are wanted, in tenths. Messages and what is shown are left out.
    With ``mates`` also who else is in the own group, which two layers cannot tell from who is in which. While turns are
    taken, groups and time are then told louder and finer, since nothing else counts; the order is told only then, so
    that a row is the same where groups were forced and where they were chosen.
    """
    lead = seen["bag"].shape[:-1]

    def own(name: str) -> NDArray[Any]:
        return seen[name].reshape(*lead, -1)

    def common(array: NDArray[Any]) -> NDArray[Any]:
        row = array.reshape(*lead[:-1], -1)
        return np.broadcast_to(row[..., None, :], (*lead, row.shape[-1])) if lead else row

    order, told = np.rint(seen["order"] * shape.seats), (seen["members"] > 0).astype(np.int16)
    groups, moment = told, np.floor(seen["time"] * MOMENTS)
    if mates:
        turns: NDArray[Any] = np.logical_not(np.all(seen["decides"], axis=-1, keepdims=True))
        order = order * turns
        groups = np.where(turns[..., None], MATE * told, told)
        moment = np.where(turns, np.floor(seen["time"] * MOMENTS * TURNS), moment)
    parts = [
        own("map"),
        own("bag"),
        common(groups),
        common(order),
        common(seen["decides"]),
        own("identity") * (ONESELF if mates else 1),
        common(moment),
    ]
    if shape.bargains:
        parts += [common(seen["bargains"]), common(np.rint(seen["proposals"] * TENTHS))]
    if mates:
        together = told @ np.swapaxes(told, -1, -2) > 0
        others = together & ~np.eye(shape.seats, dtype=np.bool_)
        parts.append(own("identity") @ others * MATE)
    rows: NDArray[np.int16] = np.clip(np.concatenate(parts, axis=-1), -FEATURE_MAX, FEATURE_MAX).astype(np.int16)
    return rows
