"""A round robin as a design: who meets whom, and the seed of every match, whatever the game of two seats."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Literal, TypeAlias

from games.core.rng import Rng

SelfPlay: TypeAlias = Literal["none", "shown", "scored"]
"""Self-matches: not played; played and in the matrices only; or counted in scores and ranking too."""
Seeds: TypeAlias = Literal["independent", "common"]
"""Seeds of the matches: each its own, or one a repetition, shared by all pairs so that their luck is the same."""


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """``entrants`` of them meet in pairs, by number from 0, ``repetitions`` times each. Raises ValueError."""

    entrants: int
    repetitions: int = 10
    seed: int = 1
    self_play: SelfPlay = "shown"
    pairing: Seeds = "independent"

    def __post_init__(self) -> None:
        if self.entrants < 2:
            raise ValueError(f"entrants: {self.entrants}; at least 2")
        if self.repetitions < 1:
            raise ValueError(f"repetitions: {self.repetitions}; at least 1")

    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom, the lower number in seat 0."""
        numbers = range(self.entrants)
        return list(combinations(numbers, 2) if self.self_play == "none" else combinations_with_replacement(numbers, 2))

    def match_seed(self, i: int, j: int, repetition: int) -> int:
        """The seed from which this match can be replayed by itself. Repetitions count from 0."""
        root = Rng.root(self.seed)
        if self.pairing == "common":
            return root.bits("repetition", repetition)
        return root.bits("match", i, j, repetition)

    def seeds(self, i: int, j: int) -> tuple[int, ...]:
        """The seeds of a pair's matches, in the order of the repetitions."""
        return tuple(self.match_seed(i, j, repetition) for repetition in range(self.repetitions))
