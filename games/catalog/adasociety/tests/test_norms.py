"""What groups decide by vote, consensus or delegation, and what follows for what they are paid."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.adasociety.metrics import kept
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import STAY, Ballot, Join, Leave, Pick, State, Trust
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, reasons, refused, start, step
from games.core.codec import config_hash
from games.core.game import All

WOOD = {"piles": [{"resource": "wood", "units": 9, "cells": [[0, 0], [1, 1]]}]}
FOUR = [{"role": "carpenter", "count": 4, "cells": [[0, 0], [1, 1], [5, 5], [6, 6]]}]
ROLES = {"carpenter": {}}


def normed(norm: str, **settings: Any) -> AdaSocietyConfig:
    raw = {"mini_game": "exploration", "group_norm": norm, "agents": FOUR, "roles": ROLES, **WOOD, **settings}
    return AdaSocietyConfig.model_validate(raw)


def together(config: AdaSocietyConfig, *seats: int) -> State:
    return step(config, start(config), **{f"s{seat}": Join(0) for seat in seats}).state


def rule(state: State) -> float:
    return state.graph.rules.get((1, 0), 0) / 1e9


def test_more_than_half_decide_by_vote_and_it_holds_until_they_decide_otherwise() -> None:
    config = normed("vote")
    state = step(config, together(config, 0, 1, 2), s0=Ballot(40)).state
    assert rule(state) == 0, "one of three"
    voted = step(config, state, s1=Ballot(40))
    assert ("rule_set", {"group": 0, "keep": 40, "norm": "vote"}) in [(e.kind, dict(e.data)) for e in voted.events]
    assert rule(voted.state) == rule(step(config, voted.state, s2=Ballot(90)).state) == 0.4
    assert kept(voted.state.graph) == 0.4


def test_all_must_agree_by_consensus() -> None:
    config = normed("consensus")
    state = step(config, together(config, 0, 1, 2), s0=Ballot(50), s1=Ballot(50)).state
    assert rule(state) == 0
    assert rule(step(config, state, s2=Ballot(50)).state) == 0.5


def test_whom_most_trust_decides_by_delegation_and_nobody_else() -> None:
    config = normed("delegation")
    state = together(config, 0, 1, 2)
    assert reasons(config, state, 1, Ballot(30)) != (), "nobody trusts anybody yet: the lowest seat decides"
    state = step(config, state, s0=Trust(2), s1=Trust(2)).state
    assert refused(config, state, 0, Ballot(30))
    assert rule(step(config, state, s2=Ballot(30)).state) == 0.3


def test_what_the_group_lets_a_member_keep_is_its_own_and_the_rest_is_divided() -> None:
    config = normed("consensus")
    state = step(config, together(config, 0, 1), s0=Ballot(50), s1=Ballot(50)).state
    paid = step(config, state, s0=Pick("wood")).payoffs
    assert (paid[0], paid[1]) == (0.75, 0.25)


def test_a_rule_ends_with_its_group_and_a_ballot_with_its_membership() -> None:
    config = normed("vote", social_actions=["leave"])
    state = step(config, together(config, 0), s0=Ballot(50)).state
    assert rule(state) == 0.5
    empty = step(config, state, s0=Leave()).state
    assert not empty.graph.rules
    assert not empty.graph.edges
    back = step(config, empty, s0=Join(0)).state
    assert rule(back) == 0


@pytest.mark.parametrize("norm", ["none", "vote", "consensus"])
def test_what_the_norm_does_not_open_is_refused_by_name(norm: str) -> None:
    config = normed(norm)
    state = together(config, 0, 1)
    assert "groups do not decide so" in reasons(config, state, 0, Trust(1))[0]
    ways = {way["properties"]["do"]["const"] for way in GAME.actions(config, state, 0).schema["oneOf"]}
    assert ("ballot" in ways) == (norm != "none")
    assert "trust" not in ways


def test_ballots_out_of_bounds_or_outside_groups_do_nothing_and_say_why() -> None:
    config = normed("delegation")
    state = together(config, 0, 1)
    assert "from 0 to 100" in reasons(config, state, 0, Ballot(101))[0]
    assert "members of your group" in reasons(config, state, 0, Trust(3))[0]
    assert "in no group" in reasons(config, state, 3, Ballot(10))[0]


def test_everybody_sees_what_groups_have_decided_and_who_asks_for_what() -> None:
    config = normed("delegation")
    state = step(config, together(config, 0, 1), s1=Trust(1)).state
    state = step(config, state, s1=Ballot(25)).state
    (group,) = [one for one in GAME.view(config, state, All())["graph"]["groups"] if one["members"]]
    assert (group["keep"], group["ballots"], group["trusted"]) == (25, [(1, 1)], 1)
    assert STAY in observe(config, state, 0).legal()
    assert {type(action) for action in observe(config, state, 1).opened()} == {Ballot, Trust}


def test_a_norm_stands_in_exploration_alone_and_is_not_written_where_there_is_none() -> None:
    with pytest.raises(ValueError, match="group_norm"):
        AdaSocietyConfig.model_validate({"group_norm": "vote"})
    assert "group_norm" not in AdaSocietyConfig().model_dump()
    assert config_hash(GAME, normed("none")) != config_hash(GAME, normed("vote"))
