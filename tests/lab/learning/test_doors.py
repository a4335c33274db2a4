"""Every game as the libraries' environments: by their own checks, and by what a seat may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra polity[rl] is not installed")

from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test  # type: ignore[import-untyped]
from pettingzoo.utils import parallel_to_aec  # type: ignore[import-untyped]

from games.core.game import Past
from games.errors.faults import Refused
from games.lab.learning.doors import GameEnv, SeatEnv, parallel_env
from games.lab.learning.reading import leaves, row, told

QUICK = ["dilemma", "nations", "adasociety/contract-easy", "trust"]
SLOW = ["mining", "economist", "commons", "auction", "public_goods", "adasociety/exploration"]
SMALL = [*QUICK, "commons", "public_goods"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", [*QUICK, *(pytest.param(game, marks=pytest.mark.full) for game in SLOW)])
def test_the_libraries_own_checks_pass(game: str) -> None:
    env = parallel_env(game)
    parallel_api_test(env, num_cycles=20)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=5)
    api_test(parallel_to_aec(env), num_cycles=20)
    check_env(SeatEnv(game), skip_render_check=True)
    many = SyncVectorEnv([lambda: SeatEnv(game)] * 2)
    first, _ = many.reset(seed=1)
    assert many.observation_space.contains(first)


def played(env: GameEnv, seed: int, turns: int) -> Any:
    """Every turn of a run in which actions that are open are drawn: what seats are asked, and their arrays."""
    chance = np.random.default_rng(seed)
    told, _ = env.reset(seed=seed)
    while env.agents and turns:
        yield env._run, told
        drawn = {name: int(chance.choice(np.flatnonzero(told[name]["action_mask"]))) for name in env.agents}
        told, *_ = env.step(drawn)
        turns -= 1


@pytest.mark.parametrize("game", SMALL)
def test_arrays_say_what_a_seat_is_told_and_nothing_else(game: str) -> None:
    """A world that a seat imagines from what it is told gives the same row; another observation gives another."""
    env, seen = parallel_env(game), dict[bytes, list[tuple[str, int]]]()
    imagined = 0
    for run, arrays in played(env, 3, 12):
        for seat, request in run.asked.items():
            given = arrays[env.possible_agents[seat]]["observation"]
            paths = sorted(leaves(request.observation))
            assert seen.setdefault(given.tobytes(), paths) == paths
            world = run.game.imagine(request.observation, request.rng)
            again = run.game.observe(world.config, world.state, world.seat, Past(world.steps, world.seat))
            assert np.array_equal(row(again, len(given)), given)
            imagined += 1
    assert imagined > 10
    assert len(seen) > 5


def test_one_who_is_not_on_turn_is_told_nothing_and_what_it_sends_is_passed_over() -> None:
    env = parallel_env("adasociety/contract-easy")
    arrays, _ = env.reset(seed=1)
    waiting = [name for name in env.agents if not arrays[name]["observation"].any()]
    assert len(waiting) == 3
    assert all(arrays[name]["action_mask"].sum() == 1 for name in waiting)


def test_an_answer_that_is_shut_is_the_games_default_and_one_that_is_none_is_refused() -> None:
    env = SeatEnv("dilemma", others="ALLC")
    arrays, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match="seat 0: action 999; a whole number from 0 to"):
        env.step(999)
    total, over = 0.0, False
    cooperates = arrays["action_mask"].size - 2
    while not over:
        arrays, paid, over, _, _ = env.step(cooperates)
        total += paid
    assert total == 3 * 200
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    with pytest.raises(Refused, match="TITT"):
        SeatEnv("dilemma", others="TITT")
    with pytest.raises(Refused, match="seats 0 to 1"):
        SeatEnv("dilemma", seat=2)


def test_numbers_keep_their_order_within_the_bounds_of_a_row() -> None:
    numbers = [-1e12, -3, 0, 0.5, 1, 2, 1000, 1e9, float("inf")]
    found = [told(number) for number in numbers]
    assert found == sorted(found)
    assert found[2] == 0
    assert abs(found[-1]) <= 255
    rows = [row({"round": round_}, 64).tobytes() for round_ in range(-400, 400)]
    assert len(set(rows)) == len(rows)
