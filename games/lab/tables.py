"""What a table of pays is: equilibria, best replies, dominated moves, efficient cells; and a match of bots in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Final

from games.core.rng import Rng
from games.declare.gambit import Normal
from games.declare.gambitwriting import write_nfg
from games.declare.solving import extreme, pure
from games.errors.faults import Refused, among

ROUNDS_MAX: Final = 1000
WORK_MAX: Final = 100_000
"""Rounds times cells times players of a match: what takes a second at most."""
MIXED_MAX: Final = 20
"""So many equilibria are told."""
Row = tuple[int, ...]
Bot = Callable[["Match", int], int]


class Match:
    """A match of bots: what was played so far, by round and player."""

    def __init__(self, game: Normal, seed: int) -> None:
        self.game, self.counts = game, [len(one) for one in game.choices]
        self.players = range(len(self.counts))
        self.rows: list[Row] = []
        self.rng = Rng.root(seed)
        self.seen = [[1] * many for many in self.counts]
        """By player how often each move was seen, each once to begin with."""
        self.mixed = extreme(game.pays, self.counts) or ()

    def worth(self, player: int, move: int, chances: Sequence[Sequence[int]]) -> Fraction:
        """What a move brings where the others' moves have these weights."""
        others = [range(many) if at != player else (move,) for at, many in enumerate(self.counts)]
        total = Fraction()
        for cell in product(*others):
            weight = prod(chances[at][one] for at, one in enumerate(cell) if at != player)
            total += weight * self.game.pays[cell][player] if weight else 0
        return total

    def best(self, player: int, chances: Sequence[Sequence[int]]) -> int:
        """The first of the moves that bring most."""
        return max(range(self.counts[player]), key=lambda move: (self.worth(player, move, chances), -move))

    def drawn(self, player: int, chances: Sequence[Any]) -> int:
        unit, total = self.rng.unit("bot", len(self.rows), player), 0.0
        for move, chance in enumerate(chances):
            total += float(chance)
            if unit < total:
                return move
        return len(chances) - 1

    def play(self, bots: Sequence[Bot], rounds: int) -> None:
        for _ in range(rounds):
            row = tuple(bot(self, player) for player, bot in enumerate(bots))
            self.rows.append(row)
            for player, move in enumerate(row):
                self.seen[player][move] += 1


def _uniform(match: Match, player: int) -> int:
    return match.drawn(player, [Fraction(1, match.counts[player])] * match.counts[player])


def _fictitious(match: Match, player: int) -> int:
    return match.best(player, match.seen)


def _replying(match: Match, player: int) -> int:
    if not match.rows:
        return _uniform(match, player)
    last = match.rows[-1]
    return match.best(player, [[int(move == last[at]) for move in range(n)] for at, n in enumerate(match.counts)])


def _equilibrium(match: Match, player: int) -> int:
    if match.mixed:
        return match.drawn(player, match.mixed[0][player])
    cells = pure(match.game.pays, match.counts)
    return cells[0][player] if cells else _uniform(match, player)


def _efficient(match: Match, player: int) -> int:
    return max(match.game.pays, key=lambda cell: sum(match.game.pays[cell]))[player]


BOTS: Final[dict[str, Bot]] = {
    "beliefs": _fictitious,
    "reply": _replying,
    "equilibrium": _equilibrium,
    "efficient": _efficient,
    "random": _uniform,
}
"""Best reply to how often others did what (Brown 1951), to what they did last, an equilibrium's chances, the efficient
cell, evenly."""


