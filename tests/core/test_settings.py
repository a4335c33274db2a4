"""Settings take neither a boolean nor a text for a number, and read lists for tuples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import Field, ValidationError

from games.core.settings import Settings
from games.lab.scenarios.layers import strictly


class Tier(Settings):
    pairs: tuple[tuple[float, float], ...] = ()


class Example(Settings):
    whole: tuple[int, ...] = ()
    names: tuple[str, ...] | None = None
    by_name: dict[str, tuple[int, ...]] = Field(default={})
    one: Tier = Tier()
    many: tuple[Tier, ...] = ()
    plain: list[int] = Field(default=[])
    amount: float = 1.5
    is_open: bool = True


def read(data: dict[str, Any]) -> Example:
    return strictly(Example, data)


@pytest.mark.parametrize(
    "data",
    [
        {"whole": [1, 2]},
        {"names": ["a"]},
        {"by_name": {"a": [1]}},
        {"one": {"pairs": [[0, 1], [2.5, 3]]}},
        {"many": [{"pairs": [[0, 1]]}, {}]},
        {"plain": [1]},
        {"is_open": False},
    ],
    ids=lambda data: next(iter(data)),
)
def test_what_was_written_is_read_again(data: dict[str, Any]) -> None:
    again = json.loads(read(data).model_dump_json(exclude_unset=True))
    assert again == data


@pytest.mark.parametrize(
    ("data", "at"),
    [
        ({"whole": [1, True]}, "whole"),
        ({"by_name": {"a": [True]}}, "by_name"),
        ({"one": {"pairs": [[0, True]]}}, "one"),
        ({"many": [{"pairs": [[True, 1]]}]}, "many"),
        ({"plain": [True]}, "plain"),
        ({"amount": True}, "amount"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_boolean_is_no_number(data: dict[str, Any], at: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(data)
    assert [(error["loc"][0], error["type"] in ("int_type", "float_type")) for error in refused.value.errors()] == [
        (at, True)
    ]


def test_text_is_no_number() -> None:
    with pytest.raises(ValidationError, match="valid integer"):
        read({"whole": ["1"]})
