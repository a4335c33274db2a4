"""Imagined worlds: the planner's incomes, known as a sum and an inequality, and what is veiled of the settings."""

from __future__ import annotations

import pytest

from games.catalog.economist.imagining import _incomes, _veiled
from games.catalog.economist.money import MICRO
from games.catalog.economist.statistics import Statistics, inequality
from games.core.registry import get
from games.core.rng import Rng
from games.lab.scenarios.scenario import load

PACK = get("economist")


def told(incomes: list[int]) -> Statistics:
    return Statistics(total_income=sum(incomes) / MICRO, gini=inequality(incomes))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 14, 40])
def test_incomes_of_a_sum_and_an_inequality_are_found_for_whatever_was_earned(count: int) -> None:
    for seed in range(30):
        rng = Rng.root(seed)
        most = 10 ** (5 + seed % 5)
        incomes = [rng.below(most, "income", one) * (rng.unit("some", one) > seed % 3 / 4) for one in range(count)]
        found = _incomes(told(incomes), count)
        assert len(found) == count, incomes
        assert min(found) >= 0
        assert sum(found) == sum(incomes)
        assert inequality(found) == inequality(incomes)


def test_a_worker_imagines_nobody_elses_skill_and_no_coalition_but_its_own() -> None:
    config = PACK.game.config_type(workers=4, skill_gather=[1, 2, 3, 4], coalitions=["a", "b", "b", ""])
    seen = _veiled(config, 1, "b", (1, 2))
    assert seen.skill_gather == (2, 2, 2, 2)
    assert seen.coalitions == ("", "b", "b", "")
    assert seen.terms.skills == (2 * MICRO,) * 4
    assert _veiled(config, 4, "", ()).coalitions == ()


def test_who_is_allied_with_whom_is_in_nothing_that_another_worker_is_told() -> None:
    config = load("economist/collusive").conditions[0].config
    state = PACK.game.initial(config, Rng.root(1).step(0)).state
    honest, allied = (repr(PACK.game.observe(config, state, seat, ())) for seat in (0, 10))
    assert "cartel" not in honest
    assert "cartel" in allied
