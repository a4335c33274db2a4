"""The shapes of lists: rows, and the cursor that opens the next page."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Field, Query, Schema
from pydantic import ConfigDict

from games.lab.wire.frames import NoteOut

Cursor = Annotated[
    str | None, Query(None, max_length=1000, description="`next` of the page before; none: from the start.")
]
Next = Annotated[str | None, Field(description="Give it as cursor, to read on; null: that was all.")]
Clock = Annotated[list[tuple[str, int]], Field(description="The game's labels, the outermost first.")]


class EventRow(Schema):
    step: int
    number: int = Field(description="Its place in the step.")
    clock: Clock
    kind: str
    data: dict[str, Any]
    to: list[int] | None = Field(description="Seats that may know it; null: everyone.")


class EventPage(Schema):
    items: list[EventRow]
    next: Next


class DecisionRow(Schema):
    """What a seat did in a step, as the rules took it."""

    step: int
    number: int
    clock: Clock
    stage: str
    seat: int
    game: str = Field(description="By which the form of `action` is known: see GameAction.")
    action: Any
    notes: list[NoteOut] = Field(description="What was struck out of the answer, and why.")
    flags: list[str] = Field(description="How it came about: fallback, substitute, timed_out, passed, …")
    payoff: float | None
    decided_by: str | None = Field(
        description="person, program, model, recording, policy; plan: one's own, under way; or, not the seat's own: "
        "substitute, fallback, clock, default. Null where it is not told who is a person."
    )


class DecisionPage(Schema):
    items: list[DecisionRow]
    next: Next


class MetricRow(Schema):
    step: int
    clock: Clock
    metrics: dict[str, Any] | None = Field(description="Null: undefined there.")


class MetricPage(Schema):
    items: list[MetricRow] = Field(description="Empty for eyes that do not see everything.")
    next: Next
    run: dict[str, Any] | None = Field(description="The whole run's measures, once it is finished.")


class MessageRow(Schema):
    id: int
    step: int
    order: int
    sender: int
    to: list[int] | None = Field(description="Seats; null: everyone.")
    text: str


class MessagePage(Schema):
    items: list[MessageRow]
    next: Next


class SeatRow(Schema):
    seat: int
    name: str
    role: str
    kind: str
    agent: str


class ScenarioRow(Schema):
    """A scenario that can be started, or that runs were made of."""

    name: str = Field(description="GAME/NAME.")
    game: str
    title: dict[str, str]
    about: dict[str, str]
    preset: bool = Field(description="Whether it is one of the game's own, and can be named in a new run.")
    conditions: list[str]
    runs: int = Field(description="How many were made of it here.")


class StepIn(Schema):
    rounds: int = Field(1, description="Pause after so many rounds, the one under way counted.")
    steps: int | None = Field(None, description="Pause after so many steps instead.")

    model_config = ConfigDict(extra="forbid")


class RunPatch(Schema):
    pace: float | None = Field(None, description="Rounds a second; 0: as fast as it goes; null: as it is.")
    limits: dict[str, Any] | None = Field(
        None, description="usd, tokens, calls; absent in it: none; null: as they are."
    )

    model_config = ConfigDict(extra="forbid")


class ConfigCheckIn(Schema):
    game: str = Field(max_length=64)
    config: dict[str, Any] = Field({}, description="What differs from the defaults.")

    model_config = ConfigDict(extra="forbid")


class SeatPlaceOut(Schema):
    name: str
    role: str


class ConfigCheckOut(Schema):
    game: str
    config: dict[str, Any] = Field(description="All settings, defaults filled in.")
    seats: list[SeatPlaceOut] = Field(description="The seats that a game of these settings has, in order.")
    steps: int | None = Field(description="Its last step, where that is fixed.")
    rounds: int | None = Field(description="Its last round, where that is fixed.")


class TypesOut(Schema):
    """The forms of a game's settings and of what its seats may do, as JSON Schema."""

    game: str
    rules_version: int
    config: dict[str, Any]
    action: dict[str, Any]
