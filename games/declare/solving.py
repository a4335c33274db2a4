"""Nash equilibria of a table of pays, in exact numbers.

Pure ones of any number of players by looking at every cell. Of two players all extreme ones, mixed too, by the corners
of the polytopes of best replies: a pair of corners is an equilibrium where each choice is unused or a best reply. Every
equilibrium of two lies between extreme ones.

Source: N. Vorob'ev (1958) and O. Mangasarian, "Equilibrium Points of Bimatrix Games" (1964).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final, TypeAlias

Chances: TypeAlias = tuple[Fraction, ...]
Pays: TypeAlias = Mapping[tuple[int, ...], Sequence[Any]]
"""By what each player chooses, by number from 0, what each is paid."""
CHOICES_MAX: Final = 10
"""So many choices of two players together are solved for mixed equilibria: 252 corners to try on each side at most."""


def pure(pays: Pays, counts: Sequence[int]) -> list[tuple[int, ...]]:
    """The cells in which nobody gains by choosing otherwise alone, in the order of the table."""

    def is_best(cell: tuple[int, ...], player: int) -> bool:
        others = ((*cell[:player], other, *cell[player + 1 :]) for other in range(counts[player]))
        return all(pays[other][player] <= pays[cell][player] for other in others)

    players = range(len(counts))
    return [cell for cell in product(*map(range, counts)) if all(is_best(cell, player) for player in players)]


def extreme(pays: Pays, counts: Sequence[int]) -> list[tuple[Chances, Chances]] | None:
    """All extreme equilibria of two, pure ones among them, as chances; None beyond `CHOICES_MAX`."""
    if len(counts) != 2 or sum(counts) > CHOICES_MAX:
        return None
    rows, cols = counts
    ours = [[Fraction(pays[row, col][0]) for col in range(cols)] for row in range(rows)]
    theirs = [[Fraction(pays[row, col][1]) for row in range(rows)] for col in range(cols)]
    by_rows = _corners(_positive(theirs), rows, 0)
    by_cols = _corners(_positive(ours), cols, rows)
    everything = frozenset(range(rows + cols))
    found = [(x, y) for x, own in by_rows for y, other in by_cols if own | other == everything]
    return sorted(found, key=lambda pair: (_is_mixed(pair), [-chance for side in pair for chance in side]))


def _is_mixed(pair: tuple[Chances, Chances]) -> bool:
    return any(chance not in (0, 1) for side in pair for chance in side)


def _positive(table: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The same game with pays above nothing."""
    shift = 1 - min(min(row) for row in table)
    return [[pay + shift for pay in row] for row in table]


def _corners(replies: Sequence[Sequence[Fraction]], mine: int, first: int) -> list[tuple[Chances, frozenset[int]]]:
    """Corners but the origin of {x >= 0, replies·x <= 1}, scaled to chances, each with its labels.

    ``replies``  what each of the other's choices brings it, by my choices
    ``first``    the label of my first choice: 0 of the rows, the number of rows of the columns; the other's come after,
                 or before
    """
    theirs = len(replies)
    other = mine if first == 0 else 0
    identity = [[Fraction(int(row == col)) for col in range(mine)] for row in range(mine)]
    planes = [(row, Fraction(0), first + n) for n, row in enumerate(identity)]
    planes += [(list(row), Fraction(1), other + n) for n, row in enumerate(replies)]
    found: dict[Chances, frozenset[int]] = {}
    for tight in combinations(range(mine + theirs), mine):
        point = _solved([planes[n][0] for n in tight], [planes[n][1] for n in tight])
        if point is None or not any(point) or any(x < 0 for x in point):
            continue
        sums = [sum(a * x for a, x in zip(row, point, strict=True)) for row in replies]
        if any(total > 1 for total in sums):
            continue
        labels = {first + n for n, x in enumerate(point) if x == 0} | {other + n for n, s in enumerate(sums) if s == 1}
        whole = sum(point)
        found[tuple(x / whole for x in point)] = frozenset(labels)
    return list(found.items())


def _solved(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """The one solution of a square system by elimination; None where there is none, or more."""
    size = len(rows)
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for col in range(size):
        pivot = next((row for row in range(col, size) if table[row][col]), None)
        if pivot is None:
            return None
        table[col], table[pivot] = table[pivot], table[col]
        scale = table[col][col]
        table[col] = [value / scale for value in table[col]]
        for row in range(size):
            if row != col and table[row][col]:
                factor = table[row][col]
                table[row] = [a - factor * b for a, b in zip(table[row], table[col], strict=True)]
    return [table[row][size] for row in range(size)]
