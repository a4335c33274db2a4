"""Two levels of the economist that learn: what workers and planner are told, may do and are paid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.catalog.economist.money import MICRO
from games.lab.learning.economist.levels import CRAFTS, KNOWN, LABOUR, LEARNT, MIXED, Levels
from games.lab.learning.economist.planning import USUAL
from games.lab.learning.plan import Plan
from games.lab.scenarios.scenario import load

SCENARIO = load("economist/two-levels")
HONEST = 1


def played(worlds: Levels, seeds: range, action: int) -> np.ndarray:
    """Everybody always takes one action, or the first where it is shut; what each seat got."""
    worlds.begin(seeds)
    got = np.zeros((worlds.worlds, worlds.sizes.seats))
    for _ in range(worlds.sizes.horizon):
        _, mask = worlds.see()
        got += worlds.act(np.where(mask[..., action], action, 0).astype(np.int64))
    return got


def test_a_worker_is_paid_what_it_comes_to_have_less_its_labour_and_the_planner_welfare() -> None:
    worlds = Levels(SCENARIO, 1, (LEARNT,))
    got = played(worlds, range(1, 2), HONEST)[0]
    run = worlds._runs[0]
    assert run._before is not None
    had = run._before.state.workers
    begun = run.config.terms.coin
    gained = (run._has(had) - begun) / MICRO
    spent = gained - got[:-1]
    assert (spent > 0).all()
    assert spent.max() <= LABOUR * run.config.epochs * run.config.energy_per_step + 1e-9
    assert got[-1] == pytest.approx(sum(run.epochs) / USUAL)
    assert len(run.epochs) == run.config.epochs
    assert worlds.totals().tolist() == pytest.approx([np.mean(run.epochs[1:])])


def test_who_rests_works_nothing_and_gathers_nothing() -> None:
    worlds = Levels(SCENARIO, 1, (LEARNT,))
    got = played(worlds, range(1, 2), 0)[0]
    assert got.tolist() == [0] * len(got)


def test_each_level_has_numbers_and_actions_of_its_own_and_its_own_turns() -> None:
    worlds = Levels(SCENARIO, 2, MIXED)
    worlds.begin(range(2))
    turns = []
    for _ in range(17):
        rows, mask = worlds.see()
        assert np.abs(rows).max() <= 255
        works, plans = mask[:, :-1].sum(-1) > 1, mask[:, -1].sum(-1) > 1
        assert not mask[:, :-1, len(CRAFTS) + 1 :].any()
        assert not mask[:, -1, 1 : len(CRAFTS) + 1].any()
        assert not rows[:, :-1, KNOWN:].any()
        assert not rows[:, -1, :KNOWN].any()
        assert (rows[:, -1].any(-1) == plans).all()
        turns.append((works.any(-1).tolist(), plans.tolist()))
        worlds.act(np.zeros((2, worlds.sizes.seats), np.int64))
    assert turns[:15] == [([True, True], [False, False])] * 15
    assert turns[15] == ([False, True], [True, False]), "the second world's planner is no learner"


def test_in_every_second_world_a_planner_of_the_preset_sets_the_rates() -> None:
    assert MIXED[::2] == (LEARNT,) * 3
    worlds = Levels(SCENARIO, 6)
    played(worlds, range(6), 0)
    assert len(worlds.totals()) == 3
    rates = [run._before.state.schedule[-1][1] for run in worlds._runs if run._before is not None]
    begun = rates[0]
    assert [rates[0], rates[2], rates[4]] == [begun] * 3
    assert rates[1] == 0
    assert rates[3] == 370_000
    assert rates[5] != begun


def test_levels_are_weighed_alike_and_each_by_itself() -> None:
    pytest.importorskip("jax")
    import jax.numpy as jnp

    from games.lab.learning.ppo import _levelled

    chance = np.random.default_rng(1)
    levels = (0, 0, 0, 1)
    gain = chance.normal(3, 1, (8, 2, 4)) * np.array([1, 1, 1, 1e-3])
    chose = np.ones((8, 2, 4))
    chose[:4, :, 3] = 0
    even, counts = (np.asarray(one) for one in _levelled(jnp.asarray(gain), jnp.asarray(chose), levels))
    assert counts[..., :3].sum() == pytest.approx(counts[..., 3].sum())
    assert (counts[:4, :, 3] == 0).all()
    for seats in (slice(0, 3), slice(3, 4)):
        own, count = even[..., seats], counts[..., seats]
        assert (own * count).sum() == pytest.approx(0, abs=1e-4)
        assert (own**2 * count).sum() == pytest.approx(1, abs=1e-3)


@pytest.mark.full
def test_two_levels_learn_and_are_held_to_each_planner(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    from games.lab.learning.training import trained

    told = trained(Plan("economist", "two-levels", "ppo", 1, 2_000, 4, 4), tmp_path, lambda point, seconds: None)
    assert told["network"] is None
    assert list(told["beside"]) == ["learnt", "free-market", "us-federal", "saez"]
    assert all(len(worths) == 4 for worths in told["beside"].values())
    assert len(told["judged"]["course"]) == 20
