"""An OpenAI-compatible server on loopback, with faults at given rates: a vendor that costs nothing and misbehaves."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from games.core.rng import Rng

IDLE = '{"items": []}'
SOUND = '{"items": [{"type": "claim", "cell": [0, 0]}]}'


@dataclass
class Vendor:
    """``faults``: shares of prose, empty, truncated, illegal, 401, 429, 500, hang and reset.

    ``pieces``  in so many it sends an answer that is asked for in pieces; 0: it does not heed the wish
    ``breaks``  after so many of them it falls silent; 0: never
    """

    latency_s: float = 0.0
    faults: Mapping[str, float] = field(default_factory=dict)
    retry_after: str = "0"
    hang_s: float = 30.0
    content: str = SOUND
    pieces: int = 0
    breaks: int = 0
    echo_key: bool = False
    port: int = 0
    served: Counter[str] = field(default_factory=Counter)
    at_once: int = 0
    most_at_once: int = 0
    seen: list[dict[str, Any]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    asked: Mapping[str, Any] = field(default_factory=dict)
    """What is being answered now."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def _fault(self) -> str:
        point = Rng.root(7).unit("fault", sum(self.served.values()))
        for name in sorted(self.faults):
            point -= self.faults[name]
            if point < 0:
                return name
        return ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:] if line)
        }
        body = json.loads(await reader.readexactly(int(headers.get("content-length", "0"))) or b"{}")
        self.seen.append(body)
        self.keys.add(headers.get("authorization", ""))
        fault = self._fault()
        self.served[fault] += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.hang_s if fault == "hang" else self.latency_s)
        finally:
            self.at_once -= 1
        if fault == "reset":
            writer.transport.abort()
            return False
        self.asked = body
        status, more, payload = self._answer(fault, headers)
        if self.pieces and body.get("stream") and status.startswith("200"):
            return await self._by_piece(writer, payload)
        data = json.dumps(payload).encode()
        lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(data)}", *more]
        writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        await writer.drain()
        return True

    async def _by_piece(self, writer: asyncio.StreamWriter, payload: dict[str, Any]) -> bool:
        """The answer as server-sent events; the connection ends with it."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: wait\n\n")
        for piece in list(pieces_of(payload, self.pieces))[: self.breaks or None]:
            writer.write(b"data: " + json.dumps(piece).encode() + b"\n\n")
            await writer.drain()
        if not self.breaks:
            writer.write(b"data: [DONE]\n\n")
            await writer.drain()
        return False

    def _answer(self, fault: str, headers: Mapping[str, str]) -> tuple[str, list[str], dict[str, Any]]:
        said = f" with {headers.get('authorization', '')}" if self.echo_key else ""
        if fault == "429":
            return "429 Too Many Requests", [f"Retry-After: {self.retry_after}"], _error(f"slow down{said}")
        if fault == "500":
            return "500 Internal Server Error", [], _error(f"out of order{said}")
        if fault == "401":
            return "401 Unauthorized", [], _error(f"Incorrect API key provided{said}")
        texts = {"prose": "I shall wait and see.", "empty": "", "illegal": '{"answer": "take"}'}
        text = texts.get(fault, self.content + said)
        if fault == "truncated":
            text = self.content[: len(self.content) // 2]
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "length" if fault == "truncated" else "stop",
        }
        usage = {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920}
        return "200 OK", [], {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "local",
            "choices": [choice],
            "usage": usage,
        }  # fmt: skip


def pieces_of(payload: Mapping[str, Any], n: int) -> Iterator[dict[str, Any]]:
    """A whole answer as a server streams it: a role, the text in about so many pieces, its end, the tokens."""
    head = {name: payload[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    choice = payload["choices"][0]
    text = choice["message"]["content"]
    size = max(1, -(-len(text) // n))
    deltas = [
        {"role": "assistant", "content": ""},
        *({"content": text[at : at + size]} for at in range(0, len(text), size)),
    ]
    for delta in deltas:
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    yield {**head, "choices": [], "usage": payload["usage"]}


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "error", "code": None}}


V = TypeVar("V", bound=Vendor)


@asynccontextmanager
async def serving(vendor: Vendor) -> AsyncIterator[Vendor]:
    server = await asyncio.start_server(vendor.handle, "127.0.0.1", 0, limit=1 << 22, backlog=512)
    vendor.port = server.sockets[0].getsockname()[1]
    try:
        yield vendor
    finally:
        server.close()


@contextmanager
def threaded(vendor: V) -> Iterator[V]:
    """The vendor in a thread and loop of its own, for whoever asks from another loop or process."""
    ready = threading.Event()
    end: list[Callable[[], object]] = []

    async def run() -> None:
        done, loop = asyncio.Event(), asyncio.get_running_loop()
        end.append(lambda: loop.call_soon_threadsafe(done.set))
        async with serving(vendor):
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield vendor
    finally:
        end[0]()
        thread.join(10)
