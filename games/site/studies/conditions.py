"""Conditions on what a member answered and what came of their matches, and what of it is put into texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Self, TypeAlias

from pydantic import Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.errors.sentences import said

Scalar: TypeAlias = bool | int | float | str
PIPE: Final = re.compile(r"\{\{\s*([\w.-]+)\s*\}\}")
"""In a text: the name of what stands there for each reader."""
RESULTS: Final = ("points", "others", "matches")
"""Of a play: own points in all its paid matches, the mean of what the others in them got, how many they were."""
OWN: Final = ("points", "number")
"""Of a member: all points so far, and the number by which they are called."""
NOTHING: Final = "–"
"""Where there is nothing to be put into a text."""


class Bounds(Settings):
    """A test of a number, or that it is none of some values."""

    at_least: float | None = Field(None, description="The least that holds.", examples=[4])
    at_most: float | None = Field(None, description="The most that holds.", examples=[10])
    is_not: Scalar | tuple[Scalar, ...] | None = Field(
        None, alias="not", description="What does not hold.", examples=["Never"]
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ConfigError(said("study_test_empty"))
        return self


Test: TypeAlias = Scalar | tuple[Scalar, ...] | Bounds
When: TypeAlias = dict[str, Test]
"""By name of an answer or result; all of it must hold. Nothing holds of what was never answered."""
Facts: TypeAlias = Mapping[str, Any]
"""Answers and results of a member by name."""


def holds(when: Mapping[str, Test] | None, facts: Facts) -> bool:
    """Whether every test holds."""
    return all(name in facts and _passes(test, facts[name]) for name, test in (when or {}).items())


def _passes(test: Test, value: Any) -> bool:
    if isinstance(test, Bounds):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if (test.at_least is not None or test.at_most is not None) and not is_number:
            return False
        return (
            (test.at_least is None or value >= test.at_least)
            and (test.at_most is None or value <= test.at_most)
            and (test.is_not is None or not _is_one(test.is_not, value))
        )
    return _is_one(test, value)


def _is_one(wanted: Scalar | tuple[Scalar, ...], value: Any) -> bool:
    """Whether a value is, or of several boxes one is, what is wanted; true is not 1."""
    values = value if isinstance(value, list | tuple) else (value,)
    options = wanted if isinstance(wanted, tuple) else (wanted,)
    pairs = ((one, option) for one in values for option in options)
    return any(one == option and isinstance(one, bool) == isinstance(option, bool) for one, option in pairs)


def test_plain(test: Test) -> Any:
    """A test as a page's script reads it."""
    return test.model_dump(by_alias=True, exclude_none=True) if isinstance(test, Bounds) else test


def piped(text: str) -> Iterator[str]:
    """The names of what a text has put into it."""
    return (found[1] for found in PIPE.finditer(text))


def filled(text: str, told: Callable[[str], str]) -> str:
    """A text with what stands for its names."""
    return PIPE.sub(lambda found: told(found[1]) or NOTHING, text)
