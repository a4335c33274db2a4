"""A swift dataclass is what a frozen one is; only its making differs."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest
from pydantic import TypeAdapter, ValidationError

from games.core.values import Carrier, carried, swift


@swift
@dataclass(frozen=True, slots=True)
class Point(Carrier):
    x: int
    y: int = 7


@dataclass(frozen=True, slots=True)
class Plain(Carrier):
    x: int
    y: int = 7


def test_a_state_carries_what_is_made_of_it_and_is_the_same_value() -> None:
    times: list[int] = []

    @carried
    def scaled(config: list[int], point: Point) -> int:
        times.append(point.x)
        return config[0] * point.x

    point, config, other = Point(3), [2], [2]
    assert [scaled(config, point), scaled(config, point), scaled(other, point)] == [6, 6, 6]
    assert times == [3, 3], "once for a config, told by which object it is"
    assert scaled(config, Point(4)) == 8
    assert (point, hash(point), repr(point)) == (Point(3), hash(Point(3)), "Point(x=3, y=7)")


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


def test_what_a_factory_makes_is_made_anew_for_each() -> None:
    @swift
    @dataclass(frozen=True, slots=True)
    class Listed:
        x: int
        parts: list[int] = field(default_factory=list)
        y: int = 7

    first, second = Listed(1), Listed(1)
    assert (first.parts, first.y, first == second, first.parts is second.parts) == ([], 7, True, False)
    assert Listed(1, [2], 3) == Listed(1, y=3, parts=[2]) != first
    assert TypeAdapter(Listed).validate_python({"x": 1}) == first


def test_a_class_that_needs_more_than_its_fields_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        x: int

        def __post_init__(self) -> None:
            assert self.x

    with pytest.raises(TypeError, match="has a __post_init__"):
        swift(Checked)
