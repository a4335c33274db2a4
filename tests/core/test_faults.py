"""What is said of a wrong value: its repr, cut."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.faults import shown


class Unwritten:
    def __repr__(self) -> str:
        raise AssertionError("it is written out")


@pytest.mark.parametrize(
    "value",
    [
        7, "x" * 200, [], {}, (), [[]], {"a": {"b": [1, (2,), {"c": None}]}}, [[0, 0]] * 100, list(range(500)),
        {str(n): [n] for n in range(200)}, ((1,), "two", 3.0), [["x" * 30]] * 9, [[[[[[[[[[]]]]]]]]]],
    ],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_a_value_is_shown_as_its_repr_up_to_a_length(value: Any) -> None:
    whole = repr(value)
    for length in (10, 60, 80):
        assert shown(value, length) == (whole if len(whole) <= length else whole[: length - 3] + "...")


def test_what_is_cut_off_is_not_written_out() -> None:
    assert shown([[1, 2, 3]] * 40 + [Unwritten()]).endswith("...")
    assert shown({"many": [0] * 1000, "last": Unwritten()}).startswith("{'many': [0, 0,")


def test_what_is_nested_deeper_than_any_message_is_shown_all_the_same() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "[" * 57 + "..."
