"""The ways in which a server can misbehave, each as the bytes of its answer: a server of the tests that shows one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core.rng import Rng
from tests.agents.sampling import sample
from tests.agents.server import Vendor

Answer = Callable[[str], tuple[str, str, bytes]]
"""``good answer -> (status, further header lines, body)``."""


def body(content: Any, finish: str | None = "stop", usage: Any = "as counted", **message: Any) -> bytes:
    """A chat completion; ``usage`` None leaves it out."""
    told: dict[str, Any] = {
        "id": "chatcmpl-7",
        "object": "chat.completion",
        "model": "served-model",
        "system_fingerprint": "fp_7",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ],
    }
    if usage == "as counted":
        usage = {"prompt_tokens": 900, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 640}}
    if usage is not None:
        told["usage"] = usage
    return json.dumps(told).encode()


def error(message: str, **more: Any) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", **more}}).encode()


OK = "200 OK"


def says(make: Callable[[str], bytes]) -> Answer:
    return lambda good: (OK, "", make(good))


def refuses(status: str, said: bytes, more: str = "") -> Answer:
    return lambda _: (status, more, said)


def _tool(good: str) -> bytes:
    call = {"id": "1", "type": "function", "function": {"name": "answer", "arguments": good}}
    return body(None, "tool_calls", tool_calls=[call])


ALL_CACHED = {"prompt_tokens": 1, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 10**9}}
FROM_CACHE = {"prompt_tokens": 900, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 900}}
LONG_AGO = "Wed, 21 Oct 2015 07:28:00 GMT"
PARTS = ({"type": "text"}, {"type": "thinking", "thinking": "Hm."})
BEHAVIOURS: Mapping[str, Answer] = {
    "good answer": says(body),
    "code fence": says(lambda good: body(f"```\n{good}\n```")),
    "<think>…</think> then the answer": says(lambda good: body(f"<think>Not D. {{}}</think>\n\n{good}")),
    "…</think> without its opening tag": says(lambda good: body(f"Hm, hm.\n</think>\n{good}")),
    "reasoning_content beside the answer": says(lambda good: body(good, reasoning_content="Hm, hm.")),
    "think never closed, cut": says(lambda good: body(f"<think>{good}", "length")),
    "think never closed, not cut": says(lambda good: body(f"<think>{good}")),
    "prose": says(lambda _: body("I shall wait and see.")),
    "empty": says(lambda _: body("")),
    "null": says(lambda _: body(None)),
    "null, thinking alone, cut": says(lambda _: body(None, "length", reasoning_content="Hm")),
    "with a full stop": says(lambda good: body(f"{good}.")),
    "bold": says(lambda good: body(f"**{good}**")),
    "an object around it": says(lambda good: body(json.dumps({"action": good}))),
    "tool call, content null": says(_tool),
    "refusal field": says(lambda _: body(None, refusal="I can't help with raiding.")),
    "content_filter": says(lambda good: body(good[:3], "content_filter")),
    "refusal in words": says(lambda _: body("I'm sorry, but I can't play this game.")),
    "half an answer, finish length": says(lambda good: body(good[: len(good) // 2], "length")),
    "half an answer, finish stop": says(lambda good: body(good[: max(1, len(good) // 2)])),
    "list of parts": says(lambda good: body([PARTS[1], {**PARTS[0], "text": good}])),
    "429 with Retry-After: 0": refuses("429 Too Many Requests", error("slow down"), "Retry-After: 0\r\n"),
    "429 with a date": refuses("429 Too Many Requests", error("slow down"), f"Retry-After: {LONG_AGO}\r\n"),
    "429, quota used up": refuses("429 Too Many Requests", error("You exceeded your current quota")),
    "500": refuses("500 Internal Server Error", error("out of order")),
    "503 loading": refuses("503 Service Unavailable", error("Loading model")),
    "200 with an error": says(lambda _: json.dumps({"error": {"message": "upstream is out"}}).encode()),
    "200 without choices": says(lambda _: b'{"id": "x", "choices": []}'),
    "200 with HTML": says(lambda _: b"<html><h1>Gateway</h1></html>"),
    "200, no UTF-8": says(lambda _: b"\xff\xfe\x00{"),
    "SSE though not asked": says(lambda good: b'data: {"choices": []}\n\ndata: [DONE]\n\n'),
    "400": refuses("400 Bad Request", error("unknown parameter: frobnicate")),
    "400, context": refuses("400 Bad Request", error("This model's maximum context length is 512 tokens", code="x")),
    "400, filter": refuses("400 Bad Request", error("The response was filtered", code="content_filter")),
    "400, no such model": refuses("400 Bad Request", error("Invalid model name passed in model=nope")),
    "401": refuses("401 Unauthorized", error("Incorrect API key provided")),
    "404": refuses("404 Not Found", b'{"detail":"Not Found"}'),
    "301": refuses("301 Moved Permanently", b"", "Location: https://elsewhere.test/v1\r\n"),
    "right answer as text/plain": lambda good: (OK, "Content-Type: text/plain\r\n", body(good)),
    "lone surrogate and NUL": says(lambda _: body("\ud800\u0000 hm")),
    "beyond 2 MiB": says(lambda good: body(good + " " * 2_200_000)),
    "6000-digit number": says(lambda _: body('{"items": ' + "9" * 6000 + "}")),
    "a number beyond all bounds": says(lambda _: body('{"items": [{"type": "claim", "cell": [1e999, 0]}]}')),
    "illegal": says(lambda _: body('{"answer": "take"}')),
    "no usage": says(lambda good: body(good, usage=None)),
    "usage nonsense": says(lambda good: body(good, usage={"prompt_tokens": -5, "completion_tokens": "many"})),
    "usage of nothing": says(lambda good: body(good, usage={"prompt_tokens": 0, "completion_tokens": 0})),
    "usage beyond belief": says(lambda good: body(good, usage={"prompt_tokens": 10**12, "completion_tokens": True})),
    "all of it cached": says(lambda good: body(good, usage=ALL_CACHED)),
    "all of it from a cache": says(lambda good: body(good, usage=FROM_CACHE)),
    "finish null": says(lambda good: body(good, None)),
}
"""Those that are answers; hanging, dripping and breaking off are in `SLOW`."""
BROKEN = ("half a body", "connection reset")
SLOW = ("hang", "body in drips", *BROKEN)


@dataclass
class Misbehaving(Vendor):
    """Shows one behaviour to every call. ``good`` is what a sound reply would be."""

    behaviour: str = "good answer"
    good: str = ""
    takes_schema: bool = True

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:"))
        asked = json.loads(await reader.readexactly(length))
        self.seen.append(asked)
        self.noted(asked)
        self.served[self.behaviour] += 1
        if not self.takes_schema and "response_format" in asked:
            return await self._send(writer, "400 Bad Request", "", error("response_format is not supported"))
        match self.behaviour:
            case "hang":
                await asyncio.sleep(self.hang_s)
                return False
            case "connection reset":
                writer.transport.abort()
                return False
            case "half a body" | "body in drips":
                said = body(self.good)
                writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(said)}\r\n\r\n".encode() + said[:20])
                await writer.drain()
                for at in range(20, len(said) if self.behaviour == "body in drips" else 0):
                    await asyncio.sleep(0.2)
                    writer.write(said[at : at + 1])
                    await writer.drain()
                writer.close()
                return False
        return await self._send(writer, *BEHAVIOURS[self.behaviour](self.good))

    def noted(self, asked: Mapping[str, Any]) -> None:
        """A request, before it is answered."""

    @staticmethod
    async def _send(writer: asyncio.StreamWriter, status: str, more: str, said: bytes) -> bool:
        kind = "" if "content-type" in more.lower() else "Content-Type: application/json\r\n"
        writer.write(f"HTTP/1.1 {status}\r\n{kind}{more}Content-Length: {len(said)}\r\n\r\n".encode() + said)
        await writer.drain()
        return True


TWENTY_TWO = (
    "good answer",
    "no usage",
    "all of it from a cache",
    "code fence",
    "<think>…</think> then the answer",
    "reasoning_content beside the answer",
    "tool call, content null",
    "bursts of 500",
    "429 with Retry-After: 0",
    "429 with a date",
    "429, quota used up",
    "400, no such model",
    "401",
    "200 with HTML",
    "lone surrogate and NUL",
    "refusal in words",
    "refusal field",
    "half an answer, finish length",
    "beyond 2 MiB",
    "half a body",
    "connection reset",
    "hang",
)
"""Those under which runs of every game are held against the server's own count."""
PLAYS = TWENTY_TWO[:8]
"""Those that leave something to play by; all others are dead models."""
BURST = 4


