"""A model whose answers cannot be used stops its run; a resumed run has as many answers more."""

from __future__ import annotations

import pytest

from agents_app.ports import ModelStop
from agents_app.profile import Profile
from agents_app.watching import BLOCK, check_block

REAL = Profile(model="openai/local", base_url="http://127.0.0.1:9/v1")
BAD, GOOD = ("fallback", "unparseable"), ()


def test_more_than_half_of_twenty_answers_that_cannot_be_used_stop_the_run() -> None:
    check_block("A", REAL, [BAD] * 10 + [GOOD] * 10)
    with pytest.raises(ModelStop, match="A: 11 of its last 20 answers could not be used, most of them unp"):
        check_block("A", REAL, [BAD] * 11 + [GOOD] * 9)


def test_between_the_blocks_nothing_stops_so_that_a_resumed_run_goes_on() -> None:
    for number in range(BLOCK + 1, 2 * BLOCK):
        check_block("A", REAL, [BAD] * number)
    with pytest.raises(ModelStop):
        check_block("A", REAL, [BAD] * 2 * BLOCK)


def test_mocks_and_whoever_says_so_may_fail_at_any_rate() -> None:
    check_block("A", Profile(), [BAD] * BLOCK)
    check_block("A", REAL.model_copy(update={"fallback_limit": 1.0}), [BAD] * BLOCK)
