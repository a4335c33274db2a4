"""Social actions that a configuration opens, and agents that differ within their role."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.tensors import mask
from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.plans import Once, write_plan
from games.catalog.adasociety.prompts import SOCIAL_ACTS
from games.catalog.adasociety.rules.asking import read
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import LEAVE, Action, Dump, Join, Leave, PassOn, Pick, State, Weigh
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME, reasons, refused, start, step
from games.core.agents import Act, Replan
from games.core.codec import config_hash
from games.core.game import Resolution
from games.core.rng import Rng

WOOD = {"piles": [{"resource": "wood", "units": 9, "cells": [[0, 0], [1, 1]]}]}
CREW: list[dict[str, Any]] = [
    {"role": "carpenter", "count": 2, "cells": [[0, 0], [1, 1]]},
    {"role": "miner", "count": 2, "cells": [[5, 5], [6, 6]]},
]


def opened(*acts: str, **settings: Any) -> AdaSocietyConfig:
    raw = {"mini_game": "exploration", "social_actions": acts, "agents": CREW, **WOOD, **settings}
    return AdaSocietyConfig.model_validate(raw)


CONFIG = opened(*SOCIAL_ACTS)


def told(resolved: Resolution[Any]) -> list[tuple[str, dict[str, Any]]]:
    """What everybody is told of a step."""
    return [(event.kind, dict(event.data)) for event in resolved.events if event.to is None]


@pytest.mark.parametrize("action", [LEAVE, PassOn(1, 50), Weigh(0, 50)])
def test_what_is_not_opened_is_refused_by_name(action: Any) -> None:
    config = opened()
    state = step(config, start(config), s0=Join(0)).state
    assert refused(config, state, 0, action)
    assert "opened social actions" in reasons(config, state, 0, action)[0]
    assert not observe(config, state, 0).opened()
    assert action.do not in {way["properties"]["do"]["const"] for way in GAME.actions(config, state, 0).schema["oneOf"]}


LEARNT = opened(*SOCIAL_ACTS, groups=2, steps=40)


def open_to(state: State, seat: int) -> list[Action]:
    """What a learner's mask opens of the further actions."""
    shape = layout(LEARNT)
    told = mask(shape, observe(LEARNT, state, seat)).tolist()
    return [shape.actions[number] for number in range(shape.further, len(told)) if told[number]]


def test_a_learner_may_do_what_is_opened_where_it_changes_something() -> None:
    first = start(LEARNT)
    state = step(LEARNT, first, s0=Join(0), s1=PassOn(2, 75)).state
    assert len(layout(LEARNT).actions) == layout(LEARNT).further + 1 + 4 * 5 + 2 * 4
    assert layout(opened(groups=2)).actions == layout(LEARNT).actions[: layout(LEARNT).further]
    assert LEAVE not in open_to(first, 0)
    assert open_to(state, 0) == list(observe(LEARNT, state, 0).opened())
    assert {LEAVE, Weigh(0, 50), PassOn(3, 100)} <= set(open_to(state, 0))
    assert Weigh(0, 100) not in open_to(state, 0), "it has that weight already"
    assert [action for action in open_to(state, 1) if action == PassOn(2, 0)]
    assert PassOn(3, 50) not in open_to(state, 1), "three quarters are promised"


def test_a_share_a_weight_and_a_group_that_differ_differ_in_the_mask_of_whose_they_are_alone() -> None:
    state = step(LEARNT, start(LEARNT), s0=Join(0), s1=Join(0)).state
    for action in (PassOn(2, 50), Weigh(0, 50), LEAVE):
        other = step(LEARNT, state, s0=action).state
        assert [open_to(state, seat) != open_to(other, seat) for seat in range(4)] == [True, False, False, False]


def test_a_plan_of_one_step_may_do_what_is_opened_and_nothing_else() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(0)).state
    for action in (LEAVE, PassOn(1, 37), Weigh(0, 61)):
        plan = write_plan(Once(action))
        assert controller(observe(CONFIG, state, 0), plan, Rng.root(1)) == Act(action, None)
        shut = opened()
        other = step(shut, start(shut), s0=Join(0)).state
        assert isinstance(controller(observe(shut, other, 0), plan, Rng.root(1)), Replan)
    assert isinstance(controller(observe(CONFIG, state, 1), write_plan(Once(LEAVE)), Rng.root(1)), Replan)


def test_who_leaves_a_group_keeps_what_it_earns_in_that_very_step() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(0), s1=Join(0)).state
    assert step(CONFIG, state, s0=Pick("wood")).payoffs == {0: 0.5, 1: 0.5, 2: 0, 3: 0}
    left = step(CONFIG, state, s0=Pick("wood"), s1=LEAVE)
    assert left.payoffs == {0: 1, 1: 0, 2: 0, 3: 0}
    assert told(left) == [("group_left", {"seat": 1, "group": 0})]
    assert left.state.graph.groups == {(0, 0): ((1, 0),)}
    assert reasons(CONFIG, left.state, 1, LEAVE) == ("Leave the groups: you are in none. Stayed.",)


