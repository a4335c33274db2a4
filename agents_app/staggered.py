"""Many calls at once, the first on their way while the last are still being written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Final, TypeVar

T = TypeVar("T")

AT_ONCE: Final = 2
"""How many begin before those that have begun may go on."""


async def gathered(asked: Iterable[Awaitable[T]]) -> list[T | BaseException]:
    """What each returns or raises, in order. Every one is awaited.

    Begun all at once, each is first brought to the same point: no call goes out before every prompt is written, and all
    answers come back at the same moment. A few at a time, the prompts of the later ones are written while the earlier
    ones are awaited, and the answers come one after another.
    """
    waiting = list(asked)
    begun: list[asyncio.Future[T]] = []
    try:
        for number, one in enumerate(waiting, 1):
            begun.append(asyncio.ensure_future(one))
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)
        return await asyncio.gather(*begun, return_exceptions=True)
    except asyncio.CancelledError:
        for future in [*begun, *map(asyncio.ensure_future, waiting[len(begun) :])]:
            future.cancel()
        raise
