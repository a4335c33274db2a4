"""Tests divided among machines: each part is run by one of them."""

from __future__ import annotations

import pytest

from tests.conftest import sharded

SCOPES = ["tests/e2e::quiet", "tests/e2e::site", *(f"tests/core/test_{n}.py" for n in range(9))]


@pytest.mark.parametrize("of", [1, 2, 3])
def test_each_scope_is_run_by_one_machine(of: int) -> None:
    parts = [sharded(SCOPES, f"{n}/{of}") for n in range(1, of + 1)]
    assert sorted(one for part in parts for one in part) == sorted(SCOPES)


def test_the_two_sites_that_browsers_look_at_are_on_two_machines() -> None:
    assert [len(part & set(SCOPES[:2])) for part in (sharded(SCOPES, "1/2"), sharded(SCOPES, "2/2"))] == [1, 1]


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "a/b", "/"])
def test_a_part_that_there_is_not_is_refused(shard: str) -> None:
    with pytest.raises(pytest.UsageError, match="such as 1/2"):
        sharded(SCOPES, shard)
