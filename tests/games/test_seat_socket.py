"""The websocket of a person's seat: frames through its own eyes, turns, moves acknowledged, and who is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from games.site.drive.conductor import conduct
from games.site.models import Decision, Participant, Run, Seat, SeatKind
from games.site.record.verification import verify_run
from simsite.asgi import application
from tests.games.test_people import Person, silent

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]
MakeRun = Callable[..., Run]


def line(person: Person, seat: str = "", tab: str = "tab-one") -> WebsocketCommunicator:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in person.client.cookies.items())
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookies.encode())]
    return WebsocketCommunicator(application, f"/ws/play/{seat or person.id}/?after=-1&tab={tab}", headers=headers)


async def until(socket: WebsocketCommunicator, kind: str, true: Callable[[Any], bool] = lambda _: True) -> Any:
    """The next message of a kind of which something is true; the others are passed over."""
    while True:
        message = json.loads(await socket.receive_from(timeout=30))
        if message["type"] == kind and true(message):
            return message


def seated(run: Run) -> Person:
    ann = Person()
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    return ann


async def test_a_seat_gets_its_own_frames_and_its_turn_and_its_move_is_acknowledged(make_run: MakeRun) -> None:
    run = await database_sync_to_async(make_run)(people=(0,))
    ann = await database_sync_to_async(seated)(run)
    socket = line(ann)
    await socket.connect()
    frame = (await until(socket, "frame", lambda m: m["frame"]["n"] == 1))["frame"]
    assert [purse is None for purse in frame["view"]["purses"]] == [False, True, True]
    turn = (await until(socket, "seat"))["turn"]
    assert (turn["step"], turn["moved"]) == (2, None)
    move = {"id": "a-client-id", "step": 2, "action": {"tune": "waltz"}}
    await socket.send_to(json.dumps({"type": "try", **move}))
    assert (await until(socket, "tried"))["ok"] is True
    await socket.send_to(json.dumps({"type": "move", **move}))
    await socket.send_to(json.dumps({"type": "move", **move}))
    first, second = await until(socket, "moved"), await until(socket, "moved")
    assert first == second
    assert (first["id"], first["action"]) == ("a-client-id", {"tune": "waltz"})
    await socket.send_to(json.dumps({"type": "move", "id": "another-id", "step": 2, "pass": True}))
    assert (await until(socket, "refused"))["code"] == "already_moved"
    assert await Decision.objects.filter(run=run, step=2).acount() == 1
    await database_sync_to_async(conduct)(run.pk, "live")
    assert (await until(socket, "seat", lambda m: m["turn"] and m["turn"]["step"] == 3))["turn"]["moved"] is None
    await socket.disconnect()


async def test_a_sign_of_life_brings_a_substituted_player_back_at_once(make_run: MakeRun) -> None:
    run = await database_sync_to_async(make_run)(people=(0,))
    ann = await database_sync_to_async(seated)(run)
    socket = line(ann)
    await socket.connect()
    await until(socket, "seat")
    await database_sync_to_async(silent)(ann, 100)
    await Participant.objects.filter(pk=ann.id).aupdate(state="substituted")
    await until(socket, "seat", lambda m: m["state"] == "substituted")
    await socket.send_to('{"type":"beat","active":true}')
    assert (await until(socket, "seat", lambda m: m["state"] == "playing"))["turn"]["step"] == 2
    await socket.disconnect()


async def play_by_socket(told: dict[str, Any], drive: Callable[[], Any]) -> list[int]:
    """A program, whole: opens its seat's socket with its token, answers each turn, ends with the match."""
    by_token = [(b"authorization", f"Bearer {told['token']}".encode()), (b"host", b"localhost")]
    socket = WebsocketCommunicator(application, f"/ws/play/{told['id']}/?after=-1&tab=program", headers=by_token)
    assert (await socket.connect())[0]
    moved: list[int] = []
    while True:
        message = json.loads(await socket.receive_from(timeout=30))
        match message:
            case {"type": "frame", "frame": {"n": n}}:
                await socket.send_to(json.dumps({"type": "ack", "n": n}))
            case {"type": "seat", "state": "ended"}:
                await socket.disconnect()
                return moved
            case {"type": "seat", "turn": {"step": step, "moved": None}} if step not in moved:
                moved.append(step)
                move = {"type": "move", "id": f"move-of-{step}", "step": step, "action": {"tune": "hymn"}}
                await socket.send_to(json.dumps(move))
            case {"type": "moved"}:
                await drive()
            case {"type": "refused" | "error"}:
                raise AssertionError(message)


