"""What is asked of a model, what came of it, and the calls that an interrupted process has left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agents_app.parsing import declined
from agents_app.ports import CallRecord
from agents_app.providers.protocol import PROVIDER_FAILURES, STOPPING, WAITED, Prompt
from games.core.agents import Purpose
from games.core.answers import JSON
from games.core.game import Seat
from games.core.values import swift

T = TypeVar("T")


@swift
@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """What is asked for one seat at one step.

    ``read``   the reply's text, and whether it was cut, to a value and what was struck off; raises `BadReply`
    ``hint``   what the mock is given with the attempt of that number
    ``plain``  the same question without a JSON Schema, as prompt and reader; None where none was sent
    ``kept``   what of a value is kept with its call
    """

    seat: Seat
    step: int
    purpose: Purpose
    prompt: Prompt
    read: Callable[[str, bool], tuple[T, tuple[str, ...]]]
    hint: Callable[[int], object]
    plain: Callable[[], Question[T]] | None = None
    kept: Callable[[T], str] = lambda value: ""

    def reading(self, reply: str, refusal: str, *, truncated: bool) -> tuple[T, tuple[str, ...]]:
        """What a call says, and what was struck off around it; raises `BadReply`."""
        if refusal.strip() and not reply.strip():
            raise declined(refusal)
        return self.read(reply, truncated)


@dataclass(slots=True)
class Outcome(Generic[T]):
    """``value`` None: nothing usable came; ``failure`` is then the last failure's label. ``reply`` said the value."""

    value: T | None = None
    reply: str = ""
    failure: str = ""
    attempts: list[dict[str, JSON]] = field(default_factory=list)
    ignored: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    repaired: tuple[str, ...] = ()
    took_schema: bool = True

    @property
    def was_corrected(self) -> bool:
        """Whether a reply came that could not be used, before one that could. Calls that were lost do not count."""
        failures = {made["failure"] for made in self.attempts}
        return self.value is not None and not failures <= {"", *PROVIDER_FAILURES}


class StoredCalls:
    """The calls that an earlier process has stored for this question, by prompt, in their order."""

    def __init__(self, calls: Sequence[CallRecord]) -> None:
        self._by_hash: dict[str, deque[CallRecord]] = {}
        for call in sorted(calls, key=lambda call: call.attempt):
            # What stopped the run is asked anew: somebody has mended it meanwhile, or believes so.
            if call.failure not in STOPPING | WAITED:
                self._by_hash.setdefault(call.prompt_hash, deque()).append(call)
        self._last = max((call.attempt for call in calls), default=0)

    def take(self, prompt: Prompt) -> CallRecord | None:
        waiting = self._by_hash.get(prompt.hash) if self._by_hash else None
        return waiting.popleft() if waiting else None

    def next_attempt(self) -> int:
        """The number of a call that is yet to be made: after all that are stored."""
        self._last += 1
        return self._last
