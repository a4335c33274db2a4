"""Strategies as small probabilistic automata: one definition for play round by round and for tables in bulk.

A machine cooperates with a probability that depends on its state, and moves to its next state by what both carried
out. Its first state is 0. Outcomes are numbered from its own side: 0 CC, 1 CD, 2 DC, 3 DD (own move first).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from games.core.rng import Rng

FourVector: TypeAlias = tuple[float, float, float, float]
"""P(cooperate) after CC, CD, DC and DD, own move first. Source: Nowak and Sigmund, "The evolution of stochastic
strategies in the Prisoner's Dilemma", Acta Applicandae Mathematicae 20 (1990)."""

MOVE_DRAW: Final = "move"
"""Label of the draw by which a seat's machine mixes; made under the seat's own key of the step."""


@dataclass(frozen=True, slots=True)
class Machine:
    """``cooperates[s]`` is the chance of C in state s; ``after[s][outcome]`` the state that follows."""

    cooperates: tuple[float, ...]
    after: tuple[tuple[int, int, int, int], ...]

    def next(self, state: int, own: str, opponent: str) -> int:
        return self.after[state][2 * (own == "D") + (opponent == "D")]

    def is_cooperating(self, state: int, rng: Rng) -> bool:
        """Whether it plays C now. Draws only where it mixes."""
        chance = self.cooperates[state]
        if chance == 1 or chance == 0:
            return chance == 1
        return rng.chance(chance, MOVE_DRAW)


def memory_one(first: float, vector: FourVector) -> Machine:
    """Remembers the last round only. States: 0 at the start, then 1 to 4 for CC, CD, DC, DD."""
    return Machine((first, *vector), ((1, 2, 3, 4),) * 5)


def reactive(first: float, after_c: float, after_d: float) -> Machine:
    """Remembers the opponent's last move only. States: 0 at the start, 1 after C, 2 after D."""
    return Machine((first, after_c, after_d), ((1, 2, 1, 2),) * 3)
