"""Reads of what models were asked, what they answered, and what it cost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final, get_args

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from agents_app.budget import Spent
from agents_app.deciders.contract import CallRecord
from agents_app.models import AgentProfile
from agents_app.profile import Language
from agents_app.prompting import reason
from games import describing, selectors
from games.audience import Sight
from games.core import codec
from games.core.game import All, Seat, SeatEyes
from games.models import ACTIVE, Call, Decision, Run, SeatKind, Step

CALLS_MAX: Final = 500
ASKED: Final = (SeatKind.MODEL, SeatKind.RECORDING)
"""Seats that answer through prompts."""


def calls(run: Run, sight: Sight, step: int | None, seat: Seat | None, after: int, limit: int) -> dict[str, Any]:
    """Calls and decisions that the sight covers, in the order in which they were stored.

    ``after`` is the number of the last call that was read (0: from the start); ``next`` is what to ask for then.
    """
    seen = _seen(run, sight, Call.objects.filter(run=run, id__gt=after), step, seat)
    rows = list(seen.order_by("id")[: limit + 1])
    shown = rows[:limit]
    made = _seen(run, sight, Decision.objects.filter(run=run), step, seat)
    wanted = {(row.step, row.seat) for row in shown}
    held = made.filter(step__in={at for at, _ in wanted}, seat__in={who for _, who in wanted}, purpose="act")
    return {
        "calls": [_call(row) for row in shown],
        "decisions": [_decision(one) for one in held.order_by("step", "seat") if (one.step, one.seat) in wanted],
        "next": shown[-1].id if len(rows) > limit else None,
    }


def meter(run: Run, sight: Sight) -> dict[str, Any]:
    """What the run and each of its models have spent so far, against the limits; and who is thinking."""
    own = sight.eyes.seat if isinstance(sight.eyes, SeatEyes) else None
    spent = spent_by_seat(run)
    labels = failures(run)
    waits = thinking(run)
    names = describing.labels_of(run)
    return {
        "spent": _plain(sum_of(spent.values())) if own is None else None,
        "limits": run.limits,
        "seats": [
            {
                "seat": seat.index,
                "model": names[seat.index],
                "spent": _plain(spent.get(seat.index, Spent())),
                "failures": labels.get(seat.index, {}),
                "limits": (seat.agent.get("profile") or {}).get("limits") or {},
                "thinking_s": waits.get(seat.index),
            }
            for seat in selectors.seats_of(run)
            if seat.kind in ASKED and (own is None or seat.index == own)
        ],
    }


def agents() -> list[dict[str, Any]]:
    """The site's named profiles, each ready to be put into a seat."""
    return [{"name": one.name, "about": one.about, "seat": one.seat()} for one in AgentProfile.objects.all()]


def records_of(run: Run, seats: list[Seat] | None = None) -> list[CallRecord]:
    """The stored calls of a run, in the order in which they came; of some seats only, where they are named."""
    names = [part.name for part in fields(CallRecord)]
    rows = Call.objects.filter(run=run) if seats is None else Call.objects.filter(run=run, seat__in=seats)
    return [CallRecord(**row) for row in rows.order_by("id").values(*names)]


def recorded(agent: Mapping[str, Any]) -> list[CallRecord]:
    """What a recording in a seat has to say, by the seat's stored JSON; raises `selectors.NotFound`."""
    said = records_of(selectors.run_get(agent["run"]), [agent["seat"]])
    if not said:
        raise selectors.NotFound(f"run {agent['run']}: seat {agent['seat']} has no calls any more")
    return said


def spent_by_seat(run: Run) -> dict[Seat, Spent]:
    """Sums over the stored calls of each seat that made any."""
    rows = (
        Call.objects.filter(run=run)
        .values("seat")
        .annotate(
            usd=Sum("cost_usd"),
            into=Sum("tokens_in"),
            out=Sum("tokens_out"),
            number=Count("id"),
            unpriced=Count("id", filter=Q(cost_usd=None) & (Q(tokens_in__gt=0) | Q(tokens_out__gt=0))),
        )
    )
    return {
        row["seat"]: Spent(
            row["usd"] or Decimal(0), row["into"] or 0, row["out"] or 0, row["number"], row["unpriced"]
        )
        for row in rows
    }  # fmt: skip


