"""One seat that learns among policies: the economist's planner, and answers to a policy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from games.catalog.economist.state import SetTaxes
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import get
from games.errors.faults import Refused
from games.lab.folders.exploiting import exploited
from games.lab.learning.economist.field import beside, field
from games.lab.learning.outside import Outside
from games.lab.learning.plan import CurriculumSettings, Plan
from games.lab.learning.solo import Solo


def keeping(worlds: int, seeds: range) -> Solo:
    made = field("planners", worlds)
    assert isinstance(made, Solo)
    made.begin(seeds)
    for _ in range(made.sizes.horizon):
        rows, mask = made.see()
        assert np.abs(rows).max() <= 255
        assert mask.all()
        made.act(np.zeros((worlds, 1), np.int64))
    return made


def test_a_planner_that_keeps_its_schedule_comes_to_what_the_fixed_one_does() -> None:
    seeds = range(2)
    told = beside("planners", seeds, lambda worlds, seeds: [])
    assert keeping(2, seeds).totals().tolist() == pytest.approx(told["fixed"])


def test_a_planner_s_actions_raise_and_lower_one_rate_or_all() -> None:
    made = field("planners", 1)
    assert isinstance(made, Solo)
    made.begin([1])
    run = made._runs[0]
    assert run.look is not None
    before = [rate for _, rate in next(iter(run.asked.values())).observation.shared.schedule]
    moved = []
    for number in range(made.sizes.actions):
        action = run.look.decision(number).action
        assert isinstance(action, SetTaxes)
        brackets = action.brackets
        moved.append(
            0
            if not brackets
            else sum(round(rate * 1e6) != was for (_, rate), was in zip(brackets, before, strict=True))
        )
    assert moved[0] == 0
    assert moved[-1] == moved[-2] == len(before)
    assert all(moved[1:])


def test_who_plays_from_outside_plays_the_run_that_all_policies_play() -> None:
    pack = get("dilemma")
    config = pack.game.config_type(rounds=8)
    tft, mean = (deciding(pack.policies[name].bind()) for name in ("TFT", "ALLD"))
    paid = [0.0, 0.0]
    for step in play(pack.game, config, 3, {0: mean, 1: tft}):
        paid = [one + step.payoffs.get(seat, 0) for seat, one in enumerate(paid)]
    run = Outside(pack.game, config, {1: tft})
    run.begin(3)
    while run.asked:
        run.answer({0: mean(run.asked[0])})
    assert run.paid == paid


def test_a_planner_has_no_curriculum() -> None:
    from games.lab.learning.economist.field import lessons

    with pytest.raises(Refused, match="curriculum"):
        lessons("planners", CurriculumSettings())


@pytest.mark.full
@pytest.mark.parametrize("decisions", [1, 8_000])
def test_what_is_learnt_against_one_who_always_cooperates_defects(decisions: int) -> None:
    pytest.importorskip("jax")
    from games.lab.learning.answering import learnt

    pack = get("dilemma")
    config = pack.game.config_type(rounds=10)

    def learns(seat: int, others: object) -> object:
        return learnt(pack, config, seat, others, decisions, 10, lambda done, earned: None)  # type: ignore[arg-type]

    found = exploited(pack, config, "ALLC", range(1, 6), {}, 20, learns)  # type: ignore[arg-type]
    assert found.gain.estimate == pytest.approx(20)


@pytest.mark.full
def test_a_planner_that_learns_comes_to_more_than_its_first_schedule(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    from games.lab.learning.training import trained

    plan = Plan("economist", "planners", "ppo", 1, 12_000, 8, 8)
    told = trained(plan, tmp_path, lambda point, seconds: None)
    assert told["network"] is None
    assert told["judged"]["reward"] > np.mean(told["beside"]["free-market"])
