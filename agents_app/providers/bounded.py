"""No server's answer is read beyond 2 MiB, whichever way it is asked: litellm's own transport reads to the end.

A server that answers without end would otherwise fill the worker's memory, and the database after it. What is counted
is what arrives; where a server of one's own packs its answer, what that unpacks to is counted as well.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextvars import ContextVar
from typing import Any, Final

ANSWER_MAX: Final = 2 * 2**20
"""Bytes of one answer: far more than the longest reply that is asked for."""
most_now: Final[ContextVar[int]] = ContextVar("most_now", default=ANSWER_MAX)
"""The bound of what litellm is reading: another where an answer comes in pieces."""


class AnswerTooLong(Exception):
    """A server's answer did not end within the bound; ``begun`` is what of it was read, as far as that was kept."""

    def __init__(self, most: int = ANSWER_MAX, begun: bytes = b"") -> None:
        self.most, self.begun = most, begun
        super().__init__(f"the answer is longer than {most} bytes")


def bound_transport() -> None:
    """Let the stream of litellm's aiohttp transport end at the bound. Does nothing a second time.

    Raises ImportError or AttributeError where this litellm has no such stream.
    """
    from litellm.llms.custom_httpx.aiohttp_transport import AiohttpResponseStream

    if getattr(AiohttpResponseStream, "is_bounded", False):
        return
    plain: Any = AiohttpResponseStream.__aiter__

    async def bounded(stream: Any) -> AsyncIterator[bytes]:
        length = 0
        async for chunk in plain(stream):
            length += len(chunk)
            if length > most_now.get():
                raise AnswerTooLong(most_now.get())
            yield chunk

    setattr(AiohttpResponseStream, "__aiter__", bounded)  # noqa: B010 - for the type checker it is not ours to set
    setattr(AiohttpResponseStream, "is_bounded", True)  # noqa: B010


async def read_whole(stream: Any, most: int = ANSWER_MAX) -> bytes:
    """The unpacked body of an answer that comes by aiohttp; raises `AnswerTooLong`."""
    parts: list[bytes] = []
    length = 0
    while not stream.at_eof():
        parts.append(await stream.readany())
        length += len(parts[-1])
        if length > most:
            raise AnswerTooLong(most, b"".join(parts))
    return b"".join(parts)
