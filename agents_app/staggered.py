"""Many calls at once, the first on their way while the last are still being made."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Iterable
from typing import Final, TypeVar

from games.core.bulk import YOUNG

T = TypeVar("T")

AT_ONCE: Final = 20
"""How many begin before those that have begun may go on."""


async def gathered(asked: Iterable[Awaitable[T]]) -> list[T | BaseException]:
    """What each returns or raises, in order. Every one is awaited.

    Begun all at once, each is first brought to the same point: no call goes out before every one is made, and all
    answers come back at the same moment. A few at a time, the later ones are made while the earlier ones are awaited,
    and the answers come one after another.
    """
    # A call in flight is a hundred objects that all live: Python's usual search for dead cycles went through those of a
    # hundred calls a dozen times a round. It stays so, since runs of many threads begin and end at any time.
    if 0 < gc.get_threshold()[0] < YOUNG:
        gc.set_threshold(YOUNG)
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
