"""What each policy does in a line, and that each victory condition has one that beats the pacifist by its measure."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.policies import POLICIES
from games.catalog.nations.scoring import score
from games.catalog.nations.state import Attack, Cession, Orders
from games.catalog.nations.tests.builder import GAME, LETTERS, Turned, World, world
from games.core.agents import deciding
from games.core.engine import play
from games.core.rng import Rng

SEEDS = range(1, 21)


def ordered(now: World, letter: str, policy: str, **params: Any) -> Orders:
    seat = LETTERS.index(letter)
    seen = GAME.observe(now.config, now.state, seat, ())
    orders, _ = POLICIES[policy].bind(params)(seen, None, Rng.root(3))
    assert isinstance(orders, Orders)
    return orders


def attacked(mils: int = 2) -> Turned:
    """A was attacked by B and granted 5 by C."""
    here = world("AAABBBCCC", A=3, B=4, C=1)
    return here.after(B={"attacks": [["Aldor", mils]]}, C={"grants": [["Aldor", 5]]})


def test_a_trader_returns_to_whoever_granted() -> None:
    grants = ordered(attacked(), "A", "trader").grants
    assert [(one.to, one.amount) for one in grants] == [(2, 30)]


def test_tit_for_tat_attacks_back_with_as_many_and_grants_back_as_much() -> None:
    orders = ordered(attacked(), "A", "tit-for-tat")
    assert orders.attacks == (Attack(1, 2),)
    assert [(one.to, one.amount) for one in orders.grants] == [(2, 5)]


def test_an_appeaser_cedes_to_its_attacker() -> None:
    assert ordered(attacked(), "A", "appeaser").cede == (Cession(1, 1),)


def test_a_raider_sends_all_it_has_against_the_largest() -> None:
    assert ordered(world("AAABBBBCCC", A=6), "A", "raider").attacks == (Attack(1, 6),)


def test_an_arms_racer_never_attacks_and_stays_one_ahead_of_what_it_sees() -> None:
    orders = ordered(world("A" * 20 + "BC", settings={"armies_seen": "all"}, A=1, B=3), "A", "arms-racer")
    assert (orders.buy, orders.attacks) == (3, ())


def test_a_diplomat_pays_what_it_promised_or_does_not() -> None:
    promised = world("AAABBB").after(
        A={"messages": [{"to": [1], "text": "x", "promise": {"kind": "grant", "amount": 6}}]}
    )
    assert [(one.to, one.amount) for one in ordered(promised, "A", "diplomat", keep=1).grants] == [(1, 6)]
    assert ordered(promised, "A", "diplomat", keep=0).grants == ()


def test_the_random_policy_grants_resources_where_there_are_any_and_within_what_it_has() -> None:
    config = NationsConfig.model_validate({"nations": 3, "turns": 20, "resources": {"deposits": "even"}})
    deciders = {seat: deciding(POLICIES["random"].bind()) for seat in range(3)}
    steps = list(play(GAME, config, 1, deciders))
    assert any(orders.resources for step in steps for orders in step.actions.values())
    assert not any(
        note.kind.startswith("resource") for step in steps for notes in step.notes.values() for note in notes
    )


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_policy_speaks_both_languages(policy: str) -> None:
    for now in (world("AAABBBCCC", A=3), attacked()):
        for language in ("en", "zh"):
            known = set(POLICIES[policy].params.model_fields)
            ordered(now, "A", policy, **({"language": language} if "language" in known else {}))


FRIENDS = {1: "trader", 2: "appeaser", 3: "tit-for-tat", 4: "random"}
ARMED = {1: "raider", 2: "raider", 3: "raider", 4: "raider"}


@pytest.mark.parametrize(
    ("policy", "goal", "others"),
    [
        ("trader", None, FRIENDS),
        ("expander", {"kind": "territories"}, FRIENDS),
        ("irredentist", {"kind": "heritage", "heritage": [9, 10, 11]}, FRIENDS),
        ("destroyer", {"kind": "damage"}, FRIENDS),
        ("avenger", {"kind": "rival", "rival": 1}, FRIENDS),
        ("zealot", {"kind": "ideology", "creed": "equality"}, FRIENDS),
        ("zealot", {"kind": "ideology", "creed": "disarmament"}, ARMED),
    ],
)
def test_a_policy_of_each_victory_condition_beats_the_pacifist_by_its_own_measure(
    policy: str, goal: dict[str, Any] | None, others: dict[int, str]
) -> None:
    goals = () if goal is None else ({"seat": 0, **goal},)
    config = NationsConfig.model_validate({"nations": 5, "turns": 20, "welfare_seen": "all", "goals": goals})

    def mean_score(first: str) -> float:
        seated = {0: first, **others}
        deciders = {seat: deciding(POLICIES[name].bind()) for seat, name in seated.items()}
        ends = [list(play(GAME, config, seed, deciders))[-1].state for seed in SEEDS]
        return sum(score(config, end, 0) for end in ends) / len(ends)

    own, pacifist = mean_score(policy), mean_score("pacifist")
    assert own > pacifist
