"""Many spectators of one run, in a process of their own: ``python -m tests.bench.crowd ADDRESS RUN COUNT UNTIL``.

Each acknowledges what it gets and notes when. Two behave badly: one never reads, one disappears without a word. Prints
one line of JSON: how many got every step once and in order, and for each step when the last of them had it.

A spectator is a bare protocol that finds a frame's number in its bytes; one in a hundred reads the whole of it. With a
client that parses everything the crowd needs a core of its own, and what is measured is the crowd.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import sys
import time

PATIENCE_S = 240.0
HANDSHAKES = 200
"""At once."""
READER_EACH = 100
"""One spectator in so many parses what it gets."""
FRAME = b'{"type":"frame","frame":{"n":'
SNAPSHOT = b'{"type":"snapshot"'
CLOSE, PING, PONG = 8, 9, 10


class Spectator(asyncio.Protocol):
    def __init__(self, host: str, path: str, until: int, reads: bool) -> None:
        self.host, self.path, self.until, self.reads = host, path, until, reads
        self.frames: list[int] = []
        self.at: dict[int, float] = {}
        self.snapshots = 0
        self.buffer = bytearray()
        self.acked, self.acked_at, self.length = -1, time.monotonic(), 0
        self.shaken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(greeting(self.host, self.path))

    def connection_lost(self, error: Exception | None) -> None:
        for waiting in (self.shaken, self.done):
            if not waiting.done():
                waiting.set_exception(error or ConnectionError("the server closed the line"))

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.shaken.done():
            head, found, rest = bytes(self.buffer).partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], head
            self.buffer = bytearray(rest)
            self.shaken.set_result(None)
        at = 0
        while (whole := frame_at(self.buffer, at)) is not None:
            opcode, start, end = whole
            if opcode == 1:
                self.told(self.buffer, start, end)
            elif opcode == PING:
                self.transport.write(masked(bytes(self.buffer[start:end]), PONG))
            elif opcode == CLOSE:
                self.transport.close()
            at = end
        del self.buffer[:at]

    def told(self, buffer: bytearray, start: int, end: int) -> None:
        if buffer.startswith(FRAME, start):
            first = start + len(FRAME)
            n = int(buffer[first : buffer.index(b",", first)])
            if self.reads:
                assert json.loads(buffer[start:end])["frame"]["n"] == n
        elif buffer.startswith(SNAPSHOT, start):
            n = json.loads(buffer[start:end])["frame"]["n"]
            self.snapshots += 1
        else:
            return
        self.at.setdefault(n, time.time())
        self.frames.append(n)
        self.acknowledge(n, end - start)
        if n >= self.until and not self.done.done():
            self.done.set_result(None)

    def acknowledge(self, n: int, length: int) -> None:
        """As a browser does: after two seconds, sixteen frames, or 32 kB."""
        now = time.monotonic()
        self.length += length
        if n - self.acked >= 16 or self.length >= 32 * 1024 or now - self.acked_at >= 2:
            self.acked, self.acked_at, self.length = n, now, 0
            self.transport.write(masked(b'{"type":"ack","n":%d}' % n))


def greeting(host: str, path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: http://{host}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame_at(buffer: bytearray, at: int) -> tuple[int, int, int] | None:
    """Opcode, start and end of the payload of the frame at a place; None while it is not whole."""
    if len(buffer) < at + 2:
        return None
    opcode, length, start = buffer[at] & 15, buffer[at + 1] & 127, at + 2
    if length > 125:
        start = at + (4 if length == 126 else 10)
        if len(buffer) < start:
            return None
        length = int.from_bytes(buffer[at + 2 : start], "big")
    return (opcode, start, start + length) if len(buffer) >= start + length else None


def masked(payload: bytes, opcode: int = 1) -> bytes:
    """A short frame as a client has to send it; masked by zeros, which leave it as it is."""
    return bytes((0x80 | opcode, 0x80 | len(payload), 0, 0, 0, 0)) + payload


async def never_reads(host: str, path: str) -> asyncio.StreamWriter:
    """A socket that shakes hands and then leaves everything that it is sent unread."""
    name, _, port = host.partition(":")
    _, writer = await asyncio.open_connection(name, int(port), limit=1)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(greeting(host, path))
    await writer.drain()
    return writer


async def crowd(address: str, run: str, count: int, until: int) -> dict[str, object]:
    host, path = address.removeprefix("http://"), f"/ws/runs/{run}/"
    name, _, port = host.partition(":")
    loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(HANDSHAKES)

    async def come(number: int) -> Spectator:
        async with gate:
            reads = number % READER_EACH == 0
            _, one = await loop.create_connection(
                lambda: Spectator(host, f"{path}?after=-1", until, reads), name, int(port)
            )
            await one.shaken
            return one

    writer = await never_reads(host, path)
    gone = await come(1)
    gone.transport.abort()
    spectators = await asyncio.gather(*(come(number) for number in range(count)))
    gc.collect()
    gc.freeze()
    print("connected", file=sys.stderr, flush=True)  # noqa: T201
    began, spent = time.monotonic(), time.process_time()
    await asyncio.wait_for(asyncio.gather(*(one.done for one in spectators)), PATIENCE_S)
    busy = (time.process_time() - spent) / max(1e-9, time.monotonic() - began)
    writer.close()
    whole = [one for one in spectators if one.frames == list(range(one.frames[0], until + 1))]
    steps = range(max(one.frames[0] for one in spectators), until + 1)
    return {
        "spectators": count,
        "in_order": len(whole),
        "snapshots": sum(one.snapshots for one in spectators),
        "frames": sum(len(one.frames) for one in spectators),
        "crowd_cpu": round(busy, 2),
        "last": {n: max(one.at[n] for one in spectators) for n in steps},
    }


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 16_384) if hard > 0 else 16_384, hard))
    told = asyncio.run(crowd(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    print(json.dumps(told))  # noqa: T201
