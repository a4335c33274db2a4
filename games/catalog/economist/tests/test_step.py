"""A step's parts, worked by hand: regrowth, moves, gathering, houses."""

from __future__ import annotations

from dataclasses import replace

from games.catalog.economist.money import micro
from games.catalog.economist.state import Build, Gather, Misreport, Move, Shift
from games.catalog.economist.tests.build import GAME, config, last_step, step, told, world
from games.core.rng import Rng


def test_stock_regrows_before_actions_and_never_above_its_most() -> None:
    terms = config(1)
    state = replace(world(terms, "ws..."), stock=(micro(4.95), micro(2)))
    assert step(terms, state).state.stock == (micro(5), micro(2.1))


def test_gathering_takes_what_skill_and_stock_allow_and_books_it_as_income_in_kind() -> None:
    terms = config(2, skill_gather=[1.5, 1.5], map={"resource_regen_rate": 0})
    state = replace(world(terms, "w...."), stock=(micro(2),))
    after = step(terms, state, {0: Gather(), 1: Gather()})
    assert after.state.workers.wood == (micro(1.5), micro(0.5))
    assert after.state.workers.gross == (micro(1.5), micro(0.5))
    assert after.state.workers.coin == (micro(10), micro(10))
    assert after.state.stock == (0,)


def test_who_comes_after_the_last_unit_gathers_nothing_and_pays_no_energy() -> None:
    terms = config(2, map={"resource_regen_rate": 0})
    state = replace(world(terms, "w...."), stock=(micro(1),))
    after = step(terms, state, {0: Gather(), 1: Gather()})
    assert told(after, "gather_fail") == [{"by": 1, "reason": "no_resource"}]
    assert after.state.workers.energy == (micro(9), micro(10))


def test_a_move_goes_one_cell_and_costs_its_energy() -> None:
    terms = config(1, rows=3, cols=3)
    state = world(terms, cell=[4])
    for direction, cell in (("up", 1), ("down", 7), ("left", 3), ("right", 5)):
        after = step(terms, state, {0: Move(direction)})  # type: ignore[arg-type]
        assert after.state.workers.cell == (cell,)
        assert after.state.workers.energy == (micro(9),)


def test_a_house_takes_its_goods_and_pays_from_its_first_step() -> None:
    terms = config(1)
    after = step(terms, world(terms, wood=[3.5], stone=[3]), {0: Build()})
    had = after.state.workers
    assert (had.wood, had.stone, had.energy, had.built) == ((micro(0.5),), (0,), (micro(8),), (1,))
    assert (had.coin, had.gross) == ((micro(11),), (micro(1),))


def test_a_cell_holds_one_house() -> None:
    """In the reference any number of houses stood on one cell, resource cells among them (defect 10)."""
    terms = config(2)
    state = world(terms, wood=[3, 3], stone=[3, 3])
    both = step(terms, state, {0: Build(), 1: Build()})
    assert told(both, "build_fail") == [{"by": 1, "reason": "cell_occupied"}]
    assert len(both.state.houses) == 1
    assert GAME.clean(terms, both.state, 1, Build(), Rng.root(1))[1][0].kind == "cell_occupied"
    on_wood = world(terms, "w....", wood=[3, 3], stone=[3, 3])
    assert GAME.clean(terms, on_wood, 0, Build(), Rng.root(1))[1][0].kind == "cell_occupied"


def test_shifts_of_an_epoch_add_up_to_its_cap() -> None:
    """The cap held for each call alone in the reference: two shifts moved 51%."""
    terms = config(1)
    state = world(terms, gross=[100])
    first = step(terms, state, {0: Shift(30)}).state
    assert (first.workers.gross, first.workers.deferred) == ((micro(70),), (micro(28.5),))
    action, notes = GAME.clean(terms, first, 0, Shift(10), Rng.root(1))
    assert action.do == "noop"
    assert notes[0].kind == "nothing_to_shift"


def test_deferred_income_begins_the_next_epoch_less_friction() -> None:
    terms = config(1, steps_per_epoch=1, planner={"update_interval_epochs": 5})
    after = step(terms, world(terms, gross=[100]), {0: Shift(20)}).state
    assert after.epoch == 1
    assert after.workers.gross == (micro(19),)


def test_a_misreport_is_a_stance_whenever_it_is_taken() -> None:
    """In the reference it applied to income before it and to later rent, but not to later gathering (defect 11)."""
    terms = config(1, misreporting={"audit_probability": 0})
    early = step(terms, world(terms, "w....", gross=[9]), {0: Misreport(0.3)}).state
    early = step(terms, last_step(terms, early), {0: Gather()}).state
    late = step(terms, world(terms, "w....", gross=[9]), {0: Gather()}).state
    late = step(terms, last_step(terms, late), {0: Misreport(0.3)}).state
    for state in (early, late):
        assert state.report is not None
        assert state.report.accounts[0].reported == micro(7)


def test_energy_is_refilled_at_the_epochs_end_or_before_each_step() -> None:
    for refill, left in (("epoch", 9), ("step", 10)):
        terms = config(1, energy_refill=refill)
        assert step(terms, world(terms), {0: Move("right")}).state.workers.energy == (micro(left),)
