"""How much of a run its seats did not decide themselves: from its tally once it is over, else from its log so far."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings

from games.core.conduct import Decisions
from games.lab.wire.run import NotOwn, not_own_out
from games.site.models import ENDED, Run, SeatKind
from games.site.record import selectors
from games.site.record.outcome import account_of, records

KEPT: Final = 512
"""Runs whose counts this process keeps, so that of a run that goes on only the new steps are read."""
_counts: OrderedDict[str, tuple[int, Decisions]] = OrderedDict()
_lock: Final = threading.Lock()


def decided(run: Run) -> Decisions:
    """Who decided, by seat, in all steps so far. Policies decide for themselves: where none but them sits, nothing is
    read, and all decisions that are counted stand at seat 0.
    """
    if (known := Decisions.read(run.tally or {})) is not None:
        return known
    if not run.people and all(seat.kind == SeatKind.POLICY for seat in selectors.seats_of(run)):
        return Decisions(Counter({0: (run.tally or {}).get("decisions", 0)}))
    with _lock:
        head, counts = _counts.pop(run.pk, (0, Decisions()))
        if head > run.head:
            head, counts = 0, Decisions()
        if head == max(run.head, 0):
            _counts[run.pk] = head, counts
            return counts
        counts = Decisions(counts.decisions.copy(), counts.not_own.copy(), counts.by.copy())
    for record in records(run.pk, after=head, until=run.head):
        counts.add(record["seats"], record["flags"])
    with _lock:
        _counts[run.pk] = max(run.head, 0), counts
        while len(_counts) > KEPT:
            _counts.popitem(last=False)
    return counts


def tally_of(run: Run) -> Mapping[str, Any]:
    """The tally of a run that is over, whole; one from before ``not_own`` was counted is reckoned anew."""
    told: Mapping[str, Any] = run.tally or {}
    if not told or "conduct" in told or run.status not in ENDED:
        return told
    return {**told, **account_of(run).tally.decided.plain()}


def not_own_of(run: Run) -> NotOwn:
    """What is told of it."""
    return not_own_out(decided(run), len(selectors.seats_of(run)), settings.POLITY_NOT_OWN_MOST)


def is_missed(run: Run, seat: int) -> bool:
    """Whether a seat was asked, and not one of its decisions was its own."""
    counts = decided(run)
    return 0 < counts.decisions[seat] == counts.not_own[seat]


def is_unsound(run: Run) -> bool:
    return decided(run).is_unsound(settings.POLITY_NOT_OWN_MOST)
