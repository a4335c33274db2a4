"""Equilibria and efficient outcomes that games say, held to exhaustive search, to pygambit where it is, and to play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import get, packs
from games.core.rng import Rng
from games.declare import BadDeclaration, Mixed
from games.declare.solving import extreme, pure
from games.declare.theory import Theory

MATRICES = [
    "battle_of_sexes",
    "chicken",
    "coordination",
    "matching_pennies",
    "prisoners_dilemma",
    "stag_hunt",
    "trust_matrix",
]
SMALL: dict[str, dict[str, Any]] = {
    "travellers_dilemma": {},
    "minimum_effort": {"players": 3, "levels": 4},
    "bertrand": {"demand": 12, "cost": 3},
    "cournot": {"demand": 17, "cost": 3},
    "market_entry": {"players": 4, "capacity": 2},
    "volunteers_dilemma": {},
    "public_goods": {"players": 3, "endowment": 3, "budget": 0},
    "dictator": {"pie": 4},
    **{slug: {} for slug in MATRICES},
}
ALL_PURE = {*MATRICES, "travellers_dilemma", "minimum_effort", "market_entry", "public_goods", "dictator"}
"""Games that say that they name all pure equilibria."""


def theory_of(slug: str) -> Theory:
    return get(slug).game.made.cls._measured.theory  # type: ignore[attr-defined,no-any-return]


def config_of(slug: str, **changed: Any) -> Any:
    return get(slug).game.config_type(**{**SMALL.get(slug, {}), **changed})


def start(slug: str, config: Any) -> Any:
    return get(slug).game.under(config).round.start(Rng.root(0)).state  # type: ignore[attr-defined]


def moves_of(slug: str, config: Any) -> list[list[Any]]:
    """What each place may play in the first stage; None alone for who does not move."""
    game = get(slug).game
    state = start(slug, config)
    asked = game.turn(config, state).seats  # type: ignore[union-attr]
    (name, _), *_ = game.fields_of[game.made.stages[0].name]  # type: ignore[attr-defined]
    every = range(len(game.seats(config)))
    return [
        [getattr(o, name) for o in game.actions(config, state, s).options or ()] if s in asked else [None]
        for s in every
    ]


def paid(theory: Theory, config: Any, row: Any) -> list[Fraction]:
    return list(theory.point(config, row).pays)


def first_rows(theory: Theory, config: Any) -> list[list[Any]]:
    stage = theory.made.stages[0].name
    return [list(one.moves[stage]) for one in theory.of(config).equilibria]


@pytest.mark.parametrize("slug", list(SMALL))
def test_in_a_named_equilibrium_nobody_gains_by_moving_otherwise_alone(slug: str) -> None:
    theory, config = theory_of(slug), config_of(slug)
    for row in first_rows(theory, config):
        stands = paid(theory, config, row)
        for place, moves in enumerate(moves_of(slug, config)):
            for move in moves:
                gained = paid(theory, config, [*row[:place], move, *row[place + 1 :]])[place] - stands[place]
                assert gained <= Fraction(1, 10**6), (row, place, move, gained)


@pytest.mark.parametrize("slug", sorted(ALL_PURE))
@pytest.mark.parametrize("shape", ["", "threshold"])
def test_those_who_name_all_pure_equilibria_name_what_an_exhaustive_search_finds(slug: str, shape: str) -> None:
    if shape and slug != "market_entry":
        return
    theory, config = theory_of(slug), config_of(slug, **({"shape": shape} if shape else {}))
    moves = moves_of(slug, config)
    pays = {
        cell: paid(theory, config, [own[n] for own, n in zip(moves, cell, strict=True)])
        for cell in product(*(range(len(m)) for m in moves))
    }
    found = {tuple(own[n] for own, n in zip(moves, cell, strict=True)) for cell in pure(pays, [len(m) for m in moves])}
    named = {tuple(row) for row in first_rows(theory, config) if not any(isinstance(move, Mixed) for move in row)}
    assert named == found


@pytest.mark.parametrize("slug", [slug for slug in SMALL if slug not in ("dictator", "matching_pennies")])
def test_nothing_pays_more_in_all_than_what_is_named_efficient(slug: str) -> None:
    theory, config = theory_of(slug), config_of(slug)
    best = theory.of(config).efficient
    assert best is not None
    assert sum(best.pays) == max(sum(paid(theory, config, list(row))) for row in product(*moves_of(slug, config)))


# --- games in turn: perfect strategies ------------------------------------------------------------

PERFECT: dict[str, dict[str, Any]] = {
    "trust": {"rounds": 1, "endowment": 3, "multiplier": 2},
    "gift_exchange": {"rounds": 1, "value": 20},
    "centipede": {"nodes": 5},
    "voting": {"rounds": 1, "pie": 4},
}


def worth(slug: str, config: Any, state: Any) -> tuple[int, ...]:
    """Totals at the end when all play their equilibrium from here on."""
    pack = get(slug)
    policy = pack.policies["equilibrium"].bind()
    while (turn := pack.game.turn(config, state)) is not None:
        seen = {seat: pack.game.observe(config, state, seat, ()) for seat in turn.seats}
        state = pack.game.resolve(
            config, state, {s: policy(o, None, None)[0] for s, o in seen.items()}, Rng.root(0)
        ).state
    return tuple(state.total)


def nodes(slug: str, config: Any, state: Any) -> Iterator[Any]:
    """Every state of the match that legal moves lead to, where one seat moves; where several do, as they would play."""
    pack = get(slug)
    turn = pack.game.turn(config, state)
    if turn is None:
        return
    yield state
    options = {
        s: pack.game.actions(config, state, s).options or every_points(pack.game, config, state, s) for s in turn.seats
    }
    if len(turn.seats) > 1:
        return
    (seat,) = turn.seats
    for move in options[seat]:
        yield from nodes(slug, config, pack.game.resolve(config, state, {seat: move}, Rng.root(0)).state)


def every_points(game: Any, config: Any, state: Any, seat: int) -> list[Any]:
    stage, ((budget, others, _),) = game.limits(config, state, seat)
    ((_, part),) = game.fields_of[stage]
    rows = (
        dict(zip(others, row, strict=True))
        for row in product(range(budget + 1), repeat=len(others))
        if sum(row) <= budget
    )
    return [game.action_types[stage](part.answered(row, ())) for row in rows]


@pytest.mark.parametrize("slug", sorted(PERFECT))
def test_the_equilibrium_of_a_game_in_turn_is_perfect_no_single_other_move_pays(slug: str) -> None:
    """The principle of one deviation, at each node of a small instance."""
    pack = get(slug)
    config = pack.game.config_type(**PERFECT[slug])
    policy, seen = pack.policies["equilibrium"].bind(), 0
    for state in nodes(slug, config, start(slug, config)):
        turn = pack.game.turn(config, state)
        assert turn is not None
        own = {seat: policy(pack.game.observe(config, state, seat, ()), None, None)[0] for seat in turn.seats}
        stands = worth(slug, config, state)
        for seat in turn.seats:
            for move in pack.game.actions(config, state, seat).options or every_points(pack.game, config, state, seat):
                seen += 1
                after = pack.game.resolve(config, state, {**own, seat: move}, Rng.root(0)).state
                assert worth(slug, config, after)[seat] <= stands[seat], (seat, move, state)
    assert seen > 5


@pytest.mark.parametrize("slug", sorted(PERFECT))
def test_an_outcome_that_is_named_is_what_the_equilibrium_policy_plays(slug: str) -> None:
    pack = get(slug)
    config = pack.game.config_type(**PERFECT[slug])
    named = theory_of(slug).of(config).equilibria[0].pays
    assert tuple(Fraction(cents, 100) for cents in worth(slug, config, start(slug, config))) == named


# --- tables ---------------------------------------------------------------------------------------


def table(rows: int, cols: int, draw: random.Random) -> dict[tuple[int, ...], tuple[int, int]]:
    return {cell: (draw.randint(0, 4), draw.randint(0, 4)) for cell in product(range(rows), range(cols))}


def brings(pays: Any, chances: Any, player: int, choice: int) -> Fraction:
    other = chances[1 - player]
    return sum((x * pays[(choice, n) if player == 0 else (n, choice)][player] for n, x in enumerate(other)), Fraction())


def test_every_equilibrium_of_a_table_is_one_and_the_pure_ones_are_all_there() -> None:
    draw = random.Random(7)
    for rows, cols in product((2, 3, 4), repeat=2):
        for _ in range(4):
            pays = table(rows, cols, draw)
            found = extreme(pays, (rows, cols))
            assert found, "every finite game has one"
            for pair in found:
                for player, own in enumerate(pair):
                    worths = [brings(pays, pair, player, choice) for choice in range(len(own))]
                    assert all(not chance or value == max(worths) for chance, value in zip(own, worths, strict=True))
            sure = {tuple(side.index(1) for side in pair) for pair in found if all(1 in side for side in pair)}
            assert sure == set(pure(pays, (rows, cols)))
    assert extreme(table(6, 5, draw), (6, 5)) is None, "beyond ten choices together the pure ones stand alone"


def test_the_extreme_equilibria_of_random_tables_are_those_of_pygambit() -> None:
    gambit = pytest.importorskip("pygambit", reason="an optional tool of development: pip install pygambit")
    draw = random.Random(11)
    for rows, cols in [(2, 2)] * 40 + [(2, 3), (3, 2), (3, 3), (4, 3), (4, 4)] * 12:
        pays = table(rows, cols, draw)
        ours = [[pays[row, col][0] for col in range(cols)] for row in range(rows)]
        theirs = [[pays[row, col][1] for col in range(cols)] for row in range(rows)]
        game = gambit.Game.from_arrays(ours, theirs)
        solved = gambit.nash.enummixed_solve(game, rational=True).equilibria
        told = {
            tuple(tuple(Fraction(str(one[s])) for s in player.strategies) for player in game.players) for one in solved
        }
        assert set(extreme(pays, (rows, cols)) or ()) == told, pays


def test_rock_paper_scissors_has_the_one_equilibrium_of_thirds() -> None:
    wins = {0: 2, 1: 0, 2: 1}
    pays = {
        (a, b): ((wins[a] == b) - (wins[b] == a), (wins[b] == a) - (wins[a] == b)) for a in range(3) for b in range(3)
    }
    third = (Fraction(1, 3),) * 3
    assert extreme(pays, (3, 3)) == [(third, third)]


# --- the measure ----------------------------------------------------------------------------------


def test_efficiency_is_nothing_in_the_worst_equilibrium_and_one_where_all_cooperate() -> None:
    pack = get("prisoners_dilemma")
    config = pack.game.config_type(rounds=1)
    for name, share in (("cooperator", 1), ("equilibrium", 0)):
        decider = deciding(pack.policies[name].bind())
        before, step = play(pack.game, config, 1, dict.fromkeys((0, 1), decider))
        assert pack.metrics.measure(config, before.state, step)["efficiency"] == share


def test_a_dilemma_that_is_none_is_refused_with_its_numbers() -> None:
    with pytest.raises(ValueError, match=r"temptation 3, both_cooperate 4, .*each must be more than the next"):
        config_of("prisoners_dilemma", both_cooperate=4)


def test_an_outcome_with_a_move_that_is_not_allowed_is_refused() -> None:
    with pytest.raises(BadDeclaration, match="9 of place 0 in claim is not allowed there"):
        theory_of("travellers_dilemma").point(config_of("travellers_dilemma"), [9, 2])


def test_what_people_did_names_a_measure_of_its_game_a_source_and_how_many() -> None:
    found = [
        (pack, one)
        for pack in packs().values()
        if pack.theory
        for one in (pack.theory(pack.game.config_type()) or {}).get("people", ())
    ]  # type: ignore[union-attr]
    assert found
    for pack, one in found:
        assert one["measure"] in pack.metrics.names
        assert one["source"]
        assert one["n"]
        assert one["condition"]
