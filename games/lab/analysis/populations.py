"""What becomes of shares of strategies when who earns more is copied: on a payoff matrix, whatever game gave it.

``payoffs[i][j]`` is what strategy i earns against j, such as a tournament's mean scores. Sources: Taylor and Jonker,
"Evolutionary stable strategies and game dynamics" (1978); Moran, "Random processes in genetics" (1958); Nowak, Sasaki,
Taylor and Fudenberg, "Emergence of cooperation and evolutionary stability in finite populations" (2004); Nowak and May,
"Evolutionary games and spatial chaos" (1992); Watts and Strogatz, "Collective dynamics of small-world networks" (1998).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from games.core.rng import Rng

Shares: TypeAlias = NDArray[np.float64]
Neighbours: TypeAlias = Sequence[Sequence[int]]


def replicator(payoffs: ArrayLike, shares: ArrayLike, steps: int, dt: float = 0.01) -> Iterator[Shares]:
    """The shares at the start and after each step: dx_i/dt = x_i (what i earns less the mean), by Runge and Kutta's
    fourth order. Raises `ValueError` where the shares are none.

    Of several payoffs at once (CxNxN) it gives the shares by each (CxN), which all start from the same.
    """
    game, x = np.asarray(payoffs, dtype=float), np.asarray(shares, dtype=float)
    for one in game if game.ndim == 3 else [payoffs]:
        _square(one)
    if x.shape != game.shape[-1:] or (x < 0).any() or not np.isclose(x.sum(), 1):
        raise ValueError(f"shares are {x.tolist()}; give {game.shape[-1]} of at least 0 that sum to 1")

    def slope(at: Shares) -> Shares:
        if game.ndim == 2:
            earned = game @ at
            return np.asarray(at * (earned - at @ earned))
        earned = (game @ at[..., None])[..., 0]
        return np.asarray(at * (earned - (at * earned).sum(axis=-1, keepdims=True)))

    x = x if game.ndim == 2 else np.tile(x, (len(game), 1))
    yield x
    for _ in range(steps):
        one = slope(x)
        two = slope(x + dt / 2 * one)
        three = slope(x + dt / 2 * two)
        x = x + dt / 6 * (one + 2 * two + 2 * three + slope(x + dt * three))
        yield x


def fixation(payoffs: ArrayLike, size: int, selection: float = 1.0) -> float:
    """The chance that one of strategy 0 takes over ``size - 1`` of strategy 1 in Moran's process without mutation."""
    game = _square(payoffs, 2)
    fitness = [_fitness(game, np.array([i, size - i]), selection) for i in range(1, size)]
    return float(1 / (1 + np.cumprod([one[1] / one[0] for one in fitness]).sum()))


def moran(
    payoffs: ArrayLike, counts: Sequence[int], rng: Rng, steps: int, selection: float = 1.0, mutation: float = 0.0
) -> Iterator[NDArray[np.int64]]:
    """The counts at the start and after each birth, until one strategy is left where nothing mutates.

    Who gives birth is drawn by fitness, 1 less ``selection`` plus that share of what it earns on average against the
    others; who dies is drawn evenly; a child is with chance ``mutation`` of a strategy drawn evenly.
    """
    game, now = _square(payoffs), np.array(counts, dtype=np.int64)
    if now.shape != game.shape[:1] or (now < 0).any() or now.sum() < 2:
        raise ValueError(f"counts are {list(counts)}; give {len(game)} of at least 0, two members or more in all")
    yield now.copy()
    for step in range(steps):
        if not mutation and (now == now.sum()).any():
            return
        born = _drawn(now * _fitness(game, now, selection), rng.unit("born", step))
        if mutation and rng.chance(mutation, "mutates", step):
            born = rng.below(len(now), "mutant", step)
        dies = _drawn(now, rng.unit("dies", step))
        now[born] += 1
        now[dies] -= 1
        yield now.copy()


def lattice(rows: int, cols: int) -> list[list[int]]:
    """Of each cell of a torus, row by row, itself and the eight around it."""
    return [
        sorted({(row + down) % rows * cols + (col + right) % cols for down in (-1, 0, 1) for right in (-1, 0, 1)})
        for row in range(rows)
        for col in range(cols)
    ]


def small_world(size: int, nearest: int, rewired: float, rng: Rng) -> list[list[int]]:
    """Of each member of a ring itself and its ``nearest`` (an even number); each tie is moved with that chance."""
    if nearest % 2 or not 0 < nearest < size:
        raise ValueError(f"nearest is {nearest}; give an even number below {size}")
    ties: list[set[int]] = [{one} for one in range(size)]
    for far in range(1, nearest // 2 + 1):
        for one in range(size):
            other = (one + far) % size
            if len(ties[one]) < size - 1 and rng.chance(rewired, "rewired", one, far):
                drawn = (rng.below(size, "to", one, far, turn) for turn in count())
                other = next(new for new in drawn if new not in ties[one] and new != other)
            ties[one].add(other)
            ties[other].add(one)
    return [sorted(own) for own in ties]


def imitated(payoffs: ArrayLike, neighbours: Neighbours, strategies: Sequence[int], steps: int) -> Iterator[list[int]]:
    """Each member's strategy at the start and after each step: all play those whom they know, themselves among them
    where they are named, and copy who earned most there. Who earned as much as the best keeps its own; of several the
    first is copied."""
    game, now = _square(payoffs), list(strategies)
    yield list(now)
    for _ in range(steps):
        earned = [sum(game[now[one], now[other]] for other in known) for one, known in enumerate(neighbours)]
        best = [max([one, *known], key=lambda other: earned[other]) for one, known in enumerate(neighbours)]
        now = [now[other] for other in best]
        yield list(now)


def _square(payoffs: ArrayLike, size: int | None = None) -> Shares:
    game = np.asarray(payoffs, dtype=float)
    if game.ndim != 2 or game.shape[0] != game.shape[1] or size not in (None, len(game)):
        raise ValueError(f"payoffs have the shape {game.shape}; give a square, {size or 'n'} by {size or 'n'}")
    return game


def _fitness(game: Shares, counts: NDArray[Any], selection: float) -> Shares:
    """Of a member of each strategy, from what it earns on average against all others."""
    earned = (game @ counts - np.diag(game)) / (counts.sum() - 1)
    found = 1 - selection + selection * earned
    if (found[counts > 0] <= 0).any():
        raise ValueError(f"fitness is {found.tolist()}; weaken selection, or add a constant to the payoffs")
    return np.asarray(found)


def _drawn(weights: NDArray[Any], unit: float) -> int:
    return int(np.searchsorted(np.cumsum(weights), unit * weights.sum(), side="right"))
