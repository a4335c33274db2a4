"""The one shape of every refusal, over the API and a folder's server: a problem (RFC 9457) with what we add to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, NotRequired, cast

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict


class FaultOut(TypedDict):
    path: Annotated[str, Field(description="Where in what was sent, such as config.rounds or seats.4.policy.")]
    message: str
    says: NotRequired[
        Annotated[dict[str, str], Field(description="The message by language, where it is known in all.")]
    ]


@with_config(ConfigDict(extra="allow"))
class ErrorBody(TypedDict):
    """Why something was refused; the values that the message names stand beside it."""

    code: str
    message: str
    field: NotRequired[str]
    why: NotRequired[Annotated[str, Field(description="The case of a code that has several.")]]
    says: NotRequired[Annotated[dict[str, str], Field(description="By language: what was found wrong with a value.")]]
    faults: NotRequired[Annotated[list[FaultOut], Field(description="Every fault of a scenario, each with its place.")]]


class ErrorOut(TypedDict):
    type: Annotated[str, Field(description="Where the site's documentation tells of the code, below its address.")]
    title: str
    status: Annotated[int, Field(description="The HTTP status.")]
    detail: Annotated[str, Field(description="The message.")]
    error: ErrorBody


PROBLEM: Final = "application/problem+json"
"""How a refusal is labelled."""


def error_out(status: int, code: str, message: str, more: Mapping[str, Any] | None = None) -> ErrorOut:
    """A refusal with its HTTP status, its stable code and one line; ``more`` are the values beside it."""
    return {
        "type": f"/docs/errors#{code}",
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": message,
        "error": cast(ErrorBody, {"code": code, "message": message, **(more or {})}),
    }
