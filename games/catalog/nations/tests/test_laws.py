"""Whatever is ordered, the books balance in every turn."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog.nations.tests.builder import GAME, LETTERS, world

NATIONS = 4
SEATS = st.integers(-1, NATIONS)
AMOUNTS = st.one_of(st.integers(-5, 80), st.integers(0, 8000).map(lambda cents: cents / 100), st.just("x"))
ORDERS = st.fixed_dictionaries(
    {"buy": st.integers(-1, 6)},
    optional={
        "attacks": st.lists(st.tuples(SEATS, st.integers(-1, 8)), max_size=4),
        "cede": st.lists(st.tuples(st.integers(0, 9), SEATS), max_size=3),
        "grants": st.lists(st.tuples(SEATS, AMOUNTS), max_size=4),
        "resources": st.lists(st.tuples(SEATS, st.sampled_from(["energy", "food"]), st.integers(-1, 9)), max_size=3),
        "disband": st.integers(-1, 9),
        "messages": st.just([{"to": "all", "text": "x", "promise": {"kind": "grant", "amount": 3, "turns": 2}}]),
    },
)
TURNS = st.lists(st.lists(ORDERS, min_size=NATIONS, max_size=NATIONS), min_size=1, max_size=5)
RULES = st.fixed_dictionaries(
    {
        "violence_penalty": st.sampled_from([0, 0.5, 1, 30]),
        "trade_factor": st.sampled_from([0, 0.5, 1.5, 2]),
        "mil_purchase_price": st.sampled_from([0, 2.5, 20]),
        "mil_upkeep_price": st.sampled_from([0, 1.25, 2]),
        "damage_per_attack_mil": st.sampled_from([0, 3, 10]),
        "defense_destroy_factor": st.sampled_from([0.5, 4]),
        "losses": st.sampled_from(["each", "shared"]),
        "income_at": st.sampled_from(["start", "end"]),
        "penalty": st.sampled_from(["per_attack", "flat"]),
        "resources": st.sampled_from([None, {"deposits": "even"}, {"deposits": "specialised"}]),
        "nations": st.just(NATIONS),
    }
)


@settings(max_examples=150, deadline=None)
@given(rules=RULES, turns=TURNS, armies=st.lists(st.integers(0, 12), min_size=NATIONS, max_size=NATIONS))
def test_the_books_balance_in_every_turn(rules: dict[str, Any], turns: list[Any], armies: list[int]) -> None:
    now = world("AAABBBCCD", settings=rules, **dict(zip("ABCD", armies, strict=True)))
    for answers in turns:
        after = now.after(**dict(zip(LETTERS, answers, strict=False)))
        accounts, payments = after.state.last.accounts, after.state.last.payments
        made = sum(one.gross - one.damage - one.penalty - one.upkeep - one.spent for one in accounts)
        gained = sum(payment.arrived - payment.paid for payment in payments)
        welfare = sum(after.state.welfare) - sum(now.state.welfare)
        assert welfare == made + gained
        factor = round(rules["trade_factor"] * 100)
        exact = sum(payment.paid * (factor - 100) for payment in payments) / 100
        assert exact - len(payments) <= gained <= exact
        assert len(after.state.owners) == 9
        assert all(army >= 0 for army in after.state.army)
        assert all(one.left >= 0 and one.welfare >= 0 for one in accounts)
        assert sum(battle.damage for battle in after.state.last.battles) == sum(one.damage for one in accounts)
        broken = [law for law in GAME.invariants(after.config, after.state) if not law.holds]
        assert not broken, broken
        now = after
