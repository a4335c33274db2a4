"""The shapes of what the API says and takes of people: the door, the seat, the operator's view of both."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from games.shapes import NoteOut

# --- what it says -----------------------------------------------------------------------------------


class InvitedOut(Schema):
    id: str
    game: str
    title: dict[str, str] = Field(description="By language.")
    about: dict[str, str]
    status: str


class SeatsOut(Schema):
    taken: int
    of: int


class RoomOut(Schema):
    """The waiting room."""

    ready: int
    of: int
    starts_in_s: float | None = Field(description="Until it closes by itself; null: it does not, or is closed.")
    begun: bool


class LeavingOut(Schema):
    """What happens to somebody who does not answer, or leaves."""

    deadline_s: float | None = Field(description="Seconds for a turn; null: none, or it ticks.")
    tick_s: float | None
    grace_s: float = Field(description="Seconds that one may be gone before the substitute plays.")
    substitute: str
    default: Literal["default", "substitute"]


class LabelOut(Schema):
    required: bool
    limited: bool = Field(description="To a list, which is not shown.")
    max: int = Field(description="Characters.")


class JoinOut(Schema):
    """What somebody at the door is told."""

    code: str
    run: InvitedOut
    seat: int | None = Field(description="The one seat that this link is for.")
    seat_name: str | None
    seats: SeatsOut
    free: bool = Field(description="Whether a seat can be taken here.")
    room: RoomOut
    consent: dict[str, str] = Field(description="What one agrees to, by language.")
    leaving: LeavingOut
    label: LabelOut
    over: bool


class JoinedOut(Schema):
    id: str
    seat: int
    address: str


class PresenceOut(Schema):
    seat: int
    state: Literal["connected", "idle", "gone", "substituted", "open"]
    returns_in_s: float | None = Field(description="Of one who is gone: until the substitute plays.")


class MovedOut(Schema):
    """A stored move."""

    id: str = Field(description='The page\'s own name for it; "" where the substitute or the default was played.')
    step: int
    stored: bool
    action: Any = None
    plan: Any = None
    passed: bool


class TurnOut(Schema):
    """What a seat is asked now."""

    step: int
    stage: str
    clock: list[tuple[str, int]]
    deadline: str | None
    left_s: float | None = Field(description="Seconds to the deadline when this was sent; null: none.")
    total_s: float | None
    tick: bool
    default: Literal["default", "plan", "substitute"] = Field(description="What is played without an answer.")
    substitute: str
    answer_schema: dict[str, Any] = Field(alias="schema", description="JSON Schema of an action.")
    options: list[Any] | None = Field(description="Every legal action, where they can be listed.")
    plan_schema: dict[str, Any] | None
    observation: Any = Field(description="What the seat knows, as a model in it is told.")
    plan: Any = Field(description="The standing plan.")
    moved: MovedOut | None


class SeatedOut(Schema):
    """What changes on a seat's page beside the frames; the socket says the same."""

    state: Literal["room", "playing", "substituted", "left", "removed", "ended"]
    ready: bool
    holds: bool = Field(description="Whether this tab may move.")
    presence: list[PresenceOut]
    room: RoomOut
    turn: TurnOut | None


class ResultOut(Schema):
    payoff: float | None
    rank: int | None = Field(description="Null where what others gained is private.")
    of: int
    substituted: int = Field(description="Turns that the substitute played for this participant.")


class CompletionOut(Schema):
    code: str | None
    url: str | None


class PlayOut(SeatedOut):
    """A seat's whole page."""

    id: str
    seat: int
    name: str
    label: str
    language: str
    substitute: str = Field(description='Who plays while its holder is away; "" where no person sits there any more.')
    run: dict[str, Any] = Field(description="The run as for `GET /runs/{id}`, through this seat's eyes.")
    frame: dict[str, Any] | None
    result: ResultOut | None = Field(description="When it is over.")
    completion: CompletionOut | None


class TriedOut(Schema):
    step: int
    ok: bool
    notes: list[NoteOut] = Field(description="What would be struck out, and why.")
    action: Any = Field(description="What would stand.")


class LanguageOut(Schema):
    language: str


class CodeOut(Schema):
    code: str
    address: str


class ParticipantOut(Schema):
    id: str
    label: str
    language: str
    state: str
    joined: str
    last_seen_s: float
    consent_at: str | None
    moves: int
    passed: int
    timed_out: int
    substituted: int


class PersonSeatOut(Schema):
    seat: int
    name: str
    kind: str
    agent: str
    link: str | None = Field(description="The seat's own address; null where no person sits there.")
    presence: PresenceOut | None
    participant: ParticipantOut | None = Field(description="Who held it last.")


class OpenTurnOut(Schema):
    step: int
    left_s: float | None
    missing: list[int]


class RunPeopleOut(Schema):
    """The people of a run, for its operator."""

    settings: dict[str, Any] | None
    begun: bool
    code: CodeOut | None
    seats: list[PersonSeatOut]
    open: OpenTurnOut | None


# --- what it takes ----------------------------------------------------------------------------------


class JoinIn(Schema):
    label: str = Field("", max_length=400)
    language: str = Field("en", max_length=20)
    consent: bool = False

    model_config = ConfigDict(extra="forbid")


class TabIn(Schema):
    tab: str = Field("", max_length=64, description="The tab's own random name.")
    active: bool = Field(True, description="Whether somebody looks at the page.")

    model_config = ConfigDict(extra="forbid")


class TryIn(Schema):
    step: int
    action: Any = None
    plan: Any = None

    model_config = ConfigDict(extra="forbid")


class MoveIn(Schema):
    id: str = Field(max_length=64, description="The page's own name for this move; sent again, it is one move.")
    tab: str = Field("", max_length=64)
    step: int
    action: Any = None
    plan: Any = None
    passes: bool = Field(False, alias="pass")

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class LanguageIn(Schema):
    language: str = Field(max_length=20)

    model_config = ConfigDict(extra="forbid")


class PeopleIn(Schema):
    action: Literal["start", "extend", "advance", "relink", "recode", "remove", "forget"]
    seconds: float = Field(60, description="With extend.")
    seat: int | None = Field(None, description="With relink and remove.")
    participant: str | None = Field(None, max_length=16, description="With forget.")

    model_config = ConfigDict(extra="forbid")


class HandOverIn(Schema):
    agent: dict[str, Any] = Field(description='{"policy": …}, {"model": …, "profile": …} or {"person": true, …}.')

    model_config = ConfigDict(extra="forbid")
