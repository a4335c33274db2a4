"""Who did how well in a round robin: from each match's points and cooperation to matrices, wins and rankings.

Source of the conventions: Axelrod, "Effective choice in the Prisoner's Dilemma" (1980), and the `axelrod` library:
self-matches may be shown without being scored.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from games.core.answers import JSON
from games.core.measures import mean
from games.core.pack import Meeting

Cells: TypeAlias = dict[tuple[int, int], dict[int, float]]
"""A value a repetition, by row and column."""
Matrix: TypeAlias = list[list[float | None]]


class Outcome(NamedTuple):
    """One match that had a round: who met, in which repetition, points a round and shares of C of A and of B."""

    a: int
    b: int
    repetition: int
    points: tuple[float, float]
    shares: tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """One entrant's result. Scores are points a round, every scored opponent weighing the same."""

    entrant: int
    name: str
    mean_score: float | None
    median_score: float | None
    wins: int
    cooperation: float | None


@dataclass(frozen=True)
class Standings:
    """What follows from the outcomes of a round robin. ``counts_itself``: whether self-matches are scored."""

    names: Sequence[str]
    outcomes: Sequence[Outcome]
    counts_itself: bool = False

    @cached_property
    def _numbers(self) -> range:
        return range(len(self.names))

    def _cells(self, values: Sequence[tuple[float, float]]) -> Cells:
        """By row, column and repetition; a self-match gives its seats' mean."""
        cells: Cells = defaultdict(dict)
        for one, (of_a, of_b) in zip(self.outcomes, values, strict=True):
            if one.a == one.b:
                cells[one.a, one.a][one.repetition] = (of_a + of_b) / 2
            else:
                cells[one.a, one.b][one.repetition] = of_a
                cells[one.b, one.a][one.repetition] = of_b
        return cells

    @cached_property
    def _points(self) -> Cells:
        return self._cells([one.points for one in self.outcomes])

    @cached_property
    def _shares(self) -> Cells:
        return self._cells([one.shares for one in self.outcomes])

    @cached_property
    def payoff_matrix(self) -> Matrix:
        """Mean points a round to the row against the column; None where they did not meet."""
        return self._matrix(self._points)

    @cached_property
    def cooperation_matrix(self) -> Matrix:
        """Mean share of C of the row against the column; None where they did not meet."""
        return self._matrix(self._shares)

    def _matrix(self, cells: Cells) -> Matrix:
        means = {pair: mean(list(values.values())) for pair, values in cells.items()}
        return [[means.get((i, j)) for j in self._numbers] for i in self._numbers]

    @cached_property
    def scores(self) -> list[list[float]]:
        """Points a round of each entrant in each repetition, over the opponents that count; without void matches."""
        repetitions = sorted({one.repetition for one in self.outcomes})
        scores = []
        for i in self._numbers:
            against = [
                self._points[i, j] for j in self._numbers if (j != i or self.counts_itself) and (i, j) in self._points
            ]
            won = [[met[number] for met in against if number in met] for number in repetitions]
            scores.append([statistics.fmean(points) for points in won if points])
        return scores

    @cached_property
    def wins(self) -> list[int]:
        """Matches against another entrant with more points than the opponent."""
        wins = [0] * len(self.names)
        for one in self.outcomes:
            if one.a != one.b and one.points[0] != one.points[1]:
                wins[one.a if one.points[0] > one.points[1] else one.b] += 1
        return wins

    @cached_property
    def by_entry(self) -> list[Standing]:
        """Every entrant's standing, in the order of entry."""
        standings = []
        for i, name in enumerate(self.names):
            met = [share for j in self._numbers if j != i for share in self._shares.get((i, j), {}).values()]
            scores = self.scores[i]
            median = statistics.median(scores) if scores else None
            standings.append(Standing(i, name, mean(scores), median, self.wins[i], mean(met)))
        return standings

    def ranking(self, by: Literal["mean", "median"] = "median") -> list[Standing]:
        """Best first; equals in the order of entry."""
        return sorted(self.by_entry, key=lambda one: -((one.mean_score if by == "mean" else one.median_score) or 0.0))


def robin(names: Sequence[str], meetings: Sequence[Meeting], counts_itself: bool) -> Mapping[str, JSON]:
    """A run folder's round robin, from the measures of its matches; void matches count no round."""
    outcomes = [
        Outcome(
            one.a,
            one.b,
            one.replicate,
            (one.metrics["mean_payoff_a"], one.metrics["mean_payoff_b"]),
            (one.metrics["cooperation_rate_a"], one.metrics["cooperation_rate_b"]),
        )
        for one in meetings
        if one.metrics.get("mean_payoff_a") is not None and one.metrics.get("cooperation_rate_a") is not None
    ]
    held = Standings(names, outcomes, counts_itself)
    by_median = {one.entrant: rank for rank, one in enumerate(held.ranking("median"), 1)}
    return {
        "matrices": {"payoff": held.payoff_matrix, "cooperation": held.cooperation_matrix},
        "ranking": [
            {
                "entrant": one.entrant,
                "by_mean": rank,
                "by_median": by_median[one.entrant],
                "mean": one.mean_score,
                "median": one.median_score,
                "wins": one.wins,
                "cooperation": one.cooperation,
            }
            for rank, one in enumerate(held.ranking("mean"), 1)
        ],
    }
