"""Ratings against OpenSpiel, choix, plain linear programs and closed forms, on random tensors with ties, clones and
dominated agents, for two seats and three."""

from __future__ import annotations

import json
import math
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from games.errors.faults import Refused
from games.lab.analysis import ranking
from games.lab.analysis.lineups import LineUps, read, weights
from games.lab.analysis.rating import METHODS, rated
from simsite.cli import main

QUICK, ALL = 8, 200
CLOSE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def random_file(seed: int) -> dict[str, Any]:
    """A tensor by its number: even ones for two seats, odd ones for three; by turns with ties, a clone, a dominated
    agent, and payoffs without structure."""
    rng = np.random.default_rng(seed)
    seats, agents, kind = 2 + seed % 2, int(rng.integers(2, 5)), seed // 2 % 4
    draw = (lambda n: rng.integers(0, 3, n).astype(float)) if kind == 0 else (lambda n: rng.uniform(0, 1, n))
    profiles = []
    for lineup in combinations_with_replacement(range(agents), seats):
        rows = [draw(seats) for _ in range(int(rng.integers(1, 4)))]
        if kind == 2:
            rows = [row - 2.0 * (np.array(lineup) == 0) for row in rows]
        profiles.append({"agents": list(lineup), "payoffs": [row.tolist() for row in rows]})
    told = {"agents": [f"a{n}" for n in range(agents)], "seats": seats, "profiles": profiles}
    return cloned(told, 0) if kind == 1 else told


def cloned(told: dict[str, Any], agent: int) -> dict[str, Any]:
    """The same with a clone of an agent: whatever happened with the agent in some seats happened with it too."""
    clone = len(told["agents"])
    tensor = tensor_of(read(told))
    many, seats = len(tensor) + 1, told["seats"]
    like = [*range(len(tensor)), agent]
    profiles = []
    for lineup in combinations_with_replacement(range(many), seats):
        at = [like[one] for one in lineup]
        row = [tensor[(at[seat], *at[:seat], *at[seat + 1 :])] for seat in range(seats)]
        profiles.append({"agents": list(lineup), "payoffs": [row]})
    return {"agents": [*told["agents"], f"a{clone}"], "seats": seats, "profiles": profiles}


def tensor_of(lineups: LineUps) -> Any:
    """What the first of the agents at an index earns beside the others there, by the definition in words."""
    many, seats = len(lineups.agents), lineups.seats
    sums, counts = np.zeros((many,) * seats), np.zeros((many,) * seats)
    for one in lineups.matches:
        for row, seat in product(one.payoffs, range(seats)):
            others = one.lineup[:seat] + one.lineup[seat + 1 :]
            for order in set(permutations(others)):
                sums[(one.lineup[seat], *order)] += row[seat]
                counts[(one.lineup[seat], *order)] += 1
    return sums / counts


SEEDS = [pytest.param(seed, marks=[] if seed < QUICK else [pytest.mark.full]) for seed in range(ALL)]


@pytest.mark.parametrize("seed", SEEDS)
def test_mean_and_replicator_are_what_their_formulas_say(seed: int) -> None:
    lineups = read(random_file(seed))
    tensor = tensor_of(lineups)
    assert rated(lineups, "mean", 0).ratings == pytest.approx(tensor.reshape(len(tensor), -1).mean(axis=1), abs=1e-9)
    x = np.full(len(tensor), 1 / len(tensor))

    def fitness() -> Any:
        earned = tensor
        for _ in range(lineups.seats - 1):
            earned = earned @ x
        return earned

    for _ in range(1000):
        f = fitness()
        if (f - x @ f <= 1e-6).all():
            break
        x = x * np.exp(0.1 * (f - x @ f))
        x = x / x.sum()
    found = rated(lineups, "replicator", 0)
    assert found.more["shares"] == pytest.approx(x, abs=1e-6)
    assert found.more["fitness"] == pytest.approx(fitness(), abs=1e-6)
    assert found.ratings == pytest.approx(found.more["fitness"])


