"""Laws over random play: coin and goods are conserved in every step, whatever anybody tries."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog.economist.market import set_aside
from games.catalog.economist.money import micro
from games.catalog.economist.state import Build, Cancel, Deal, Gather, Misreport, Move, Noop, SetTaxes, Shift
from games.catalog.economist.tests.build import GAME, config
from games.core.rng import Rng

NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=64)
SMALL = st.floats(0, 20)
RESOURCES = st.sampled_from(["wood", "stone"])
WORK = st.one_of(
    st.builds(Move, st.sampled_from(["up", "down", "left", "right"])),
    st.just(Gather()), st.just(Gather()), st.just(Build()), st.just(Noop()),
    st.builds(Deal, RESOURCES, st.one_of(NUMBERS, SMALL), st.one_of(NUMBERS, SMALL), st.just("buy")),
    st.builds(Deal, RESOURCES, st.one_of(NUMBERS, SMALL), st.one_of(NUMBERS, SMALL), st.just("sell")),
    st.builds(Cancel, RESOURCES), st.builds(Shift, st.one_of(NUMBERS, SMALL)),
    st.builds(Misreport, st.one_of(NUMBERS, st.floats(0, 1))),
)  # fmt: skip
PLAN = st.builds(SetTaxes, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=5).map(tuple))


@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    seed=st.integers(0, 10**6),
    shared=st.booleans(),
    smooth=st.sampled_from([0.0, 1.5]),
    life=st.sampled_from([1, 3]),
)
def test_coin_and_goods_are_conserved_at_every_step(
    data: Any, seed: int, shared: bool, smooth: float, life: int
) -> None:
    terms = config(
        3, rows=3, cols=3, epochs=3, steps_per_epoch=6, energy_refill="step", starting_coin=30,
        map={"wood_density": 0.3, "stone_density": 0.3}, build={"wood_cost": 1, "stone_cost": 0.5},
        taxation={"redistribution": "lump_sum" if shared else "none", "smoothing": smooth},
        misreporting={"audit_probability": 0.6, "freeze_after_n_catches": 1},
        collusion={"min_shared_steps": 2}, market={"order_lifetime_steps": life},
    )  # fmt: skip
    root = Rng.root(seed)
    state, index, built, gathered = GAME.initial(terms, root.step(0)).state, 0, 0, [0, 0]
    while (turn := GAME.turn(terms, state)) is not None:
        index += 1
        answers = {seat: data.draw(PLAN if turn.stage == "plan" else WORK) for seat in turn.seats}
        actions = {seat: GAME.clean(terms, state, seat, answer, root)[0] for seat, answer in answers.items()}
        resolved = GAME.resolve(terms, state, actions, root.step(index))
        state = resolved.state
        kinds = [event.kind for event in resolved.events]
        built += kinds.count("build")
        for event in resolved.events:
            if event.kind == "gather":
                gathered[event.data["resource"] == "stone"] += micro(float(event.data["amount"]))  # type: ignore[arg-type]
        had, (coin, wood, stone) = state.workers, set_aside(state.books, terms.terms.fee)
        assert sum(had.coin) + coin + state.treasury == 3 * micro(30) + state.house_income
        assert sum(had.wood) + wood + built * micro(1) == gathered[0]
        assert sum(had.stone) + stone + built * micro(0.5) == gathered[1]
        for law in GAME.invariants(terms, state):
            assert law.holds, (law.name, law.detail)
