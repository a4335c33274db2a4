"""The baselines: random play, the crew, the loner."""

from __future__ import annotations

from collections import Counter

import pytest

from games.catalog.adasociety.crew import bargain
from games.catalog.adasociety.observe import observe
from games.catalog.adasociety.parity import PAPER, episodes, interval, measured
from games.catalog.adasociety.policies import BLIND, RANDOM
from games.catalog.adasociety.presets import preset_config
from games.catalog.adasociety.tests.build import held, start, step, world
from games.core.rng import Rng


def test_random_takes_every_legal_action_equally_often() -> None:
    config = world("0H . .\n. . .\n. . .", piles={(0, 0): ("wood", 2)})
    state = held(config, start(config), s0={"wood": 1, "stone": 1})
    observation = observe(config, state, 0)
    play = RANDOM.bind()
    taken = Counter(play(observation, None, Rng(key))[0] for key in range(9000))
    assert set(taken) == set(observation.legal())
    expected = 9000 / len(taken)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in taken.values()), taken


def test_blind_takes_every_physical_action_equally_often_legal_or_not() -> None:
    config = world("0 . .\n. . .\n. . .")
    observation = observe(config, held(config, start(config)), 0)
    play = BLIND.bind()
    taken = Counter(play(observation, None, Rng(key))[0] for key in range(9000))
    assert len(taken) == 6 + 2 * 6


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_loner_earns_the_noncooperative_optimum_of_the_easy_task(seed: int) -> None:
    """Two carpenters with one hammer of 5 and 38 units of wood and stone between them: 46 of 200."""
    for summary in episodes(preset_config("contract-easy"), "loner", [seed]):
        assert summary["total_reward"] == 46


def test_the_crew_brings_all_into_one_group_by_negotiation() -> None:
    config = preset_config("negotiation-hard")
    state = start(config)
    while state.step < config.social_steps:
        from games.catalog.adasociety.tests.build import GAME

        turn = GAME.turn(config, state)
        assert turn is not None
        actions = {f"s{seat}": bargain(observe(config, state, seat)) for seat in turn.seats}
        state = step(config, state, **actions).state
    assert [len(members) for members in state.graph.members.values()] == [8]
    weights = [weight for _, weight in next(iter(state.graph.members.values()))]
    assert weights == [125_000_000] * 8


def test_the_crew_passes_the_loner_by_far_in_both_tasks() -> None:
    for preset in ("contract-easy", "contract-hard"):
        together, alone = (measured(preset, policy, 3).mean for policy in ("crew", "loner"))
        assert together > 3 * alone


def test_an_interval_is_students() -> None:
    mean, half = interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.302652729749464 / 3**0.5)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("preset", "paper"), [(preset, paper) for preset, policy, paper, _ in PAPER if policy == "random"]
)
def test_random_lies_near_the_papers_random(preset: str, paper: float) -> None:
    """Within a third of the paper's value or its last digit: the whole world, checked at once."""
    row = measured(preset, "random", 40 if preset == "exploration" else 400)
    assert abs(row.mean - paper) < max(paper / 3, 0.0001), row


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("preset", "least"),
    [("contract-easy", 0.91), ("contract-hard", 0.65), ("negotiation-easy", 0.87), ("negotiation-hard", 0.69)],
)
def test_the_crew_reaches_the_papers_best_rows(preset: str, least: float) -> None:
    assert measured(preset, "crew", 40).low > least
