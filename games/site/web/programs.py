"""The API's room for programs: a token for a seat, and the turn that is waited for without asking again and again."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Final

from asgiref.sync import sync_to_async
from django.http import HttpRequest
from ninja import Field, Query, Router, Schema, Status
from pydantic import ConfigDict

from games.lab.wire.seat import SeatPage
from games.site.accounts.trail import audit, who_of
from games.site.models import Run
from games.site.people import seat_page
from games.site.people.invites import invite_of
from games.site.people.presence import BEAT_S, Beat, beats_keep
from games.site.people.programs import program_join as join
from games.site.people.programs import seat_token as token_of
from games.site.web.access import holder_of
from games.site.web.holders import experimenters

router = Router()
WAIT_MAX: Final = 60.0
"""Seconds that one request waits at most."""
LOOK_S: Final = 0.15
"""So often a waiting request looks whether anything has changed."""


class SeatTokenOut(Schema):
    """The token of a seat, which nobody can read again."""

    id: str = Field(description="Of the participant: play at /play/{id}.")
    run: str
    seat: int
    token: str = Field(description="Send it as `Authorization: Bearer TOKEN`.")


class ProgramIn(Schema):
    label: str = Field("", max_length=400, description="What it is called in the match.")

    model_config = ConfigDict(extra="forbid")


class NothingIn(Schema):
    model_config = ConfigDict(extra="forbid")


@router.post(
    "/runs/{run_id}/seats/{seat}/token", response={201: SeatTokenOut}, auth=experimenters, url_name="seat_token"
)
def seat_token(request: HttpRequest, run_id: str, seat: int, body: NothingIn) -> Status[dict[str, Any]]:
    """A new token for a program's seat. Whoever held the seat is out, and their token is void."""
    one, token = token_of(run_id=run_id, seat=seat)
    audit(who=who_of(request), what="token_made", on=f"run {run_id}", data={"seat": seat})
    return Status(201, {"id": one.pk, "run": run_id, "seat": seat, "token": token})


@router.post("/join/{code}/token", response={201: SeatTokenOut}, url_name="program_join")
def program_join(request: HttpRequest, code: str, body: ProgramIn) -> Status[dict[str, Any]]:
    """A program takes a seat by the run's code or the seat's link, and gets the seat's token."""
    one, token = join(door=invite_of(code), label=body.label)
    return Status(201, {"id": one.pk, "run": one.run_id, "seat": one.seat, "token": token})


@router.get("/play/{participant}/turn", response=SeatPage, url_name="play_turn")
async def play_turn(
    request: HttpRequest,
    participant: str,
    wait: Annotated[float, Query(20, ge=0, le=WAIT_MAX, description="Seconds to wait at most.")],
    tab: Annotated[str, Query("", max_length=64)],
) -> SeatPage:
    """The seat's page as soon as it is asked for a move that it has not made, or the match is over for it.

    It waits up to `wait` seconds for that, and is answered as things stand then. Waiting is a sign of life.
    """
    return await _waited(request, participant, tab, wait)


async def _waited(request: HttpRequest, participant: str, tab: str, wait: float) -> SeatPage:
    until = time.monotonic() + wait
    beat_at, mark = 0.0, None
    while True:
        if time.monotonic() >= beat_at:
            await sync_to_async(_sign)(request, participant, tab)
            beat_at = time.monotonic() + BEAT_S
        now = await sync_to_async(_mark)(request, participant)
        if now != mark or time.monotonic() >= until:
            mark = now
            page: SeatPage = await sync_to_async(_page)(request, participant, tab)
            if time.monotonic() >= until or is_called(page):
                return page
        await asyncio.sleep(max(0.0, min(LOOK_S, until - time.monotonic())))


def is_called(page: SeatPage) -> bool:
    """Whether there is something to do: a move that is not made, or nothing any more."""
    turn = page["turn"]
    return page["state"] in ("left", "removed", "ended") or (turn is not None and turn["moved"] is None)


def _sign(request: HttpRequest, participant: str, tab: str) -> None:
    beats_keep([Beat.now(holder_of(request.session, participant).pk, tab, True)])


def _mark(request: HttpRequest, participant: str) -> Any:
    """Changes whenever the seat's page may have changed in what is waited for."""
    one = holder_of(request.session, participant)
    run = Run.objects.values_list("head", "status", "notices_head", "open_turn", "begun").get(pk=one.run_id)
    return one.state, *run[:3], str(run[3]), run[4]


def _page(request: HttpRequest, participant: str, tab: str) -> SeatPage:
    return seat_page.play_out(holder_of(request.session, participant), tab)
