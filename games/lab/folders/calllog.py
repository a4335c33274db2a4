"""The calls of one run without the site: kept as they come, told in order, taken up again after an interruption.

``calls.jsonl`` of a run folder holds a line a call: condition, replicate, step, seat, purpose, attempt, model, the hash
of the exact prompt and (unless it was left out) the prompt, reply, failure, tokens and money, and what came beside the
reply. When it began and how long it took is told of real models alone: two runs of mocks by one plan give the same
bytes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from agents_app.budget import MemoryLedger, Meter, Spent
from agents_app.deciders.recording import ASKS_STRUCTURED, read_calls
from agents_app.ports import CallRecord, Mail
from games.core.game import Seat

Keep: TypeAlias = Literal["full", "hash"]
CALLS: Final = "calls.jsonl"
_KEPT: Final = (
    "seat",
    "purpose",
    "attempt",
    "model",
    "prompt_hash",
    "reply",
    "failure",
    "tokens_in",
    "tokens_out",
)
_BESIDE: Final = tuple(
    part.name
    for part in fields(CallRecord)
    if part.name not in (*_KEPT, "step", "prompt", "cost_usd", "latency_ms", "at")
)
"""What is told where there is something to tell."""


@dataclass(slots=True)
class CallLog:
    """``journal``: a file of this run's own that every call is appended to when it arrives, and that is read first.
    ``mail``: its way to the vendor's batch interface, where its models are asked so.
    """

    journal: Path | None = None
    mail: Mail | None = None
    _earlier: dict[tuple[Seat, int], list[CallRecord]] = field(init=False, default_factory=lambda: defaultdict(list))
    _taken_up: set[tuple[Seat, int]] = field(init=False, default_factory=set)
    _pending: list[CallRecord] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        if self.journal is None or not self.journal.is_file():
            return
        for line in self.journal.read_text("utf-8").splitlines():
            try:
                (call,) = read_calls([json.loads(line)])
            except (ValueError, TypeError, ArithmeticError):
                continue  # the last line of a process that was killed while it wrote
            self._earlier[call.seat, call.step].append(call)

    def spent(self, seat: Seat) -> Spent:
        """What an interrupted run has spent on a seat."""
        return Spent.of(call for (who, _), calls in self._earlier.items() if who == seat for call in calls)

    def ledger(self, seat: Seat, step: int, meters: Sequence[Meter]) -> MemoryLedger:
        """One seat's calls at one step: those that an interrupted run has left, and those to come.

        A seat is asked more than once at a step: for its move, and for its memory or an opinion after it.
        """
        earlier = self._earlier.get((seat, step), [])
        if (seat, step) not in self._taken_up:
            self._taken_up.add((seat, step))
            self._pending += earlier
        return _Ledger(seat, step, list(earlier), meters, self)

    def add(self, call: CallRecord) -> None:
        self._pending.append(call)
        if self.journal is not None:
            with self.journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(call), ensure_ascii=False, default=str) + "\n")

    def drain(self) -> list[CallRecord]:
        """The calls since the last time, by step, seat, purpose and attempt: not in the order of their arrival."""
        told = sorted(self._pending, key=lambda call: (call.step, call.seat, call.purpose, call.attempt))
        self._pending = []
        return told


class _Ledger(MemoryLedger):
    def __init__(self, seat: Seat, step: int, kept: list[CallRecord], meters: Sequence[Meter], log: CallLog) -> None:
        super().__init__(seat, step, kept, meters)
        self.mail = log.mail
        self._log = log

    async def store(self, call: CallRecord) -> None:
        self._log.add(call)
        await super().store(call)


def line_of(call: CallRecord, keep: Keep) -> dict[str, Any]:
    """A call as the file holds it, after condition, replicate and step."""
    told: dict[str, Any] = {name: getattr(call, name) for name in _KEPT}
    told |= {name: value for name in _BESIDE if (value := getattr(call, name)) not in ("", None, False)}
    if call.address:
        told |= {"at": call.at, "latency_ms": call.latency_ms}
    told["cost_usd"] = None if call.cost_usd is None else f"{call.cost_usd:f}"
    told["structured"] = ASKS_STRUCTURED in call.prompt
    if keep == "full":
        told["prompt"] = json.loads(call.prompt)
    return told


def read_line(told: Mapping[str, Any]) -> CallRecord:
    """A call from its line; its prompt is left out. Raises TypeError, ValueError, KeyError or ArithmeticError."""
    (call,) = read_calls([{**told, "prompt": ASKS_STRUCTURED if told["structured"] else ""}])
    return call
