"""The scores of an independent implementation: equal where nothing is drawn, within four standard errors elsewhere."""

from importlib import import_module
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig, Payoffs
from games.catalog.dilemma.policies import GenerousParams

TWINS = {
    "ALLC": "Cooperator",
    "ALLD": "Defector",
    "TFT": "TitForTat",
    "GRIM": "Grudger",
    "TF2T": "TitFor2Tats",
    "WSLS": "WinStayLoseShift",
    "GTFT": "GTFT",
    "RANDOM": "Random",
    "ZDGTFT2": "ZDGTFT2",
}
pytestmark = pytest.mark.timeout(600)
STOCHASTIC = {"GTFT", "RANDOM", "ZDGTFT2"}
PAYOFFS = [Payoffs(5, 3, 1, 0), Payoffs(4, 3, 2, 1)]
SAMPLES = 40


def ours(pair: tuple[str, str], payoffs: Payoffs, noise: float, seeds: range) -> list[tuple[float, float]]:
    t, r, p, s = payoffs
    config = DilemmaConfig(temptation=t, reward=r, punishment=p, sucker=s, noise_a=noise, noise_b=noise)
    matches = play_matches(config, [Match(Entrant(pair[0]), Entrant(pair[1]), seed) for seed in seeds])
    return list(zip(*matches.totals(), strict=True))


def axelrod() -> Any:
    """The library, whose import takes seconds and is left to the tests that need it."""
    return import_module("axelrod")


def player(name: str, payoffs: Payoffs) -> Any:
    """The library's GTFT fixes its generosity by the payoffs 5, 3, 1, 0 when it is made, so it is told."""
    if name == "GTFT":
        return axelrod().GTFT(p=GenerousParams().forgives(payoffs))
    return getattr(axelrod(), TWINS[name])()


def theirs(pair: tuple[str, str], payoffs: Payoffs, noise: float, seeds: range) -> list[tuple[float, float]]:
    t, r, p, s = payoffs
    game = axelrod().Game(r=r, s=s, t=t, p=p)
    scores = []
    for seed in seeds:
        players = player(pair[0], payoffs), player(pair[1], payoffs)
        match = axelrod().Match(players, turns=200, game=game, noise=noise, seed=seed)
        match.play()
        scores.append(match.final_score())
    return scores


@pytest.mark.parametrize("payoffs", PAYOFFS, ids=str)
def test_pairs_of_deterministic_strategies_score_exactly_alike(payoffs: Payoffs) -> None:
    plain = [name for name in TWINS if name not in STOCHASTIC]
    for pair in combinations_with_replacement(plain, 2):
        assert ours(pair, payoffs, 0, range(1)) == theirs(pair, payoffs, 0, range(1)), pair


@pytest.mark.parametrize("noise", [pytest.param(0.0, marks=pytest.mark.full), 0.05])
@pytest.mark.parametrize("payoffs", [PAYOFFS[0], pytest.param(PAYOFFS[1], marks=pytest.mark.full)], ids=str)
def test_expected_scores_agree_within_four_standard_errors(payoffs: Payoffs, noise: float) -> None:
    for pair in combinations_with_replacement(TWINS, 2):
        if not noise and not STOCHASTIC & set(pair):
            continue
        mine = np.array(ours(pair, payoffs, noise, range(2000)), dtype=float)
        known = np.array(theirs(pair, payoffs, noise, range(SAMPLES)), dtype=float)
        error = np.sqrt(mine.var(axis=0, ddof=1) / len(mine) + known.var(axis=0, ddof=1) / len(known))
        apart = np.abs(mine.mean(axis=0) - known.mean(axis=0))
        assert (apart <= 4 * error + 1e-9).all(), (pair, mine.mean(axis=0), known.mean(axis=0), error)
