"""Every law, for every game of the catalog and every preset of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.core.registry import Registry, packs
from games.laws.case import case_as_json
from games.laws.loading import subject
from tests.presets import FEW, QUICK


@pytest.mark.polity(*packs(), quick=QUICK, slow="full")
def test_law(polity_law: Callable[[], None]) -> None:
    polity_law()


@pytest.mark.parametrize("slug", list(packs()))
def test_every_game_has_a_preset_and_those_that_are_walked_here_exist(slug: str) -> None:
    assert packs()[slug].scenarios
    assert {*QUICK.get(slug, ()), *FEW.get(slug, ())} <= set(packs()[slug].scenarios)


@pytest.mark.parametrize("slug", list(packs()))
def test_no_two_presets_that_are_walked_here_are_one_case(slug: str) -> None:
    game = subject(slug, Registry())
    walked = [name for name in game.presets if name in QUICK.get(slug, game.presets)]
    cases = [{**case_as_json(game.case(name)), "preset": ""} for name in walked]
    assert [name for n, name in enumerate(walked) if cases[n] in cases[:n]] == []
