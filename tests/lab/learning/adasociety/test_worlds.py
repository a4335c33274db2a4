"""Many worlds side by side: every array, mask and reward of every step is that of the rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from games.catalog.adasociety.arrays.features import features
from games.catalog.adasociety.arrays.tensors import encode
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import Join
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import start
from games.catalog.adasociety.tests.test_laws import configs
from games.catalog.adasociety.tests.test_opened_actions import LEARNT
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.start import first_maps, shuffled
from games.lab.learning.adasociety.worlds import Worlds
from tests.lab.learning.adasociety.ruled import Ruled

LARGE = [
    "contract-hard",
    "negotiation-hard",
    "social-structure-hard",
    "exploration",
    "invented",
    "curriculum-one-group",
]


def compare(config: AdaSocietyConfig, worlds: int, steps: int, first: int = 5) -> int:
    """Steps compared: a fifth of the actions are drawn from all numbers, the others among what is open."""
    runs = [Ruled(config) for _ in range(worlds)]
    many, chance = Worlds(config, worlds), np.random.default_rng(first)
    many.begin(range(first, first + worlds))
    told = [run.reset(first + world) for world, run in enumerate(runs)]
    names = runs[0].names
    for step in range(steps + 1):
        seen = many.see()
        for world, here in enumerate(told):
            for seat, name in enumerate(names):
                for key, array in here[name].items():
                    other = seen[key][world] if seen[key].ndim == array.ndim + 1 else seen[key][world][seat]
                    assert other.dtype == array.dtype, key
                    assert np.array_equal(other, array), f"step {step}, world {world}, {name}: {key}"
        if runs[0].is_over or step == steps:
            return step
        mask = seen["action_mask"]
        actions = chance.integers(0, mask.shape[2], mask.shape[:2])
        for place in np.ndindex(actions.shape):
            if chance.random() < 0.8:
                actions[place] = chance.choice(np.flatnonzero(mask[place]))
        paid = many.act(actions)
        for world, run in enumerate(runs):
            told[world], rewards = run.step(dict(zip(names, actions[world].tolist(), strict=True)))
            assert rewards == paid[world].tolist(), f"step {step}, world {world}"
            assert run.state.returns == tuple(many.returns[world].tolist())
    raise AssertionError("unreachable")


@pytest.mark.parametrize(
    ("name", "steps"), [("contract-easy", 60), ("negotiation-easy", 26), ("social-structure-easy", 12)]
)
def test_worlds_side_by_side_are_the_worlds_of_the_rules(name: str, steps: int) -> None:
    assert compare(preset_config(name), 2, steps) == steps


def test_many_worlds_do_what_is_opened_as_the_rules_do() -> None:
    assert compare(LEARNT, 2, 40) == 40


def test_worlds_that_show_maps_and_speak_are_those_of_the_rules() -> None:
    config = preset_config("exploration").model_copy(
        update={"height": 8, "width": 9, "blocks": 3, "piles": (), "events": ()}
    )
    assert compare(AdaSocietyConfig.model_validate(config.model_dump()), 2, 6) == 6


@given(configs(is_learnt=True))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_worlds_side_by_side_are_those_of_the_rules_whatever_is_configured(config: AdaSocietyConfig) -> None:
    assert compare(config, 2, config.horizon) == config.horizon


@pytest.mark.full
@pytest.mark.parametrize("name", ["contract-easy", "negotiation-easy", "social-structure-easy", *LARGE])
def test_whole_runs_side_by_side_are_those_of_the_rules(name: str) -> None:
    config = preset_config(name)
    assert compare(config, 3, config.horizon) == config.horizon


def test_shuffles_are_those_of_the_keyed_draws() -> None:
    roots = [Rng.root(seed).step(0) for seed in (0, 7, 1 << 62)]
    made = shuffled(np.array([root.key for root in roots], np.uint64), 50, "piles")
    assert [row.tolist() for row in made] == [root.shuffled(range(50), "piles") for root in roots]


def test_first_maps_of_seeds_have_all_that_is_configured() -> None:
    config = preset_config("contract-easy")
    made = first_maps(config, task_of(config), range(20))
    assert (made.terrain == 0).sum(axis=1).tolist() == [41] * 20
    assert made.units.sum(axis=1).tolist() == [[20, 20, 0]] * 20
    assert all(len(set(row.tolist())) == 4 for row in made.cells)


def test_what_is_no_action_is_refused_by_name() -> None:
    many = Worlds(preset_config("contract-easy"), 2)
    many.begin([1, 2])
    many.see()
    wrong = np.full((2, 4), 4)
    wrong[1, 2] = 16
    with pytest.raises(ValueError, match="world 1, miner_0: action 16; a whole number from 0 to 15"):
        many.act(wrong)
    with pytest.raises(ValueError, match=r"actions: of shape \(4,\); \(2, 4\) is needed"):
        many.act(np.full(4, 4))
    with pytest.raises(ValueError, match="seeds: 3; one for each of 2 worlds"):
        many.begin([1, 2, 3])
    with pytest.raises(ValueError, match="worlds: 0; at least 1"):
        Worlds(preset_config("contract-easy"), 0)


@pytest.mark.parametrize("mates", [False, True])
def test_a_seat_is_shown_the_features_that_were_learnt_from(mates: bool) -> None:
    config = preset_config("contract-easy")
    worlds = Worlds(config, 1)
    worlds.begin([3])
    rows = features(worlds.layout, worlds.see(), mates)
    state = start(config, 3)
    for seat in range(4):
        row = features(worlds.layout, encode(worlds.layout, observe(config, state, seat)), mates)
        assert row.shape == (worlds.layout.features + 4 * mates,)
        assert np.array_equal(row, rows[0, seat])


def test_mates_are_the_others_of_the_own_group_and_the_order_is_told_while_turns_are_taken() -> None:
    worlds = Worlds(preset_config("contract-easy").model_copy(update={"contract_rounds": 1}), 1)
    worlds.begin([3])
    first = worlds.layout.actions.index(Join(0))
    groups = [1, 0, 1, 1]
    order = slice(-4 - 1 - 4 - 4 - 4, -4 - 1 - 4 - 4)
    while worlds.stage == "contract":
        rows = features(worlds.layout, worlds.see(), mates=True)
        assert sorted(rows[0, 0, order]) == [1, 2, 3, 4]
        worlds.act(np.array([[first + group for group in groups]]))
    rows = features(worlds.layout, worlds.see(), mates=True)
    assert (rows[0, :, -4:] > 0).tolist() == [
        [seat != other and groups[seat] == groups[other] for other in range(4)] for seat in range(4)
    ]
    forced = Worlds(AdaSocietyConfig.model_validate({**worlds.config.model_dump(), "social_control": "forced_one"}), 1)
    forced.begin([3])
    for here in (rows, features(forced.layout, forced.see(), mates=True)):
        assert not here[0, 0, order].any()
