"""Writes that are ready at the same time are stored together: one thread, one connection, one transaction.

Each is stored when it comes, and who waits for it is told when it is stored. What comes while a transaction is under
way is in the next. With a thread, a connection and a transaction for each answer, ten runs of eight models kept a
worker's processor busy for longer than their models thought.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.db import InterfaceError, OperationalError, connection, transaction

from games.site.drive.lease import Lease, ours_among

log = logging.getLogger(__name__)
T = TypeVar("T")

AWAY = (OperationalError, InterfaceError)
"""The database cannot be reached, is locked, or has no room: nothing is wrong with what was to be stored."""


@dataclass(eq=False, slots=True)
class _Write(Generic[T]):
    """What is to be done, who waits for it, and what came of it."""

    work: Callable[[], T]
    loop: asyncio.AbstractEventLoop | None
    """None where a thread waits."""
    told: asyncio.Future[T] | Future[T]
    result: T | None = None
    error: BaseException | None = None

    def tell(self) -> None:
        if self.told.done():  # whoever waited is gone; what was to be stored is stored
            return
        if self.error is not None:
            self.told.set_exception(self.error)
        else:
            self.told.set_result(cast("T", self.result))


class Together:
    """Takes writes of any thread and loop of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[_Write[Any]] = []
        self._users = 0
        self._is_used = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stores")

    @contextmanager
    def open(self) -> Iterator[None]:
        """Keep the connection while somebody has something to store; the last one out closes it."""
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                is_last = not self._users and self._is_used
            if is_last:
                self._thread.submit(self._close).result()

    async def store(self, work: Callable[[], T]) -> T:
        """What a piece of work returns or raises, as soon as what it wrote is committed.

        Work whose class has an ``of_many`` is done by it: that takes all of the class that are ready at once and
        returns what each would, in their order.

        It is done even if whoever waits for it is cancelled, and done again, by itself, where another of its
        transaction was at fault: so it has to do nothing but read and write rows.
        """
        loop = asyncio.get_running_loop()
        told: asyncio.Future[T] = loop.create_future()
        self._add(_Write(work, loop, told))
        return await told

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """The same for a thread without an event loop, which waits for it as it likes."""
        told: Future[T] = Future()
        self._add(_Write(work, None, told))
        return told

    def _add(self, write: _Write[Any]) -> None:
        with self._lock:
            self._waiting.append(write)
            is_first = len(self._waiting) == 1
        if is_first:
            self._thread.submit(self._serve)

    def _serve(self) -> None:
        with self._lock:
            writes, self._waiting = self._waiting, []
            self._is_used = True
        try:
            _do(writes)
        except BaseException as error:
            _fail(writes, error)
        self._close()
        by_loop: dict[asyncio.AbstractEventLoop | None, list[_Write[Any]]] = defaultdict(list)
        for write in writes:
            by_loop[write.loop].append(write)
        _tell(by_loop.pop(None, ()))
        for loop, mine in by_loop.items():
            assert loop is not None
            try:
                loop.call_soon_threadsafe(_tell, mine)
            except RuntimeError:
                log.info("%s writes are done; who waited for them has ended", len(mine))

    def _close(self) -> None:
        with self._lock:
            if self._users:
                return
            self._is_used = False
        connection.close()


def _do(writes: Sequence[_Write[Any]]) -> None:
    """All in one transaction; where one of them is at fault, each in its own."""
    kept = connection.connection
    try:
        return _in_one(writes)
    except AWAY as error:
        if kept is None or (connection.connection is kept and connection.is_usable()):
            return _fail(writes, error)
        connection.close()  # the database was started again since this was opened
        return _do(writes)
    except Exception as error:
        if len(writes) == 1:
            return _fail(writes, error)
    for number, write in enumerate(writes):
        try:
            _in_one([write])
        except AWAY as error:
            return _fail(writes[number:], error)
        except Exception as error:
            write.error = error
    return None


def _in_one(writes: Sequence[_Write[Any]]) -> None:
    alike: dict[Any, list[_Write[Any]]] = defaultdict(list)
    for write in writes:
        alike[getattr(type(write.work), "of_many", write)].append(write)
    leases = {write.work.lease for write in writes if isinstance(getattr(write.work, "lease", None), Lease)}  # type: ignore[attr-defined]
    with transaction.atomic():
        if (
            len(leases) > 1 and len(alike) > 1
        ):  # two workers that lock the same runs, each group by itself, may wait for each other
            ours_among(leases)
        for of_many, group in alike.items():
            works: list[Any] = [write.work for write in group]
            done = of_many(works) if callable(of_many) else [work() for work in works]
            for write, result in zip(group, done, strict=True):
                write.result = result


def _fail(writes: Sequence[_Write[Any]], error: BaseException) -> None:
    for write in writes:
        write.error = error


def _tell(writes: Sequence[_Write[Any]]) -> None:
    for write in writes:
        write.tell()


together = Together()
