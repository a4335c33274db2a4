"""The negotiation stage: matches, turns, offers, merges and their weights."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.catalog.adasociety.rules.graph import WHOLE, SocialGraph
from games.catalog.adasociety.rules.negotiation import bargain, invitable, merged
from games.catalog.adasociety.rules.state import ACCEPT, END, STAY, Accept, Action, Invite, Propose, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, reasons, start, step
from games.core.answers import Note
from games.core.game import All, SeatEyes

CONFIG = AdaSocietyConfig(mini_game="negotiation")


def shares(graph: SocialGraph, number: int) -> dict[int, float]:
    members = graph.members[1, number]
    total = sum(weight for _, weight in members)
    return {node[1]: round(weight / total, 9) for node, weight in members}


def grouped(**groups: dict[int, float]) -> SocialGraph:
    graph = SocialGraph((6, len(groups)))
    for name, weights in groups.items():
        for seat, weight in weights.items():
            edge = graph.edge((0, seat), (1, int(name[1:])))
            graph = graph.put(replace(edge, weight=round(weight * WHOLE)))
    return graph


def asks(**requests: int) -> dict[int, Action]:
    return {int(seat[1:]): Invite(other) for seat, other in requests.items()}


@pytest.mark.parametrize(
    ("requests", "pairs"),
    [
        ({"s0": 2, "s2": 0}, {0: 2, 2: 0}),
        ({"s0": 2, "s2": 0, "s1": 2}, {0: 2, 2: 0}),
        ({"s0": 1, "s1": 2, "s2": 0}, {}),
        ({"s0": 1, "s1": 0, "s2": 3, "s3": 2}, {0: 1, 1: 0, 2: 3, 3: 2}),
        ({"s0": 1}, {}),
    ],
    ids=["both ask", "a third asks too", "cycle of three", "two pairs", "one asks"],
)
def test_who_asks_each_other_in_one_step_bargains(requests: dict[str, int], pairs: dict[int, int]) -> None:
    graph, _ = bargain(SocialGraph((4,)), asks(**requests), 0)
    assert dict(graph.partner) == pairs


def test_a_request_is_forgotten_after_its_step() -> None:
    state = step(CONFIG, start(CONFIG), s0=Invite(1)).state
    state = step(CONFIG, state, s1=Invite(0)).state
    assert dict(state.graph.partner) == {}


def paired(**openings: int | None) -> State:
    """Seats 0 and 2 bargain; step 1 is next, seat 2's turn."""
    return step(CONFIG, start(CONFIG), s0=Invite(2, openings.get("s0")), s2=Invite(0, openings.get("s2"))).state


def test_the_lower_seat_is_on_turn_on_even_steps_and_the_other_on_odd_ones() -> None:
    state = paired()
    turns = []
    for _ in range(4):
        turn = GAME.turn(CONFIG, state)
        assert turn is not None
        turns.append([seat for seat in turn.seats if seat in (0, 2)])
        state = step(CONFIG, state).state
    assert turns == [[2], [0], [2], [0]]


def test_others_may_not_ask_those_who_bargain_and_pass_when_nobody_is_left() -> None:
    state = paired()
    assert invitable(state.graph, 1) == (3,)
    assert reasons(CONFIG, state, 1, Invite(0)) == (
        "Ask to bargain: seat number 0 cannot be asked now; those who can: seat 3. Passed.",
    )
    state = step(CONFIG, state, s1=Invite(3), s3=Invite(1)).state
    turn = GAME.turn(CONFIG, state)
    assert turn is not None
    assert turn.seats == (0, 1)


def test_a_bargain_opens_with_a_proposal() -> None:
    state = paired()
    legal = GAME.observe(CONFIG, state, 2, ()).legal()
    assert legal == tuple(Propose(share) for share in range(10, 100, 10))
    assert reasons(CONFIG, state, 2, END)
    assert reasons(CONFIG, state, 2, Accept())
    state = step(CONFIG, state, s2=Propose(60)).state
    assert set(GAME.observe(CONFIG, state, 0, ()).legal()) == {*legal, ACCEPT, END}


def test_the_other_side_cannot_act_out_of_turn() -> None:
    state = paired()
    assert reasons(CONFIG, state, 0, Propose(50)) == ("Propose a share: it is seat 2's turn. Passed.",)


def test_an_opening_share_is_the_first_proposal() -> None:
    state = paired(s0=70)
    assert ACCEPT in GAME.observe(CONFIG, state, 2, ()).legal()
    after = step(CONFIG, state, s2=ACCEPT).state
    assert shares(after.graph, 0) == {0: 0.7, 2: 0.3}


def test_who_accepts_gets_the_rest_of_what_was_asked_for() -> None:
    state = step(CONFIG, paired(), s2=Propose(60)).state
    resolved = step(CONFIG, state, s0=ACCEPT)
    assert shares(resolved.state.graph, 0) == {0: 0.4, 2: 0.6}
    assert dict(resolved.state.graph.partner) == {}
    assert [event.kind for event in resolved.events][:1] == ["groups_merged"]


def test_a_later_proposal_replaces_the_earlier_one() -> None:
    state = paired()
    for seat, share in ((2, 90), (0, 80), (2, 50)):
        state = step(CONFIG, state, **{f"s{seat}": Propose(share)}).state
    assert shares(step(CONFIG, state, s0=ACCEPT).state.graph, 0) == {0: 0.5, 2: 0.5}


def test_ending_frees_both_without_a_commitment() -> None:
    state = step(CONFIG, paired(), s2=Propose(60)).state
    state = step(CONFIG, state, s0=END).state
    assert state.graph.edges == ()


