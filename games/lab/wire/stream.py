"""What is said on the line of a run: by the server beside the seat's messages, and by a browser that watches."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from games.lab.wire.frames import Frame
from games.lab.wire.run import RunStatus, RunSummary


class FrameMessage(TypedDict):
    """The frame that follows on the last one."""

    type: Literal["frame"]
    frame: Frame


class SnapshotMessage(TypedDict):
    """A fresh start, where too much was missed to be sent step by step."""

    type: Literal["snapshot"]
    run: RunSummary
    frame: Frame


class PingMessage(TypedDict):
    type: Literal["ping"]
    head: int
    status: RunStatus
    run: NotRequired[
        Annotated[dict[str, Any], Field(description="The description without its head, where it has changed.")]
    ]


@with_config(ConfigDict(extra="allow"))
class ErrorMessage(TypedDict):
    """Said before the line is closed; the values that the message names stand beside it."""

    type: Literal["error"]
    code: str
    message: str


ServerMessage: TypeAlias = FrameMessage | SnapshotMessage | PingMessage | ErrorMessage


class AckMessage(TypedDict):
    """The frames up to a number have come."""

    type: Literal["ack"]
    n: int


class WantMessage(TypedDict):
    """The frames after a number are wanted again."""

    type: Literal["want"]
    after: int


ClientMessage: TypeAlias = AckMessage | WantMessage
