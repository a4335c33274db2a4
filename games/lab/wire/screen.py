"""The shapes of a session's screen: what may be projected into a room. No payments, no single moves."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

SeatStands: TypeAlias = Literal["moved", "deciding", "away", "substituted", "program"]
"""Whether a seat has moved in the round that is open, and where it has not, why: never what."""
Phase: TypeAlias = Literal["gathering", "playing", "paused", "between", "over"]


class PayTableOut(TypedDict):
    """Points by what both choose."""

    title: str
    columns: list[str]
    rows: list[str]
    cells: Annotated[list[list[list[float]]], Field(description="By row and column: one's own points, the other's.")]


class ShortRules(TypedDict):
    name: Annotated[str, Field(description='What players are told that the game is called; "": by its own name.')]
    lines: Annotated[list[str], Field(description="What one earns, does and how long it lasts: four lines at most.")]
    table: PayTableOut | None


class Played(TypedDict):
    """The play step that the screen is about."""

    game: str
    step: str
    matches: int
    rounds: Annotated[int | None, Field(description="Of a match; null where its players are not told.")]
    size: Annotated[int, Field(description="People in a match.")]
    match: Literal["partner", "random", "stranger", "perfect"]
    led: Annotated[bool, Field(description="Whether the lead begins each match.")]
    grace_s: Annotated[float, Field(description="Seconds that one may be away before the substitute plays.")]
    rules: Annotated[dict[str, ShortRules], Field(description="By language; empty where the game tells none.")]


class SeatOnScreen(TypedDict):
    seat: int
    name: Annotated[str, Field(description='As it was given at the door; "" where none is shown.')]
    number: Annotated[int | None, Field(description="Of whoever has no name, from 1; null where nobody is told apart.")]
    stands: SeatStands
    away_s: float | None


class GroupOnScreen(TypedDict):
    """One match that is played now."""

    seats: list[SeatOnScreen]
    round: Annotated[int, Field(description="That is open, from 1; 0 before the first.")]
    over: bool


class WaitingOnScreen(TypedDict):
    """Somebody who plays in none now."""

    name: str
    number: int | None
    plays_from: Annotated[int | None, Field(description="The match that they can play in next; null: none is left.")]
    reading: Annotated[bool, Field(description="Still at the pages before the match.")]
    away: bool


class Clock(TypedDict):
    """The rounds that are open, over all matches."""

    left_s: Annotated[float | None, Field(description="To the first deadline; null: none runs.")]
    first: Annotated[int, Field(description="Round of the slowest match.")]
    last: Annotated[int, Field(description="Round of the fastest.")]
    moved: int
    of: int


class NextOnScreen(TypedDict):
    number: int
    of: int
    here: int
    least: int
    can_start: bool


class ClassScreen(TypedDict):
    """A session as everybody in the room may see it."""

    session: int
    code: str
    title: dict[str, str]
    open: Annotated[bool, Field(description="Whether anybody new is taken.")]
    played: Played | None
    blind: Annotated[bool, Field(description="Nobody is told who sits where: no names, no numbers.")]
    phase: Phase
    match: Annotated[int, Field(description="The match that is played, or was last, from 1; 0 before the first.")]
    here: Annotated[int, Field(description="People under way with a sign of life.")]
    away: int
    done: int
    groups: list[GroupOnScreen]
    waiting: list[WaitingOnScreen]
    clock: Clock | None
    next: NextOnScreen | None
    over: Annotated[list[int], Field(description="The matches that are over: of each there is a finding.")]


class Beside(TypedDict):
    """The same settings played by models or policies."""

    label: Annotated[str, Field(description='Who played, in a word; "" where they were of many kinds.')]
    models: Annotated[bool, Field(description="Whether models played; else policies alone.")]
    seats: int
    values: list[float | None]


class Ranked(TypedDict):
    name: str
    place: int
    points: Annotated[float, Field(description="A match, over those that one has played.")]


class Finding(TypedDict):
    """What came of the matches that began together, once all are over."""

    match: int
    matches: Annotated[int, Field(description="How many were played at once.")]
    moves: Annotated[int, Field(description="Decisions that their people had to make.")]
    own: Annotated[int, Field(description="Of these, their own: not the clock's, a substitute's or the default.")]
    unsound: Annotated[int, Field(description="Matches with too many others' decisions: they are left out below.")]
    values: Annotated[
        list[float | None],
        Field(description="Of the headline measure by round, meaned over those in which people decided themselves."),
    ]
    beside: Beside | None


class ClassFindings(TypedDict):
    """What the class has come to so far."""

    game: str
    metric: Annotated[str, Field(description='The measure that the game declares; "": none.')]
    findings: list[Finding]
    ranking: Annotated[
        list[Ranked],
        Field(description="Those who agreed to be named and played themselves, most points first."),
    ]
    average: Annotated[float | None, Field(description="Points a match of all who played themselves, named or not.")]
    named: Annotated[bool, Field(description="Whether the study asks for names at all.")]
