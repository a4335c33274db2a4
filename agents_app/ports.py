"""What a host of a run and an agent that answers with I/O owe each other.

The host gives each seat a `Ledger`; the agent stores every call there before it uses the reply, and looks there first
for what an interrupted attempt has left, so that no stored answer is paid for twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol

from agents_app.providers.batching import Letter
from games.core.agents import Decision, Memory, Purpose, Request
from games.core.answers import JSON
from games.core.game import Seat
from games.core.values import swift


@swift
@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a provider, finished: what was asked, what came, what it cost.

    ``attempt``    from 1; a correction of an unusable reply is the next attempt
    ``reply``      the text as it came; where none came, the fault in one line, with the address and the vendor's words
    ``failure``    "" for a usable reply, else its label: ``unparseable``, ``illegal``, ``truncated``, ``declined``, or
                   why no reply came (`providers.protocol.Failure`). ``unasked`` is a time that was over before the
                   call: it was not made, costs nothing and counts as none
    ``cost_usd``   None where no price is known
    ``address``    where it was sent; "" where nobody was called
    ``at``         when it began, in ISO 8601; "" where no clock was read
    ``estimated``  its tokens are our own reckoning: the server reported none, or none that can be true
    ``repaired``   what was struck off before the answer could be read, between commas: ``think``, ``fence``, …
    ``ignored``    the parameters of which the server made nothing, between commas
    ``batch``      the vendor's id of the batch that it came by; "" for a call by itself
    ``rate``       what its price was reckoned by, where it came by batch: ``batch`` or, where none is known for
                   batches, ``ordinary``; "" for a call by itself, and where no price is known
    ``answers``    to questions beside the play (`agents_app.asides`): JSON text by name; "" for any other call
    For the rest see `providers.protocol.Reply`.
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
    address: str = ""
    at: str = ""
    finish: str = ""
    reasoning: str = ""
    refusal: str = ""
    tools: str = ""
    served: str = ""
    response_id: str = ""
    fingerprint: str = ""
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    logprobs: str = ""
    estimated: bool = False
    from_cache: bool = False
    repaired: str = ""
    ignored: str = ""
    answers: str = ""
    batch: str = ""
    rate: str = ""


class RunStop(Exception):
    """The run pauses here. The text says why and what would help; what was answered is kept."""


class SpendStop(RunStop):
    """A limit of money, tokens or calls is reached. The text names limit, sum and remedy."""


class ModelStop(RunStop):
    """A model cannot be asked as it is set up, or has not answered for long. The text ends in the vendor's words."""


class SeatStop(RunStop):
    """A person or a program does not move. The text says who, and what may be done."""


class BatchWaits(Exception):
    """The answers are in batches that are not over. Whoever drives the run lets go of it until one of them is there.

    ``letters``  the ids of what is waited for
    """

    def __init__(self, letters: Sequence[str]) -> None:
        self.letters = tuple(letters)
        super().__init__(f"{len(self.letters)} calls wait for their batch")


class Mail(Protocol):
    """A run's way to the vendor's batch interface."""

    @property
    def place(self) -> str:
        """What tells this run from others whose letters go the same way."""
        ...

    async def has(self, letter_id: str) -> bool:
        """Whether a letter was posted, now or before an interruption."""
        ...

    async def answer(self, letter: Letter) -> Mapping[str, JSON]:
        """Post it, unless it was, and give what came (`providers.batching.reply_in` reads it).

        Raises `BatchWaits` where the host does not wait in place, and `RunStop`.
        """
        ...


class Ledger(Protocol):
    """One seat's calls at one step."""

    mail: Mail | None
    """The way to the batch interface; None where each call is made by itself."""

    def earlier(self, purpose: Purpose) -> Sequence[CallRecord]:
        """The stored calls of this seat, step and purpose, by attempt."""
        ...

    async def known(self, prompt_hash: str, address: str) -> CallRecord | None:
        """A usable reply that another run had to the same prompt at the same address; None where none is kept."""
        ...

    async def store(self, call: CallRecord) -> None:
        """Keep a finished call, at once."""
        ...

    async def hold(self, call: CallRecord) -> None:
        """Keep a finished call with the answer that is made of it, which follows without another call or wait."""
        ...

    async def allow(self, tokens: int) -> None:
        """Ask leave for one more call of about so many tokens; raises `RunStop`."""
        ...

    def resume(self, tokens: int) -> None:
        """Hold room for a call that was allowed and sent before an interruption, whatever the limits say by now."""
        ...

    def halt(self, stop: RunStop) -> None:
        """Let nobody else of this run be asked: every later `allow` raises this."""
        ...


class SeatedAgent(Protocol):
    """Whoever answers for one seat with I/O. Never raises for a bad reply: it flags its decision."""

    reflects: bool
    """Whether it wants the news after each step, to rewrite its memory."""
    is_asked_at_end: bool
    """Whether there are questions for it when the match is over."""

    async def decide(self, request: Request[Any, Any], ledger: Ledger) -> Decision[Any]: ...

    async def reflect(self, news: Request[Any, Any], ledger: Ledger) -> Memory: ...

    async def look_back(self, news: Request[Any, Any], ledger: Ledger) -> None:
        """Answer the questions that are asked when the match is over. Raises `RunStop` alone."""
        ...
