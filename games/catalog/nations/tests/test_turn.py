"""Each step of the order of a turn, and each partial execution, as tables worked by hand from the source."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.tests.builder import world


def test_a_nation_at_rest_turns_its_income_into_welfare() -> None:
    after = world("AAABB").after()
    assert after.state.welfare == (3000, 2000)
    assert after.payoffs == {0: 30, 1: 20}


def test_welfare_accumulates_from_turn_to_turn_and_unspent_money_does_not() -> None:
    after = world("AB").after().after()
    assert after.state.welfare == (2000, 2000)
    assert after.account("A").gross == 1000


@pytest.mark.parametrize(
    ("mils", "damage", "left"),
    [(1, 1000, 2000), (2, 2000, 1000), (3, 3000, 0), (5, 3000, 0)],
)
def test_damage_is_deducted_and_ends_at_the_income(mils: int, damage: int, left: int) -> None:
    after = world("AAAB", B=5).after(B={"attacks": [["Aldor", mils]]})
    assert (after.account("A").damage, after.account("A").left) == (damage, left)


def test_the_defenders_income_is_reduced_and_not_the_attackers() -> None:
    after = world("AAB", A=2, B=0).after(A={"attacks": [["Brevia", 1]]})
    assert (after.account("A").damage, after.account("B").damage) == (0, 1000)


@pytest.mark.parametrize(
    ("defence", "force", "lost"),
    [(0, 3, 0), (3, 3, 0), (4, 3, 1), (7, 3, 1), (8, 3, 2), (16, 3, 3), (40, 3, 3)],
)
def test_an_attacker_loses_the_defence_over_the_factor_rounded_down(defence: int, force: int, lost: int) -> None:
    after = world("A" * 20 + "B" * 20, A=force, B=defence).after(A={"attacks": [[1, force]]})
    assert after.account("A").lost == lost
    assert after.armies() == [force - lost, defence]


def test_mils_that_attack_do_not_defend() -> None:
    """B keeps 3 of 7 at home: 3 / 4 rounded down is 0."""
    after = world("A" * 9 + "B" * 9, A=2, B=7).after(A={"attacks": [[1, 2]]}, B={"attacks": [[0, 4]]})
    assert (after.account("A").lost, after.account("B").lost) == (0, 0)


def test_every_attacking_force_meets_the_whole_defence() -> None:
    after = world("A" * 9 + "B" * 9 + "C" * 9, A=3, B=3, C=8).after(A={"attacks": [[2, 3]]}, B={"attacks": [[2, 3]]})
    assert after.armies() == [1, 1, 8]


def test_under_shared_losses_the_forces_share_what_the_defence_destroys() -> None:
    """8 / 4 = 2 in all: 2 x 4/6 = 1 and 2 x 2/6 = 0, and what rounding leaves goes to the first."""
    shared = world("A" * 9 + "B" * 9 + "C" * 9, settings={"losses": "shared"}, A=4, B=2, C=8)
    assert shared.after(A={"attacks": [[2, 4]]}, B={"attacks": [[2, 2]]}).armies() == [2, 2, 8]


@pytest.mark.parametrize(
    ("rule", "attacks", "left"),
    [("per_attack", 0, 3000), ("per_attack", 1, 2700), ("per_attack", 2, 2400), ("flat", 2, 2700), ("flat", 0, 3000)],
)
def test_every_attack_costs_every_nation_for_each_territory(rule: str, attacks: int, left: int) -> None:
    settings = {"violence_penalty": 1, "penalty": rule, "mil_upkeep_price": 0, "damage_per_attack_mil": 0}
    orders = {"attacks": [["Brevia", 1], ["Corvane", 1]][:attacks]}
    after = world("AAABC", settings=settings, A=2).after(A=orders)
    assert (after.account("A").left, after.account("A").penalty) == (left, 3000 - left)


def test_attacks_on_one_target_add_up_to_one_attack() -> None:
    after = world("AB", settings={"violence_penalty": 1}, A=3).after(A={"attacks": [[1, 1], [1, 2]]})
    assert [(one.mils, one.on) for one in after.state.last.battles] == [(3, 1)]
    assert after.account("A").penalty == 100


def test_the_penalty_ends_where_the_money_ends() -> None:
    after = world("AB", settings={"violence_penalty": 50}, A=1).after(A={"attacks": [[1, 1]]})
    assert (after.account("B").damage, after.account("B").penalty, after.account("B").left) == (1000, 0, 0)
    assert (after.account("A").penalty, after.account("A").left) == (1000, 0)


@pytest.mark.parametrize(
    ("army", "upkeep", "deserted", "left"),
    [(0, 0, 0, 1000), (3, 600, 0, 400), (5, 1000, 0, 0), (6, 1000, 1, 0), (9, 1000, 4, 0)],
)
def test_mils_that_cannot_be_paid_leave(army: int, upkeep: int, deserted: int, left: int) -> None:
    after = world("AB", A=army).after()
    account = after.account("A")
    assert (account.upkeep, account.deserted, account.left) == (upkeep, deserted, left)
    assert after.armies()[0] == army - deserted


def test_mils_that_leave_for_want_of_pay_have_still_fought() -> None:
    after = world("AB", A=9).after(A={"attacks": [[1, 9]]})
    assert after.account("B").damage == 1000
    assert (after.account("A").deserted, after.armies()[0]) == (4, 5)


def test_what_is_lost_in_battle_cannot_desert_as_well() -> None:
    """Of 9 mils 8 fall to a defence of 32; 4 could not be paid, and one is left to leave."""
    after = world("A" + "B" * 40, A=9, B=32).after(A={"attacks": [[1, 9]]})
    assert (after.account("A").lost, after.account("A").deserted, after.armies()[0]) == (8, 1, 0)


@pytest.mark.parametrize(("wanted", "bought", "left"), [(0, 0, 5000), (1, 1, 3000), (2, 2, 1000), (3, 2, 1000)])
def test_mils_are_bought_as_far_as_the_money_goes_and_join_after_the_turn(wanted: int, bought: int, left: int) -> None:
    after = world("AAAAAB").after(A={"buy": wanted})
    assert (after.account("A").bought, after.account("A").left) == (bought, left)
    assert after.armies()[0] == bought
    assert after.account("A").upkeep == 0
    cut = after.told("A", "purchase_cut")
    assert cut == ([("purchase_cut", {"by": 0, "wanted": 3, "mils": 2})] if wanted == 3 else [])


def test_grants_are_paid_in_their_order_and_cut_off_where_the_money_ends() -> None:
    after = world("AAABC").after(A={"grants": [["Brevia", 20], ["Corvane", 15], ["Brevia", 1]]})
    paid = [(one.to, one.wanted, one.paid, one.arrived) for one in after.state.last.payments]
    assert paid == [(1, 2000, 2000, 4000), (2, 1500, 1000, 2000), (1, 100, 0, 0)]
    assert after.payoffs == {0: 0, 1: 50, 2: 30}
    assert [data["wanted"] for _, data in after.told("A", "grant_cut")] == [15, 1]
    assert after.told("C", "grant_cut") == []


def test_upkeep_and_purchases_come_before_grants() -> None:
    after = world("AAAB", A=2).after(A={"buy": 1, "grants": [["Brevia", 20]]})
    assert (after.account("A").granted, after.account("B").received) == (600, 1200)


def test_a_grant_received_is_welfare_and_pays_for_nothing() -> None:
    after = world("AAAB").after(A={"grants": [["Brevia", 30]]}, B={"buy": 3})
    assert (after.account("B").bought, after.account("B").left, after.account("B").received) == (0, 1000, 6000)


@pytest.mark.parametrize(("factor", "arrived"), [(0, 0), (0.5, 3), (1, 7), (1.5, 10), (2, 14)])
def test_a_grant_arrives_times_the_trade_factor_rounded_down_to_a_hundredth(factor: float, arrived: int) -> None:
    after = world("AB", settings={"trade_factor": factor}).after(A={"grants": [["Brevia", 0.07]]})
    assert after.account("B").received == arrived


def test_full_mutual_trade_doubles_everything() -> None:
    orders: dict[str, Any] = {
        letter: {"grants": [[name, 50]]}
        for letter, name in zip("ABCD", ("Brevia", "Corvane", "Dessaly", "Aldor"), strict=True)
    }
    after = world("A" * 5 + "B" * 5 + "C" * 5 + "D" * 5).after(**orders)
    assert sum(after.state.welfare) == 40_000


@pytest.mark.parametrize(("wanted", "disbanded", "army"), [(1, 1, 3), (4, 4, 0), (9, 4, 0)])
def test_disbanding_comes_last_and_saves_no_upkeep(wanted: int, disbanded: int, army: int) -> None:
    after = world("AAAAAB", A=4).after(A={"disband": wanted})
    account = after.account("A")
    assert (account.disbanded, account.upkeep, after.armies()[0]) == (disbanded, 800, army)
    assert bool(after.told("A", "disbanding_cut")) == (wanted == 9)


def test_mils_bought_join_after_the_disbanding() -> None:
    assert world("AAAAAB", A=2).after(A={"disband": 9, "buy": 1}).armies()[0] == 1


def test_a_ceded_territory_pays_its_giver_once_more() -> None:
    after = world("AAB").after(A={"cede": [[1, "Brevia"]]})
    assert after.state.owners == (1, 0, 1)
    assert after.payoffs == {0: 20, 1: 10}
    assert after.after().payoffs == {0: 10, 1: 20}


def test_with_income_at_the_end_a_ceded_territory_pays_its_taker_at_once() -> None:
    after = world("AAB", settings={"income_at": "end"}).after(A={"cede": [[1, "Brevia"]]})
    assert after.payoffs == {0: 10, 1: 20}


def test_territories_pass_on_in_one_turn_only_once() -> None:
    after = world("ABC").after(A={"cede": [[1, "Brevia"]]}, B={"cede": [[1, "Corvane"]]})
    assert after.state.owners == (1, 1, 2)


@pytest.mark.parametrize(
    ("held", "gross"),
    [((8, 8, 8), 2000), ((4, 8, 8), 1000), ((4, 4, 4), 250), ((20, 20, 20), 2000), ((0, 8, 8), 0), ((3, 8, 8), 750)],
)
def test_income_is_the_product_of_the_three_shares(held: tuple[int, int, int], gross: int) -> None:
    provided = [held, (0, 0, 0), (4, 4, 4)]
    after = world("AAB", settings={"resources": {"provided": provided}}).after()
    assert after.account("A").gross == gross


def test_resources_act_in_the_next_turn_and_lapse_then() -> None:
    start = world("AAB", settings={"resources": {"provided": [(4, 4, 4), (4, 4, 4), (0, 4, 4)]}})
    first = start.after(A={"resources": [["Brevia", "energy", 4]]})
    assert [first.account(letter).gross for letter in "AB"] == [2000, 0]
    second = first.after()
    assert [second.account(letter).gross for letter in "AB"] == [1000, 1000]
    assert [second.after().account(letter).gross for letter in "AB"] == [2000, 0]


def test_a_new_round_begins_with_its_own_world() -> None:
    changes = [{}, {"armies": [1, 2], "holdings": [[3], [1, 2]], "money_per_territory": 5, "turns": 1}]
    start = world("AAB", settings={"turns": 1, "rounds": 2, "changes": changes})
    first = start.after(A={"buy": 1})
    opened = first.after()
    assert opened.state.owners == (1, 1, 0)
    assert (opened.state.army, opened.state.welfare, opened.state.banked) == ((1, 2), (0, 0), (0, 1000))
    second = opened.after()
    assert second.state.welfare == (300, 600)