def told(game: Normal, bots: Sequence[str] = (), rounds: int = 100, seed: int = 1) -> dict[str, Any]:
    """All of it as JSON, exact numbers as text. Raises `Refused` for a bot that there is not, or too long a match."""
    counts = [len(one) for one in game.choices]
    cells = list(product(*map(range, counts)))
    most = max(sum(game.pays[cell]) for cell in cells)
    return {
        "title": game.title,
        "about": game.about,
        "players": [name or chr(ord("A") + at) for at, name in enumerate(game.players)],
        "choices": [list(one) for one in game.choices],
        "cells": [
            {
                "at": list(cell),
                "pays": list(map(str, game.pays[cell])),
                "total": str(sum(game.pays[cell])),
                "best": _best(game, cell, counts),
                "efficient": sum(game.pays[cell]) == most,
            }
            for cell in cells
        ],
        **_equilibria(game, counts),
        "dominated": [dict(zip(("player", "move", "by"), one, strict=True)) for one in _dominated(game, counts)],
        "nfg": write_nfg(game),
        "match": _match(game, bots, rounds, seed) if bots else None,
    }


def _best(game: Normal, cell: Row, counts: Sequence[int]) -> list[bool]:
    """Of each player, whether nothing else of its own would pay more there."""
    return [
        all(game.pays[(*cell[:at], other, *cell[at + 1 :])][at] <= game.pays[cell][at] for other in range(many))
        for at, many in enumerate(counts)
    ]


def _equilibria(game: Normal, counts: Sequence[int]) -> dict[str, Any]:
    """Pure ones; of two players all extreme ones. ``whole``: whether mixed ones were looked for as well."""
    found = extreme(game.pays, counts)
    if found is None:
        sure = [[[Fraction(int(n == move)) for n in range(many)] for move, many in zip(c, counts, strict=True)]
                for c in pure(game.pays, counts)]  # fmt: skip
    else:
        sure = [list(map(list, pair)) for pair in found]
    rows = []
    for chances in sure[:MIXED_MAX]:
        pays = [Fraction()] * len(counts)
        for cell in product(*map(range, counts)):
            weight = prod((one[move] for one, move in zip(chances, cell, strict=True)), start=Fraction(1))
            if weight:
                pays = [own + weight * more for own, more in zip(pays, game.pays[cell], strict=True)]
        is_pure = all(chance in (0, 1) for one in chances for chance in one)
        rows.append(
            {"pure": is_pure, "chances": [list(map(str, one)) for one in chances], "pays": list(map(str, pays))}
        )
    return {"equilibria": rows, "whole": found is not None, "many": len(sure)}


def _dominated(game: Normal, counts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Player, move, and the move that pays it more whatever the others do."""
    found = []
    for player, many in enumerate(counts):
        rest = list(product(*(range(n) if at != player else (0,) for at, n in enumerate(counts))))
        rows = [[game.pays[(*r[:player], move, *r[player + 1 :])][player] for r in rest] for move in range(many)]
        for move, mine in enumerate(rows):
            above = [n for n, row in enumerate(rows) if all(x < y for x, y in zip(mine, row, strict=True))]
            found += [(player, move, above[0])] if above else []
    return found


def _match(game: Normal, bots: Sequence[str], rounds: int, seed: int) -> dict[str, Any]:
    players = len(game.choices)
    if len(bots) != players:
        raise Refused(f"bots: {len(bots)} for {players} players; one for each")
    for name in bots:
        if name not in BOTS:
            raise Refused(f"bots: {name!r}: there is none of that name; {among(name, BOTS)}")
    work = rounds * len(game.pays) * players
    if not 1 <= rounds <= ROUNDS_MAX or work > WORK_MAX:
        most = min(ROUNDS_MAX, WORK_MAX // (len(game.pays) * players))
        raise Refused(f"rounds: {rounds}; 1 to {most} in a table of {len(game.pays)} cells")
    match = Match(game, seed)
    match.play([BOTS[name] for name in bots], rounds)
    sums = [sum((game.pays[row][at] for row in match.rows), Fraction()) for at in match.players]
    return {
        "moves": [list(row) for row in match.rows],
        "earned": [float(one / rounds) for one in sums],
        "counts": [{"at": list(cell), "times": match.rows.count(cell)} for cell in game.pays if cell in match.rows],
    }
