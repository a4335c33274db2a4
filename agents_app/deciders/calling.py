"""One question to a model, with its repeated calls and corrections, inside a budget of time.

Every attempt is stored when it ends, before anything is made of it. What an interrupted process has stored is taken up
by the hash of its prompt: no stored reply is asked for, or paid for, twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from agents_app.deciders.contract import CallRecord, Ledger
from agents_app.gate import Gate
from agents_app.parsing import BadReply
from agents_app.profile import Profile
from agents_app.prompting import lines, reason
from agents_app.providers.contract import Message, Prompt, Provider, ProviderFault, Reply, tokens_in_prompt
from games.core.agents import Purpose
from games.core.answers import JSON, SENTENCE
from games.core.codec import encode_note
from games.core.game import Seat

T = TypeVar("T")
OUT_OF_TIME: Final = "timeout"
PROVIDER_FAILURES: Final = frozenset({"timeout", "rate_limited", "server_error", "reset", "refused"})
PAUSE_S: Final = 0.2
"""Before a call is repeated after a 5xx or a lost connection; doubled each time."""
PAUSE_MAX_S: Final = 5.0
MARGIN_S: Final = 0.05
ECHOED: Final = 4000
"""Characters of an unusable reply that the model is shown again."""


def storable(text: str) -> str:
    """The text without what a database cannot hold, lone surrogates and NUL: what is stored is what was read."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """What is asked for one seat at one step.

    ``read``  the reply's text, and whether it was cut, to a value; raises `BadReply`
    ``hint``  what the mock is given with the attempt of that number
    """

    seat: Seat
    step: int
    purpose: Purpose
    prompt: Prompt
    read: Callable[[str, bool], T]
    hint: Callable[[int], object]


@dataclass(slots=True)
class Outcome(Generic[T]):
    """``value`` None: nothing usable came; ``failure`` is then the last failure's label."""

    value: T | None = None
    failure: str = ""
    attempts: list[dict[str, JSON]] = field(default_factory=list)
    ignored: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def was_corrected(self) -> bool:
        """Whether a reply came that could not be used, before one that could. Calls that were lost do not count."""
        failures = {made["failure"] for made in self.attempts}
        return self.value is not None and not failures <= {"", *PROVIDER_FAILURES}


