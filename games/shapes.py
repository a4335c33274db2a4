"""The shapes of what the API says and takes of games, runs and frames."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

# --- what it says -----------------------------------------------------------------------------------


class SeatOut(Schema):
    seat: int
    name: str
    role: str
    kind: Literal["policy", "model", "person", "recording"]
    agent: str = Field(description="Who sits there, in a word.")


class ScenarioOut(Schema):
    name: str
    title: dict[str, str] = Field(description="By language.")


class WaitingOut(Schema):
    seat: int
    since_s: float
    left_s: float | None = Field(None, description="Until the deadline; null: none.")


class PeopleOut(Schema):
    of: int = Field(description="Seats of people.")
    ready: int = Field(description="Of these, whose holder is there.")
    open: int = Field(description="Seats that can still be taken.")
    begun: bool = Field(description="False while the waiting room is open.")


class NoticeOut(Schema):
    """Something that befell the run from outside its rules."""

    n: int
    step: int = Field(description="The last stored step at that time.")
    kind: str
    seat: int | None
    data: dict[str, Any]
    at: str


class CanOut(Schema):
    control: bool = Field(description="Whether the asker may steer the run.")


class RunOut(Schema):
    id: str
    game: str
    scenario: ScenarioOut
    condition: str
    replicate: int
    seed: int | str | None = Field(
        description="As text above 2**53, which JavaScript cannot hold; null while people play: for operators alone."
    )
    status: Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]
    head: int = Field(description="Number of the last frame that the asker may see; -1: none yet.")
    horizon: int | None = Field(description="Number of the last step, where it is fixed and may be known.")
    pace: float = Field(description="Rounds a second at the most; 0: as fast as it goes.")
    seats: list[SeatOut]
    config: dict[str, Any] | None
    rules_version: int
    audience: dict[str, Any]
    error: str | None
    can: CanOut
    waiting_for: list[WaitingOut]
    people: PeopleOut | None = Field(None, description="Null where nobody but policies and models plays.")
    notices: list[NoticeOut] = Field([], description="The latest hundred.")
    created: str
    ended: str | None
    cost_usd: float | None = Field(description="What its models have cost so far; null where none plays.")
    limits: dict[str, Any]
    parent: str | None
    fork_at: int | None


class EventOut(Schema):
    kind: str
    data: dict[str, Any]
    to: list[int] | None = Field(None, description="Seats that may know it; absent: everyone.")


class NoteOut(Schema):
    """Why a part of an answer was struck out or changed; worded as an event is."""

    kind: str
    data: dict[str, Any]


class FrameOut(Schema):
    """One resolved step through the asker's eyes. Pairs are [seat, value], in seat order."""

    n: int
    clock: list[tuple[str, int]]
    stage: str
    seats: list[int] = Field(description="Who decided.")
    view: dict[str, Any] = Field(description="What is drawn; see the game's rule sheet.")
    events: list[EventOut]
    payoffs: list[tuple[int, float]]
    actions: list[tuple[int, Any]]
    notes: list[tuple[int, list[NoteOut]]] = Field(description="What was struck out of an answer, and why.")
    flags: list[tuple[int, list[str]]]
    metrics: dict[str, Any] | None
    hash: str


class SnapshotOut(Schema):
    run: RunOut
    frame: FrameOut | None


class FramesOut(Schema):
    head: int
    frames: list[FrameOut]


class BriefOut(Schema):
    """Of a frame what stands on the time axis."""

    n: int
    clock: list[tuple[str, int]]
    payoffs: list[tuple[int, float]]
    metrics: dict[str, Any] | None
    kinds: list[str] = Field(description="Kinds of its events, each once.")
    hash: str


class BriefsOut(Schema):
    head: int
    briefs: list[BriefOut]


class PresetOut(Schema):
    name: str
    title: dict[str, str]


class PresetDetailOut(Schema):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    condition: str = Field(description="Whose settings and seats these are.")
    config: dict[str, Any] = Field(description="All its settings, defaults filled in.")
    seats: list[dict[str, Any]] = Field(description="Who sits where, in seat order.")
    seat_names: list[str]
    seeds: list[int]
    conditions: list[str]


class PolicyOut(Schema):
    name: str
    rule: str
    source: str
    aka: list[str]
    params: dict[str, Any] = Field(description="JSON Schema of its parameters.")


class GameDetailOut(Schema):
    slug: str
    title: str
    tagline: str
    rules_version: int
    config: dict[str, Any] = Field(description="JSON Schema of the settings, with unit and group of each.")
    default_policy: str
    policies: list[PolicyOut]
    presets: list[PresetDetailOut]
    words: dict[str, dict[str, Any]] = Field(description="The game's words by language.")


class GameOut(Schema):
    slug: str
    title: str
    tagline: str
    policies: list[str]
    presets: list[str]


class FaultOut(Schema):
    path: str = Field(description="Where in what was sent, such as config.rounds or seats.4.policy.")
    message: str
    says: dict[str, str] | None = Field(None, description="The message by language, where it is known in all.")


class ErrorBody(Schema):
    code: str
    message: str
    field: str | None = None
    why: str | None = Field(None, description="The case of a code that has several; its values stand beside it.")
    says: dict[str, str] | None = Field(None, description="By language: what was found wrong with a value.")
    faults: list[FaultOut] | None = Field(None, description="Every fault of a scenario, each with its place.")


class ErrorOut(Schema):
    error: ErrorBody


# --- what it takes ----------------------------------------------------------------------------------


class RunIn(Schema):
    scenario: str = Field(description="A preset, as GAME/NAME.", max_length=200)
    condition: str | None = Field(None, max_length=120)
    config: dict[str, Any] = Field({}, description="What differs from the preset's settings.")
    seats: dict[str, Any] = Field(
        {},
        description='By number, name, or "default": {"policy": NAME, "params": {}}, {"model": …, "profile": {}}, or '
        '{"recording": {"run": ID, "seat": N}}: what a model said in that seat, step by step.',
    )
    seed: int | None = None
    pace: float = 0
    audience: dict[str, Any] | None = None
    people: dict[str, Any] = Field({}, description="Terms for people, where a seat is a person's.")
    limits: dict[str, Any] | None = Field(None, description="Of what its models may spend: usd, tokens, calls.")
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ForkIn(Schema):
    at: int = Field(description="The step after which the fork goes its own way.")
    config: dict[str, Any] = Field({}, description="What differs from then on.")
    seats: dict[str, Any] = Field({}, description="Who plays from then on, by number or name.")
    pace: float | None = None
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ControlIn(Schema):
    action: Literal["play", "pause", "step", "stop", "pace", "limits"]
    pace: float | None = Field(None, description="With action pace: rounds a second; 0: as fast as it goes.")
    steps: int = Field(1, description="With action step.")
    limits: dict[str, Any] | None = Field(None, description="With action limits: usd, tokens, calls; absent: none.")

    model_config = ConfigDict(extra="forbid")
