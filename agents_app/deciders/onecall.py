"""One call of a provider, made or not, and the record of it: label, tokens, money, and what came beside the reply."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, TypeVar

from agents_app.deciders.questions import Question
from agents_app.declining import is_refusal
from agents_app.gate import Gate
from agents_app.parsing import BadReply
from agents_app.ports import CallRecord, Ledger, Mail
from agents_app.pricing import batch_price, price_for
from agents_app.profile import Profile
from agents_app.providers.batching import Letter, letter_id, reply_in
from agents_app.providers.parameters import body_of
from agents_app.providers.protocol import Prompt, Provider, ProviderFault, Reply, tokens_in_prompt
from agents_app.providers.strict import is_strict
from agents_app.usage import Count, counted, unanswered
from games.core.cleaning import storable
from games.core.values import swift

T = TypeVar("T")
OUT_OF_TIME: Final = "timeout"
UNASKED: Final = "unasked"
FILTERED: Final = "filtered"
FILTERS: Final = frozenset({"content_filter", "safety", "SAFETY", "PROHIBITED_CONTENT", "RECITATION"})
"""How vendors call the end by their filter."""
MARGIN_S: Final = 0.05
REPLY_MAX: Final = 64 * 1024
"""Characters of a reply that are read and kept; what is beyond them counts as cut off."""
TOKENS_MAX: Final = 2**31 - 1
COST_MAX: Final = Decimal(999_999)
"""The largest numbers of one call that are stored, whatever a vendor says."""
BESIDE: Final = ("finish", "reasoning", "refusal", "tools", "served", "response_id", "fingerprint", "logprobs")
"""What a record takes over from a reply as it is."""


def _bounded(reply: Reply) -> Reply:
    """The reply as it is kept: 64 kB of each of its texts."""
    texts = {name: text for name in ("text", *BESIDE) if (text := getattr(reply, name))}
    cut: dict[str, Any] = {name: short for name, text in texts.items() if (short := storable(text[:REPLY_MAX])) != text}
    return replace(reply, truncated=reply.truncated or len(reply.text) > REPLY_MAX, **cut) if cut else reply


def _counted(tokens: int | None) -> int | None:
    """A number of tokens within what is stored."""
    return None if tokens is None else min(max(int(tokens), 0), TOKENS_MAX)


def _ignored(prompt: Prompt, reply: Reply) -> tuple[str, ...]:
    """With the log-probabilities that were asked for and did not come: many servers say nothing of it."""
    is_missing = "logprobs" in prompt.extra and not reply.logprobs and "logprobs" not in reply.ignored
    return (*reply.ignored, "logprobs") if is_missing else reply.ignored


@swift
@dataclass(frozen=True, slots=True)
class Made:
    """A call that was made; ``bug``: what the game's reader or controller raised over its reply.

    ``known``   what was read in a reply that can be used: the value, and what was struck off around it
    ``wait_s``  what the vendor (or a recording, which has no time to lose) says about when to repeat it
    """

    call: CallRecord
    flags: tuple[str, ...] = ()
    bug: Exception | None = None
    wait_s: float | None = None
    known: tuple[Any, tuple[str, ...]] | None = None


@dataclass(slots=True)
class Line:
    """One profile's line to its provider."""

    profile: Profile
    provider: Provider
    gate: Gate

    async def call(self, question: Question[T], prompt: Prompt, attempt: int, ledger: Ledger, deadline: float) -> Made:
        """One call. TimeoutError where the budget of time ends before it could begin."""
        reply: Reply | None = None
        failure, text = "", ""
        wait_s: float | None = None
        is_billed = False
        allowed, at, began = 0.0, "", 0.0
        try:
            async with asyncio.timeout_at(deadline) as clock, self.gate:
                # The call ends a little before the budget, so that it is known for what it was.
                left = deadline - asyncio.get_running_loop().time() - MARGIN_S
                if left < MARGIN_S:
                    raise TimeoutError
                allowed = min(self.profile.timeout_s, left)
                await ledger.allow(tokens_in_prompt(prompt.messages) + prompt.max_tokens)
                at, began = _now(), time.monotonic()
                clock.reschedule(asyncio.get_running_loop().time() + allowed)  # from here on it is sent, and counted
                reply = _bounded(await self.provider.complete(prompt, allowed, question.hint(attempt)))
                self.gate.went_well()
        except TimeoutError:
            if not at:
                raise
            failure, text, is_billed = OUT_OF_TIME, f"no reply within {allowed:.3g} s{self._from()}", True
        except ProviderFault as fault:
            failure, text, wait_s = fault.failure, str(fault), fault.retry_after_s
            is_billed = fault.is_answered or failure == OUT_OF_TIME
            if failure == "rate_limited":
                self.gate.held_back(fault.retry_after_s)
        when = {"latency_ms": round((time.monotonic() - began) * 1000), "at": at}
        if reply is not None:
            return self._answered(question, prompt, attempt, reply, **when)
        call = self._blank(question, prompt, attempt, storable(text), failure, **when)
        return Made(self._lost(call, prompt) if is_billed else call, wait_s=wait_s)

    async def by_batch(self, question: Question[T], prompt: Prompt, attempt: int, ledger: Ledger, mail: Mail) -> Made:
        """One call through the vendor's batch interface. Raises what ledger and mail raise."""
        body, ignored = body_of(prompt, strict=is_strict(self.profile))
        seat, step, purpose = question.seat, question.step, question.purpose
        name = letter_id(mail.place, seat, step, purpose, attempt, prompt.hash)
        tokens = tokens_in_prompt(prompt.messages) + prompt.max_tokens
        letter = Letter(name, self.profile, body, seat, tokens)
        if await mail.has(name):
            ledger.resume(tokens)
        else:
            await ledger.allow(tokens)
        answer = await mail.answer(letter)
        known: dict[str, Any] = {name: answer[name] for name in ("at", "latency_ms") if name in answer}
        known |= {"batch": str(answer.get("batch", "")), "rate": self._rate()}
        try:
            had_schema = prompt.schema is not None
            reply = _bounded(reply_in(answer, ignored, self.provider.address, had_schema=had_schema))
        except ProviderFault as fault:
            call = self._blank(question, prompt, attempt, storable(str(fault)), fault.failure, **known)
            return Made(self._lost(call, prompt) if fault.is_answered else call, wait_s=0)
        return self._answered(question, prompt, attempt, reply, **known)

    def _rate(self) -> str:
        if batch_price(self.profile) is not None:
            return "batch"
        return "" if price_for(self.profile) is None else "ordinary"

    def _blank(
        self, question: Question[Any], prompt: Prompt, attempt: int, text: str, failure: str, **known: Any
    ) -> CallRecord:
        seat, step, purpose = question.seat, question.step, question.purpose
        asked = (seat, step, purpose, attempt, prompt.model, prompt.hash, prompt.text, text, failure)
        return CallRecord(*asked, address=self.provider.address, **known)

    def _from(self) -> str:
        return f" from {self.provider.address}" if self.provider.address else ""

    def _lost(self, call: CallRecord, prompt: Prompt) -> CallRecord:
        """A call whose reply was lost after it was sent, given up in the middle or cut: its vendor bills it."""
        if self.profile.is_mock:
            return call
        into, out, usd = unanswered(prompt, price_for(self.profile, bool(call.batch)))
        return replace(call, tokens_in=into, tokens_out=out, cost_usd=usd, estimated=True)

    def _answered(self, question: Question[T], prompt: Prompt, attempt: int, reply: Reply, **known: Any) -> Made:
        """A call with its reply, read once to give it its label."""
        took = Count(reply.tokens_in, reply.tokens_out, reply.cost_usd, reply.estimated)
        if not self.profile.is_mock:
            took = counted(prompt, reply, price_for(self.profile, bool(known.get("batch"))))
        text, failure = reply.text, "truncated" if reply.truncated else ""
        usable: tuple[T, tuple[str, ...]] | None = None
        repaired, answers, bug = "", "", None
        if reply.finish in FILTERS:
            failure, text = FILTERED, text or f"the vendor's filter stopped the reply ({reply.finish})"
        else:
            try:
                usable = question.reading(text, reply.refusal, truncated=reply.truncated)
                repaired, answers = ",".join(usable[1]), question.kept(usable[0])
            except BadReply as error:
                label = "declined" if error.kind == "unparseable" and is_refusal(text) else error.kind
                failure = reply.label or label
            except Exception as error:  # a bug in a game's reader or controller: what was paid for is kept
                failure, bug = "bug", error
        call = self._blank(
            question,
            prompt,
            attempt,
            text,
            failure,
            tokens_in=_counted(took.tokens_in),
            tokens_out=_counted(took.tokens_out),
            cost_usd=None if took.cost_usd is None else min(max(took.cost_usd, Decimal(0)), COST_MAX),
            ignored=",".join(_ignored(prompt, reply)),
            from_cache=reply.from_cache,
            estimated=took.estimated,
            tokens_cached=_counted(reply.tokens_cached),
            tokens_reasoning=_counted(reply.tokens_reasoning),
            repaired=repaired,
            answers=answers,
            **{name: getattr(reply, name) for name in BESIDE},
            **known,
        )
        return Made(call, reply.flags, bug, known=usable)

    def unasked(self, question: Question[Any], prompt: Prompt, attempt: int, waited_s: float) -> Made:
        """The record that there was no time for a call."""
        held = ", while the vendor asks to be left alone" if self.gate.is_closed else ""
        told = f"not asked: the {self.profile.budget_s:g} s for this answer were over{held}"
        waited_ms = round(waited_s * 1000)
        return Made(self._blank(question, prompt, attempt, told, UNASKED, latency_ms=waited_ms, at=_now()))


def from_cache(known: CallRecord, question: Question[Any], attempt: int) -> CallRecord:
    """Another run's call as one of this seat: it took no time and cost nothing."""
    return replace(
        known,
        seat=question.seat,
        step=question.step,
        purpose=question.purpose,
        attempt=attempt,
        cost_usd=Decimal(0),
        latency_ms=0,
        at=_now(),
        from_cache=True,
        batch="",
        rate="",
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
