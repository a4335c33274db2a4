import math

import numpy as np
import pytest

from games.catalog.dilemma import draws
from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core.agents import deciding
from games.core.engine import play


@pytest.mark.parametrize("p", [0.2, 0.02])
def test_geometric_lengths_have_no_zero_and_the_mean_one_over_p(p: float) -> None:
    n = 10_000
    lengths = draws.lengths(DilemmaConfig(horizon="geometric", stop_prob=p), draws.roots(range(n)))
    assert lengths.min() >= 1
    error = math.sqrt((1 - p) / p**2 / n)
    assert abs(lengths.mean() - 1 / p) < 4 * error
    shares = [np.mean(lengths == t) for t in (1, 2, 3)]
    for t, share in enumerate(shares, 1):
        expected = p * (1 - p) ** (t - 1)
        assert abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / n)


def test_a_certain_stop_leaves_one_round() -> None:
    lengths = draws.lengths(DilemmaConfig(horizon="geometric", stop_prob=1), draws.roots(range(50)))
    assert set(lengths.tolist()) == {1}


def test_lengths_are_those_of_play_and_the_same_whoever_plays() -> None:
    config = DilemmaConfig(horizon="geometric", stop_prob=0.1, noise_a=0.1)
    seeds = range(30)
    bulk = draws.lengths(config, draws.roots(seeds)).tolist()
    for pair in (("ALLC", "ALLC"), ("GTFT", "RANDOM")):
        deciders = {seat: deciding(POLICIES[name].bind()) for seat, name in enumerate(pair)}
        ends = [list(play(Dilemma(), config, seed, deciders))[-1].index for seed in seeds]
        assert ends == bulk


def test_a_length_is_cut_at_its_bound_in_bulk_too() -> None:
    config = DilemmaConfig(horizon="geometric", stop_prob=0.001, max_rounds=4)
    matches = play_matches(config, [Match(Entrant("TFT"), Entrant("ALLD"), seed) for seed in range(100)])
    assert matches.lengths.max() == 4
    assert matches.outcomes.shape == (4, 100)