def sum_of(parts: Any) -> Spent:
    total = Spent()
    for one in parts:
        total.usd += one.usd
        total.tokens_in += one.tokens_in
        total.tokens_out += one.tokens_out
        total.calls += one.calls
        total.unpriced += one.unpriced
    return total


def failures(run: Run) -> dict[Seat, dict[str, int]]:
    """How often each seat's calls failed in which way."""
    found: dict[Seat, dict[str, int]] = {}
    rows = Call.objects.filter(run=run).exclude(failure="").values("seat", "failure").annotate(number=Count("id"))
    for row in rows.order_by("seat", "failure"):
        found.setdefault(row["seat"], {})[row["failure"]] = row["number"]
    return found


def thinking(run: Run) -> dict[Seat, float]:
    """Models that are being asked now, with the seconds since the last step was stored."""
    asked = [seat.index for seat in selectors.seats_of(run) if seat.kind == SeatKind.MODEL]
    if run.status not in ACTIVE or run.lease_until is None or run.head < 0 or not asked:
        return {}
    play = selectors.playing(run)
    turn = play.game.turn(play.config, selectors.step(play, run.head).step.state)
    if turn is None:
        return {}
    answered = Decision.objects.filter(run=run, step=run.head + 1, purpose="act").values_list("seat", flat=True)
    began = Step.objects.values_list("created", flat=True).get(run=run, index=run.head)
    waited = round(max(0.0, (timezone.now() - began).total_seconds()), 3)
    return {seat: waited for seat in turn.seats if seat in asked and seat not in set(answered)}


def _seen(run: Run, sight: Sight, rows: QuerySet[Any], step: int | None, seat: Seat | None) -> QuerySet[Any]:
    """Those of the rows that the eyes may see: a seat's own, and up to the last step that is shown."""
    if isinstance(sight.eyes, SeatEyes):
        rows = rows.filter(seat=sight.eyes.seat)
    elif not isinstance(sight.eyes, All):
        return rows.none()
    if sight.delay or sight.after_end:
        rows = rows.filter(step__lte=sight.head(run))
    if step is not None:
        rows = rows.filter(step=step)
    return rows if seat is None else rows.filter(seat=seat)


def _call(row: Call) -> dict[str, Any]:
    try:
        prompt = json.loads(row.prompt)
    except ValueError:
        prompt = {"messages": [{"role": "user", "content": row.prompt}]}
    return {
        "id": row.id,
        **{name: getattr(row, name) for name in ("step", "seat", "purpose", "attempt", "model", "prompt_hash")},
        "prompt": {**prompt, "answer_schema": prompt.get("schema")},
        **{name: getattr(row, name) for name in ("reply", "failure", "tokens_in", "tokens_out", "latency_ms")},
        "cost_usd": None if row.cost_usd is None else float(row.cost_usd),
        "at": row.created.isoformat(),
    }


def _decision(row: Decision) -> dict[str, Any]:
    told = json.loads(row.answer)
    trace = told.get("trace") or {}
    return {
        "step": row.step,
        "seat": row.seat,
        "action": told["action"],
        "plan": told["plan"],
        "memory": told["memory"],
        "flags": told["flags"],
        "commentary": trace.get("commentary", ""),
        "ignored": trace.get("ignored", []),
        "attempts": [_attempt(made) for made in trace.get("attempts", [])],
    }


def _attempt(made: Mapping[str, Any]) -> dict[str, Any]:
    """With its reason by language, where the record keeps it as a note."""
    note = made.get("note")
    told = {} if note is None else {lang: reason(codec.decode_note(note), lang) for lang in get_args(Language)}
    return {**{name: made[name] for name in ("attempt", "failure", "why")}, "says": told or None}


def _plain(spent: Spent) -> dict[str, Any]:
    return {
        "usd": float(spent.usd),
        "tokens_in": spent.tokens_in,
        "tokens_out": spent.tokens_out,
        "calls": spent.calls,
        "unpriced": spent.unpriced,
    }
