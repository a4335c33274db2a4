"""Runs that are played one after another, where nobody waits for a step."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

YOUNG: Final = 50_000
"""Objects that may be made before those that live are searched for cycles."""


@contextmanager
def in_bulk() -> Iterator[None]:
    """While runs are played: look for cycles of garbage seldom. A step's objects go when nothing refers to them, and
    to search through all of them while they are made takes a third of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(max(YOUNG, usual[0]), *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
