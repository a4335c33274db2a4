"""What a seat knows, of any game, as one row of whole numbers of a fixed length; and its answers, numbered.

Each number, word and truth value of an observation is added at a place that its path is hashed to (Weinberger et al.,
"Feature hashing for large scale multitask learning", 2009), so that lists may grow and no game need say what it tells.
A row is made of the observation alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

MOST: Final = 255
FEW, MANY, FINE = 6, 512, 64
"""Between these `told` gives neighbours the same: what is left over by so many is told beside it."""
TAIL: Final = 8
"""Of a word's letters so many are told one by one, from its end: histories are written as words."""


@lru_cache(maxsize=1 << 16)
def _place(path: str) -> int:
    return int.from_bytes(blake2b(path.encode(), digest_size=4).digest(), "big")


def told(number: float) -> int:
    """A number as a whole one within 255: 0 stays 0, 1 is 6, a million 110."""
    if not math.isfinite(number):
        return 0 if number != number else MOST if number > 0 else -MOST
    return max(-MOST, min(MOST, round(math.copysign(8 * math.log1p(abs(number)), number))))


def row(observation: Any, length: int) -> NDArray[np.int16]:
    """The observation in so many whole numbers from -255 to 255."""
    sums = np.zeros(length, np.int32)
    for path, value in leaves(observation):
        sums[_place(path) % length] += value
    return np.clip(sums, -MOST, MOST).astype(np.int16)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, int]]:
    """Paths and what stands there; a word is a path of its own, at which 6 stands, as 1 does elsewhere. A mapping that
    makes what is read of it tells nothing.
    """
    if value is None or hasattr(value, "__missing__"):
        return
    if isinstance(value, bool | int | float | np.generic):
        yield path, told(float(value))
        if isinstance(value, int) and FEW < abs(value) < MANY:
            yield f"{path}%", 3 * (value % FINE)
    elif isinstance(value, str):
        yield f"{path}={value[-80:]}", told(1)
        for back, letter in enumerate(reversed(value[-TAIL:])) if len(value) > 1 else ():
            yield f"{path}-{back}={letter}", told(1)
    elif isinstance(value, BaseModel):
        yield from _of_settings(value, path)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif is_dataclass(value):
        for one in fields(value):
            yield from leaves(getattr(value, one.name), f"{path}.{one.name}")
    elif hasattr(value, "_fields"):
        for name in value._fields:
            yield from leaves(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, frozenset | set):
        yield from leaves(sorted(value, key=repr), path)
    elif isinstance(value, Sequence | np.ndarray) or hasattr(value, "__len__"):
        yield f"{path}#", told(len(value))
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{at}]")


def _of_settings(value: BaseModel, path: str) -> Iterator[tuple[str, int]]:
    """Settings do not change in a run: they are read once."""
    return iter(_settings(value.model_dump_json(), path))


@lru_cache(maxsize=64)
def _settings(written: str, path: str) -> tuple[tuple[str, int], ...]:
    return tuple(leaves(json.loads(written), path))
