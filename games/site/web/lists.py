"""The API's lists of what happened in a run: events, decisions, messages, metrics, by cursor; and of scenarios."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from games.core.game import All
from games.lab.story import Story
from games.lab.wire.plainjson import encoded
from games.site.record import lists, selectors, stories, summary
from games.site.record.cursors import cursor_of, last_of
from games.site.record.scenarios import scenario_rows
from games.site.web.access import Access, look, viewer_of
from games.site.web.caching import answered, etag_of
from games.site.web.listshapes import (
    Cursor,
    DecisionPage,
    EventPage,
    MessagePage,
    MetricPage,
    ScenarioRow,
    SeatRow,
)

router = Router()
START = (-1, -1)
AsSeat = Annotated[int | None, Query(None, alias="as", description="See as this seat.")]
Limit = Annotated[int, Query(200, ge=1, le=1000)]
Kind = Annotated[str | None, Query(None, max_length=64, description="Of this kind alone.")]
OneSeat = Annotated[int | None, Query(None, ge=0, description="Of this seat alone.")]


@router.get("/runs/{run_id}/events", response=EventPage, url_name="events")
def events(
    request: HttpRequest, run_id: str, as_seat: AsSeat, cursor: Cursor, limit: Limit, kind: Kind
) -> dict[str, Any]:
    """What happened, in order, as far as the asker's eyes see."""
    seen = look(request, run_id, as_seat)
    listed = _named(seen, "events", kind)
    last = last_of(listed, cursor) or START
    rows, left = lists.events(selectors.playing(seen.run), seen.sight, tuple(last), limit, kind)
    return {"items": rows, "next": None if left is None else cursor_of(listed, left)}


@router.get("/runs/{run_id}/decisions", response=DecisionPage, url_name="decisions")
def decisions(
    request: HttpRequest, run_id: str, as_seat: AsSeat, cursor: Cursor, limit: Limit, seat: OneSeat
) -> dict[str, Any]:
    """What the seats did, in order, as the rules took it."""
    seen = look(request, run_id, as_seat)
    listed = _named(seen, "decisions", seat)
    last = last_of(listed, cursor) or START
    rows, left = lists.decisions(selectors.playing(seen.run), seen.sight, tuple(last), limit, seat)
    return {"items": rows, "next": None if left is None else cursor_of(listed, left)}


@router.get("/runs/{run_id}/metrics", response=MetricPage, url_name="metrics")
def metrics(request: HttpRequest, run_id: str, as_seat: AsSeat, cursor: Cursor, limit: Limit) -> dict[str, Any]:
    """The measures of each step, and of the whole run once it is finished: for eyes that see everything."""
    seen = look(request, run_id, as_seat)
    listed = _named(seen, "metrics")
    last = last_of(listed, cursor)
    rows, left = lists.metrics(selectors.playing(seen.run), seen.sight, -1 if last is None else last, limit)
    whole = seen.run.metrics if isinstance(seen.sight.eyes, All) else None
    return {"items": rows, "next": None if left is None else cursor_of(listed, left), "run": whole}


@router.get("/runs/{run_id}/messages", response=MessagePage, url_name="messages")
def messages(
    request: HttpRequest, run_id: str, as_seat: AsSeat, cursor: Cursor, limit: Limit, sender: OneSeat
) -> dict[str, Any]:
    """What seats said to one another, as far as the asker may hear it."""
    seen = look(request, run_id, as_seat)
    listed = _named(seen, "messages", sender)
    rows, left = lists.messages(selectors.playing(seen.run), seen.sight, last_of(listed, cursor) or 0, limit, sender)
    return {"items": rows, "next": None if left is None else cursor_of(listed, left)}


@router.get("/runs/{run_id}/seats", response=list[SeatRow], url_name="seats")
def seats(request: HttpRequest, run_id: str, as_seat: AsSeat) -> list[Any]:
    """Who sits where, in seat order; in a match of people, as far as it may be known before the end."""
    seen = look(request, run_id, as_seat)
    return list(summary.run_summary(seen.run, seen.sight)["seats"])


@router.get("/runs/{run_id}/story", response=Story | None, url_name="story")
def story(request: HttpRequest, run_id: str, as_seat: AsSeat) -> HttpResponse:
    """What came of a run and how, by rule from its log; of a run under way so far. Null for eyes that see less."""
    seen = look(request, run_id, as_seat)
    body = encoded(stories.story_of(seen.run, seen.sight))
    return answered(request, etag_of(body), lambda: body)


@router.get("/scenarios", response=list[ScenarioRow], url_name="scenarios")
def scenarios(request: HttpRequest, game: Annotated[str | None, Query(None, max_length=64)]) -> list[dict[str, Any]]:
    """Every game's presets, and what other scenarios runs were made of here."""
    return scenario_rows(viewer_of(request.user), game)


def _named(seen: Access, name: str, *filters: Any) -> str:
    """The list with all that decides what stands in it: a cursor is good for this one alone."""
    return repr((seen.run.pk, name, seen.sight.key, *filters))
