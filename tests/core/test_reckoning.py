"""Policies that reckon: what they find out by the rules alone, and that they know no more than their seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from games.core import codec
from games.core.agents import BadPolicy, Decider, deciding
from games.core.engine import play
from games.core.game import CannotImagine
from games.core.pack import NoBatch
from games.core.prompts import LANGUAGES
from games.core.reckoning import can_imagine
from games.core.registry import Registry, get
from games.core.rng import Rng
from games.core.words import Words
from games.lab.scenarios.naming import agent_label
from games.laws.probing import probed
from tests.core.toys import PARADE


def earned(slug: str, config: Mapping[str, Any], seats: Mapping[int, Any], seed: int = 1, seat: int = 0) -> float:
    """What a seat earns in a run; each seat is a policy, or one with its parameters."""
    pack = get(slug)
    deciders = {at: decider(slug, named) for at, named in seats.items()}
    steps = play(pack.game, pack.game.config_type.model_validate(dict(config)), seed, deciders)
    return float(sum(step.payoffs.get(seat, 0) for step in steps))


def decider(slug: str, named: Any) -> Decider:
    name, params = named if isinstance(named, tuple) else (named, {})
    return deciding(get(slug).policies[name].bind(params))


def actions(slug: str, config: Mapping[str, Any], seats: Mapping[int, Any], seed: int = 1) -> list[Any]:
    pack = get(slug)
    deciders = {at: decider(slug, named) for at, named in seats.items()}
    steps = play(pack.game, pack.game.config_type.model_validate(dict(config)), seed, deciders)
    return [dict(step.actions) for step in steps]


def against(policy: str, **params: Any) -> tuple[str, dict[str, Any]]:
    return "lookahead", {"others": policy, **params}


def test_a_lookahead_defects_against_tit_for_tat_in_the_last_round_alone_where_the_end_is_told() -> None:
    moves = [one[0].move for one in actions("dilemma", {"rounds": 6}, {0: against("TFT", depth=2), 1: "TFT"})[1:]]
    assert moves == ["C", "C", "C", "C", "C", "D"]


def test_a_lookahead_does_not_foresee_an_end_that_it_is_not_told() -> None:
    config = {"rounds": 6, "known_length": False}
    moves = [one[0].move for one in actions("dilemma", config, {0: against("TFT", depth=2), 1: "TFT"})[1:]]
    assert moves == ["C"] * 6


def test_a_lookahead_exploits_who_always_cooperates() -> None:
    assert earned("dilemma", {"rounds": 10}, {0: against("ALLC"), 1: "ALLC"}) == 50


def test_a_lookahead_takes_what_is_best_in_a_world_of_the_others_last_deeds() -> None:
    assert earned("dilemma", {"rounds": 5}, {0: against("last deeds"), 1: "ALLD"}) >= 4


def test_reckoners_that_take_each_other_for_reckoners_decide_alike_from_the_same_seed() -> None:
    seats = {0: against("as I do", depth=2), 1: against("as I do", depth=2)}
    assert actions("dilemma", {"rounds": 4}, seats) == actions("dilemma", {"rounds": 4}, seats)


def test_noise_and_further_worlds_are_used() -> None:
    plain = actions("stag_hunt", {}, {0: "lookahead", 1: "lookahead"})
    noisy = actions("stag_hunt", {}, {0: ("lookahead", {"noise": 1.0}), 1: "lookahead"})
    assert plain != noisy
    assert actions("stag_hunt", {}, {0: ("lookahead", {"worlds": 3}), 1: "lookahead"})


def test_a_tax_on_raids_moves_who_reckons_and_nobody_else() -> None:
    pack = get("mining")
    config = pack.game.config_type(miners=3, stamina=4, rows=1, cols=4, mine_cap=1, rounds=6)
    (moved,) = probed(pack, config, ["greedy-mine", "guided", "lookahead"], steps=6, settings=["raid_tax"])
    assert set(moved.by_policy) == {"lookahead"}


def test_an_adaptive_seat_learns_to_defect_against_who_always_cooperates() -> None:
    learner = ("adaptive", {"spell": 2, "tries": 0.0})
    late = actions("dilemma", {"rounds": 120}, {0: learner, 1: "ALLC"})[-20:]
    assert sum(one[0].move == "D" for one in late) >= 18


def test_an_imitator_does_what_earned_the_other_more() -> None:
    moves = [one[0].move for one in actions("dilemma", {"rounds": 5}, {0: "imitator", 1: "ALLD"})[1:]]
    assert moves == ["C", "D", "D", "D", "D"]


def test_imagined_chance_is_not_the_chance_of_the_run() -> None:
    pack = get("auction")
    config = pack.game.config_type()
    state = pack.game.initial(config, Rng.root(3).step(0)).state
    seen = pack.game.observe(config, state, 0, ())
    worlds = [pack.game.imagine(seen, Rng.root(3).step(1).at("seat", 0).at("world", one)).state for one in range(8)]
    drawn = {codec.canonical(codec.dump(pack.game.state_type, world)) for world in worlds}
    assert len(drawn) > 1
    assert codec.canonical(codec.dump(pack.game.state_type, state)) not in drawn


def test_a_game_that_imagines_nothing_says_so_and_has_no_reckoners() -> None:
    with pytest.raises(CannotImagine, match="parade: this game offers no imagined worlds"):
        PARADE.game.imagine(None, Rng.root(1))
    assert not can_imagine(PARADE.game)


def test_parameters_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadPolicy, match="policy lookahead: others"):
        get("dilemma").policies["lookahead"].bind({"others": "nobody"})


def test_a_reckoner_has_no_bulk_form() -> None:
    pack = get("dilemma")
    assert pack.batch is not None

    class Agent:
        policy, params = "lookahead", dict[str, Any]()

    with pytest.raises(NoBatch, match="it reckons step by step"):
        pack.batch(pack.game.config_type(), [1], {0: Agent(), 1: Agent()})


@pytest.mark.parametrize("slug", ["dilemma", "mining", "nations", "economist", "adasociety", "stag_hunt"])
def test_reckoners_have_words_in_every_language(slug: str) -> None:
    pack = get(slug)
    names = [name for name, spec in pack.policies.items() if spec.reckons]
    assert "lookahead" in names
    for language in LANGUAGES:
        assert set(names) <= set(pack.words.book(language)["policies"])
    assert isinstance(pack.words, Words)


def test_a_reckoner_is_called_by_what_it_is_set_to() -> None:
    agent = {"kind": "policy", "policy": "lookahead", "params": {"depth": 2}}
    assert agent_label(Registry().get("dilemma"), None, agent) == "lookahead (depth 2)"
