"""Laws of matching, of balance and of pay."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.site.studies.assigning import assigned
from games.site.studies.form import Ending, Pay
from games.site.studies.matching import Groups, Rule, matched, perfect_rounds
from games.site.studies.paying import amount

RULES: tuple[Rule, ...] = ("partner", "random", "stranger", "perfect")
SEEDS = st.integers(0, 2**53 - 1)


def rounds_of(rule: Rule, silo: int, size: int, count: int, seed: int) -> list[Groups]:
    past: list[Groups] = []
    for number in range(count):
        past.append(matched(rule, silo, size, number, seed, past))
    return past


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(RULES), st.integers(1, 5), st.integers(1, 6), SEEDS)
def test_everybody_plays_once_in_each_round_and_the_same_seed_gives_the_same_groups(
    rule: Rule, size: int, groups: int, seed: int
) -> None:
    silo = size * groups
    count = min(4, perfect_rounds(silo, size))
    found = rounds_of(rule, silo, size, count, seed)
    for one in found:
        assert sorted(place for group in one for place in group) == list(range(silo))
        assert {len(group) for group in one} == {size}
    assert found == rounds_of(rule, silo, size, count, seed)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(1, 8), SEEDS)
def test_perfect_strangers_meet_nobody_twice(size: int, groups: int, seed: int) -> None:
    silo = size * groups
    met: Counter[tuple[int, int]] = Counter()
    for one in rounds_of("perfect", silo, size, perfect_rounds(silo, size), seed):
        met.update(pair for group in one for pair in combinations(sorted(group), 2))
    assert set(met.values()) == {1}
    with pytest.raises(ValueError, match="perfect strangers"):
        matched("perfect", silo, size, perfect_rounds(silo, size), seed)


def test_pairs_of_perfect_strangers_last_as_long_as_there_are_others() -> None:
    assert [perfect_rounds(silo, 2) for silo in (2, 4, 6, 12)] == [1, 3, 5, 11]
    assert [perfect_rounds(silo, 3) for silo in (3, 9, 15)] == [1, 3, 5]


@given(SEEDS)
def test_partners_stay_together(seed: int) -> None:
    first, *others = rounds_of("partner", 6, 2, 5, seed)
    assert all(one == first for one in others)


@given(SEEDS)
def test_strangers_meet_again_only_where_they_must(seed: int) -> None:
    met = Counter(
        pair for one in rounds_of("stranger", 6, 2, 3, seed) for group in one for pair in combinations(sorted(group), 2)
    )
    assert max(met.values()) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 5), st.integers(1, 40), st.sets(st.integers(0, 39)), SEEDS)
def test_arms_are_within_one_of_each_other_whoever_leaves_early(
    arms: int, members: int, gone: set[int], seed: int
) -> None:
    names = [f"arm{n}" for n in range(arms)]
    filled: Counter[str] = Counter()
    for number in range(members):
        given_arm = assigned("balanced", names, filled, number, seed)
        assert filled[given_arm] == min(filled[name] for name in names)
        if number not in gone:
            filled[given_arm] += 1
            held = [filled[name] for name in names]
            assert max(held) - min(held) <= 1


def test_a_fixed_arm_is_the_one_that_is_said() -> None:
    assert assigned("fixed", ["a", "b"], {}, 0, 1, "b") == "b"
    assert assigned("fixed", ["a", "b"], {}, 0, 1, "") == "a"


def test_pay_is_show_up_and_points_up_to_the_most() -> None:
    pay = Pay.model_validate({"show_up": 3, "point": 0.05, "round_to": 0.1, "most": 5})
    assert amount(pay, None, True, [10, 13], (1, 0)).total == Decimal("4.2")
    assert amount(pay, None, True, [1000], (1, 0)).total == Decimal("5.0")
    assert amount(pay, None, False, [10], (1, 0)).total == Decimal("3.0")
    assert amount(pay, Ending.model_validate({"pay": 0.5}), False, [10], (1, 0)).total == Decimal("0.5")
    assert amount(pay, Ending.model_validate({"pay": 0}), True, [10], (1, 0)).total == Decimal(0)


@given(SEEDS, st.integers(0, 100))
def test_one_run_that_is_paid_is_drawn_by_the_seed(seed: int, member: int) -> None:
    pay = Pay.model_validate({"point": 1, "play": "one"})
    first = amount(pay, None, True, [1, 20, 300], (seed, member))
    assert first == amount(pay, None, True, [1, 20, 300], (seed, member))
    assert first.paid_run is not None
    assert first.total == [1, 20, 300][first.paid_run]
