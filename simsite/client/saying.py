"""What both kinds of client know of a site: how long they wait, what a refusal is, and what comes of an answer."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

import httpx

ENDED: Final = frozenset({"finished", "stopped", "failed"})
EXPERIMENT_ENDED: Final = frozenset({"finished", "cancelled", "stopped"})
WAIT_S: Final = 20.0
"""Seconds that one request for a turn waits."""
JOB_S: Final = 0.3
"""Between two questions whether a worker has done what was asked."""
TRIES: Final = 4
"""How often a request is sent where the site is away for a moment."""
SILENCE_S: Final = 9.0
"""A run's line says something every 2.5 seconds; after so much silence it is lost."""
AWAY_S: Final = 120.0
"""So long a line that is lost is tried again."""
ACK_FRAMES: Final = 16
ACK_LENGTH: Final = 32 * 1024
"""After so many messages or characters the site is told what has come; it lets four times as much be under way."""
MESSAGE_MAX: Final = 2**26


class ApiError(RuntimeError):
    """The site said no: its status, the stable ``code``, and every value that it named."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.status, self.code, self.error = status, str(error["code"]), dict(error)


def good(answer: httpx.Response) -> httpx.Response:
    """The answer; raises `ApiError` where it is a refusal."""
    if answer.is_success:
        return answer
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": f"http_{answer.status_code}", "message": answer.text[:200]}
    raise ApiError(answer.status_code, error)


def wish(answer: httpx.Response) -> float | None:
    """Seconds after which the site wants to be asked again, within reason."""
    wished = answer.headers.get("Retry-After", "")
    return min(float(wished), WAIT_S) if wished.isdecimal() else None


def once(method: str) -> dict[str, str]:
    """What makes a request that changes something happen once, however often it is sent."""
    return {"Idempotency-Key": str(uuid.uuid4())} if method in ("POST", "PATCH") else {}


def refused(code: int | None, said: Mapping[str, Any] | None) -> ApiError | None:
    """Why a line was closed, where trying again does not cure it: 44xx, save for too many messages."""
    if code is None or not 4400 <= code < 4500 or code == 4429:
        return None
    return ApiError(code - 4000, said or {"code": f"closed_{code}", "message": "the site closed the line"})


def stated(answer: httpx.Response, rows: int, level: str) -> None:
    """Raises ValueError where fewer rows came than the site had counted."""
    counted = int(answer.headers["X-Polity-Rows"])
    if rows != counted:
        raise ValueError(f"{level}: {rows} rows came; {counted} were stated")
