"""The law that true is not 1: no number of a config or of a policy's parameters can be given as a boolean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from games.laws.case import Case

NUMBERS_MAX: Final = 200
"""So many numbers of one config are tried."""


def booleans_are_no_numbers(case: Case) -> None:
    """A boolean in the place of any number of the config, or of a policy's parameters, is refused."""
    config = case.game.config_type
    taken = [f"config {place}" for place in _taken(config, case.config.model_dump(mode="json"))]
    for name, spec in case.pack.policies.items():
        params = {field: info.default for field, info in spec.params.model_fields.items() if not info.is_required()}
        taken += [f"policy {name}: {place}" for place in _taken(spec.params, params)]
    assert not taken, f"true is taken for a number (see games.core.settings.Settings): {', '.join(taken)}"


def _taken(model: type[BaseModel], data: dict[str, Any]) -> Iterator[str]:
    """The places of numbers that can be given as true."""
    for place in list(_numbers(data))[:NUMBERS_MAX]:
        try:
            model.model_validate(_with_true(data, place))
        except ValidationError:
            continue
        yield ".".join(map(str, place))


def _numbers(data: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    match data:
        case bool():
            return
        case int() | float():
            yield at
        case dict():
            for key, part in data.items():
                yield from _numbers(part, (*at, key))
        case list() | tuple():
            for index, part in enumerate(data):
                yield from _numbers(part, (*at, index))


def _with_true(data: Any, place: tuple[str | int, ...]) -> Any:
    if not place:
        return True
    first, *rest = place
    if isinstance(data, dict):
        return {**data, first: _with_true(data[first], tuple(rest))}
    return [_with_true(part, tuple(rest)) if index == first else part for index, part in enumerate(data)]
