"""Round robins: every pair of entrants, so many times; what follows from them is in `standings`."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from games.catalog.dilemma.bulk import Matches
from games.catalog.dilemma.config import DilemmaConfig
from games.core.game import Number
from games.core.measures import ratio
from games.core.robin import RoundRobin, Seeds, SelfPlay
from games.lab.folders.standings import Outcome, Standings
from games.lab.pdbench.mixed import Agent, Pairing, name_of, play_pairings

PAYOFF, COOPERATION = "payoff", "cooperation"
"""What is counted of each match: points a round, and the share of C."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is to be played. ``seed`` gives every match its own, by pair and repetition."""

    config: DilemmaConfig
    entrants: tuple[Agent, ...]
    repetitions: int = 10
    seed: int = 1
    self_play: SelfPlay = "shown"
    pairing: Seeds = "independent"

    design: RoundRobin = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        design = RoundRobin(len(self.entrants), self.repetitions, self.seed, self.self_play, self.pairing)
        object.__setattr__(self, "design", design)

    def play(self) -> Results:
        design, seats = self.design, self.entrants
        cells = [(i, j, repetition) for i, j in design.pairs() for repetition in range(self.repetitions)]
        pairings = [Pairing(seats[i], seats[j], design.match_seed(i, j, repetition)) for i, j, repetition in cells]
        return Results(self, tuple(cells), play_pairings(self.config, pairings))


@dataclass(frozen=True)
class Results:
    """A tournament's matches and what follows from them. ``cells`` names each match: (A, B, repetition)."""

    tournament: Tournament
    cells: Sequence[tuple[int, int, int]]
    matches: Matches

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The entrants' names with their chances, made distinct by a number where they are the same."""
        payoffs = self.tournament.config.payoffs
        plain = [name_of(entrant, payoffs) for entrant in self.tournament.entrants]
        seen: dict[str, int] = defaultdict(int)
        names = []
        for name in plain:
            seen[name] += 1
            names.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
        return tuple(names)

    @cached_property
    def totals(self) -> tuple[list[Number], list[Number]]:
        return self.matches.totals()

    @cached_property
    def standings(self) -> Standings:
        """The matrices, scores, wins and rankings that follow from the matches."""
        rows = zip(self.cells, *self.totals, self.matches.counts().tolist(), self.matches.lengths.tolist(), strict=True)
        outcomes = [
            Outcome(i, j, repetition, {PAYOFF: (total_a / n, total_b / n), COOPERATION: ((cc + cd) / n, (cc + dc) / n)})
            for (i, j, repetition), total_a, total_b, (cc, cd, dc, _dd), n in rows
            if n
        ]
        return Standings(self.names, outcomes, (PAYOFF, COOPERATION), self.tournament.self_play == "scored")

    def replay(self, match: int) -> Matches:
        """One match alone, from its seed."""
        i, j, repetition = self.cells[match]
        seats, seed = self.tournament.entrants, self.tournament.design.match_seed(i, j, repetition)
        return play_pairings(self.tournament.config, [Pairing(seats[i], seats[j], seed)])

    def write(self, folder: Path) -> None:
        """``ranking.csv``, ``payoff_matrix.csv``, ``cooperation_matrix.csv`` and ``matches.csv``."""
        folder.mkdir(parents=True, exist_ok=True)
        by_mean = {entry.entrant: rank for rank, entry in enumerate(self.standings.ranking("mean"), 1)}
        ranked = self.standings.ranking("median")
        head = ["rank_by_median", "rank_by_mean", "name", "median_score", "mean_score", "wins", "cooperation"]
        rows: list[list[object]] = [
            [
                rank,
                by_mean[entry.entrant],
                entry.name,
                entry.median_score,
                entry.mean_score,
                entry.wins,
                entry.means[COOPERATION],
            ]
            for rank, entry in enumerate(ranked, 1)
        ]
        _write(folder / "ranking.csv", head, rows)
        for name, matrix in self.standings.matrices.items():
            named = [[self.names[i], *row] for i, row in enumerate(matrix)]
            _write(folder / f"{name}_matrix.csv", ["name", *self.names], named)
        _write(folder / "matches.csv", MATCH_COLUMNS, self._match_rows())

    def _match_rows(self) -> list[list[object]]:
        rows: list[list[object]] = []
        counts = self.matches.counts().tolist()
        for n, (i, j, repetition) in enumerate(self.cells):
            moves_a, moves_b = self.matches.moves(n)
            length, (cc, cd, dc, dd) = len(moves_a), counts[n]
            rows.append([
                n, i, j, repetition, self.matches.played[n].seed, self.names[i], self.names[j], length,
                self.totals[0][n], self.totals[1][n], ratio(cc + cd, length), ratio(cc + dc, length),
                cc, cd, dc, dd, moves_a, moves_b,
            ])  # fmt: skip
        return rows


MATCH_COLUMNS = [
    "match", "a", "b", "repetition", "seed", "name_a", "name_b", "rounds", "total_a", "total_b", "cooperation_a",
    "cooperation_b", "cc", "cd", "dc", "dd", "moves_a", "moves_b",
]  # fmt: skip


def _write(path: Path, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
