"""Events of many worlds as JSON, and rounds that are measured and written together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from games.catalog.mining import PACK
from games.catalog.mining.columns import MiningColumns
from games.catalog.mining.config import MiningConfig
from games.core.batch import beside
from games.core.codec import canonical
from games.core.draws import Ints
from games.core.pack import Sitting
from games.core.written import EventForms, Words, lists


class Visits(NamedTuple):
    room: Ints
    hour: Ints


MET = EventForms({"met": ("who", "at"), "drawn": ("who", "at", "by")}, ["by"], to=True)


def test_events_are_written_by_world_canonically() -> None:
    seats, places = Words(range(3)), Words(["[0,1]", "null"])
    ones = np.array([2, 0, 1])
    several = seats.several(np.array([0, 1]), np.array([0, 2, 0]))
    who, at, to = seats.one(ones), places.one(np.array([0, 1, 0])), seats.one(ones)
    parts = MET.parts(np.array([2, 0, 1]), who, at, several, to, kinds=np.array([0, 1, 0]))
    first = {"kind": "met", "data": {"who": 2, "at": [0, 1]}, "to": [2]}
    second = {"kind": "drawn", "data": {"who": 0, "at": None, "by": [0, 1]}, "to": [0]}
    third = {"kind": "met", "data": {"who": 1, "at": [0, 1]}, "to": [1]}
    worlds: list[list[dict[str, Any]]] = [[first, second], [], [third]]
    assert lists([parts]) == [canonical(one).decode() for one in worlds]
    assert json.loads(lists([parts, parts])[2]) == [third, third]


def test_columns_of_several_rounds_stand_one_after_the_other() -> None:
    visits = Visits(np.array([0, 1]), np.array([5, 6]))
    joined: Visits = beside([visits, visits, visits], room=[2, 3, 4])
    assert joined.room.tolist() == [0, 1, 2, 3, 5, 6]
    assert joined.hour.tolist() == [5, 6] * 3


def test_what_was_played_before_many_worlds_break_is_given_first(monkeypatch: pytest.MonkeyPatch) -> None:
    played, resolve = iter(range(3)), MiningColumns.resolve

    def breaking(*round_: Any) -> Any:
        if next(played, None) is None:
            raise ZeroDivisionError
        return resolve(*round_)

    monkeypatch.setattr(MiningColumns, "resolve", staticmethod(breaking))
    assert PACK.batch is not None
    given: Iterator[Any] = PACK.batch(MiningConfig(miners=2), [1, 2], {seat: Sitting("guided") for seat in range(2)})
    for index in range(4):
        assert [step.index for step in next(given)] == [index, index]
    with pytest.raises(ZeroDivisionError):
        next(given)
