"""The shape of a story as pages, files and programs get it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict


class SeatPart(TypedDict):
    seat: int


class MomentPart(TypedDict):
    at: Annotated[int, Field(description="The step that it names.")]
    text: str


Part: TypeAlias = str | SeatPart | MomentPart
Said: TypeAlias = dict[str, list[Part]]
"""A sentence by language, as text, seats and moments."""


class Sentence(TypedDict):
    kind: Annotated[str, Field(description="Which finding it tells; `margin`, `leads`, `struck` … or a game's own.")]
    at: Annotated[int, Field(description="The step that it opens.")]
    until: Annotated[int, Field(description="The last step of what it tells; `at` where that is one moment.")]
    span: Annotated[dict[str, str], Field(description='The rounds that it tells, by language: "9", "13–26", "all".')]
    said: Said
    turning: Annotated[int | None, Field(description="Its number among the turning points, from 1; null: it is none.")]


class Turning(TypedDict):
    at: Annotated[int, Field(description="Its step; the first turning point is where a finished run opens.")]
    said: Annotated[Said, Field(description="What happened, as a caption.")]


class Lead(TypedDict):
    seat: int
    at: Annotated[int, Field(description="The step from whose round on it led alone.")]
    until: Annotated[int, Field(description="The last step of its lead.")]


class Headline(TypedDict):
    """What came of a run, by rule from what its seats earned."""

    outcome: Annotated[
        Literal["won", "tied", "level", "alone", "unranked", "unsound", "empty"],
        Field(
            description="unranked: nobody earned anything; unsound: too many moves were not the seats' own, so that "
            "nobody is named first; empty: no round was played."
        ),
    ]
    over: bool
    first: Annotated[list[int], Field(description="Who stands first; several where they are level.")]
    margin: Annotated[float | None, Field(description="By how much the first is ahead of the next; null: of nobody.")]
    relative: Annotated[float | None, Field(description="The margin as a share of what the next has.")]
    unit: dict[str, str]
    head: int
    title: Annotated[Said, Field(description="The outcome in one line.")]


class Story(Headline):
    """What came of a run and how it came about, by rule from its log."""

    sentences: list[Sentence]
    turning: list[Turning]
    led: Annotated[list[Lead], Field(description="Who led alone from when to when, in order.")]
    kept: Annotated[int | None, Field(description="Promises kept; null where the game has none.")]
    broken: int | None
    silent: Annotated[list[tuple[int, int, int]], Field(description="Seat, its decisions, those not its own; if any.")]
    struck: Annotated[int, Field(description="Decisions of which a part was struck out or changed.")]
