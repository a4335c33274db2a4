"""A recording as a provider: stored calls answer by the hash of the exact prompt, and nobody else is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from agents_app.deciders.calling import PROVIDER_FAILURES
from agents_app.deciders.contract import CallRecord
from agents_app.providers.contract import Failure, Prompt, ProviderFault, Reply


class RecordingProvider:
    """Gives each stored call once, in its order.

    ``answered``  how many prompts it had a record for
    ``missed``    the hashes of prompts that were never recorded
    """

    def __init__(self, calls: Iterable[CallRecord]) -> None:
        self.answered = 0
        self.missed: list[str] = []
        self._waiting: dict[str, deque[CallRecord]] = {}
        self._structured = False
        for call in sorted(calls, key=lambda call: (call.step, call.seat, call.purpose, call.attempt)):
            self._waiting.setdefault(call.prompt_hash, deque()).append(call)
            # Canonical JSON sorts its keys: the schema stands between messages, which escape quotes, and seed.
            self._structured = self._structured or '"schema":{' in call.prompt

    async def ready(self) -> None:
        """Nothing to prepare."""

    def has_structured_output(self, model: str) -> bool:
        """Whether the recorded prompts asked for it."""
        return self._structured

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        waiting = self._waiting.get(prompt.hash)
        if not waiting:
            self.missed.append(prompt.hash)
            raise ProviderFault("refused", f"the recording has no reply to this prompt ({prompt.hash})")
        # What was given up for want of time before it was sent is not in the record: the last failure stands for it.
        is_last_failure = len(waiting) == 1 and waiting[0].failure in PROVIDER_FAILURES
        call = waiting[0] if is_last_failure else waiting.popleft()
        self.answered += 1
        if call.failure in PROVIDER_FAILURES:
            failure: Failure = call.failure  # type: ignore[assignment]
            raise ProviderFault(failure, call.reply, retry_after_s=0.0)
        return Reply(call.reply, call.failure == "truncated", call.tokens_in, call.tokens_out, Decimal(0))


def read_calls(raw: Iterable[Mapping[str, Any]]) -> list[CallRecord]:
    """Calls from plain data, as a seat's JSON or a file holds them. TypeError names a part that is missing."""
    known = {part.name for part in fields(CallRecord)}
    return [CallRecord(**{name: value for name, value in call.items() if name in known}) for call in raw]
