"""Many spectators of one run, in a process of their own: ``python -m tests.bench.crowd ADDRESS RUN COUNT UNTIL``.

Each acknowledges what it gets and notes when. Two behave badly: one never reads, one disappears without a word. Prints
one line of JSON: how many got every step once and in order, and for each step when the last of them had it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import aiohttp

PATIENCE_S = 240.0


class Spectator:
    def __init__(self) -> None:
        self.frames: list[int] = []
        self.at: dict[int, float] = {}
        self.snapshots = 0
        self.acked, self.acked_at, self.length = -1, time.monotonic(), 0

    async def acknowledge(self, socket: aiohttp.ClientWebSocketResponse, n: int, length: int) -> None:
        """As a browser does: after two seconds, sixteen frames, or 32 kB."""
        now = time.monotonic()
        self.length += length
        if n - self.acked >= 16 or self.length >= 32 * 1024 or now - self.acked_at >= 2:
            self.acked, self.acked_at, self.length = n, now, 0
            await socket.send_str(f'{{"type":"ack","n":{n}}}')

    async def watch(self, session: aiohttp.ClientSession, address: str, until: int) -> None:
        async with session.ws_connect(address, max_msg_size=0) as socket:
            async for message in socket:
                told = json.loads(message.data)
                if told["type"] in ("frame", "snapshot"):
                    n = told["frame"]["n"]
                    self.at.setdefault(n, time.time())
                    self.snapshots += told["type"] == "snapshot"
                    self.frames.append(n)
                    await self.acknowledge(socket, n, len(message.data))
                    if n >= until:
                        return


async def never_reads(host: str, port: int, path: str) -> asyncio.StreamWriter:
    """A socket that shakes hands and then leaves everything that it is sent unread."""
    _, writer = await asyncio.open_connection(host, port, limit=1)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: http://{host}:{port}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    await writer.drain()
    return writer


async def disappears(session: aiohttp.ClientSession, address: str) -> None:
    socket = await session.ws_connect(address)
    await socket.receive()
    assert socket._response.connection is not None
    assert socket._response.connection.transport is not None
    socket._response.connection.transport.abort()


async def crowd(address: str, run: str, count: int, until: int) -> dict[str, object]:
    path = f"/ws/runs/{run}/"
    url = f"{address.replace('http', 'ws')}{path}"
    host, _, port = address.removeprefix("http://").partition(":")
    spectators = [Spectator() for _ in range(count)]
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Origin": address}
    async with aiohttp.ClientSession(connector=connector, timeout=timeout, headers=headers) as session:
        writer = await never_reads(host, int(port), path)
        await disappears(session, url)
        watching = [asyncio.create_task(one.watch(session, f"{url}?after=-1", until)) for one in spectators]
        print("connected", file=sys.stderr, flush=True)  # noqa: T201
        await asyncio.wait_for(asyncio.gather(*watching), PATIENCE_S)
        writer.close()
    whole = [one for one in spectators if one.frames == list(range(one.frames[0], until + 1))]
    steps = range(max(one.frames[0] for one in spectators), until + 1)
    return {
        "spectators": count,
        "in_order": len(whole),
        "snapshots": sum(one.snapshots for one in spectators),
        "frames": sum(len(one.frames) for one in spectators),
        "last": {n: max(one.at[n] for one in spectators) for n in steps},
    }


if __name__ == "__main__":
    told = asyncio.run(crowd(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    print(json.dumps(told))  # noqa: T201
