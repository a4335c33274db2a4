"""Settings beside the contract: land in halves, deferral taxed in the end, a detector of fixed prices."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from pydantic import ValidationError

from games.catalog.economist.collusion import BLANK, decoded, offered, standing_offers
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.dealing import spare
from games.catalog.economist.money import MICRO, micro
from games.catalog.economist.state import STONE, WOOD, Book, Build, Deal, Gather, House, Order
from games.catalog.economist.tests.build import GAME, config, last_step, step, told, world
from games.catalog.economist.workers import honest
from games.core.agents import NoParams, deciding
from games.core.engine import play
from games.core.registry import get
from games.core.rng import Rng
from games.lab.scenarios.scenario import load


def test_in_halves_wood_lies_left_of_the_middle_and_stone_right_of_it_as_much_as_when_mixed() -> None:
    counts = {}
    for layout in ("mixed", "halves"):
        terms = config(rows=60, cols=60, map={"wood_density": 0.2, "stone_density": 0.15, "layout": layout})
        bears = GAME.initial(terms, Rng.root(1).step(0)).state.land.bears
        counts[layout] = [bears.count(kind) / len(bears) for kind in (WOOD, STONE)]
        if layout == "halves":
            assert all(cell % 60 < 30 for cell, kind in enumerate(bears) if kind == WOOD)
            assert all(cell % 60 >= 30 for cell, kind in enumerate(bears) if kind == STONE)
    assert counts["halves"] == pytest.approx(counts["mixed"], abs=0.03)


@pytest.mark.parametrize("given", [{"wood_density": 0.6, "stone_density": 0.1}, {"width": 1}])
def test_halves_that_cannot_hold_twice_the_density_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="at least 2 columns"):
        EconomistConfig.model_validate({"map": {**given, "layout": "halves"}})


@pytest.mark.parametrize(("taxed", "gross", "left"), [(False, 7.0, 2.85), (True, 9.85, 0.0)])
def test_what_was_deferred_to_an_epoch_that_does_not_come_is_taxed_in_the_last_where_that_is_set(
    taxed: bool, gross: float, left: float
) -> None:
    terms = config(gaming={"taxed_at_the_end": taxed})
    state = last_step(terms, world(terms, gross=(7, 0), shifted=(3, 0), deferred=(2.85, 0), coin=(10, 10)))
    early, late = step(terms, state), step(terms, replace(state, epoch=terms.epochs - 1))
    assert told(early, "tax")[0]["gross_income"] == 7.0
    assert told(late, "tax")[0]["gross_income"] == gross
    assert late.state.workers.deferred[0] == micro(left)


@pytest.mark.parametrize("once", [False, True])
def test_a_deed_that_was_flagged_counts_in_no_later_flag_where_that_is_set(once: bool) -> None:
    watched = {"detection_window_steps": 4, "min_shared_steps": 2, "suspicion_score_threshold": 0}
    terms = config(3, steps_per_epoch=2, collusion={**watched, "counted_once": once})
    state = last_step(terms, world(terms, "w....", energy=(10, 10, 10)))
    state = replace(state, workers=replace(state.workers, traces=((3, 3, 0),)))
    ended = step(terms, state, {0: Gather(), 1: Gather()})
    assert [flag["agents"] for flag in told(ended, "collusion_detected")] == [[0, 1]]
    assert any(code != BLANK for row in ended.state.workers.traces for code in row) is not once


def test_only_an_offer_above_what_is_still_bid_is_a_sign_of_a_fixed_price() -> None:
    books = (Book(bids=(Order(0, micro(1), micro(3), micro(1)),)), Book())
    assert offered(Deal("wood", 1, 3, "sell"), books) == BLANK
    assert offered(Deal("wood", 1, 4, "sell"), books) != BLANK
    assert offered(Deal("stone", 1, 3, "sell"), books) != BLANK
    assert offered(Deal("wood", 1, 4, "buy"), books) == offered(Gather(), books) == BLANK


CARTEL = (1, 2, 3)


def flagged(name: str, seed: int) -> tuple[float, float]:
    """Of a run of ten epochs: the share of the cartel's pairs flagged within five, and of all others within ten."""
    (condition,) = (one for one in load("economist/price-fixing").conditions if one.name == name)
    policies = get("economist").policies
    seats = {seat: deciding(policies[a.policy].bind(a.params)) for seat, a in enumerate(condition.seats)}
    first: dict[tuple[int, ...], int] = {}
    for played in play(GAME, condition.config, seed, seats):
        report = played.state.report
        for event in played.events:
            if event.kind == "collusion_detected" and report is not None:
                first.setdefault(tuple(event.data["agents"]), report.epoch)
    theirs, all_pairs = list(combinations(CARTEL, 2)), list(combinations(range(14), 2))
    found = sum(first.get(pair, 99) < 5 for pair in theirs)
    return found / len(theirs), sum(pair not in theirs for pair in first) / (len(all_pairs) - len(theirs))


