"""Every law, for every game of the catalog and every preset of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.core.registry import packs
from tests.presets import FEW, QUICK


@pytest.mark.polity(*packs(), quick=QUICK, slow="full")
def test_law(polity_law: Callable[[], None]) -> None:
    polity_law()


@pytest.mark.parametrize("slug", list(packs()))
def test_every_game_has_a_preset_and_those_that_are_walked_here_exist(slug: str) -> None:
    assert packs()[slug].scenarios
    assert {*QUICK.get(slug, ()), *FEW.get(slug, ())} <= set(packs()[slug].scenarios)
