"""A swift dataclass is what a frozen one is; only its making differs."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from pydantic import TypeAdapter, ValidationError

from games.core.values import swift


class Room:
    __slots__ = ("shared",)


@swift
@dataclass(frozen=True, slots=True)
class Point(Room):
    x: int
    y: int = 7


@dataclass(frozen=True, slots=True)
class Plain(Room):
    x: int
    y: int = 7


def test_it_is_made_compared_and_told_as_before() -> None:
    assert (Point(1).x, Point(1).y, Point(x=1, y=2).y) == (1, 7, 2)
    assert repr(Point(1)) == "Point(x=1, y=7)"
    assert Point(1) == Point(1, 7) != Point(2)
    assert hash(Point(1)) == hash(Plain(1))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]


def test_it_stays_frozen() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    assert type(point) is Point


def test_it_is_copied_pickled_and_validated_as_before() -> None:
    point = Point(1, 2)
    assert replace(point, y=3) == Point(1, 3)
    assert pickle.loads(pickle.dumps(point)) == copy.deepcopy(point) == point
    adapter = TypeAdapter(Point)
    assert adapter.validate_json(adapter.dump_json(point)) == point
    with pytest.raises(ValidationError):
        adapter.validate_python({"x": "no"})


def test_a_class_that_needs_more_than_its_fields_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed:
        parts: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class Checked:
        x: int

        def __post_init__(self) -> None:
            assert self.x

    for kind in (Listed, Checked):
        with pytest.raises(TypeError, match="has a __post_init__ or a default factory"):
            swift(kind)
