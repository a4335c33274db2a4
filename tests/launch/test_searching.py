"""When the web process looks for dead cycles: what was searched once is left alone, and nothing dead stays for good."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from simsite.launch.searching import MIDDLE_SEARCHES, Searching


class Knot:
    """Held by nobody but itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def due() -> None:
    """So much has been made that a search is due."""
    for _ in range(MIDDLE_SEARCHES):
        gc.collect(1)


def is_searched(one: Knot) -> bool:
    """Whether the next search goes through it."""
    return any(one is other for other in gc.get_objects())


def test_what_was_searched_once_is_set_aside() -> None:
    searching, kept = Searching(lambda: 1), Knot()
    assert is_searched(kept)
    due()
    searching.tend()
    assert not is_searched(kept)


def test_nothing_is_searched_before_it_is_due() -> None:
    searching, kept = Searching(lambda: 1), Knot()
    gc.collect()
    searching.tend()
    assert is_searched(kept)


def test_what_died_before_its_first_search_goes_with_it() -> None:
    searching = Searching(lambda: 1)
    dead = weakref.ref(Knot())
    due()
    searching.tend()
    assert dead() is None


def test_what_died_after_it_was_set_aside_goes_when_as_many_have_closed_as_are_open() -> None:
    searching = Searching(lambda: 3, closed_min=2)
    knot = Knot()
    due()
    searching.tend()
    dead = weakref.ref(knot)
    del knot
    for closed in range(1, 4):
        searching.closed()
        due()
        searching.tend()
        assert (dead() is None) == (closed == 3)


def test_pythons_own_rule_searches_no_more_through_everything() -> None:
    Searching(lambda: 0)
    gc.collect()
    before = gc.get_stats()[2]["collections"]
    kept = [[Knot()] for _ in range(300_000)]
    assert len(kept) == 300_000
    assert gc.get_stats()[2]["collections"] == before
