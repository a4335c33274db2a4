"""A round robin: who got how much against whom, who ranks where and how surely, and a rating."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from games.core.measures import mean
from games.core.rng import Rng
from games.lab.analysis.intervals import Description, describe
from games.lab.analysis.runs import Run

RESAMPLES = 2000
MEAN, SPREAD, DRIFT, LEAST_SHARE = 25.0, 25.0 / 3, 25.0 / 300, 0.0001
"""Of a rating: what nobody is known by, how much it may move between meetings, what is left of a variance at least."""


@dataclass(frozen=True, slots=True)
class Robin:
    """What was declared. ``seated`` gives for each condition the number of the entrant in each seat, None for others.

    ``counts_itself``  whether meetings of an entrant with itself count in its score
    """

    entrants: tuple[str, ...]
    seated: Mapping[str, tuple[int | None, ...]]
    counts_itself: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One entrant's place.

    ``score``              payoff a seat and meeting, every opponent weighing the same; its spread is over replicates
    ``rank``               by the mean score, 1 is best; equals share the better place
    ``rank_low, high``     between which ranks 95% of the resampled sets of replicates put it
    ``wins, draws, losses``  against each opponent in each meeting, by payoff a seat
    ``mu, sigma``          its rating by Plackett and Luce's model, and how unsure that is
    """

    entrant: int
    name: str
    rank: int
    score: Description
    rank_low: int
    rank_high: int
    wins: int
    draws: int
    losses: int
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Standings:
    """``matrix[row][col]``: what row got a seat in meetings with col, over replicates; None where they did not meet.

    ``cells[row][col]``  the conditions in which they met
    """

    names: tuple[str, ...]
    matrix: tuple[tuple[Description | None, ...], ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class _Meeting:
    condition: str
    replicate: int
    scores: Mapping[int, float]


def standings(robin: Robin, runs: Sequence[Run], seed: int = 1) -> Standings:
    """Who did how well. Runs of conditions that are no meeting are passed over.

    Rating: Weng and Lin, "A Bayesian approximation method for online ranking", JMLR 12 (2011), from the meetings
    in the order of replicates and conditions.
    """
    meetings = _meetings(robin, runs)
    numbers = range(len(robin.entrants))
    matrix = [[_cell(meetings, row, col) for col in numbers] for row in numbers]
    scores = {one: _scores(meetings, one, robin.counts_itself) for one in numbers}
    told = {one: describe(list(scores[one].values())) for one in numbers}
    ranks = _ranks([told[one].mean for one in numbers])
    spans = _rank_spans([scores[one] for one in numbers], seed)
    ratings = _ratings(len(robin.entrants), meetings)
    places = [
        Place(one, robin.entrants[one], ranks[one], told[one], *spans[one], *_tally(meetings, one), *ratings[one])
        for one in numbers
    ]
    cells = tuple(tuple(_where(robin, row, col) for col in numbers) for row in numbers)
    ordered = sorted(places, key=lambda place: (place.rank, place.entrant))
    return Standings(robin.entrants, tuple(tuple(row) for row in matrix), cells, tuple(ordered))


def entrant_values(robin: Robin, runs: Sequence[Run], entrant: str, metric: str) -> list[float | None]:
    """An entrant's ``score`` or ``rank`` in each replicate, in their order; None in a replicate without its score."""
    meetings = _meetings(robin, runs)
    scores = [_scores(meetings, one, robin.counts_itself) for one in range(len(robin.entrants))]
    own = scores[robin.entrants.index(entrant)]
    replicates = sorted({meeting.replicate for meeting in meetings})
    if metric == "score":
        return [own.get(replicate) for replicate in replicates]
    return [
        1.0 + sum(one.get(replicate, float("-inf")) > own[replicate] for one in scores) if replicate in own else None
        for replicate in replicates
    ]


def _meetings(robin: Robin, runs: Sequence[Run]) -> list[_Meeting]:
    """Each run's payoff a seat by entrant, in the order of replicates."""
    found = []
    order = {name: number for number, name in enumerate(robin.seated)}
    for run in sorted((run for run in runs if run.condition in order), key=lambda r: (r.replicate, order[r.condition])):
        got: dict[int, list[float]] = {}
        for entrant, payoff in zip(robin.seated[run.condition], run.payoffs, strict=True):
            if entrant is not None:
                got.setdefault(entrant, []).append(payoff)
        found.append(_Meeting(run.condition, run.replicate, {one: sum(all_) / len(all_) for one, all_ in got.items()}))
    return found


def _against(meeting: _Meeting, one: int) -> list[int]:
    """The entrants that one meets there: the others, or itself where it sits in every seat."""
    if one not in meeting.scores:
        return []
    return [other for other in meeting.scores if other != one] or [one]


def _where(robin: Robin, row: int, col: int) -> tuple[str, ...]:
    wanted = {row, col}
    return tuple(
        name
        for name, seats in robin.seated.items()
        if (found := {one for one in seats if one is not None}) >= wanted and (row != col or found == wanted)
    )


def _cell(meetings: Sequence[_Meeting], row: int, col: int) -> Description | None:
    by_replicate: dict[int, list[float]] = {}
    for meeting in meetings:
        if col in _against(meeting, row):
            by_replicate.setdefault(meeting.replicate, []).append(meeting.scores[row])
    return describe([mean(got) for got in by_replicate.values()]) if by_replicate else None


def _scores(meetings: Sequence[_Meeting], one: int, counts_itself: bool) -> dict[int, float]:
    """By replicate: the mean over opponents of the mean over meetings."""
    got: dict[int, dict[int, list[float]]] = {}
    for meeting in meetings:
        for other in _against(meeting, one):
            if other != one or counts_itself:
                got.setdefault(meeting.replicate, {}).setdefault(other, []).append(meeting.scores[one])
    return {
        replicate: sum(sum(found) / len(found) for found in against.values()) / len(against)
        for replicate, against in got.items()
    }


def _ranks(scores: Sequence[float | None]) -> list[int]:
    known = [score for score in scores if score is not None]
    return [len(scores) if score is None else 1 + sum(other > score for other in known) for score in scores]


def _rank_spans(scores: Sequence[Mapping[int, float]], seed: int) -> list[tuple[int, int]]:
    """Percentiles of each entrant's rank over resampled replicates, drawn under the key of ``seed``."""
    common = sorted(set.intersection(*(set(one) for one in scores))) if scores else []
    if not common:
        return [(1, len(scores))] * len(scores)
    table = np.array([[one[replicate] for replicate in common] for one in scores])
    draws = np.random.Generator(np.random.PCG64(Rng.root(seed).bits("ranks")))
    chosen = draws.integers(0, len(common), size=(RESAMPLES, len(common)))
    means = table[:, chosen].mean(axis=2)
    ranks = 1 + (means[None, :, :] > means[:, None, :] + 1e-12).sum(axis=1)
    low, high = np.percentile(ranks, [2.5, 97.5], axis=1, method="inverted_cdf")
    return [(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def _tally(meetings: Sequence[_Meeting], one: int) -> tuple[int, int, int]:
    pairs = [
        (meeting.scores[one], meeting.scores[other])
        for meeting in meetings
        for other in _against(meeting, one)
        if other != one
    ]
    wins, losses = sum(own > theirs for own, theirs in pairs), sum(own < theirs for own, theirs in pairs)
    return wins, len(pairs) - wins - losses, losses


def _ratings(entrants: int, meetings: Sequence[_Meeting]) -> list[tuple[float, float]]:
    held = [(MEAN, SPREAD)] * entrants
    for meeting in meetings:
        met = sorted(meeting.scores, key=lambda one: -meeting.scores[one])
        if len(met) > 1:
            told = _rated([held[one] for one in met], [meeting.scores[one] for one in met])
            for one, rating in zip(met, told, strict=True):
                held[one] = rating
    return held


def _rated(held: Sequence[tuple[float, float]], scores: Sequence[float]) -> list[tuple[float, float]]:
    """Means and spreads after one meeting of several, the best first: algorithm 4 of Weng and Lin (Plackett-Luce)."""
    variances = [spread**2 + DRIFT**2 for _, spread in held]
    c = math.sqrt(sum(one + (SPREAD / 2) ** 2 for one in variances))
    strengths = [math.exp(mu / c) for mu, _ in held]
    below = [sum(s for s, other in zip(strengths, scores, strict=True) if other <= score) for score in scores]
    told = []
    for i, ((mu, _), variance) in enumerate(zip(held, variances, strict=True)):
        omega = delta = 0.0
        for q, score in enumerate(scores):
            if score >= scores[i]:
                chance, tied = strengths[i] / below[q], scores.count(score)
                omega += ((q == i) - chance) / tied
                delta += chance * (1 - chance) / tied
        shrunk = max(1 - delta * variance / c**2 * math.sqrt(variance) / c, LEAST_SHARE)
        told.append((mu + omega * variance / c, math.sqrt(variance * shrunk)))
    return told
