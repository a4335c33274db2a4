"""The state of a match, what a seat may know of it, and what it may do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from games.catalog.dilemma.config import Labels, Move, Payoffs
from games.core.game import Number

Stage: TypeAlias = Literal["talk", "choose"]
Ending: TypeAlias = Literal["", "length", "chance", "cut", "void"]
"""Why the match is over: its fixed length, the stopping draw, ``max_rounds``, no valid answer; "" while it runs."""


@dataclass(frozen=True, slots=True)
class DilemmaState:
    """A match after some rounds.

    ``moves``   what A and B carried out, a letter a round, oldest first
    ``totals``  points of A and of B
    ``said``    this round's messages of A and B, once both are sent
    """

    moves: tuple[str, str] = ("", "")
    totals: tuple[Number, Number] = (0, 0)
    stage: Stage = "choose"
    said: tuple[str, str] | None = None
    ending: Ending = ""

    @property
    def played(self) -> int:
        """Rounds that are over."""
        return len(self.moves[0])


@dataclass(frozen=True, slots=True)
class Choice:
    """Cooperate or defect."""

    move: Move


@dataclass(frozen=True, slots=True)
class Say:
    """One message to the other seat; "" says nothing."""

    text: str


@dataclass(frozen=True, slots=True)
class Void:
    """No valid answer where the fallback is ``void``. Only cleaning makes it; it cannot be sent."""

    void: Literal[True] = True


Action: TypeAlias = Choice | Say | Void


class Observation(NamedTuple):
    """All that a seat may know before it answers.

    ``round`` is 1-based. ``mine`` and ``theirs`` are the moves carried out, the whole match long (policies remember
    everything; a model's transcript shows the last ``window`` rounds). ``totals`` is (mine, theirs), None where hidden;
    ``horizon``, ``rounds`` and ``stop_prob`` are None where the length is hidden or they do not apply.
    ``labels`` says what whoever sits here calls C and D.
    """

    stage: Stage
    round: int
    mine: str
    theirs: str
    payoffs: Payoffs
    totals: tuple[Number, Number] | None
    horizon: str | None
    rounds: int | None
    stop_prob: float | None
    noise: tuple[float, float]
    window: int
    said: tuple[str, str] | None
    talk_limit: int | None
    labels: Labels = "letters"

    def rounds_played(self) -> Iterator[tuple[Move, Move]]:
        """Own move and the other's, round by round."""
        return zip(self.mine, self.theirs, strict=True)  # type: ignore[arg-type]