@dataclass
class Playing(Misbehaving):
    """Answers with something legal, drawn from the schema or the tokens of the request, and misbehaves with that.

    ``bill``  for each request: what its usage says (None: nothing), and whether it had begun to be answered
    """

    bill: list[tuple[tuple[int, int] | None, bool]] = field(default_factory=list)
    is_bursting: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_bursting = self.behaviour == "bursts of 500"

    def noted(self, asked: Mapping[str, Any]) -> None:
        """A request, before it is answered."""
        self.good = legal_answer(asked, len(self.bill))
        if self.is_bursting:
            self.behaviour = "500" if len(self.bill) % BURST == 1 else "good answer"
        self.bill.append(_billed(self.behaviour))


def _billed(behaviour: str) -> tuple[tuple[int, int] | None, bool]:
    if behaviour.startswith(("4", "5")) or behaviour == "connection reset":
        return None, False
    unsaid = ("no usage", "200 with HTML", "beyond 2 MiB", "half a body", "hang")
    return (None if behaviour in unsaid else (900, 20)), True


def _shortest(schema: Any) -> Any:
    """A schema of whose lists nothing stands but what must: what is drawn at random is mostly not to be had."""
    if isinstance(schema, list):
        return [_shortest(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    short = {name: _shortest(part) for name, part in schema.items()}
    if schema.get("type") == "array":
        short["maxItems"] = schema.get("minItems", len(schema.get("prefixItems", [])))
    return short


def legal_answer(asked: Mapping[str, Any], number: int) -> str:
    """Something that a request lets one answer: by its schema, by the schema in its words, or by its tokens."""
    rng = Rng.root(11).at("reply", number)
    form = asked.get("response_format")
    said = asked["messages"][-1]["content"] if not form else ""
    if form:
        return json.dumps(sample(_shortest(form["json_schema"]["schema"]), rng))
    for message in reversed(asked["messages"]):
        if (at := message["content"].rfind("Schema: ")) >= 0:
            schema, _ = json.JSONDecoder().raw_decode(message["content"][at + 8 :])
            return ("PLAN: " if "PLAN:" in message["content"] else "") + json.dumps(sample(_shortest(schema), rng))
    return str(said.rpartition(": ")[2].split(", ")[0])
