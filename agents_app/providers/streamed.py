"""An answer that comes in pieces: when the first of them came, and the whole that they make.

A run asks for whole answers. A trial asks for pieces, to see how long a model thinks before it says anything; what it
says is read from the whole all the same, in the form of `providers.answers`. A server that sends no pieces is asked for
the whole.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from agents_app.providers.bounded import AnswerTooLong
from agents_app.providers.protocol import Failure, Prompt, Provider, ProviderFault, Reply
from agents_app.providers.refusals import one_sentence

ASKED: Final[Mapping[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}
"""What a request says more."""
STREAM_MAX: Final = 32 * 2**20
"""Bytes of one answer in pieces: each token comes in an envelope of some hundred of them."""
UNSTREAMED: Final[frozenset[Failure]] = frozenset({"refused", "no_schema", "server_error", "reset"})
"""How a server fails that cannot send pieces, though it could send a whole."""
KEPT: Final = ("id", "model", "system_fingerprint", "usage")
SAID: Final = ("content", "reasoning_content", "reasoning", "refusal", "tool_calls")
Began: TypeAlias = Callable[[], None]


@runtime_checkable
class Streams(Provider, Protocol):
    """A provider that can be asked for pieces."""

    async def streamed(self, prompt: Prompt, timeout_s: float, began: Began) -> Reply:
        """As `complete`; ``began`` is called once for each piece that says something."""
        ...


class Pieces:
    """The whole that pieces make, in the form of an answer that came at once."""

    def __init__(self, began: Began) -> None:
        self.began = began
        self.kept: dict[str, Any] = {}
        self.content: list[Any] = []
        self.texts: dict[str, str] = {}
        self.tools: dict[int, dict[str, str]] = {}
        self.chances: list[Any] = []
        self.finish: str = ""
        self.has_choice = False

    def take(self, piece: Mapping[str, Any]) -> None:
        self.kept |= {name: piece[name] for name in KEPT if piece.get(name)}
        choices = piece.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, Mapping):
            return
        self.has_choice = True
        delta = choice.get("delta")
        if isinstance(delta, Mapping) and any(delta.get(name) for name in SAID):
            self.began()
            self._said(delta)
        chances = choice.get("logprobs")
        if isinstance(chances, Mapping) and isinstance(chances.get("content"), list):
            self.chances += chances["content"]
        self.finish = str(choice.get("finish_reason") or self.finish)

    def _said(self, delta: Mapping[str, Any]) -> None:
        content = delta.get("content")
        self.content += content if isinstance(content, list) else [content] if content else []
        for name in ("reasoning_content", "reasoning", "refusal"):
            if isinstance(text := delta.get(name), str):
                self.texts[name] = self.texts.get(name, "") + text
        for call in delta.get("tool_calls") or []:
            told = call.get("function") if isinstance(call, Mapping) else None
            if isinstance(told, Mapping):
                tool = self.tools.setdefault(call.get("index") or 0, {"name": "", "arguments": ""})
                for name in tool:
                    tool[name] += str(told.get(name) or "")

    def whole(self) -> dict[str, Any]:
        """Raises `ProviderFault` where nothing says that it came to its end."""
        if not self.has_choice:
            return self.kept
        if not self.finish:
            raise ProviderFault("reset", "the answer broke off between two of its pieces")
        tools = [{"function": tool} for tool in self.tools.values()]
        message = {**self.texts, "content": self.content, **({"tool_calls": tools} if tools else {})}
        chances = {"logprobs": {"content": self.chances}} if self.chances else {}
        return {**self.kept, "choices": [{"message": message, "finish_reason": self.finish, **chances}]}


async def events(chunks: AsyncIterator[bytes], most: int = STREAM_MAX) -> AsyncIterator[dict[str, Any]]:
    """The JSON objects of server-sent events, up to the last. Raises `AnswerTooLong` and `ProviderFault`."""
    rest, length = b"", 0
    async for chunk in chunks:
        length += len(chunk)
        if length > most:
            raise AnswerTooLong(most)
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b":")
            if name != b"data" or not value.strip():
                continue
            if value.strip() == b"[DONE]":
                return
            yield _object(value)


def _object(value: bytes) -> dict[str, Any]:
    try:
        told = json.loads(value)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        said = value.decode("utf-8", "replace")
        raise ProviderFault("server_error", one_sentence(f"a piece of the answer is no JSON object: {said}"))
    return told


class Timed:
    """A provider that is asked for pieces as long as they come.

    ``firsts``  for each call, the seconds until its first piece; None where the answer came in one, or did not come
    """

    def __init__(self, provider: Streams) -> None:
        self.provider, self.address = provider, provider.address
        self.firsts: list[float | None] = []
        self._has_pieces = True

    @property
    def loads(self) -> str:
        return self.provider.loads

    async def ready(self) -> None:
        await self.provider.ready()

    def has_structured_output(self, model: str) -> bool:
        return self.provider.has_structured_output(model)

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        self.firsts.append(None)
        if not self._has_pieces:
            return await self.provider.complete(prompt, timeout_s, hint)
        at, came = time.monotonic(), list[float]()
        try:
            reply = await self.provider.streamed(prompt, timeout_s, lambda: came.append(time.monotonic() - at))
        except ProviderFault as fault:
            if fault.failure not in UNSTREAMED:
                raise
            if came or fault.failure == "reset":  # the next try does without
                self._has_pieces = False
                raise
            left = timeout_s - (time.monotonic() - at)
            reply = await self.provider.complete(prompt, left, hint)
            self._has_pieces = False
            return reply
        if len(came) > 1:
            self.firsts[-1] = came[0]
        return reply
