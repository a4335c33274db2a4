"""What a stranger may cost the web process: bodies are refused while they arrive, who does not read is let go."""

from __future__ import annotations

import base64
import json
import os
import platform
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MB = 2**20
BODY_MAX = 3 * MB
STRANGER_MAX = 2**18
KNOWN = "Cookie: session=any"
SITE = """
import sys
import daphne.server
from games.site.live.wireimage import text_frame
from simsite.launch import webserver
from simsite.launch.webserver import BoundedServer

webserver.ARRIVAL_S = float(sys.argv[4])

async def answer(scope, receive, send):
    if scope["type"] == "http":
        length = 0
        while True:
            message = await receive()
            length += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        said = str(length).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"Content-Length", b"%d" % len(said))]})
        await send({"type": "http.response.body", "body": said})
        return
    await receive()
    await send({"type": "websocket.accept"})
    line, acks = scope["extensions"]["polity.line"], []
    if scope["path"] == "/direct":
        line.early = lambda payload: payload == b"ack" and not acks.append(1)
        while (told := await receive())["type"] == "websocket.receive":
            assert line.write_wire(text_frame(told["text"] + "w" * 70_000))
            await send({"type": "websocket.send", "text": f"{told['text']}s{len(acks)}"})
        return
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": "x" * 64_000})

where = f"tcp:port={sys.argv[1]}:interface=127.0.0.1"
bounds = {"body_max": int(sys.argv[2]), "stranger_max": int(sys.argv[3]), "cookie": "session"}
BoundedServer(**bounds, application=answer, endpoints=[where], verbosity=0).run()
"""