def test_a_group_of_two_and_a_loner_merge_by_the_formula() -> None:
    """{0: .6, 2: .4}; 0 accepts 1's share of .5."""
    graph, group = merged(grouped(g0={0: 0.6, 2: 0.4}), 0, 1, 50)
    assert shares(graph, group[1]) == {0: 0.30, 1: 0.50, 2: 0.20}


def test_two_groups_merge_by_the_formula_into_the_lower_seats_group() -> None:
    """{0: .5, 2: .5} and {1: .9, 3: .1}; 3 accepts 2's share of .4 and so gets .6 for its side."""
    graph, group = merged(grouped(g0={1: 0.9, 3: 0.1}, g1={0: 0.5, 2: 0.5}), 3, 2, 60)
    assert group == (1, 1), "seat 2 is the lower negotiator, and group 1 is its own"
    assert shares(graph, 1) == {0: 0.20, 1: 0.54, 2: 0.20, 3: 0.06}
    assert (1, 0) not in graph.members


def test_of_two_agreements_about_the_same_groups_in_one_step_the_first_counts_and_the_other_lapses() -> None:
    graph = grouped(g0={0: 0.5, 1: 0.5}, g1={2: 0.5, 3: 0.5})
    graph, _ = bargain(graph, {0: Invite(2, 50), 2: Invite(0, 50), 1: Invite(3, 90), 3: Invite(1, 90)}, 0)
    assert dict(graph.partner) == {0: 2, 2: 0, 1: 3, 3: 1}
    graph, events = bargain(graph, {2: ACCEPT, 3: ACCEPT}, 1)
    assert [event.kind for event in events] == ["groups_merged", "bargain_lapsed"]
    assert shares(graph, 0) == {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}
    assert dict(graph.partner) == {}


def test_open_bargains_lapse_when_the_stage_ends() -> None:
    config = AdaSocietyConfig(mini_game="negotiation", negotiation_steps=1)
    resolved = step(config, start(config), s0=Invite(1, 50), s1=Invite(0))
    assert resolved.state.graph.edges == ()
    assert [event.kind for event in resolved.events] == ["bargain_opened", "bargain_lapsed"]


@pytest.mark.parametrize(("share", "kept"), [(0, 10), (100, 90), (44, 40), (45, 50), (10**30, 90), (-5, 10)])
def test_shares_outside_the_tens_are_moved_to_the_nearest_with_a_reason(share: int, kept: int) -> None:
    state = paired()
    cleaned, why = GAME.clean(CONFIG, state, 2, Propose(share), None)  # type: ignore[arg-type]
    assert cleaned == Propose(kept)
    told = share if share < 1 << 53 else "a number of 100 bits"
    assert why == (Note("share_moved", {"action": "propose", "share": told, "near": kept}),)


def test_agreed_weights_split_the_rewards_of_the_physical_stage() -> None:
    config = AdaSocietyConfig.model_validate(
        {
            "mini_game": "negotiation",
            "negotiation_steps": 3,
            "piles": [{"resource": "wood", "units": 5, "cells": [[0, 0]]}],
            "agents": [{"role": "carpenter", "count": 2, "cells": [[0, 0], [1, 1]]}, {"role": "miner", "count": 2}],
        }
    )
    from games.catalog.adasociety.rules.state import Pick

    state = step(config, start(config), s0=Invite(2), s2=Invite(0)).state
    state = step(config, state, s2=Propose(70)).state
    state = step(config, state, s0=ACCEPT).state
    assert step(config, state, s0=Pick("wood"), s1=STAY).payoffs == {0: 0.3, 1: 0.0, 2: 0.7, 3: 0.0}


def test_who_bargains_and_is_on_turn_is_offered_no_pass_and_silence_does_no_harm() -> None:
    state = start(CONFIG, seed=1)
    state = step(CONFIG, state, s0=Invite(1), s1=Invite(0)).state
    offered = {
        seat: [one["properties"]["do"]["const"] for one in GAME.actions(CONFIG, state, seat).schema["oneOf"]]  # type: ignore[index, union-attr]
        for seat in (0, 1, 2)
    }
    assert offered == {0: ["move"], 1: ["propose", "accept", "end"], 2: ["invite", "move"]}
    after = step(CONFIG, state)
    assert after.state.graph.partner == {0: 1, 1: 0}


def test_all_eyes_are_told_how_seats_differ() -> None:
    config = AdaSocietyConfig.model_validate(
        {
            "mini_game": "negotiation",
            "resources": ["wood", "stone", "hammer", "coal"],
            "piles": [{"resource": "wood", "count": 2, "units": 5}, {"resource": "stone", "count": 1, "units": 5}],
            "events": [{"event": "hammer_craft", "count": 1}],
            "roles": {
                "carpenter": {"capacity": {"hammer": 1}},
                "miner": {"preferences": {"hammer": 2}, "capacity": {"stone": 0}},
            },
            "agents": [{"role": "carpenter", "count": 2}, {"role": "miner", "count": 1}],
        }
    )
    told = GAME.view(config, start(config), All())
    assert told["bodies"] == [
        {"role": "carpenter", "seats": [0, 1], "carries": [("stone", None), ("hammer", 1)], "worth": [("hammer", 5.0)]},
        {"role": "miner", "seats": [2], "carries": [("stone", 0), ("hammer", None)], "worth": [("hammer", 10.0)]},
    ]
    seen = GAME.view(config, start(config), SeatEyes(0))
    assert seen["bodies"] == told["bodies"]


def test_where_everybody_moves_nothing_is_left_to_agree_on() -> None:
    config = AdaSocietyConfig(mini_game="negotiation", negotiation_steps=1)
    opened = step(config, start(config)).state
    assert "bodies" not in GAME.view(config, opened, All())
