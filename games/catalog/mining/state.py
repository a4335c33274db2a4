"""The world between two rounds, and the plans that change it. All values are frozen; plots are numbered row by row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field

from games.core.game import Seat
from games.core.values import Carrier, swift

Cell: TypeAlias = tuple[int, int]
"""(row, column), from (0, 0)."""
Plot: TypeAlias = int
Kind: TypeAlias = Literal["claim", "raid", "defend", "mine"]
KINDS: Final[tuple[Kind, ...]] = ("claim", "raid", "defend", "mine")
"""In the order of the source's answer fields."""
Origin: TypeAlias = Literal["own", "none", "drawn"]
"""Whose plan it is: the seat's own; none came and the seat does nothing; drawn from the seed (`rationalisation`)."""
NOBODY: Final = -1
IN_ORDER: Final = Field(union_mode="left_to_right")
"""What is stored is read as the first of these kinds that fits: thrice as fast as finding the one that fits best."""


LAND: Final[Callable[[Any], tuple[Any, Any, Any, Any, Any, Any]]] = attrgetter(
    "owners", "since", "first", "immune_until", "alpha", "stamina"
)
"""What of a state is public and stands in this order."""


# --- plans ----------------------------------------------------------------------------------------


@swift
@dataclass(frozen=True, slots=True)
class Item:
    """One action of a plan. ``s`` is the stamina it takes: always 1 for a claim and a raid."""

    type: Kind
    cell: Cell
    s: int = 1


@dataclass(frozen=True, slots=True)
class Malformed:
    """A part of an answer that is no item or message: what stood there, in short, and which part is not readable."""

    text: str
    part: Literal["type", "cell", "stamina", "text", "recipients"]


@dataclass(frozen=True, slots=True)
class Message:
    """``to`` None means everyone."""

    to: tuple[Seat, ...] | None
    text: str


@swift
@dataclass(frozen=True, slots=True)
class Plan:
    """A seat's answer: items in order of priority, and messages. ``unread`` counts items beyond what is read at all."""

    items: tuple[Annotated[Item | Malformed, IN_ORDER], ...] = ()
    messages: tuple[Annotated[Message | Malformed, IN_ORDER], ...] = ()
    origin: Origin = "own"
    unread: int = 0

    def spent(self) -> dict[Kind, int]:
        """Stamina by kind of action."""
        spent = dict.fromkeys(KINDS, 0)
        for item in self.items:
            if isinstance(item, Item):
                spent[item.type] += item.s
        return spent


# --- what a round leaves behind -------------------------------------------------------------------


@swift
@dataclass(frozen=True, slots=True)
class Claim:
    """A plot that was claimed. ``claimants`` in seat order; the winner was drawn where they are several."""

    plot: Plot
    winner: Seat
    claimants: tuple[Seat, ...]


@swift
@dataclass(frozen=True, slots=True)
class Raid:
    """The raids on one plot. ``owner`` held it when they came; ``raiders`` in seat order.

    taken: ``winner`` is the new owner, drawn where the raiders are several. repelled: the defence held.
    void: the plot was nobody's, or the raider's own by then (immunity window 0 only). ``winner`` is NOBODY in both.
    """

    plot: Plot
    owner: Seat
    raiders: tuple[Seat, ...]
    outcome: Literal["taken", "repelled", "void"]
    winner: Seat = NOBODY


@swift
@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a captured plot at the round's end: back to its first possessor, or left with the captor."""

    plot: Plot
    captor: Seat
    first: Seat
    restored: bool


@swift
@dataclass(frozen=True, slots=True)
class RoundRecord:
    """What everybody learns of a round. Plots ascend in each part. ``output`` is the gold mined by all together."""

    claims: tuple[Claim, ...] = ()
    raids: tuple[Raid, ...] = ()
    defended: tuple[Plot, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    output: int = 0

    @property
    def claim_count(self) -> int:
        """How many claimed, those who lost a draw among them."""
        return sum([len(claim.claimants) for claim in self.claims])

    @property
    def raid_count(self) -> int:
        """How many raided, each contender counted."""
        return sum([len(raid.raiders) for raid in self.raids])

    @property
    def capture_count(self) -> int:
        return len([raid for raid in self.raids if raid.outcome == "taken"])


# --- the world ------------------------------------------------------------------------------------


@swift
@dataclass(frozen=True, slots=True)
class MiningState(Carrier):
    """The world after ``round`` rounds.

    By plot: ``owners`` (NOBODY: unowned), ``since`` the round in which the owner came to it (0: unowned), ``first`` its
    first possessor ever, ``immune_until`` the last round in which it may not be raided (0: none), ``alpha`` gold per
    stamina. By seat: ``stamina`` per round, ``gold`` so far (private), ``challenged`` the last round in which a plot
    of the seat was raided (0: never). ``treasury`` holds taxes and fines. ``last`` is the last round's public record.
    """

    round: int
    owners: tuple[Seat, ...]
    since: tuple[int, ...]
    first: tuple[Seat, ...]
    immune_until: tuple[int, ...]
    alpha: tuple[int, ...]
    stamina: tuple[int, ...]
    gold: tuple[int, ...]
    challenged: tuple[int, ...]
    treasury: int = 0
    last: RoundRecord = RoundRecord()