def test_reward_that_is_passed_on_is_taken_before_the_groups_split_and_until_it_is_ended() -> None:
    state = step(CONFIG, start(CONFIG), s0=PassOn(2, 40), s1=Join(0)).state
    assert step(CONFIG, state, s0=Pick("wood")).payoffs == {0: 0.6, 1: 0, 2: 0.4, 3: 0}
    joined = step(CONFIG, state, s0=Join(0)).state
    after = step(CONFIG, joined, s0=Pick("wood"))
    assert after.payoffs == {0: 0.3, 1: 0.3, 2: 0.4, 3: 0}
    assert step(CONFIG, after.state, s0=Dump("wood")).payoffs == {0: -0.3, 1: -0.3, 2: -0.4, 3: 0}
    ended = step(CONFIG, after.state, s0=PassOn(2, 0))
    assert told(ended) == [("reward_kept", {"seat": 0, "to": 2})]
    assert not ended.state.graph.given


def test_nobody_passes_on_more_than_all_that_it_earns() -> None:
    state = step(CONFIG, start(CONFIG), s0=PassOn(2, 70)).state
    why = "Pass reward on: share 31; a whole number of percent from 0 to 30, which is what you do not pass to others."
    assert reasons(CONFIG, state, 0, PassOn(1, 31)) == (f"{why} Stayed.",)
    assert not refused(CONFIG, state, 0, PassOn(1, 30))
    assert not refused(CONFIG, state, 0, PassOn(2, 100)), "what goes to that seat already is not counted twice"
    assert refused(CONFIG, state, 0, PassOn(0, 10))
    assert refused(CONFIG, state, 0, PassOn(4, 10))
    assert refused(CONFIG, state, 0, PassOn(1, -1))


def test_a_weight_decides_the_own_part_of_the_pot_and_cannot_outbid_the_others() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(1), s1=Join(1)).state
    weighed = step(CONFIG, state, s0=Pick("wood"), s1=Weigh(1, 25))
    assert weighed.payoffs == {0: 0.8, 1: 0.2, 2: 0, 3: 0}
    assert told(weighed) == [("weight_set", {"seat": 1, "group": 1, "weight": 25})]
    assert refused(CONFIG, state, 1, Weigh(1, 101))
    assert refused(CONFIG, state, 1, Weigh(1, 0))
    assert reasons(CONFIG, state, 1, Weigh(0, 50)) == (
        "Set the own weight in group 0: you are not in it; join it first. Stayed.",
    )


def test_what_changes_nothing_is_no_event() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(0), s1=PassOn(0, 10)).state
    assert told(step(CONFIG, state, s0=Weigh(0, 100), s1=PassOn(0, 10))) == []


def test_every_listed_option_is_carried_out_as_it_is_and_reads_back() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(0), s1=PassOn(0, 75)).state
    for seat in range(4):
        for action in observe(CONFIG, state, seat).opened():
            assert GAME.clean(CONFIG, state, seat, action, None) == (action, ())  # type: ignore[arg-type]
            fields = {name: getattr(action, name) for name in type(action).__slots__}
            assert read(fields) == action
    assert {type(action) for action in observe(CONFIG, state, 0).opened()} == {Leave, PassOn, Weigh}
    assert PassOn(2, 50) not in observe(CONFIG, state, 1).opened()


def test_an_agent_s_own_terms_stand_in_place_of_its_role_s() -> None:
    config = AdaSocietyConfig.model_validate(
        {
            "agents": [
                {"role": "carpenter", "inventory": {"wood": 2}, "capacity": {"hammer": 3, "wood": 2}},
                {"role": "carpenter", "preferences": {"stone": -2}},
                {"role": "miner", "count": 2, "preferences": {"hammer": 3}},
            ]
        }
    )
    task = task_of(config)
    wood, stone, hammer = range(3)
    assert task.resources == ("wood", "stone", "hammer")
    assert [bag[wood] for bag in task.start_bags] == [2, 0, 0, 0]
    assert [most[hammer] for most in task.capacities] == [3, 1, 32767, 32767]
    assert [most[wood] for most in task.capacities] == [2, 32767, 0, 0], "the miners' role still counts"
    assert [values[stone] for values in task.values] == [1_000_000, -2_000_000, 1_000_000, 1_000_000]
    assert [values[hammer] for values in task.values] == [5_000_000, 5_000_000, 15_000_000, 15_000_000]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"agents": [{"role": "carpenter", "capacity": {"gold": 1}}]}, "agents.0.capacity.gold: gold is not in play"),
        (
            {"agents": [{"role": "carpenter", "inventory": {"hammer": 2}}, {"role": "miner"}]},
            "agents.0.inventory.hammer: 2; at most 1 (its capacity)",
        ),
        ({"social_actions": ["leave"]}, "social_actions: set to leave, but contract does not use it"),
        (
            {"mini_game": "exploration", "social_control": "forced_one", "social_actions": ["leave"]},
            "social_actions: beside social_control forced_one",
        ),
        (
            {"mini_game": "exploration", "social_actions": ["leave", "leave"]},
            "social_actions.1: leave stands twice; name each once",
        ),
    ],
)
def test_a_setting_that_cannot_stand_is_named_with_its_bound(settings: dict[str, Any], line: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        AdaSocietyConfig.model_validate(settings)
    assert line in str(caught.value)


def test_settings_that_are_left_out_leave_the_hash_of_a_config_as_it_was() -> None:
    assert config_hash(GAME, AdaSocietyConfig()) == "27071182b2d82a8d24c41e427fd9a01c"
    written = AdaSocietyConfig().model_dump(mode="json")
    assert "social_actions" not in written
    assert all(set(crew) == {"role", "count", "cells"} for crew in written["agents"])
    again = CONFIG.model_validate(CONFIG.model_dump(mode="json"))
    assert again == CONFIG