def plain_deviation(tensor: Any) -> Any:
    """The rating by whole joint distributions, seats in order, one constraint for each seat and agent, fixing what
    cannot be less: of each constraint that binds a program of its own asks whether it must."""
    from scipy.optimize import linprog

    many, seats = len(tensor), tensor.ndim
    states = list(product(range(many), repeat=seats))
    gains = np.zeros((seats, many, len(states)))
    for at, state in enumerate(states):
        for seat in range(seats):
            others = state[:seat] + state[seat + 1 :]
            for agent in range(many):
                gains[seat, agent, at] = tensor[(agent, *others)] - tensor[(state[seat], *others)]
    rows = gains.reshape(seats * many, -1)
    fixed: dict[int, float] = {}
    one = np.r_[np.ones(len(states)), 0.0]

    def solve(aim: Any, most: Any) -> Any:
        free = np.array([[0.0 if row in fixed else -1.0] for row in range(len(rows))])
        return linprog(
            aim, A_ub=np.hstack([rows, free]), b_ub=most, A_eq=[one], b_eq=[1],
            bounds=[(0, None)] * len(states) + [(None, None)], method="highs-ds", options=CLOSE,
        )  # fmt: skip

    while len(fixed) < len(rows):
        most = np.array([fixed.get(row, 0.0) + 1e-10 * (row in fixed) for row in range(len(rows))])
        least = solve(np.r_[np.zeros(len(states)), 1.0], most).x[-1]
        free = [row for row in range(len(rows)) if row not in fixed]
        level = np.array([fixed.get(row, least) for row in range(len(rows))]) + 1e-9
        held = np.hstack([rows, np.zeros((len(rows), 1))])
        lowest = {}
        for row in free:
            solved = linprog(
                np.r_[rows[row], 0.0], A_ub=held, b_ub=level, A_eq=[one], b_eq=[1],
                bounds=[(0, None)] * len(states) + [(0, 0)], method="highs-ds", options=CLOSE,
            )  # fmt: skip
            lowest[row] = float(solved.fun)
        binding = [row for row in free if lowest[row] > least - 1e-7] or [max(free, key=lambda row: lowest[row])]
        fixed |= dict.fromkeys(binding, float(least))
    found = np.array([fixed[row] for row in range(len(rows))]).reshape(seats, many)
    assert np.ptp(found, axis=0).max() < 1e-6
    return found[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_deviation_is_what_a_plain_linear_program_over_all_seats_gives(seed: int) -> None:
    lineups = read(random_file(seed))
    assert rated(lineups, "deviation", 0).ratings == pytest.approx(plain_deviation(tensor_of(lineups)), abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_clone_changes_no_other_deviation_rating_and_has_that_of_whom_it_clones(seed: int) -> None:
    told = random_file(seed)
    agent = seed % len(told["agents"])
    before, after = (rated(read(one), "deviation", 0).ratings for one in (told, cloned(told, agent)))
    assert after[:-1] == pytest.approx(before, abs=1e-6)
    assert after[-1] == pytest.approx(before[agent], abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_rank_is_openspiels_and_what_its_chain_says(seed: int) -> None:
    """OpenSpiel takes seconds to load, and matrices for two seats alone."""
    lineups = read(random_file(seed))
    tensor, alpha = tensor_of(lineups), 0.5
    found = rated(lineups, "alpha-rank", 0, alpha=alpha, population=20).ratings
    if lineups.seats == 2 and seed >= QUICK:
        alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
        *_, due, _, _ = alpharank.compute([tensor], m=20, alpha=alpha)
    elif lineups.seats == 2:
        many = range(len(tensor))
        gain = {((a,), (b,)): tensor[b, a] - tensor[a, b] for a in many for b in many if a != b}
        pi = resting([(one,) for one in many], gain, alpha, 20)
        due = [pi[one,] for one in many]
    else:
        pi = stationary_by_definition([tensor_for(tensor, seat) for seat in range(3)], alpha, 20)
        due = [sum(pi[state] * state.count(agent) for state in pi) / 3 for agent in range(len(tensor))]
    assert found == pytest.approx(due, abs=1e-6)


def tensor_for(tensor: Any, seat: int) -> Any:
    return np.moveaxis(tensor, 0, seat)


def stationary_by_definition(tables: Any, alpha: float, m: int) -> dict[tuple[int, ...], float]:
    """The chain over the seats' populations."""
    many, seats = len(tables[0]), len(tables)
    states = list(product(range(many), repeat=seats))
    gain = {}
    for state, seat, new in product(states, range(seats), range(many)):
        after = (*state[:seat], new, *state[seat + 1 :])
        if after != state:
            gain[state, after] = tables[seat][after] - tables[seat][state]
    return resting(states, gain, alpha, m)


def resting(states: Any, gain: Any, alpha: float, m: int) -> dict[tuple[int, ...], float]:
    """Where a chain rests that moves by how likely a mutant takes over."""
    chain = np.zeros((len(states), len(states)))
    for (old, new), advantage in gain.items():
        u = alpha * advantage
        rho = 1 / m if abs(u) < 1e-14 else math.expm1(-u) / math.expm1(-m * u)
        chain[states.index(old), states.index(new)] = rho / len(gain)
    chain += np.diag(1 - chain.sum(axis=1))
    left = np.vstack([chain.T - np.eye(len(states)), np.ones(len(states))])
    pi = np.linalg.lstsq(left, np.r_[np.zeros(len(states)), 1.0], rcond=None)[0]
    return dict(zip(states, pi, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_bradley_terry_is_choixs_and_a_logits(seed: int) -> None:
    choix = pytest.importorskip("choix")
    lineups = read(random_file(seed))
    many = len(lineups.agents)
    found = rated(lineups, "bradley-terry", 0)
    wins = np.zeros((many, many))
    for one in lineups.matches:
        for row, (a, b) in product(one.payoffs, permutations(range(lineups.seats), 2)):
            if one.lineup[a] != one.lineup[b]:
                wins[one.lineup[a], one.lineup[b]] += (np.sign(row[a] - row[b]) + 1) / 2
    if found.more["drawn_games"]:
        wins += 0.005 * (1 - np.eye(many))
    due = choix.ilsr_pairwise_dense(wins, alpha=0, max_iter=100_000, tol=1e-12)
    assert found.ratings == pytest.approx(due - due.mean(), abs=1e-6)


def test_where_payoffs_do_not_depend_on_others_the_greatest_is_rated_nought_and_the_rest_by_what_they_lack() -> None:
    earned = (3, 1, 2)
    told = {
        "agents": ["a", "b", "c"], "seats": 2,
        "profiles": [
            {"agents": [i, j], "payoffs": [[earned[i], earned[j]]]} for i, j in product(range(3), repeat=2)
        ],
    }  # fmt: skip
    assert rated(read(told), "deviation").ratings == pytest.approx((0, -2, -1), abs=1e-9)
    assert rated(read(told), "mean").ratings == pytest.approx((3, 1, 2))
    assert rated(read(told), "replicator").more["shares"][0] > 0.999
    assert rated(read(told), "alpha-rank").ratings[0] == pytest.approx(1)


def test_strengths_of_two_are_the_log_odds_of_their_wins() -> None:
    told = {"agents": ["a", "b"], "seats": 2, "profiles": [{"agents": [0, 1], "payoffs": [[1, 0]] * 3 + [[0, 1]]}]}
    found = rated(read(told), "bradley-terry").ratings
    assert found[0] - found[1] == pytest.approx(math.log(3), abs=1e-9)


def test_a_line_up_in_several_orders_counts_each_match_once() -> None:
    profiles = [{"agents": [0, 1], "payoffs": [[1, 0], [1, 0], [1, 0]]}, {"agents": [1, 0], "payoffs": [[4, 5]]}]
    told = {"agents": ["a", "b"], "seats": 2, "profiles": profiles}
    assert rated(read(told), "mean").ratings == pytest.approx(((3 * 1 + 5) / 4, (3 * 0 + 4) / 4))


def test_rounds_count_by_the_discount_and_the_last_one_all_the_rest() -> None:
    assert weights(3, 0.8) == pytest.approx([0.2, 0.16, 0.64])
    profiles = [{"agents": [0, 1], "payoffs": [[[1, 0], [2, 0], [3, 1]]]}]
    told = {"agents": ["a", "b"], "seats": 2, "discount": 0.8, "profiles": profiles}
    assert rated(read(told), "mean").ratings == pytest.approx((0.2 + 0.32 + 3 * 0.64, 0.64))


def test_intervals_are_of_the_stated_seed_and_hold_the_truth_about_as_often_as_they_say() -> None:
    rng, hits = np.random.default_rng(7), 0
    for _ in range(200):
        profiles = [{"agents": [0, 1], "payoffs": rng.normal([1, 2], 1, (40, 2)).tolist()}]
        lineups = read({"agents": ["a", "b"], "seats": 2, "profiles": profiles})
        found = rated(lineups, "mean", 400, seed=3)
        assert found.intervals == rated(lineups, "mean", 400, seed=3).intervals
        assert found.intervals is not None
        hits += found.intervals[0][0] <= 1 <= found.intervals[0][1]
    assert 0.90 <= hits / 200 <= 0.99


def test_every_method_has_intervals_around_its_ratings_and_none_where_nothing_was_played_twice(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    profiles = [
        {"agents": list(one), "payoffs": rng.uniform(0, 1, (12, 2)).tolist()}
        for one in combinations_with_replacement(range(3), 2)
    ]
    told = {"agents": ["a", "b", "c"], "seats": 2, "profiles": profiles}
    for method in METHODS:
        found = rated(read(told), method, 40)
        assert found.intervals is not None
        assert all(low <= high for low, high in found.intervals)
    once = {**told, "profiles": [{**one, "payoffs": one["payoffs"][:1]} for one in profiles]}
    assert rated(read(once), "deviation").intervals is None


# --- the command -----------------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "agents": ["a", "b"],
    "seats": 2,
    "profiles": [{"agents": [i, j], "payoffs": [[i, j]]} for i, j in ((0, 0), (0, 1), (1, 1))],
}


def called(capsys: Any, *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(args)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


@pytest.mark.parametrize("method", METHODS)
def test_the_command_answers_as_documented(method: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "pairs.json"
    file.write_text(json.dumps(GOOD))
    status, out, _ = called(capsys, "rate", str(file), "--method", method, "--json")
    told = json.loads(out)
    assert status == 0
    assert (told["method"], told["agents"], len(told["ratings"])) == (method, ["a", "b"], 2)
    assert told["ratings"][1] >= told["ratings"][0]
    if method == "replicator":
        assert sum(told["shares"]) == pytest.approx(1)
        assert len(told["fitness"]) == 2
    assert called(capsys, "rate", str(file), "--method", method)[0] == 0


BAD: dict[str, tuple[Any, str]] = {
    "top": ([], "agents, seats and profiles"),
    "key": ({**GOOD, "agent": 1}, "did you mean agents"),
    "agents": ({**GOOD, "agents": ["a", "a"]}, "twice"),
    "names": ({**GOOD, "agents": ["a", 3]}, r"agents\[1\]: 3"),
    "seats": ({**GOOD, "seats": 1}, "from 2 to 16"),
    "bool": ({**GOOD, "seats": True}, "seats: True"),
    "none": ({**GOOD, "profiles": []}, "profiles: "),
    "short": ({**GOOD, "profiles": [{"agents": [0], "payoffs": [[1]]}]}, r"profiles\[0\].agents"),
    "range": ({**GOOD, "profiles": [{"agents": [0, 2], "payoffs": [[1, 1]]}]}, r"agents\[1\]: 2.*0 to 1"),
    "row": ({**GOOD, "profiles": [{"agents": [0, 1], "payoffs": [[1]]}]}, r"payoffs\[0\]: \[1\]; 2 numbers"),
    "nan": ({**GOOD, "profiles": [{"agents": [0, 1], "payoffs": [[1, math.nan]]}]}, "finite number"),
    "huge": ({**GOOD, "profiles": [{"agents": [0, 1], "payoffs": [[1, 10**400]]}]}, "finite number"),
    "more": ({**GOOD, "profiles": [{"agents": [0, 1], "payoffs": [[1, 1]], "x": 1}]}, "nothing else"),
    "unmet": ({**GOOD, "agents": ["a", "b", "c"]}, "c is in no profile"),
    "discount": ({**GOOD, "discount": 1}, "below 1"),
    "rounds": ({**GOOD, "discount": 0.5}, r"payoffs\[0\]\[0\]: 0; 2 numbers"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_one_line_that_says_where(name: str, tmp_path: Path, capsys: Any) -> None:
    told, expected = BAD[name]
    with pytest.raises(Refused, match=expected):
        read(told)
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(told))
    status, out, err = called(capsys, "rate", str(file), "--json")
    assert status != 0
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert str(file) in err


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"agents": "\ud800"}'])
def test_what_is_no_json_is_refused_in_one_line(text: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text, "utf-8", "surrogatepass")
    status, _, err = called(capsys, "rate", str(file))
    assert status != 0
    assert len(err.strip().splitlines()) == 1


def test_a_missing_line_up_is_named_where_a_method_needs_it() -> None:
    told = {**GOOD, "profiles": GOOD["profiles"][1:]}
    assert len(rated(read(told), "mean").ratings) == 2
    with pytest.raises(Refused, match="no match of a, a: deviation needs each of the 3 line-ups"):
        rated(read(told), "deviation")


@given(st.lists(st.dictionaries(st.integers(0, 4), st.integers(-3, 3), min_size=1, max_size=5), max_size=12))
def test_ratings_of_a_round_robin_are_those_of_openskill(meetings: list[dict[int, float]]) -> None:
    model = PlackettLuce()
    held = [model.rating() for _ in range(5)]
    for scores in meetings:
        if len(scores) > 1:
            met = list(scores)
            rated = model.rate([[held[one]] for one in met], scores=[float(scores[one]) for one in met])
            for one, (rating,) in zip(met, rated, strict=True):
                held[one] = rating
    ours = ranking._ratings(5, [ranking._Meeting("", 1, scores) for scores in meetings])
    theirs = [(one.mu, one.sigma) for one in held]
    assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-9)
