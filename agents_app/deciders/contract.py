"""What a host of a run and an agent that answers with I/O owe each other.

The host gives each seat a `Ledger`; the agent stores every call there before it uses the reply, and looks there first
for what an interrupted attempt has left, so that no stored answer is paid for twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from games.core.agents import Decision, Memory, Purpose, Request
from games.core.game import Seat


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a provider, finished: what was asked, what came, what it cost.

    ``attempt``   from 1; a correction of an unusable reply is the next attempt
    ``failure``   "" for a usable reply, else its label: ``unparseable``, ``illegal``, ``truncated``, ``timeout``,
                  ``rate_limited``, ``server_error``, ``reset`` …
    ``cost_usd``  None where no price is known
    """

    seat: Seat
    step: int
    purpose: Purpose
    attempt: int
    model: str
    prompt_hash: str
    prompt: str
    reply: str
    failure: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: Decimal | None = None
    latency_ms: int | None = None


class SpendStop(Exception):
    """A limit of money, tokens or calls is reached: the run pauses. The text names limit, sum and remedy."""


class Ledger(Protocol):
    """One seat's calls at one step."""

    def earlier(self, purpose: Purpose) -> Sequence[CallRecord]:
        """The stored calls of this seat, step and purpose, by attempt."""
        ...

    async def store(self, call: CallRecord) -> None:
        """Keep a finished call, at once."""
        ...

    async def allow(self, tokens: int) -> None:
        """Ask leave for one more call of about so many tokens; raises `SpendStop`."""
        ...


class SeatedAgent(Protocol):
    """Whoever answers for one seat with I/O. Never raises for a bad reply: it flags its decision."""

    reflects: bool
    """Whether it wants the news after each step, to rewrite its memory."""

    async def decide(self, request: Request[Any, Any], ledger: Ledger) -> Decision[Any]: ...

    async def reflect(self, news: Request[Any, Any], ledger: Ledger) -> Memory: ...
