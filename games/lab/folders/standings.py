"""Who did how well in a round robin of a game of two seats: from each match's measures to matrices, wins and rankings.

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

Cells: TypeAlias = dict[tuple[int, int], dict[int, float]]
"""A value a repetition, by row and column."""
Matrix: TypeAlias = list[list[float | None]]


class Outcome(NamedTuple):
    """One match that had a round: who met, in which repetition, and what is counted of seats 0 and 1, by matrix."""

    a: int
    b: int
    repetition: int
    values: Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Standing:
    """One entrant's result. Every scored opponent weighs the same; ``means`` are over matches against others."""

    entrant: int
    name: str
    mean_score: float | None
    median_score: float | None
    wins: int
    means: Mapping[str, float | None]


@dataclass(frozen=True)
class Standings:
    """What follows from the outcomes of a round robin.

    ``kinds``          what the outcomes hold values of; the first is the score
    ``counts_itself``  whether self-matches are scored
    """

    names: Sequence[str]
    outcomes: Sequence[Outcome]
    kinds: Sequence[str]
    counts_itself: bool = False

    @property
    def _numbers(self) -> range:
        return range(len(self.names))

    @cached_property
    def _cells(self) -> Mapping[str, Cells]:
        """By kind; a self-match gives its seats' mean."""
        found: dict[str, Cells] = {kind: defaultdict(dict) for kind in self.kinds}
        for a, b, repetition, values in self.outcomes:
            for kind, cells in found.items():
                of_a, of_b = values[kind]
                if a == b:
                    cells[a, a][repetition] = (of_a + of_b) / 2
                else:
                    cells[a, b][repetition] = of_a
                    cells[b, a][repetition] = of_b
        return found

    @cached_property
    def matrices(self) -> Mapping[str, Matrix]:
        """The mean of the row against the column, by kind; None where they did not meet."""
        return {kind: self._matrix(cells) for kind, cells in self._cells.items()}

    def _matrix(self, cells: Cells) -> Matrix:
        means = {pair: mean(list(values.values())) for pair, values in cells.items()}
        return [[means.get((i, j)) for j in self._numbers] for i in self._numbers]

    @cached_property
    def scores(self) -> list[list[float]]:
        """The score of each entrant in each repetition, over the opponents that count."""
        repetitions = sorted({outcome.repetition for outcome in self.outcomes})
        cells = self._cells[self.kinds[0]]
        scores = []
        for i in self._numbers:
            against = [cells[i, j] for j in self._numbers if (j != i or self.counts_itself) and (i, j) in cells]
            scored = [[met[number] for met in against if number in met] for number in repetitions]
            scores.append([statistics.fmean(values) for values in scored if values])
        return scores

    @cached_property
    def wins(self) -> list[int]:
        """Matches against another entrant with a higher score than the opponent's."""
        wins = [0] * len(self.names)
        for a, b, _, values in self.outcomes:
            of_a, of_b = values[self.kinds[0]]
            if a != b and of_a != of_b:
                wins[a if of_a > of_b else b] += 1
        return wins

    @cached_property
    def by_entry(self) -> list[Standing]:
        """Every entrant's standing, in the order of entry."""
        standings = []
        for i, name in enumerate(self.names):
            means = {kind: mean(self._against_others(i, self._cells[kind])) for kind in self.kinds[1:]}
            scores = self.scores[i]
            median = statistics.median(scores) if scores else None
            standings.append(Standing(i, name, mean(scores), median, self.wins[i], means))
        return standings

    def _against_others(self, i: int, cells: Cells) -> list[float]:
        return [value for j in self._numbers if j != i for value in cells.get((i, j), {}).values()]

    def ranking(self, by: Literal["mean", "median"] = "median") -> list[Standing]:
        """Best first; equals in the order of entry."""

        def score(entry: Standing) -> float:
            return (entry.mean_score if by == "mean" else entry.median_score) or 0.0

        return sorted(self.by_entry, key=score, reverse=True)

    def plain(self) -> dict[str, JSON]:
        """The matrices and the ranking by the mean, as the page of a run folder has them."""
        by_median = {entry.entrant: rank for rank, entry in enumerate(self.ranking("median"), 1)}
        ranking: list[JSON] = [
            {
                "entrant": entry.entrant,
                "by_mean": rank,
                "by_median": by_median[entry.entrant],
                "mean": entry.mean_score,
                "median": entry.median_score,
                "wins": entry.wins,
                **entry.means,
            }
            for rank, entry in enumerate(self.ranking("mean"), 1)
        ]
        return {"matrices": dict(self.matrices), "ranking": ranking}
