"""What a person's seat is told beside the frames: who is there, the waiting room, the open turn."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from games.lab.wire.frames import Frame, NoteOut
from games.lab.wire.run import RunSummary

SeatState: TypeAlias = Literal["room", "playing", "substituted", "left", "removed", "ended"]
PresenceState: TypeAlias = Literal["connected", "idle", "gone", "substituted", "open"]


Shows: TypeAlias = Literal["move", "results", "all"]


class RuleAct(TypedDict):
    """One thing that a player may do: a row of the instructions, beside its picture."""

    picture: Annotated[str, Field(description="Its name among the pictures of the game's board.")]
    name: str
    price: Annotated[str, Field(description='What it costs or brings; "": nothing.')]
    text: str
    facts: Annotated[dict[str, Any], Field(description="What the picture is drawn from.")]


class RuleExample(TypedDict):
    """A worked example as a small table, in words of the language."""

    title: str
    columns: Annotated[list[str], Field(description="The seats, after an empty corner.")]
    rows: Annotated[list[list[str]], Field(description="What is done or paid, then a cell for each seat.")]


class Rules(TypedDict):
    """A game's instructions: sentences by section, and what is played without an answer as a clause."""

    aim: list[str]
    do: list[str]
    rules: list[str]
    length: list[str]
    silence: list[str]
    default: str
    name: Annotated[str, Field(description='What players are told that the game is called; "": its own name.')]
    acts: Annotated[list[RuleAct], Field(description="What a player may do under these settings.")]
    together: Annotated[str, Field(description="How the acts go together.")]
    acts_title: Annotated[str, Field(description='What the acts are; "": what one can do.')]
    examples: Annotated[list[RuleExample], Field(description="Worked examples, shown before questions.")]


class WaitingRoom(TypedDict):
    ready: int
    of: int
    starts_in_s: Annotated[
        float | None, Field(description="Until it closes by itself; null: it does not, or is closed.")
    ]
    begun: bool


class SeatPresence(TypedDict):
    seat: int
    state: PresenceState
    returns_in_s: Annotated[float | None, Field(description="Of one who is gone: until the substitute plays.")]


class StoredMove(TypedDict):
    id: Annotated[
        str, Field(description='The page\'s own name for it; "" where the substitute or the default was played.')
    ]
    step: int
    own: Annotated[bool, Field(description="Made by whoever looks, not by another in their place.")]
    stored: bool
    action: Any
    plan: Any
    passed: bool
    flags: Annotated[list[str], Field(description="Such as timed_out, idle or substitute, where it is not their own.")]


class OpenTurn(TypedDict):
    """What a seat is asked now."""

    step: int
    stage: str
    clock: list[tuple[str, int]]
    deadline: str | None
    left_s: Annotated[float | None, Field(description="Seconds to the deadline when this was sent; null: none.")]
    total_s: float | None
    tick: bool
    default: Annotated[Literal["default", "plan", "substitute"], Field(description="What is played without an answer.")]
    substitute: str
    schema: Annotated[dict[str, Any], Field(description="JSON Schema of an action.")]
    options: Annotated[list[Any] | None, Field(description="Every legal action, where they can be listed.")]
    plan_schema: dict[str, Any] | None
    observation: Annotated[Any, Field(description="What the seat knows, as a model in it is told.")]
    plan: Annotated[Any, Field(description="The standing plan.")]
    ended: Annotated[
        NoteOut | None, Field(description="Why the plan that stood until now cannot go on; null: none did.")
    ]
    moved: StoredMove | None


class SeatPrompt(TypedDict):
    """The turn in the words of the game's prompts, as a model in this seat would be told it."""

    step: Annotated[int | None, Field(description="Null while the seat is not asked; there are no words then.")]
    left_s: float | None
    system: Annotated[str, Field(description="The rules and who one is: the same at every turn of a stage.")]
    round: Annotated[str, Field(description="What this turn tells.")]
    schema: Annotated[dict[str, Any], Field(description="JSON Schema of an action.")]
    plan_schema: dict[str, Any] | None


class SeatMessage(TypedDict):
    """What changes on a seat's page beside the frames; the API and the socket say the same."""

    state: SeatState
    ready: bool
    holds: Annotated[bool, Field(description="Whether this tab may move.")]
    presence: list[SeatPresence]
    room: WaitingRoom
    turn: OpenTurn | None
    said: Annotated[dict[str, str], Field(description="What the operator says to them, by language.")]


class SeatResult(TypedDict):
    payoff: float | None
    rank: Annotated[int | None, Field(description="Null where what others gained is private.")]
    of: int
    substituted: Annotated[int, Field(description="Turns that the substitute played for this participant.")]


class Completion(TypedDict):
    code: str | None
    url: str | None


class SeatPage(SeatMessage):
    """A seat's whole page, as it is loaded."""

    id: str
    seat: int
    name: str
    label: str
    language: str
    substitute: Annotated[
        str, Field(description='Who plays while its holder is away; "" where no person sits there any more.')
    ]
    shows: Annotated[Shows, Field(description="How much of the match is told beside the move.")]
    prompt_s: Annotated[float | None, Field(description="So long without a sign, and the page asks for one.")]
    rules: Annotated[dict[str, Rules], Field(description="The game as its players are told it, by language.")]
    next: Annotated[str | None, Field(description="Where one goes on after the match, where it is part of a study.")]
    run: Annotated[RunSummary, Field(description="Through this seat's eyes, as the frame.")]
    frame: Frame | None
    result: Annotated[SeatResult | None, Field(description="When it is over.")]
    completion: Completion | None
