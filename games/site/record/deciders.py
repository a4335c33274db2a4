"""Who sat in each seat of a run when a step was decided, and who made the decision."""

from __future__ import annotations

from collections.abc import Collection

from games.core.conduct import decided_by
from games.site.models import JOINED, Decision, Notice, Run, SeatKind
from games.site.record import selectors
from games.site.record.summary import labels_of

Answers = dict[tuple[int, int], bool]
"""The stored answers by step and seat, and whether somebody sent them."""


def seatings(run: Run) -> dict[int, list[tuple[int, str, str]]]:
    """Who has sat in each seat: (last step before they sat down, kind, name), oldest first."""
    labels = labels_of(run)
    found = {seat.index: [(-1, str(seat.kind), labels[seat.index])] for seat in selectors.seats_of(run)}
    for notice in Notice.objects.filter(run=run, kind="handed_over").order_by("-number"):
        if notice.seat not in found:
            continue
        _, kind, name = found[notice.seat][0]
        before = notice.data.get("before") or {}
        found[notice.seat][0] = notice.step, kind, name
        found[notice.seat].insert(0, (-1, before.get("kind", ""), before.get("name", "")))
    return found


def seated(sat: list[tuple[int, str, str]], step: int) -> tuple[str, str]:
    """Kind and name of whoever sat there when a step was decided."""
    return next((kind, name) for after, kind, name in reversed(sat) if step > after or after == -1)


def answers_between(run: Run, first: int, last: int) -> Answers:
    """The answers of seats that are asked with I/O, from a step to another."""
    rows = Decision.objects.filter(run=run, purpose="act", step__gte=first, step__lte=last)
    return {(step, seat): bool(sent) for step, seat, sent in rows.values_list("step", "seat", "client_id")}


def decider(run: Run, kind: str, step: int, flags: Collection[str], sent: bool | None) -> str:
    """Who made a decision, as `games.core.conduct` names it.

    ``kind`` is who sat there, ``sent`` whether the stored answer was sent by somebody; None: none is stored. Where
    plans can stand, people whose answer nobody sent and models without an answer follow their own.
    """
    is_here = run.fork_at is None or step > run.fork_at  # answers before that were given in another run
    plays = selectors.playing(run).pack.controller is not None
    joined = kind in {str(one) for one in JOINED}
    asked = kind in (SeatKind.MODEL, SeatKind.RECORDING)
    follows = (joined and not sent) or (asked and sent is None)
    return decided_by(kind, flags, is_plans=is_here and plays and follows)