@pytest.mark.parametrize("name", ["offers", "standing"])
def test_a_cartel_is_flagged_by_its_offers_within_five_epochs_and_few_others_are(name: str) -> None:
    found, falsely = flagged(name, 1001)
    assert found == 1
    assert falsely <= 0.1


@pytest.mark.full
@pytest.mark.parametrize("name", ["offers", "standing"])
def test_over_fresh_seeds_four_fifths_of_a_cartels_pairs_are_flagged_and_a_twentieth_of_others(name: str) -> None:
    """Thresholds were chosen on seeds 1001 to 1015."""
    runs = [flagged(name, seed) for seed in range(2001, 2021)]
    assert sum(found for found, _ in runs) / len(runs) >= 0.8
    assert sum(falsely for _, falsely in runs) / len(runs) <= 0.05


def test_of_offers_that_stand_the_cheapest_counts_where_somebody_bids_less_and_it_is_above_cost() -> None:
    def ask(by: int, price: float, left: float = 1) -> Order:
        return Order(by, micro(1), micro(price), micro(left), 0)

    bids, asks = (Order(9, micro(1), micro(2), micro(1), 0),), (ask(0, 3), ask(1, 4), ask(0, 5), ask(2, 6, 0))
    row = standing_offers((Book(bids, asks), Book()), 4)
    assert [decoded(code).get("price") for code in row] == [3, 4, None, None]
    assert standing_offers((Book((), asks), Book()), 4) == (BLANK,) * 4
    assert standing_offers((Book((replace(bids[0], price=micro(0.5)),), (ask(0, 1),)), Book()), 1) == (BLANK,)


@pytest.mark.parametrize("coin", [10, 0.25])
def test_rent_is_the_builders_skill_times_income_less_upkeep_which_is_paid_as_far_as_there_is_coin(coin: float) -> None:
    terms = config(skill_build=[2, 0.5], build={"income_per_house_per_step": 1, "upkeep_per_house_per_step": 0.75})
    houses = (House(0, 0, 0, 0), House(1, 1, 0, 0), House(1, 2, 0, 0))
    resolved = step(terms, replace(world(terms, built=(1, 2), coin=(coin, coin)), houses=houses))
    owed = min(coin, 0.5)
    assert [had / MICRO for had in resolved.state.workers.coin] == [coin + 1.25, coin - owed]
    assert [had / MICRO for had in resolved.state.workers.gross] == [1.25, 0]
    assert resolved.state.house_income == micro(1.25) - micro(owed)
    assert resolved.state.tally.house_income == resolved.state.house_income


def test_who_would_lose_by_a_house_sells_what_it_has_and_builds_none() -> None:
    terms = config(skill_build=[1, 0.5], build={"income_per_house_per_step": 1, "upkeep_per_house_per_step": 0.75})
    state = world(terms, wood=(3, 3), stone=(3, 3), coin=(10, 10))
    builds, sells = (honest(NoParams(), GAME.observe(terms, state, seat, ()), 0) for seat in (0, 1))
    assert builds == Build()
    assert not isinstance(sells, Build)
    assert spare(GAME.observe(terms, state, 1, ())) == (micro(3), micro(3))
