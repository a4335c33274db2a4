"""Server-sent events: what a socket is told, to the same eyes, from where the reader stood, until the run is over."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async

from games.core.game import SeatEyes
from games.site.audience import Sight
from games.site.drive.conductor import conduct
from games.site.live import events, hub, window
from games.site.models import Run
from games.site.runs.creating import run_stop
from games.site.web.doors import doors
from simsite.asgi import application
from tests.games.test_stream import Browser, more, room_of, steps

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


class Reader:
    """A program that reads a run's stream."""

    def __init__(self, line: ApplicationCommunicator) -> None:
        self.line, self.status, self.headers, self.rest = line, 0, {}, ""

    async def begun(self) -> Reader:
        started = await self.line.receive_output(20)
        self.status = started["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in started["headers"]}
        return self

    async def events(self) -> AsyncIterator[tuple[int | None, dict[str, Any]]]:
        """Number and message of each, until the stream ends."""
        while True:
            told = await self.line.receive_output(20)
            self.rest += told.get("body", b"").decode()
            *whole, self.rest = self.rest.split("\n\n")
            for one in whole:
                fields = dict(line.split(": ", 1) for line in one.splitlines())
                if "data" in fields:
                    yield int(fields["id"]) if "id" in fields else None, json.loads(fields["data"])
            if not told.get("more_body"):
                return

    async def frames(self, count: int | None = None) -> list[int]:
        """The numbers of so many frames, or of all until the end."""
        found: list[int] = []
        async for number, message in self.events():
            if message["type"] == "frame":
                assert number == message["frame"]["n"]
                found.append(number)
            if len(found) == count:
                break
        return found


@asynccontextmanager
async def reading(path: str, headers: dict[str, str] | None = None, **more: Any) -> AsyncIterator[Reader]:
    name, _, query = path.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": f"/api/v1/runs/{name}", "query_string": query.encode(),
        "headers": [(b"host", b"localhost")] + [(k.lower().encode(), v.encode()) for k, v in (headers or {}).items()],
        "client": ["127.0.0.1", 1], "http_version": "1.1", "scheme": "http", "server": ["localhost", 80], **more,
    }  # fmt: skip
    line = ApplicationCommunicator(application, scope)
    await line.send_input({"type": "http.request", "body": b"", "more_body": False})
    try:
        yield await Reader(line).begun()
    finally:
        await line.send_input({"type": "http.disconnect"})
        await line.wait(20)


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(days=100, start=False)


async def test_a_reader_gets_every_frame_in_order_as_it_comes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "UNACKED_MAX", 2)
    await more(run, 3)
    async with reading(f"{run.pk}/stream") as reader:
        assert (reader.status, reader.headers["content-type"]) == (200, "text/event-stream")
        assert reader.headers["x-accel-buffering"] == "no"
        assert await reader.frames(3) == [0, 1, 2]
        await more(run, 2)
        assert await reader.frames(2) == [3, 4]


async def test_a_reader_who_comes_again_goes_on_after_the_last_event(run: Run) -> None:
    await more(run, 6)
    async with reading(f"{run.pk}/stream?after=0", {"Last-Event-ID": "3"}) as reader:
        assert await reader.frames(2) == [4, 5]
    async with reading(f"{run.pk}/stream?after=4") as reader:
        assert await reader.frames(1) == [5]
    async with reading(f"{run.pk}/stream", {"Last-Event-ID": "x"}) as reader:
        assert reader.status == 422


async def test_the_stream_of_a_run_that_is_over_ends_and_who_has_all_of_it_is_sent_away(run: Run) -> None:
    await more(run, 4)
    async with reading(f"{run.pk}/stream") as reader:
        assert await reader.frames(4) == [0, 1, 2, 3]
        await database_sync_to_async(run_stop)(run_id=run.pk)
        last = [message async for _, message in reader.events()][-1]
        assert (last["type"], last["status"]) == ("ping", "stopped")
    async with reading(f"{run.pk}/stream") as reader:
        assert await reader.frames() == [0, 1, 2, 3]
    async with reading(f"{run.pk}/stream", {"Last-Event-ID": "3"}) as reader:
        assert reader.status == 204


async def test_a_reader_sees_what_a_socket_of_the_same_eyes_sees(run: Run) -> None:
    await more(run, 6)
    socket = Browser()
    socket.socket.sight = Sight(SeatEyes(1))
    await room_of(run, socket)._hand_out(False)
    async with reading(f"{run.pk}/stream?as=1") as reader:
        told = []
        async for _, message in reader.events():
            told.append(message)
            if len(told) == 6:
                break
    assert told == [message for message in socket.got if message["type"] == "frame"]
    assert told[-1]["frame"]["view"]["purses"][0] is None


async def test_what_a_run_keeps_from_a_visitor_no_stream_tells(make_run: MakeRun) -> None:
    run = await database_sync_to_async(make_run)(days=5, audience={"kind": "omniscient", "to": "members"})
    async with reading(f"{run.pk}/stream") as reader:
        assert reader.status == 403


async def test_streams_are_counted_with_the_sockets_and_let_go(run: Run, settings: Any) -> None:
    await more(run, 1)
    settings.POLITY_SOCKETS = doors.held.total() + 1
    before = set(threading.enumerate())
    async with reading(f"{run.pk}/stream") as reader:
        assert await reader.frames(1) == [0]
        async with reading(f"{run.pk}/stream") as other:
            assert (other.status, other.headers["retry-after"]) == (503, "2")
        while {one.name for one in set(threading.enumerate()) - before if one.name.startswith("ThreadPool")}:
            await asyncio.sleep(0.02)  # no thread stays with it
    assert doors.held.total() == 0
    assert run.pk not in hub.hub.rooms


async def test_who_reads_nothing_is_sent_no_more_and_in_the_end_let_go(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Line:
        waiting, is_aborted = 0, False

        def unread(self) -> int:
            return self.waiting

        def abort(self) -> None:
            self.is_aborted = True

    monkeypatch.setattr(window, "UNACKED_MAX", 4)
    monkeypatch.setattr(events, "STUCK_S", 0.5)
    line = Line()
    await more(run, 20)
    async with reading(f"{run.pk}/stream", extensions={"polity.reply": line}) as reader:
        assert await reader.frames(2) == [0, 1]
        line.waiting = 10**6
        [socket] = hub.hub.rooms[run.pk].sockets
        assert max(await reader.frames()) < 8
        assert len(socket.under_way) <= 4
    assert line.is_aborted


def test_a_frame_is_known_by_its_first_words(run: Run) -> None:
    steps(run, 1)
    browser = Browser()
    sent: list[str] = []
    browser.send = lambda text_data: asyncio.sleep(0, sent.append(text_data))  # type: ignore[method-assign]
    asyncio.run(room_of(run, browser)._hand_out(False))
    assert [events.FRAME.match(text) is not None for text in sent if '"type":"frame"' in text] == [True]
    conduct(run.pk, "live")
