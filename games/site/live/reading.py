"""Rooms that want news at the same time are read together: under load a room costs less, not more."""

from __future__ import annotations

import asyncio
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from games.site.live import news

AT_ONCE = 16
"""Rooms that are read in one go: whoever moves waits for the thread that long."""


class Reader:
    """Collects what rooms ask while a reading is under way, and reads all of it in the next."""

    def __init__(self) -> None:
        self._asked: list[tuple[news.Asked, asyncio.Future[news.News]]] = []
        self._work: asyncio.Task[None] | None = None

    async def read(self, asked: news.Asked) -> news.News:
        """What is new for that room; raises `NotFound` where its run is no more, and what reading it raised."""
        told: asyncio.Future[news.News] = asyncio.get_running_loop().create_future()
        self._asked.append((asked, told))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._read_on())
        return await told

    async def _read_on(self) -> None:
        while self._asked:
            batch, self._asked = self._asked[:AT_ONCE], self._asked[AT_ONCE:]
            found: list[news.News | Exception]
            try:
                found = await database_sync_to_async(news.read)([asked for asked, _ in batch])
            except Exception as error:
                found = [error] * len(batch)
            for (_, told), one in zip(batch, found, strict=True):
                if told.done():  # its room was closed meanwhile
                    continue
                if isinstance(one, Exception):
                    told.set_exception(one)
                else:
                    told.set_result(one)


_readers: WeakKeyDictionary[asyncio.AbstractEventLoop, Reader] = WeakKeyDictionary()


def reader() -> Reader:
    """This loop's; a process that serves has one."""
    return _readers.setdefault(asyncio.get_running_loop(), Reader())
