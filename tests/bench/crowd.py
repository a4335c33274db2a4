"""Many spectators of one run, in a process of their own: ``python -m tests.bench.crowd ADDRESS RUN COUNT ROUNDS``.

Each acknowledges what it gets and notes when, until so many rounds have come after those that all found there. Two
behave badly: one never reads, one disappears without a word. Prints one line of JSON: how many got every step once and
in order, and for each step when the last of them had it.

A spectator is a bare socket whose reader finds a frame's number in its bytes; one in a hundred reads the whole of it.
With a client that parses everything the crowd needs a core of its own, and what is measured is the crowd.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import resource
import socket
import struct
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
BUFFER = memoryview(bytearray(1 << 18))


class Spectator:
    """A socket that is read into one buffer that all share: a transport of asyncio's costs a spectator five times as
    much, and what is measured is the crowd again.
    """

    def __init__(self, line: socket.socket, reads: bool) -> None:
        self.line, self.reads = line, reads
        self.until: int | None = None
        """The last step that counts, once it is known: more may come with it, and while others wait for it."""
        self.frames: list[int] = []
        self.at: dict[int, float] = {}
        self.snapshots = 0
        self.rest = b""
        """Of a frame that is not whole."""
        self.acked, self.newest, self.length, self.share = -1, -1, 0, random.uniform(0.5, 1)
        self.later: asyncio.TimerHandle | None = None
        self.loop = asyncio.get_running_loop()
        self.here: asyncio.Future[None] = self.loop.create_future()
        self.done: asyncio.Future[None] = self.loop.create_future()

    def read(self) -> None:
        """What has come, frame by frame."""
        try:
            count = self.line.recv_into(BUFFER)
        except BlockingIOError:
            return
        except OSError:
            count = 0
        if not count:
            self.end(ConnectionError("the server closed the line"))
            return
        data = self.rest + bytes(BUFFER[:count])
        at = 0
        while (whole := frame_at(data, at)) is not None:
            opcode, start, end = whole
            if opcode == 1:
                self.told(data, start, end)
            elif opcode == PING:
                self.line.send(masked(data[start:end], PONG))
            elif opcode == CLOSE:
                self.end(ConnectionError("the server closes the line"))
                return
            at = end
        self.rest = data[at:]

    def end(self, error: Exception) -> None:
        self.loop.remove_reader(self.line)
        for waited in (self.here, self.done):
            if not waited.done():
                waited.set_exception(error)

    def told(self, buffer: bytes, start: int, end: int) -> None:
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
        self.acknowledge(n, end - start)
        if self.done.done():
            return
        self.at.setdefault(n, time.time())
        self.frames.append(n)
        if not self.here.done():
            self.here.set_result(None)
        if self.until is not None and n >= self.until:
            self.done.set_result(None)

    def acknowledge(self, n: int, length: int) -> None:
        """As a browser does: after four seconds, sixteen frames, or 32 kB, times a share that it draws each time."""
        self.newest, self.length = n, self.length + length
        if n - self.acked >= 16 * self.share or self.length >= 32 * 1024 * self.share:
            self.confirm()
        elif self.later is None:
            self.later = self.loop.call_later(4 * self.share, self.confirm)

    def confirm(self) -> None:
        if self.later is not None:
            self.later.cancel()
        self.acked, self.length, self.later, self.share = self.newest, 0, None, random.uniform(0.5, 1)
        self.line.send(masked(b'{"type":"ack","n":%d}' % self.newest))


def greeting(host: str, path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: http://{host}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame_at(buffer: bytes, at: int) -> tuple[int, int, int] | None:
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


async def crowd(address: str, run: str, count: int, rounds: int) -> dict[str, object]:
    host, path = address.removeprefix("http://"), f"/ws/runs/{run}/"
    name, _, port = host.partition(":")
    loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(HANDSHAKES)

    async def come(number: int) -> Spectator:
        async with gate:
            reads = number % READER_EACH == 0
            line = socket.create_connection((name, int(port)))
            line.setblocking(False)
            one = Spectator(line, reads)
            await loop.sock_sendall(line, greeting(host, f"{path}?after=-1"))
            head = b""
            while b"\r\n\r\n" not in head:
                more = await loop.sock_recv(line, 1 << 16)
                assert more, "the server closed the line"
                head += more
            head, _, one.rest = head.partition(b"\r\n\r\n")
            assert b" 101 " in head.split(b"\r\n")[0], head
            loop.add_reader(line, one.read)
            return one

    writer = await never_reads(host, path)
    gone = await come(1)
    gone.line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    gone.end(ConnectionAbortedError())
    gone.here.exception()
    gone.done.exception()
    gone.line.close()
    spectators = await asyncio.gather(*(come(number) for number in range(count)))
    gc.collect()
    gc.freeze()
    print("connected", file=sys.stderr, flush=True)  # noqa: T201
    await asyncio.wait_for(asyncio.gather(*(one.here for one in spectators)), PATIENCE_S)
    until = max(one.newest for one in spectators) + rounds
    for one in spectators:
        one.until = until
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
