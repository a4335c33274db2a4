"""What is reckoned at once or kept is what the plain form gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog.economist import collusion
from games.catalog.economist.collusion import BLANK, detect, flag, scores
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import deeds
from games.catalog.economist.money import micro
from games.catalog.economist.policies import POLICIES
from games.catalog.economist.rules import EconomistGame
from games.catalog.economist.state import House
from games.core.agents import deciding
from games.core.engine import play

CODES = st.sampled_from([BLANK, BLANK, 1, 2, 2, 2, 3, 16, 20])
SHARE = st.sampled_from([0.0, 0.3, 0.5, 0.7, 0.75, 1.0])


def agreement(left: Sequence[int], right: Sequence[int]) -> tuple[int, int, int]:
    """Shared steps of two traces, equal ones among them, and pairs of equal entries over all shared steps of both."""
    shared = [(a, b) for a, b in zip(left, right, strict=True) if a != BLANK and b != BLANK]
    of_left, of_right = Counter(a for a, _ in shared), Counter(b for _, b in shared)
    return len(shared), sum(a == b for a, b in shared), sum(count * of_right[code] for code, count in of_left.items())


@settings(max_examples=60, deadline=None)
@given(
    traces=st.integers(1, 70).flatmap(
        lambda steps: st.lists(st.lists(CODES, min_size=steps, max_size=steps), min_size=1, max_size=6)
    ),
    least=st.integers(1, 9), similarity=SHARE, suspicion=SHARE, at_once=st.sampled_from([1, 40, 2_000_000]),
)  # fmt: skip
def test_all_pairs_at_once_are_flagged_as_each_pair_is(
    traces: list[list[int]], least: int, similarity: float, suspicion: float, at_once: int
) -> None:
    due = []
    for one, other in combinations(range(len(traces)), 2):
        counted = agreement(traces[one], traces[other])
        enough = counted[0] >= least
        alike, kappa = scores(*counted) if enough else (-1.0, -1.0)
        due += [flag(traces, (one, other), alike, kappa)] if alike >= similarity and kappa >= suspicion else []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(collusion, "AT_ONCE", at_once)
        assert detect(traces, least, similarity, suspicion) == due


def test_kept_deeds_are_those_made_anew_whichever_houses_come_next() -> None:
    houses = (House(1, 3, 0, 0), House(0, 5, 0, 1), House(1, 7, 0, 2))
    for shown in (houses[:1], houses, houses[:2], houses[1:], (), houses):
        rents = [2 * micro(sum(house.owner == seat for house in shown)) for seat in range(2)]
        told = deeds(shown, 9)
        assert [told.owners[cell] for cell in range(9)] == [
            next((house.owner for house in shown if house.cell == cell), -1) for cell in range(9)
        ]
        paid = [(event.data["by"], event.data["income"], event.data["houses"]) for event in told.rents(rents, 3)]
        owners = dict.fromkeys(house.owner for house in shown)
        assert paid == [
            (owner, 2.0 * len(own), [list(divmod(house.cell, 3)) for house in own])
            for owner in owners
            for own in [[house for house in shown if house.owner == owner]]
        ]


def test_other_rents_and_other_land_are_not_those_kept() -> None:
    houses = (House(0, 5, 0, 0),)
    assert [dict(event.data) for event in deeds(houses, 9).rents([micro(2)], 3)] == [
        {"by": 0, "income": 2.0, "houses": [[1, 2]], "count": 1}
    ]
    assert [dict(event.data) for event in deeds(houses, 9).rents([micro(1)], 9)] == [
        {"by": 0, "income": 1.0, "houses": [[0, 5]], "count": 1}
    ]
    assert deeds(houses, 9).rents([micro(1)], 3)[0].data["houses"] == [[1, 2]]
    assert len(deeds(houses, 16).owners) == 16


def test_rents_that_are_kept_follow_what_the_houses_pay() -> None:
    """Upkeep is paid as far as there is coin, so that the same houses may pay otherwise in the next step."""
    told = deeds((House(0, 5, 0, 1), House(1, 3, 0, 0)), 9)
    for paid in ([2, 3], [2, 3], [2, 0], [2, 3]):
        events = told.rents([micro(coin) for coin in paid], 3)
        assert [event.data["income"] for event in events] == paid


def test_an_epochs_tally_counts_the_events_that_are_told() -> None:
    """With houses, trades, evasion and flags; what a planner's turn tells belongs to no epoch."""
    config = EconomistConfig(workers=14, coalitions=("",) * 11 + ("cartel",) * 3)
    policies = {
        9: "evasive",
        10: "evasive",
        7: "gaming",
        4: "trader",
        **dict.fromkeys((11, 12, 13), "collusive"),
        14: "saez",
    }
    deciders = {seat: deciding(POLICIES[policies.get(seat, "honest")].bind()) for seat in range(15)}
    told: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for step in play(EconomistGame(), config, 3, deciders):
        if step.turn.stage != "work":
            told.clear()
            continue
        houses = [event for event in step.events if event.kind == "house_income"]
        told.update(event.kind for event in step.events if event.kind not in ("house_income", "epoch_ended"))
        told.update(house_income=sum(len(event.data["houses"]) for event in houses))
        if step.events[-1].kind == "epoch_ended":
            tally = step.state.report.tally
            exploits = told["misreport"] + told["shift_income"] + told["collusion_detected"]
            assert (tally.events, tally.trades, tally.built) == (told.total(), told["trade"], told["build"])
            assert tally.exploits == exploits
            seen.update(told)
    assert all(seen[kind] for kind in ("trade", "build", "house_income", "misreport", "shift_income"))