async def test_a_program_plays_its_seat_by_the_socket_to_the_end(make_run: MakeRun) -> None:
    def begun() -> tuple[Run, dict[str, Any]]:
        run = make_run(days=3, people=(0,))
        agent = {"kind": "program", "substitute": {"kind": "policy", "policy": "latest", "params": {}}}
        Seat.objects.filter(run=run, index=0).update(kind=SeatKind.PROGRAM, agent=agent)
        door = f"/api/v1/join/{run.code}/token"
        told = Client().post(door, {}, content_type="application/json").json()
        headers = {"Authorization": f"Bearer {told['token']}"}
        Client().post(f"/api/v1/play/{told['id']}/start", {}, content_type="application/json", headers=headers)
        conduct(run.pk, "live")
        return run, told

    run, told = await database_sync_to_async(begun)()
    moved = await play_by_socket(told, lambda: database_sync_to_async(conduct)(run.pk, "live"))
    await run.arefresh_from_db()
    assert (run.status, len(moved)) == ("finished", await Decision.objects.filter(run=run, seat=0).acount())
    assert len(moved) >= 3
    assert (await database_sync_to_async(verify_run)(run.pk)).difference is None


@pytest.mark.parametrize(
    ("sent", "code"),
    [('{"type":"dance"}', 4400), ("[" * 5000, 4413), ('{"type":"move","id":7,"step":"x"}', 4400), ("x" * 25_000, 4413)],
)
async def test_what_makes_no_sense_closes_the_line_by_name(make_run: MakeRun, sent: str, code: int) -> None:
    run = await database_sync_to_async(make_run)(people=(0,))
    ann = await database_sync_to_async(seated)(run)
    socket = line(ann)
    await socket.connect()
    await socket.send_to(sent)
    while True:
        out = await socket.receive_output(timeout=30)
        if out["type"] == "websocket.close":
            break
    assert out["code"] == code
    assert not await Decision.objects.filter(run=run).aexists()


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "halt", "id": "\ud800"},
        {"type": "try", "id": "an-id-of-mine", "step": 2, "action": {"tune": "\ud800"}},
        {"type": "move", "id": "an-id-of-mine", "step": 2, "action": {"tune\u0000": "x"}},
    ],
)
async def test_text_that_cannot_be_kept_is_refused_and_the_line_stays(make_run: MakeRun, sent: Any) -> None:
    run = await database_sync_to_async(make_run)(people=(0,))
    ann = await database_sync_to_async(seated)(run)
    socket = line(ann)
    await socket.connect()
    await socket.send_to(json.dumps(sent))
    refused = await until(socket, "refused")
    assert (refused["code"], refused["id"]) == ("bad_text", "" if sent["type"] == "halt" else "an-id-of-mine")
    await socket.send_to(json.dumps({"type": "move", "id": "another-id", "step": 2, "action": {"tune": "waltz"}}))
    assert (await until(socket, "moved"))["step"] == 2
    await socket.disconnect()


async def test_anothers_seat_is_refused_before_anything_is_sent(make_run: MakeRun) -> None:
    run = await database_sync_to_async(make_run)(people=(0, 1))
    ann = await database_sync_to_async(seated)(run)
    ben = await database_sync_to_async(seated)(run)
    for stranger in (ben, Person()):
        socket = line(stranger, ann.id)
        await socket.connect()
        told = json.loads(await socket.receive_from(timeout=30))
        assert (told["type"], told["code"]) == ("error", "not_your_seat")
        assert (await socket.receive_output(timeout=30))["code"] == 4403
