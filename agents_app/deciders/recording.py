"""A recording as a provider: stored calls answer by the hash of the exact prompt, and nobody else is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any, Final

from agents_app.deciders.calling import CACHED
from agents_app.ports import CallRecord
from agents_app.providers.mock import Hint
from agents_app.providers.protocol import (
    NEVER,
    PROVIDER_FAILURES,
    STOPPING,
    WAITED,
    AtHand,
    Failure,
    Prompt,
    ProviderFault,
    Reply,
)

ASKS_STRUCTURED: Final = '"schema":{'


OFF_RECORD: Final = "off_record"


class RecordingProvider(AtHand):
    """Gives each stored call once, in its order.

    A prompt that was never recorded is refused; with ``by_step`` it is answered with what was said at that step, and
    the decision is flagged ``off_record``: the seat goes on as it did, though others do not.

    ``answered``    how many prompts it had a record for
    ``missed``      the hashes of prompts that were never recorded
    ``structured``  whether the recorded prompts asked for structured output; None: their texts say
    """

    def __init__(self, calls: Iterable[CallRecord], by_step: bool = False, structured: bool | None = None) -> None:
        self.answered = 0
        self.missed: list[str] = []
        self._by_step = by_step
        self._waiting: dict[str, deque[CallRecord]] = {}
        self._said: dict[tuple[int, str], list[CallRecord]] = {}
        found = False
        told = sorted(calls, key=lambda call: (call.step, call.seat, call.purpose, call.attempt))
        for call in _gone_on(told):
            self._waiting.setdefault(call.prompt_hash, deque()).append(call)
            self._said.setdefault((call.step, call.purpose), []).append(call)
            # Canonical JSON sorts its keys: the schema stands between messages, which escape quotes, and seed.
            found = found or ASKS_STRUCTURED in call.prompt
        self._structured = found if structured is None else structured

    def has_structured_output(self, model: str) -> bool:
        return self._structured

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        waiting = self._waiting.get(prompt.hash)
        if waiting:
            # What was given up for want of time before it was sent is not in the record: the last failure stands in.
            is_last_failure = len(waiting) == 1 and waiting[0].failure in PROVIDER_FAILURES
            self.answered += 1
            return _given(waiting[0] if is_last_failure else waiting.popleft(), is_last_failure)
        self.missed.append(prompt.hash)
        if self._by_step and isinstance(hint, Hint):
            said = self._said.get((hint.request.index, hint.request.purpose), [])
            if said:
                return replace(_given(said[min(hint.attempt, len(said)) - 1]), flags=(OFF_RECORD,))
        raise ProviderFault("refused", f"the recording has no reply to this prompt ({prompt.hash})")


def _gone_on(calls: Sequence[CallRecord]) -> list[CallRecord]:
    """The calls without those at which the run stopped and was resumed: their answer came of a later one."""
    last = {(call.step, call.seat, call.purpose): call.attempt for call in calls}
    return [
        call
        for call in calls
        if call.failure not in STOPPING or call.attempt == last[call.step, call.seat, call.purpose]
    ]


def _given(call: CallRecord, is_last: bool = False) -> Reply:
    """What was said then, at no cost; raises `ProviderFault` where nothing came."""
    if call.failure in PROVIDER_FAILURES:
        failure: Failure = call.failure  # type: ignore[assignment]
        raise ProviderFault(failure, call.reply, NEVER if is_last and failure in WAITED else 0.0)
    return Reply(
        call.reply,
        call.failure == "truncated",
        call.tokens_in,
        call.tokens_out,
        Decimal(0),
        tuple(call.ignored.split(",")) if call.ignored else (),
        (CACHED,) if call.from_cache else (),
        refusal=call.refusal,
        finish=call.finish,
        reasoning=call.reasoning,
        logprobs=call.logprobs,
        label=call.failure,
    )


def read_calls(raw: Iterable[Mapping[str, Any]]) -> list[CallRecord]:
    """Calls from plain data, as a file holds them. TypeError or ArithmeticError where that is none."""
    known = {part.name for part in fields(CallRecord)}
    found = []
    for call in raw:
        given = {name: value for name, value in call.items() if name in known}
        usd = given.get("cost_usd")
        found.append(CallRecord(**{**given, "cost_usd": None if usd is None else Decimal(str(usd))}))
    return found