@dataclass(slots=True)
class Caller:
    """One profile's way of asking: provider, gate, limits of time and number."""

    profile: Profile
    provider: Provider
    gate: Gate

    async def ask(self, question: Question[T], ledger: Ledger) -> Outcome[T]:
        """A value, or why there is none. Raises `SpendStop` alone."""
        await self.provider.ready()
        outcome: Outcome[T] = Outcome()
        deadline = asyncio.get_running_loop().time() + self.profile.budget_s
        stored = _Stored(ledger.earlier(question.purpose))
        prompt = question.prompt
        corrections = repeats = 0
        while True:
            call = stored.take(prompt.hash)
            reply: Reply | None = None
            is_fresh = call is None
            if call is None:
                try:
                    async with asyncio.timeout_at(deadline):
                        call, reply = await self._call(question, prompt, stored.next_attempt(), ledger, deadline)
                except TimeoutError:
                    outcome.failure = OUT_OF_TIME
                    return outcome
            if reply is not None:
                outcome.ignored, outcome.flags = reply.ignored, reply.flags
            why, noted = "", dict[str, JSON]()
            if call.failure in PROVIDER_FAILURES:
                why = call.reply
            else:
                try:
                    outcome.value = question.read(call.reply, call.failure == "truncated")
                except BadReply as error:
                    why = self._why(error)
                    noted = {} if error.note.kind == SENTENCE else {"note": encode_note(error.note)}
            outcome.attempts.append({"attempt": call.attempt, "failure": call.failure, "why": why, **noted})
            outcome.failure = call.failure
            if outcome.value is not None:
                return outcome
            if call.failure in PROVIDER_FAILURES:
                repeats += 1
                if call.failure == "refused" or repeats > self.profile.call_retries:
                    return outcome
                if is_fresh and call.failure in ("server_error", "reset"):
                    await self._pause(repeats, deadline)
                continue
            corrections += 1
            if corrections > self.profile.retries:
                return outcome
            prompt = prompt.followed_by(*self._correction(call.reply, call.failure, why))

    async def _call(
        self, question: Question[T], prompt: Prompt, attempt: int, ledger: Ledger, deadline: float
    ) -> tuple[CallRecord, Reply | None]:
        """One call, stored. TimeoutError where the budget of time ends before it could begin."""
        reply: Reply | None = None
        failure, text = "", ""
        async with self.gate.passage():
            # The call ends a little before the budget, so that it can be stored as what it was.
            left = deadline - asyncio.get_running_loop().time() - MARGIN_S
            if left < MARGIN_S:
                raise TimeoutError
            allowed = min(self.profile.timeout_s, left)
            await ledger.allow(tokens_in_prompt(prompt.messages) + prompt.max_tokens)
            began = time.monotonic()
            try:
                async with asyncio.timeout(allowed):
                    reply = await self.provider.complete(prompt, allowed, question.hint(attempt))
                reply = replace(reply, text=storable(reply.text))
                text = reply.text
                self.gate.went_well()
            except TimeoutError:
                failure, text = OUT_OF_TIME, f"no reply within {allowed:.3g} s"
            except ProviderFault as fault:
                failure, text = fault.failure, str(fault)
                if failure == "rate_limited":
                    self.gate.held_back(fault.retry_after_s)
            latency_ms = round((time.monotonic() - began) * 1000)
        bug: Exception | None = None
        if reply is not None:
            try:
                failure = _fault_in(question, reply)
            except Exception as error:  # a bug in a game's reader or controller: what was paid for is kept all the same
                failure, bug = "bug", error
        call = CallRecord(
            question.seat,
            question.step,
            question.purpose,
            attempt,
            prompt.model,
            prompt.hash,
            prompt.text,
            text,
            failure,
            reply.tokens_in if reply else None,
            reply.tokens_out if reply else None,
            reply.cost_usd if reply else None,
            latency_ms,
        )
        await asyncio.shield(ledger.store(call))
        if bug is not None:
            raise bug
        return call, reply

    async def _pause(self, repeats: int, deadline: float) -> None:
        left = deadline - asyncio.get_running_loop().time()
        await asyncio.sleep(max(0.0, min(PAUSE_MAX_S, PAUSE_S * 2 ** (repeats - 1), left)))

    def _why(self, error: BadReply) -> str:
        """In the language of the prompts. In English, actions are refused in the words of whoever reads them: so were
        they always, and a stored call is found again by its prompt.
        """
        return error.line if error.line and self.profile.language == "en" else reason(error.note, self.profile.language)

    def _correction(self, reply: str, failure: str, why: str) -> tuple[Message, Message]:
        words = lines(self.profile.language)
        echo = reply[:ECHOED] if reply.strip() else words["no_reply"]
        return Message("assistant", echo), Message("user", words[f"correct_{failure}"].format(why=why.rstrip(".。")))


def _fault_in(question: Question[T], reply: Reply) -> str:
    """The label of what is wrong with a reply; "" where it can be used."""
    try:
        question.read(reply.text, reply.truncated)
    except BadReply as error:
        return error.kind
    return ""


class _Stored:
    """The calls that an earlier process has stored for this question, by prompt, in their order."""

    def __init__(self, calls: Sequence[CallRecord]) -> None:
        self._by_hash: dict[str, deque[CallRecord]] = {}
        for call in sorted(calls, key=lambda call: call.attempt):
            self._by_hash.setdefault(call.prompt_hash, deque()).append(call)
        self._last = max((call.attempt for call in calls), default=0)

    def take(self, prompt_hash: str) -> CallRecord | None:
        waiting = self._by_hash.get(prompt_hash)
        return waiting.popleft() if waiting else None

    def next_attempt(self) -> int:
        """The number of a call that is yet to be made: after all that are stored."""
        self._last += 1
        return self._last
