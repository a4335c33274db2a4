"""How many calls a provider is sent at once: fewer after a 429, more again while it goes well.

Additive increase, multiplicative decrease, as TCP does it. One gate serves all threads and event loops of a process,
since the vendor counts them together.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from agents_app.profile import Profile

PAUSE_MIN_S: Final = 0.5
PAUSE_MAX_S: Final = 60.0
HALVING_S: Final = 1.0
"""429s that come within this time of one another belong to one wave, and halve the limit once."""


@dataclass(slots=True)
class Gate:
    """Room for ``limit`` calls at once, ``most`` at the best of times."""

    most: int
    now: Callable[[], float] = time.monotonic
    limit: float = field(init=False)
    running: int = field(init=False, default=0)
    closed_until: float = field(init=False, default=0.0)
    _halved_at: float = field(init=False, default=float("-inf"))
    _pause_s: float = field(init=False, default=PAUSE_MIN_S)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)
    _waiting: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = field(init=False, default_factory=deque)

    def __post_init__(self) -> None:
        self.limit = float(self.most)

    @property
    def is_closed(self) -> bool:
        """Whether the provider has asked to be left alone, and that time is not over."""
        return self.closed_until > self.now()

    async def __aenter__(self) -> None:
        """Wait for room (and until a pause that the provider asked for is over), and hold it."""
        while True:
            with self._lock:
                pause = self.closed_until - self.now()
                if pause <= 0 and self.running < max(1, int(self.limit)):
                    self.running += 1
                    return
                turn: asyncio.Future[None] | None = None
                if pause <= 0:
                    loop = asyncio.get_running_loop()
                    turn = loop.create_future()
                    self._waiting.append((loop, turn))
            if turn is None:
                await asyncio.sleep(pause)
                continue
            try:
                await turn
            except asyncio.CancelledError:
                self._give_up(turn)
                raise

    def _give_up(self, turn: asyncio.Future[None]) -> None:
        """Wait no longer; who was woken already hands the room on."""
        with self._lock:
            self._waiting = deque(place for place in self._waiting if place[1] is not turn)
        self._wake()

    async def __aexit__(self, *error: object) -> None:
        with self._lock:
            self.running -= 1
        self._wake()

    def _wake(self) -> None:
        """Let as many of those who wait look again as there is room for; who was woken in vain waits once more."""
        with self._lock:
            room = max(1, int(self.limit)) - self.running
            chosen = [self._waiting.popleft() for _ in range(min(room, len(self._waiting)))] if room > 0 else []
        for loop, turn in chosen:
            try:
                loop.call_soon_threadsafe(_settle, turn)
            except RuntimeError:  # that loop is closed: whoever waited there is gone
                self._wake()

    def went_well(self) -> None:
        """One call more for every full set of calls that went well."""
        with self._lock:
            self.limit = min(float(self.most), self.limit + 1 / max(1.0, self.limit))
            self._pause_s = PAUSE_MIN_S

    def held_back(self, retry_after_s: float | None) -> None:
        """A 429: half as many at once, and none before the provider's own time or, where it names none, a growing one.

        A provider that asks for more than a minute is asked again after a minute.
        """
        with self._lock:
            now = self.now()
            if now - self._halved_at > HALVING_S:
                self._halved_at = now
                self.limit = max(1.0, self.limit / 2)
                pause = self._pause_s if retry_after_s is None else retry_after_s
                self._pause_s = min(PAUSE_MAX_S, self._pause_s * 2)
            else:
                pause = 0.0 if retry_after_s is None else retry_after_s
            self.closed_until = max(self.closed_until, now + min(PAUSE_MAX_S, pause))


def _settle(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)


_gates: dict[tuple[str, str, str], Gate] = {}
_gates_lock = threading.Lock()


def gate_for(profile: Profile) -> Gate:
    """The process's gate to a profile's model at its address: vendors count models apart, and one that is held back
    holds up no other. The largest ``concurrency`` of its profiles counts.
    """
    key = (profile.provider, profile.base_url, profile.model)
    with _gates_lock:
        gate = _gates.setdefault(key, Gate(profile.concurrency))
        if profile.concurrency > gate.most:
            gate.limit += profile.concurrency - gate.most
            gate.most = profile.concurrency
        return gate
