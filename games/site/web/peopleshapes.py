"""The shapes of what the API says and takes of people: the door, the seat, the operator's view of both."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from games.lab.wire.firstboard import FirstBoard
from games.lab.wire.frames import NoteOut
from games.lab.wire.seat import Rules, SeatPresence, WaitingRoom

# --- what it says -----------------------------------------------------------------------------------


class InvitedOut(Schema):
    id: str
    game: str
    status: str


class SeatsOut(Schema):
    taken: int
    of: int


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
    rules: dict[str, Rules] = Field(description="The game as its players are told it, by language.")
    board: FirstBoard = Field(description="The board as the match begins, through the eyes of that seat.")
    seat: int | None = Field(description="The one seat that this link is for.")
    seat_name: str | None
    seats: SeatsOut
    free: bool = Field(description="Whether a seat can be taken here.")
    room: WaitingRoom
    consent: dict[str, str] = Field(description="What one agrees to, by language.")
    leaving: LeavingOut
    label: LabelOut
    over: bool


class JoinedOut(Schema):
    id: str
    seat: int
    address: str


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
    presence: SeatPresence | None
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


class DoorOut(Schema):
    address: str = Field(description="Where one takes the seat.")


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
    agent: dict[str, Any] = Field(
        description='{"policy": …}, {"model": …}, {"person": true, …} or {"program": true, …}; as a run\'s seats.'
    )
    audience: dict[str, Any] | None = Field(
        None, description="Null: as it is; where the first person enters, what is public alone."
    )

    model_config = ConfigDict(extra="forbid")
