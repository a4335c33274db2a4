"""The stream's rooms: every frame once and in order, by each socket's own cursor; nobody waits for a slow one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from games.core.game import All, SeatEyes
from games.site.audience import Sight
from games.site.drive.conductor import conduct
from games.site.live import hub, news, tape, window
from games.site.live.hub import RunFeed
from games.site.live.window import Socket
from games.site.models import Run
from games.site.notify.doorbell import ring
from games.site.runs.creating import run_step
from games.site.web.doors import doors
from simsite.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


class Browser:
    """A socket that keeps what it is sent; it acknowledges only when told to."""

    def __init__(self, after: int = -1, eyes: Any = None) -> None:
        self.got: list[dict[str, Any]] = []
        self.socket = Socket(self, Sight(eyes or All()), False, after)

    async def send(self, text_data: str) -> None:
        self.got.append(json.loads(text_data))

    def frames(self) -> list[int]:
        return [m["frame"]["n"] for m in self.got if m["type"] == "frame"]

    def snapshots(self) -> list[int]:
        return [m["frame"]["n"] for m in self.got if m["type"] == "snapshot"]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(days=100, start=False)


def steps(run: Run, n: int) -> None:
    run_step(run_id=run.pk, steps=n)
    conduct(run.pk, "live")


async def more(run: Run, n: int) -> None:
    await database_sync_to_async(steps)(run, n)


def room_of(run: Run, *browsers: Browser) -> RunFeed:
    room = RunFeed(run.pk)
    room.sockets |= {browser.socket for browser in browsers}
    return room


async def test_every_socket_gets_what_it_lacks_in_order_and_once(run: Run) -> None:
    await more(run, 10)
    late, fresh = Browser(after=6), Browser()
    room = room_of(run, late, fresh)
    await room._hand_out(False)
    await more(run, 5)
    await room._hand_out(False)
    await room._hand_out(False)
    assert late.frames() == list(range(7, 15))
    assert fresh.frames() == list(range(15))


async def test_a_frame_is_encoded_once_for_equal_eyes_and_differs_for_others(run: Run, monkeypatch: Any) -> None:
    await more(run, 6)
    encoded: list[int] = []
    real = hub.encode

    def counting(message: Any) -> str:
        if message.get("type") == "frame":
            encoded.append(message["frame"]["n"])
        return real(message)

    monkeypatch.setattr(tape, "encode", counting)
    crowd = [Browser() for _ in range(20)]
    seat = Browser(eyes=SeatEyes(1))
    await room_of(run, *crowd, seat)._hand_out(False)
    assert encoded == [0, 1, 2, 3, 4, 5] * 2
    assert len({json.dumps(browser.got) for browser in crowd}) == 1
    assert seat.got[-2]["frame"]["view"]["purses"][0] is None


async def test_rooms_that_ask_at_once_are_read_together_and_one_that_is_gone_is_told_alone(
    make_run: MakeRun, monkeypatch: Any
) -> None:
    runs = [await database_sync_to_async(make_run)(days=100, start=False) for _ in range(4)]
    for number, run in enumerate(runs):
        await more(run, 2 + number)
    browsers = [Browser() for _ in runs]
    rooms = [room_of(run, browser) for run, browser in zip(runs, browsers, strict=True)]
    gone = room_of(runs[0], Browser())
    gone.run_id = "01NEVER"
    together: list[int] = []
    real = news.read

    def counting(wanted: Any) -> Any:
        together.append(len(wanted))
        return real(wanted)

    monkeypatch.setattr(news, "read", counting)
    told = await asyncio.gather(*(room._hand_out(False) for room in [*rooms, gone]), return_exceptions=True)
    assert together == [5]
    assert [type(one).__name__ for one in told] == ["NoneType"] * 4 + ["NotFound"]
    assert [browser.frames() for browser in browsers] == [list(range(n)) for n in (2, 3, 4, 5)]


async def test_a_socket_that_lags_gets_nothing_more_and_then_one_fresh_snapshot(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(window, "UNACKED_MAX", 8)
    slow, quick = Browser(), Browser()
    room = room_of(run, slow, quick)
    for _ in range(6):
        await more(run, 5)
        await room._hand_out(True)
        quick.socket.acknowledge(quick.socket.cursor)
    assert quick.frames() == list(range(30))
    assert slow.frames() == list(range(8))
    assert slow.socket.is_lagging
    slow.socket.acknowledge(slow.socket.cursor)
    await room._hand_out(False)
    assert slow.frames() == list(range(8))
    assert slow.snapshots() == [29]
    await more(run, 2)
    await room._hand_out(False)
    assert slow.frames() == [*range(8), 30, 31]


async def test_a_socket_that_reads_slowly_holds_few_bytes_and_misses_nothing(run: Run, monkeypatch: Any) -> None:
    await more(run, 20)
    slow = Browser()
    room = room_of(run, slow)
    monkeypatch.setattr(window, "UNACKED_BYTES", 4 * len(hub.encode({"type": "frame", "frame": {}})))
    got = []
    while slow.socket.cursor < 19:
        await room._hand_out(False)
        got.append(len(slow.frames()))
        assert len(slow.socket.under_way) == 1, "no frame is so small that two would fit"
        slow.socket.acknowledge(slow.socket.cursor)
    assert got == list(range(1, 21))
    assert slow.frames() == list(range(20))
    assert slow.snapshots() == []


async def test_asking_again_does_not_void_what_is_under_way(run: Run, monkeypatch: Any) -> None:
    await more(run, 20)
    greedy = Browser()
    room = room_of(run, greedy)
    one = len(hub.encode({"type": "frame", "frame": {}}))
    monkeypatch.setattr(window, "UNACKED_BYTES", 100 * one)
    await room._hand_out(False)
    sent = len(greedy.got)
    for _ in range(50):
        greedy.socket.cursor = -1  # as `want` does
        await room._hand_out(False)
    assert len(greedy.got) == sent
    assert greedy.socket.length <= 100 * one
    greedy.socket.acknowledge(greedy.socket.top)
    await room._hand_out(False)
    assert len(greedy.got) > sent, "who acknowledges is served again"


async def test_a_snapshot_waits_for_room_as_frames_do(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(news, "GAP_MAX", 5)
    monkeypatch.setattr(window, "UNACKED_MAX", 2)
    await more(run, 20)
    greedy = Browser()
    room = room_of(run, greedy)
    for _ in range(20):
        greedy.socket.cursor = -1
        await room._hand_out(False)
    assert greedy.snapshots() == [19, 19]


async def test_who_was_handed_a_frame_is_spared_the_next_ping(run: Run) -> None:
    browser = Browser()
    room = room_of(run, browser)
    await room._hand_out(True)
    told = len(browser.got)
    await more(run, 1)
    await room._hand_out(True)
    assert [message["type"] for message in browser.got[told:]] == ["frame"]
    await room._hand_out(True)
    assert browser.got[-1] == {"type": "ping", "head": 0, "status": "paused"}


async def test_a_long_gap_is_closed_by_a_snapshot(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(news, "GAP_MAX", 10)
    await more(run, 40)
    far, near = Browser(after=2), Browser(after=35)
    await room_of(run, far, near)._hand_out(False)
    assert (far.snapshots(), far.frames()) == ([39], [])
    assert near.frames() == [36, 37, 38, 39]


async def test_a_socket_that_breaks_is_let_go_and_the_others_are_served(run: Run) -> None:
    await more(run, 3)
    good, bad = Browser(), Browser()

    async def broken(text_data: str) -> None:
        raise ConnectionResetError

    bad.send = broken  # type: ignore[method-assign]
    room = room_of(run, good, bad)
    await room._hand_out(False)
    assert good.frames() == [0, 1, 2]
    assert room.sockets == {good.socket}


async def test_a_ping_carries_head_and_status_and_the_description_only_when_it_changed(run: Run) -> None:
    await more(run, 2)
    browser = Browser()
    room = room_of(run, browser)
    for _ in range(3):
        await room._hand_out(True)
    pings = [m for m in browser.got if m["type"] == "ping"]
    assert [(ping["head"], ping["status"], "run" in ping) for ping in pings] == [
        (1, "paused", True), (1, "paused", False), (1, "paused", False),
    ]  # fmt: skip
    assert "head" not in pings[0]["run"]


async def test_what_a_room_keeps_is_bounded(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(tape, "KEPT", 16)
    browser = Browser()
    room = room_of(run, browser)
    for _ in range(10):
        await more(run, 10)
        await room._hand_out(False)
        browser.socket.acknowledge(browser.socket.cursor)
    assert browser.frames() == list(range(100))
    assert max(len(one.frames) for one in room._tapes.values()) <= 16


# --- through the real application -----------------------------------------------------------------


async def test_a_room_that_is_left_as_its_bell_rings_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    room = RunFeed("any")

    async def nothing(*_: Any) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(room, "_listen", nothing)
    monkeypatch.setattr(room, "_hand_out", nothing)
    room.open()
    await asyncio.sleep(0.05)
    room.ring()
    await asyncio.wait({asyncio.create_task(room.close())}, timeout=5)
    assert all(task.done() for task in room._tasks)


async def connect(run: Run, query: str = "") -> WebsocketCommunicator:
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    communicator = WebsocketCommunicator(application, f"/ws/runs/{run.pk}/{query}", headers)
    connected, _ = await communicator.connect()
    assert connected
    return communicator


async def until(communicator: WebsocketCommunicator, kind: str) -> dict[str, Any]:
    while True:
        message = await communicator.receive_json_from(timeout=5)
        if message["type"] == kind:
            return dict(message)


async def test_the_doorbell_brings_a_new_step_to_the_browser(run: Run) -> None:
    await more(run, 2)
    browser = await connect(run, "?after=1")
    await until(browser, "ping")
    await more(run, 1)
    await database_sync_to_async(ring)(run.pk)
    assert (await until(browser, "frame"))["frame"]["n"] == 2
    await browser.disconnect()
    assert hub.hub.rooms == {}


async def test_a_visitor_who_is_let_in_by_an_open_room_sees_no_more_than_the_first(run: Run) -> None:
    await database_sync_to_async(Run.objects.filter(pk=run.pk).update)(audience={"kind": "public"})
    await more(run, 3)
    first = await connect(run, "?after=1")
    seen = await until(first, "frame")
    assert hub.hub.run(run.pk) is not None
    second = await connect(run, "?after=1")
    assert await until(second, "frame") == seen
    assert {str(socket.sight.eyes) for socket in hub.hub.rooms[run.pk].sockets} == {"Public()"}
    await first.disconnect()
    await second.disconnect()


async def test_who_watches_by_an_audience_that_narrows_comes_again_and_sees_no_more(run: Run) -> None:
    await more(run, 3)
    browser = await connect(run, "?after=1")
    await until(browser, "frame")
    await database_sync_to_async(Run.objects.filter(pk=run.pk).update)(audience={"kind": "public"})
    await database_sync_to_async(ring)(run.pk)
    closed = await browser.receive_output(timeout=5)
    while closed["type"] != "websocket.close":
        closed = await browser.receive_output(timeout=5)
    assert closed["code"] == 4000, "no refusal: the page tries again"
    await browser.disconnect()


async def test_a_browser_that_asks_again_gets_the_frames_again(run: Run) -> None:
    await more(run, 4)
    browser = await connect(run, "?after=3")
    await until(browser, "ping")
    await browser.send_json_to({"type": "want", "after": 1})
    assert [(await until(browser, "frame"))["frame"]["n"] for _ in range(2)] == [2, 3]
    await browser.disconnect()


async def test_who_asks_again_without_acknowledging_gets_no_more_room(run: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr(window, "UNACKED_MAX", 4)
    monkeypatch.setattr(hub, "PING_S", 0.05)
    await more(run, 20)
    browser = await connect(run, "?after=5")
    async with asyncio.timeout(20):
        got = [(await until(browser, "frame"))["frame"]["n"] for _ in range(4)]
        for _ in range(5):
            await browser.send_to(text_data='{"type":"want","after":5}')
            while (told := await browser.receive_json_from(timeout=5))["type"] != "ping" or "run" in told:
                assert told["type"] == "ping", "more was sent than may be under way"
        assert got == [6, 7, 8, 9]
        await browser.send_to(text_data='{"type":"ack","n":9}')
        assert (await until(browser, "snapshot"))["frame"]["n"] == 19, "there is room again"
    await browser.disconnect()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("nonsense", "bad_message"),
        ('{"type":"ack","n":"1"}', "bad_message"),
        ('{"type":"want","after":-9}', "bad_message"),
        ('{"type":"move"}', "bad_message"),
        ("[" * 3000, "too_big"),
        ("x" * 5000, "bad_message"),
    ],
)
async def test_garbage_is_closed_with_a_reason(run: Run, message: str, code: str) -> None:
    browser = await connect(run)
    await browser.send_to(text_data=message)
    assert (await until(browser, "error"))["code"] == code
    closed = await browser.receive_output(timeout=5)
    while closed["type"] != "websocket.close":
        closed = await browser.receive_output(timeout=5)
    assert closed["code"] == (4413 if code == "too_big" else 4400)
    assert run.pk not in hub.hub.rooms


async def test_a_flood_is_closed_with_a_reason(run: Run) -> None:
    browser = await connect(run)
    for _ in range(201):
        await browser.send_json_to({"type": "ack", "n": -1})
    assert (await until(browser, "error"))["code"] == "too_fast"
    await browser.disconnect()


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("?after=x", "bad_query"),
        ("?as=99", "no_such_seat"),
        ("?as=%00", "bad_query"),
        ("?after=9999999999", "bad_query"),
        ("?afer=3", "invalid"),
    ],
)
async def test_a_socket_that_asks_for_what_it_may_not_see_is_told_so(run: Run, query: str, code: str) -> None:
    browser = await connect(run, query)
    assert (await until(browser, "error"))["code"] == code


async def test_who_asks_again_and_again_is_closed_with_a_reason(run: Run) -> None:
    browser = await connect(run)
    for _ in range(11):
        await browser.send_json_to({"type": "want", "after": -1})
    told = await until(browser, "error")
    assert (told["code"], told["most"]) == ("too_fast", 10)
    await browser.disconnect()


async def from_address(run: Run, address: str) -> WebsocketCommunicator:
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    communicator = WebsocketCommunicator(application, f"/ws/runs/{run.pk}/", headers)
    communicator.scope["client"] = [address, 1234]
    await communicator.connect()
    return communicator


async def test_sockets_of_one_address_and_in_all_are_limited_and_room_is_given_back(run: Run, settings: Any) -> None:
    settings.POLITY_SOCKETS, settings.POLITY_SOCKETS_PER_ADDRESS = 5, 2
    held = [await from_address(run, "192.0.2.1") for _ in range(2)]
    third = await from_address(run, "192.0.2.1")
    assert (await until(third, "error"))["code"] == "too_many"
    assert (await third.receive_output(timeout=5))["code"] == 4503
    held += [await from_address(run, "127.0.0.1") for _ in range(3)]
    for line in held:
        assert (await until(line, "ping"))["status"] == "paused"
    assert (await until(await from_address(run, "127.0.0.1"), "error"))["code"] == "too_many"
    await held.pop(0).disconnect()
    again = await from_address(run, "192.0.2.1")
    assert (await until(again, "ping"))["status"] == "paused"
    for line in [*held, again]:
        await line.disconnect()
    assert doors.held.total() == 0


async def test_a_foreign_id_is_told_so(make_run: MakeRun) -> None:
    browser = await connect(Run(pk="no-such-run"))
    assert (await until(browser, "error"))["code"] == "not_found"


async def test_a_page_of_another_site_may_not_listen(run: Run) -> None:
    headers = [(b"origin", b"http://evil.example"), (b"host", b"localhost")]
    communicator = WebsocketCommunicator(application, f"/ws/runs/{run.pk}/", headers)
    connected, _ = await communicator.connect()
    assert not connected


@pytest.mark.parametrize("origin", [b"http://localhost:9999", b"https://localhost", b"null", b"http://[", b""])
async def test_a_page_of_another_port_of_this_machine_may_not_listen_either(run: Run, origin: bytes) -> None:
    headers = [(b"origin", origin), (b"host", b"localhost:8000")]
    connected, _ = await WebsocketCommunicator(application, f"/ws/runs/{run.pk}/", headers).connect()
    assert not connected


async def test_a_page_of_a_trusted_origin_may_listen_behind_its_proxy(run: Run, settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://lab.example"]
    headers = [(b"origin", b"https://lab.example"), (b"host", b"10.0.0.7:8000")]
    communicator = WebsocketCommunicator(application, f"/ws/runs/{run.pk}/", headers)
    connected, _ = await communicator.connect()
    assert connected
    await communicator.disconnect()


@pytest.mark.parametrize("path", ["/ws/anything", "/", "/ws/runs/", "/ws/runs/a/b/"])
async def test_an_unknown_address_of_a_socket_is_denied_and_raises_nothing(path: str, db: None) -> None:
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    connected, _ = await WebsocketCommunicator(application, path, headers).connect()
    assert not connected


@pytest.mark.parametrize("path", ["/ws/runs/%00/", "/ws/play/%00/", "/ws/runs/a%01b/?after=-1", "/ws/runs/x/?tab=%00"])
async def test_an_address_with_control_characters_is_refused_by_name(path: str, db: None) -> None:
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost")]
    communicator = WebsocketCommunicator(application, path, headers)
    communicator.scope["path"] = unquote(path.partition("?")[0])
    await communicator.connect()
    assert (await until(communicator, "error"))["code"] == "bad_text"


async def test_an_acknowledgement_of_what_was_never_sent_changes_nothing(run: Run) -> None:
    await more(run, 2)
    browser = await connect(run)
    await until(browser, "ping")
    await browser.send_json_to({"type": "ack", "n": 1000})
    await asyncio.sleep(0.05)
    assert [[n for n, _ in socket.under_way] for socket in hub.hub.rooms[run.pk].sockets] == [[0, 1]]
    await browser.disconnect()