class Web:
    """A web process with an application that takes everything and sends much."""

    def __init__(self, arrival_s: float = 60) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        words = [sys.executable, "-c", SITE, str(self.port), str(BODY_MAX), str(STRANGER_MAX), str(arrival_s)]
        self.process = subprocess.Popen(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})

    def line(self) -> socket.socket:
        deadline = time.monotonic() + 60
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=20)
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def resident_mb(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * resource.getpagesize() / MB


@pytest.fixture
def web() -> Iterator[Web]:
    running = Web()
    with running.line():
        pass
    yield running
    running.process.kill()
    running.process.wait()


def head(web: Web, *lines: str) -> bytes:
    return "\r\n".join(["POST /api/v1/join/x HTTP/1.1", f"Host: 127.0.0.1:{web.port}", *lines, "", ""]).encode()


def answered(line: socket.socket) -> tuple[int, Any]:
    """Status and body of what comes, read to the end of the connection or of the body."""
    got = b""
    while b"\r\n\r\n" not in got:
        more = line.recv(65536)
        assert more, f"closed without an answer: {got!r}"
        got += more
    top, _, body = got.partition(b"\r\n\r\n")
    lengths = [int(one.split(b":")[1]) for one in top.split(b"\r\n") if one.lower().startswith(b"content-length")]
    while lengths and len(body) < lengths[0]:
        body += line.recv(65536)
    return int(top.split()[1]), json.loads(body) if body else None


def pour(line: socket.socket, blocks: int, chunked: bool) -> int:
    """Send megabytes until they are all sent or the other side ends it; how many went out."""
    block = b"x" * MB
    for sent in range(blocks):
        try:
            line.sendall(b"%x\r\n%s\r\n" % (MB, block) if chunked else block)
        except OSError:
            return sent
    return blocks


@pytest.mark.parametrize("how", ["announced", "chunked"])
def test_a_body_beyond_the_bound_is_refused_while_it_arrives_in_the_apis_shape(web: Web, how: str) -> None:
    before = web.resident_mb()
    with web.line() as line:
        chunked = how == "chunked"
        line.sendall(head(web, KNOWN, "Transfer-Encoding: chunked" if chunked else f"Content-Length: {600 * MB}"))
        if chunked:
            pour(line, 4, chunked)
        status, told = answered(line)
        assert (status, told["error"]["code"], told["error"]["most"]) == (413, "too_big", BODY_MAX)
        began = time.monotonic()
        sent = pour(line, 600, chunked)
        assert sent < 600 or time.monotonic() - began < 2.5
    assert web.resident_mb() < before + 20


def test_who_asks_before_it_sends_is_not_told_to_go_on(web: Web) -> None:
    with web.line() as line:
        line.sendall(head(web, f"Content-Length: {600 * MB}", "Expect: 100-continue"))
        assert answered(line)[0] == 413
        with suppress(ConnectionResetError):
            assert line.recv(65536) == b""


def test_a_body_of_the_longest_length_is_taken_and_the_line_goes_on(web: Web) -> None:
    with web.line() as line:
        for _ in range(2):
            line.sendall(head(web, KNOWN, f"Content-Length: {BODY_MAX}") + b"x" * BODY_MAX)
            assert answered(line) == (200, BODY_MAX)


def test_who_brings_neither_session_nor_token_sends_no_long_body(web: Web) -> None:
    for brought, status in (("X-Other: 1", 413), (KNOWN, 200), ("Authorization: Bearer x", 200)):
        with web.line() as line:
            line.sendall(head(web, brought, f"Content-Length: {STRANGER_MAX + 1}"))
            if status == 200:
                line.sendall(b"x" * (STRANGER_MAX + 1))
            assert answered(line)[0] == status


def test_the_bodies_of_all_are_bounded_and_room_is_given_back(web: Web) -> None:
    before = web.resident_mb()
    with ExitStack() as stack:
        lines = [stack.enter_context(web.line()) for _ in range(64 * MB // BODY_MAX + 1)]
        for line in lines:
            line.sendall(head(web, KNOWN, f"Content-Length: {BODY_MAX}") + b"x" * (BODY_MAX - 1))
        (refused,), *_ = select.select(lines, [], [], 20)
        assert answered(refused)[0] == 503
        lines.remove(refused)
        for line in lines:
            line.sendall(b"x")
        assert [answered(line)[0] for line in lines] == [200] * len(lines)
    assert web.resident_mb() < before + 200
    with web.line() as line:
        line.sendall(head(web, KNOWN, f"Content-Length: {BODY_MAX}") + b"x" * BODY_MAX)
        assert answered(line)[0] == 200


@pytest.mark.parametrize("begun", [b"POST / HTTP/1.1\r\nX-Slow: ", b"POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n"])
def test_a_request_that_trickles_is_cut_off(begun: bytes) -> None:
    running = Web(arrival_s=0.5)
    try:
        with running.line() as line:
            line.sendall(begun)
            for _ in range(100):
                try:
                    line.sendall(b"x")
                except OSError:
                    return
                time.sleep(0.1)
        raise AssertionError("it still takes what trickles after ten seconds")
    finally:
        running.process.kill()
        running.process.wait()


def test_sockets_that_never_read_are_cut_off_and_cost_a_bounded_memory(web: Web) -> None:
    with ExitStack() as stack:
        lines = []
        for _ in range(20):
            line = stack.enter_context(web.line())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            key = base64.b64encode(os.urandom(16)).decode()
            line.sendall(
                f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert b"101" in line.recv(1024).split(b"\r\n")[0]
            lines.append(line)
        before = web.resident_mb()
        cut = set()
        for _ in range(200):
            for line in lines:
                try:
                    line.sendall(b"\x81\x81\0\0\0\0x")  # "x", as one masked frame
                except OSError:
                    cut.add(line)
            time.sleep(0.005)
        assert len(cut) == len(lines)
        assert web.resident_mb() < before + 40


def test_frames_that_are_written_at_once_keep_their_place_and_acknowledgements_do_not_reach_the_application(
    web: Web,
) -> None:
    """Also where the system takes a part of a frame only: this reader's window is far smaller than what comes."""
    with web.line() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sendall(
            f"GET /direct HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        with line.makefile("rb") as coming:
            while coming.readline() != b"\r\n":
                pass
            for name in (b"1", b"2", b"3"):
                line.sendall(b"\x81\x83\0\0\0\0ack" + b"\x81\x81\0\0\0\0" + name)
            time.sleep(0.3)
            told = [frame_of(coming) for _ in range(6)]
    assert [one[:2] for one in told] == [b"1w", b"1s", b"2w", b"2s", b"3w", b"3s"]
    assert [len(one) for one in told[::2]] == [70_001] * 3
    assert told[-1] == b"3s3", "three acknowledgements were heard, and none was a message"


def frame_of(coming: Any) -> bytes:
    """The payload of the next frame."""
    length = coming.read(2)[1]
    if length > 125:
        length = int.from_bytes(coming.read(2 if length == 126 else 8), "big")
    return bytes(coming.read(length))


HEAPS = """
import ctypes, sys, threading
from simsite.launch.part import bound_heaps
if sys.argv[1] == "bound":
    bound_heaps()
libc, barrier = ctypes.CDLL(None), threading.Barrier(8)
def take():
    barrier.wait()
    libc.malloc(1000)
    barrier.wait()
threads = [threading.Thread(target=take) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
libc.malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries have other heaps")
def test_a_process_of_many_threads_keeps_two_heaps() -> None:
    def heaps(how: str) -> int:
        done = subprocess.run([sys.executable, "-c", HEAPS, how], capture_output=True, text=True, cwd=ROOT, check=True)
        return done.stderr.count("Arena ")

    assert heaps("bound") <= 2 < heaps("free")
