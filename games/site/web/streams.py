"""A run's messages as server-sent events: what a socket is told, for programs that only read.

They are handed out by the rooms of `games.site.live`, which puts its opener here: a watcher sees the same either way.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Header, Query, Router

from games.errors.requests import BadRequest, Refusal
from games.site.models import ENDED
from games.site.record import selectors, summary
from games.site.web.access import Access, look
from games.site.web.doors import RETRY_S, doors

router = Router()
KIND: Final = "text/event-stream"
Opener = Callable[[HttpRequest, Access, int], AsyncIterator[bytes]]
openers: list[Opener] = []
"""Gives the messages after a frame, as bytes; empty where no sockets are served either."""
DESCRIBED: Any = {
    "responses": {
        200: {
            "description": "Each event's data is a message as the socket sends it (ServerMessage), its id the "
            "frame's number. It ends when the run is over and all of it was sent.",
            "content": {KIND: {"schema": {"type": "string"}}},
        },
        204: {"description": "The run is over, and there is nothing after that frame: come no more."},
    }
}


class TooManyStreams(Refusal):
    """So many sockets and streams are open; ``status`` says whose there are too many of."""

    def __init__(self, status: int) -> None:
        told = "there are too many lines; close some, or try again later"
        super().__init__("too_many" if status == 429 else "unavailable", told, retry_s=RETRY_S)
        self.status = status  # type: ignore[misc]


@router.get("/runs/{run_id}/stream", url_name="stream", openapi_extra=DESCRIBED)
async def stream(
    request: HttpRequest,
    run_id: str,
    seat: Annotated[int | None, Query(None, alias="as", description="See as this seat.")],
    after: Annotated[int, Query(-1, ge=-1, description="The number of the last frame that is known; -1: none.")],
    last: Annotated[str, Header("", alias="Last-Event-ID", max_length=20, description="In place of `after`.")],
) -> HttpResponse | StreamingHttpResponse:
    """The run's frames as they come, from where the asker stands, as server-sent events."""
    if last:
        if not (last.isascii() and last.isdecimal() and len(last) < 10):
            raise BadRequest("bad_event_id", f"Last-Event-ID: {last!r}; the number of a frame", "Last-Event-ID")
        after = int(last)
    seen, is_over = await sync_to_async(_found)(request, run_id, seat, after)
    if is_over:
        return HttpResponse(status=204)
    scope = getattr(request, "scope", None)
    if status := doors.enter(scope) if openers and scope is not None else 503:
        raise TooManyStreams(status)
    doors.leave(scope)  # it is counted when it is read: who goes away before that never reads it
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(openers[0](request, seen, after), content_type=KIND, headers=headers)


def _found(request: HttpRequest, run_id: str, seat: int | None, after: int) -> tuple[Access, bool]:
    """The run, and whether it is over with nothing after that frame."""
    seen = look(request, run_id, seat)
    is_over = summary.status_of(seen.run, seen.sight) in ENDED
    return seen, is_over and after >= selectors.shown_head(seen.run, seen.sight)
