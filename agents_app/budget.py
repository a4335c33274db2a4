"""What a run may spend, what it has spent, and what it is likely to spend."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import takewhile
from typing import Any

from agents_app.ports import CallRecord, Mail, RunStop, SpendStop
from agents_app.profile import Limits
from agents_app.providers.protocol import UNSENT
from games.core.agents import Purpose
from games.core.game import Seat

NO_LIMITS = Limits()


@dataclass(slots=True)
class Spent:
    """A sum over calls. What was never sent counts among the failures alone.

    ``unpriced``   calls whose price is not known; they count as nothing in ``usd``
    ``estimated``  calls whose tokens are our own reckoning
    """

    usd: Decimal = Decimal(0)
    tokens_in: int = 0
    tokens_out: int = 0
    calls: int = 0
    unpriced: int = 0
    estimated: int = 0
    failures: Counter[str] = field(default_factory=Counter)

    def add(self, call: CallRecord) -> None:
        if call.failure:
            self.failures[call.failure] += 1
        if call.failure in UNSENT or call.from_cache:
            return
        self.calls += 1
        self.tokens_in += call.tokens_in or 0
        self.tokens_out += call.tokens_out or 0
        self.estimated += call.estimated
        if call.cost_usd is not None:
            self.usd += call.cost_usd
        elif call.tokens_in is not None or call.tokens_out is not None:
            self.unpriced += 1

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @classmethod
    def of(cls, calls: Iterable[CallRecord]) -> Spent:
        spent = cls()
        for call in calls:
            spent.add(call)
        return spent


class Meter:
    """What one account (a seat, a run, an experiment) has spent, held against its limits. Safe between threads.

    Leave is asked before a call and holds its expected tokens and price until the call is booked, so that a hundred
    seats that ask at once do not all see the same untouched sum. What a call really costs is known only afterwards:
    money can overrun by the calls in flight, and by no more.
    """

    def __init__(self, name: str, limits: Limits = NO_LIMITS, spent: Spent | None = None) -> None:
        self.name, self.limits, self.spent = name, limits, spent or Spent()
        self._held_calls = self._held_tokens = 0
        self._halted: RunStop | None = None
        self._lock = threading.Lock()

    def allow(self, tokens: int) -> None:
        """Hold room for one more call of about so many tokens; raises `RunStop`."""
        with self._lock:
            if self._halted is not None:
                raise self._halted
            self._check(tokens)
            self._held_calls += 1
            self._held_tokens += tokens

    def hold(self, tokens: int, calls: int = 1) -> None:
        """Hold room for calls that are under way already, whatever the limits say."""
        with self._lock:
            self._held_calls += calls
            self._held_tokens += tokens

    def _check(self, tokens: int) -> None:
        spent, limits = self.spent, self.limits
        if limits.calls is not None and spent.calls + self._held_calls + 1 > limits.calls:
            raise self._stop(f"{spent.calls} calls made, {self._held_calls} in flight; at most {limits.calls} (calls)")
        if limits.tokens is not None and spent.tokens + self._held_tokens + tokens > limits.tokens:
            raise self._stop(
                f"{spent.tokens} tokens spent, {self._held_tokens} in flight, about {tokens} more wanted; "
                f"at most {limits.tokens} (tokens)"
            )
        if limits.usd is not None and spent.usd + self._expected(self._held_tokens + tokens) > limits.usd:
            raise self._stop(f"{spent.usd:f} USD spent; the next call would go beyond {limits.usd:f} (usd)")

    def _expected(self, tokens: int) -> Decimal:
        """What so many tokens have cost on the average so far; nothing before the first call is booked."""
        return self.spent.usd / self.spent.tokens * tokens if self.spent.tokens else Decimal(0)

    def _stop(self, what: str) -> SpendStop:
        return SpendStop(f"{self.name}: {what}. Raise the limit and resume.")

    def halt(self, stop: RunStop) -> None:
        """Let nobody draw on this account any more: every later `allow` raises this."""
        with self._lock:
            self._halted = self._halted or stop

    def release(self, tokens: int) -> None:
        """Give room back that `allow` held, where no call came of it."""
        with self._lock:
            self._held_calls = max(0, self._held_calls - 1)
            self._held_tokens = max(0, self._held_tokens - tokens)

    def book(self, call: CallRecord, held: int | None) -> None:
        """A finished call, in place of the room that `allow` held for it; None: nothing was held."""
        if held is not None:
            self.release(held)
        with self._lock:
            self.spent.add(call)


class MemoryLedger:
    """One seat's calls at one step, kept in a list: for runs without a site, and for tests.

    ``kept`` is the list of the run's calls; ``meters`` are the accounts that the seat draws on.
    """

    def __init__(self, seat: Seat, step: int, kept: list[CallRecord], meters: Sequence[Meter] = ()) -> None:
        self.seat, self.step, self.kept, self.meters = seat, step, kept, meters
        self.mail: Mail | None = None
        self._held: list[int] = []

    def earlier(self, purpose: Purpose) -> Sequence[CallRecord]:
        here = takewhile(lambda call: call.step >= self.step, reversed(self.kept))  # steps come in order
        found = [call for call in here if (call.seat, call.step, call.purpose) == (self.seat, self.step, purpose)]
        return found[::-1]

    async def known(self, prompt_hash: str, address: str) -> CallRecord | None:
        return None

    def halt(self, stop: RunStop) -> None:
        for meter in self.meters:
            meter.halt(stop)

    def resume(self, tokens: int) -> None:
        for meter in self.meters:
            meter.hold(tokens)
        self._held.append(tokens)

    async def store(self, call: CallRecord) -> None:
        self.kept.append(call)
        held = self._held.pop() if self._held and call.failure != "unasked" and not call.from_cache else None
        for meter in self.meters:
            meter.book(call, held)

    async def hold(self, call: CallRecord) -> None:
        await self.store(call)

    async def allow(self, tokens: int) -> None:
        granted: list[Meter] = []
        try:
            for meter in self.meters:
                meter.allow(tokens)
                granted.append(meter)
        except RunStop:
            for meter in granted:
                meter.release(tokens)
            raise
        self._held.append(tokens)


@dataclass(frozen=True, slots=True)
class Tally:
    """A run's account: sums in all and by seat, and how the answers came about.

    ``calls_per_100_steps``  calls of one seat for each 100 steps in which it was asked (with plans, far below 100)
    ``invalid_rate``         share of the models' decisions for which the game's default had to stand in; None: no
                             decision was asked of a model
    """

    total: Spent
    by_seat: Mapping[Seat, Spent]
    decisions: int
    fallbacks: int

    @property
    def invalid_rate(self) -> float | None:
        return self.fallbacks / self.decisions if self.decisions else None

    @property
    def calls_per_100_steps(self) -> float | None:
        return 100 * self.total.calls / self.decisions if self.decisions else None

    @classmethod
    def of(cls, calls: Iterable[CallRecord], records: Iterable[Mapping[str, Any]], seats: Sequence[Seat]) -> Tally:
        """From the stored calls, the steps' records (`codec.encode_step`) and the seats that models hold."""
        by_seat = {seat: Spent() for seat in seats}
        total = Spent()
        for call in calls:
            total.add(call)
            by_seat.setdefault(call.seat, Spent()).add(call)
        decisions = fallbacks = 0
        for record in records:
            flags = dict(record["flags"])
            asked = [seat for seat in record["seats"] if seat in by_seat]
            decisions += len(asked)
            fallbacks += sum("fallback" in flags.get(seat, ()) for seat in asked)
        return cls(total, by_seat, decisions, fallbacks)
