"""Reads of what models were asked, what they answered, and what it cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from decimal import Decimal
from typing import Any, Final, get_args

from django.db.models import Count, Q, QuerySet, Sum

from agents_app.budget import Spent
from agents_app.ports import CallRecord
from agents_app.profile import Language
from agents_app.prompting import reason
from agents_app.providers.protocol import UNSENT
from agents_app.site.models import AgentProfile
from games.core import codec
from games.core.game import All, Seat, SeatEyes
from games.site.audience import Sight
from games.site.models import Call, Comment, Decision, Run, SeatKind
from games.site.record import selectors, summary, waiting

CALLS_MAX: Final = 500
LISTED_MAX: Final = 20_000
LINE: Final = (
    *("id", "step", "seat", "purpose", "attempt", "model", "failure", "tokens_in", "tokens_out", "tokens_cached"),
    *("cost_usd", "latency_ms", "estimated", "from_cache", "batch", "prompt_hash"),
)
"""What is told of a call in a list."""
SENT: Final = ~Q(failure__in=UNSENT) & Q(from_cache=False)
"""Calls that somebody received, and may bill."""
BESIDE: Final = (
    "address",
    "finish",
    "reasoning",
    "refusal",
    "tools",
    "served",
    "response_id",
    "fingerprint",
    "tokens_cached",
    "tokens_reasoning",
    "estimated",
    "from_cache",
    "batch",
    "rate",
)
"""What a call's record shows as it stands, beside prompt and reply."""
NO_ANSWERS: Final = {"given": 0, "corrected": 0, "fallbacks": 0}
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


def listed(run: Run, sight: Sight, text: str = "") -> list[dict[str, Any]]:
    """Every call that the sight covers as a line of figures, without its texts; of those that hold ``text``, if any."""
    seen = _seen(run, sight, Call.objects.filter(run=run), None, None)
    if text:
        seen = seen.filter(Q(prompt__icontains=text) | Q(reply__icontains=text) | Q(reasoning__icontains=text))
    rows = seen.order_by("id").values(*LINE)[:LISTED_MAX]
    return [{**row, "cost_usd": None if row["cost_usd"] is None else float(row["cost_usd"])} for row in rows]


def meter(run: Run, sight: Sight) -> dict[str, Any]:
    """What the run and each of its models have spent so far, against the limits; and who is thinking."""
    own = sight.eyes.seat if isinstance(sight.eyes, SeatEyes) else None
    spent = spent_by_seat(run)
    labels = failures(run)
    waits, batches = waiting.thinking(run), waiting.in_batches(run)
    shares = answers(run)
    names = summary.labels_of(run)
    return {
        "spent": _plain(sum_of((*spent.values(), spent_on_comments(run)))) if own is None else None,
        "limits": run.limits,
        "seats": [
            {
                "seat": seat.index,
                "model": names[seat.index],
                "spent": _plain(spent.get(seat.index, Spent())),
                "failures": labels.get(seat.index, {}),
                "answers": shares.get(seat.index, NO_ANSWERS),
                "limits": (seat.agent.get("profile") or {}).get("limits") or {},
                "thinking_s": waits.get(seat.index),
                "batch": asdict(batches[seat.index]) if seat.index in batches else None,
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
    return list(each_record(run, seats))


def each_record(run: Run, seats: list[Seat] | None = None) -> Iterator[CallRecord]:
    """The same one by one, for who needs no more than one at a time: their prompts may be long."""
    names = [part.name for part in fields(CallRecord)]
    rows = Call.objects.filter(run=run) if seats is None else Call.objects.filter(run=run, seat__in=seats)
    for row in rows.order_by("id").values(*names).iterator(chunk_size=200):
        yield CallRecord(**row)


def usable_reply(prompt_hash: str, address: str) -> CallRecord | None:
    """The first usable reply of the site to a prompt at an address, whichever run it was had in; None where none is."""
    names = [part.name for part in fields(CallRecord)]
    rows = Call.objects.filter(prompt_hash=prompt_hash, address=address, failure="", from_cache=False)
    row = rows.order_by("id").values(*names).first()
    return None if row is None else CallRecord(**row)


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
            usd=Sum("cost_usd", filter=SENT),
            into=Sum("tokens_in", filter=SENT),
            out=Sum("tokens_out", filter=SENT),
            number=Count("id", filter=SENT),
            unpriced=Count("id", filter=SENT & Q(cost_usd=None) & (Q(tokens_in__gt=0) | Q(tokens_out__gt=0))),
            estimated=Count("id", filter=SENT & Q(estimated=True)),
        )
    )
    return {row["seat"]: _spent(row) for row in rows}


def spent_on_comments(run: Run, model: str | None = None) -> Spent:
    """The sum over what models wrote for those who watch; of one of them where it is named."""
    rows = Comment.objects.filter(run=run) if model is None else Comment.objects.filter(run=run, model=model)
    unpriced = Q(cost_usd=None) & (Q(tokens_in__gt=0) | Q(tokens_out__gt=0))
    sums = {"usd": Sum("cost_usd"), "into": Sum("tokens_in"), "out": Sum("tokens_out"), "number": Count("id")}
    return _spent({**rows.order_by().aggregate(**sums, unpriced=Count("id", filter=unpriced)), "estimated": 0})


def _spent(row: Mapping[str, Any]) -> Spent:
    numbers = (row["into"] or 0, row["out"] or 0, row["number"], row["unpriced"], row["estimated"])
    return Spent(row["usd"] or Decimal(0), *numbers)


def sum_of(parts: Any) -> Spent:
    total = Spent()
    for one in parts:
        total.usd += one.usd
        total.tokens_in += one.tokens_in
        total.tokens_out += one.tokens_out
        total.calls += one.calls
        total.unpriced += one.unpriced
        total.estimated += one.estimated
    return total


def failures(run: Run) -> dict[Seat, dict[str, int]]:
    """How often each seat's calls failed in which way."""
    found: dict[Seat, dict[str, int]] = {}
    rows = Call.objects.filter(run=run).exclude(failure="").values("seat", "failure").annotate(number=Count("id"))
    for row in rows.order_by("seat", "failure"):
        found.setdefault(row["seat"], {})[row["failure"]] = row["number"]
    return found


def answers(run: Run) -> dict[Seat, dict[str, int]]:
    """How many answers each seat gave, how many of them after a correction, and in how many none could be used."""
    rows = Decision.objects.filter(run=run, purpose="act").values("seat")
    # A flag is a text of its own in the stored JSON; within other texts its quotes are escaped.
    counted = rows.annotate(
        given=Count("id"),
        corrected=Count("id", filter=Q(answer__contains='"corrected"')),
        fallbacks=Count("id", filter=Q(answer__contains='"fallback"')),
    )
    return {
        row["seat"]: {"given": row["given"], "corrected": row["corrected"], "fallbacks": row["fallbacks"]}
        for row in counted
    }


def _seen(run: Run, sight: Sight, rows: QuerySet[Any], step: int | None, seat: Seat | None) -> QuerySet[Any]:
    """Those of the rows that the eyes may see: a seat's own, and up to the last step that is shown."""
    if isinstance(sight.eyes, SeatEyes):
        rows = rows.filter(seat=sight.eyes.seat)
    elif not isinstance(sight.eyes, All):
        return rows.none()
    if sight.delay or sight.after_end:
        rows = rows.filter(step__lte=selectors.shown_head(run, sight))
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
        **{name: getattr(row, name) for name in BESIDE},
        "repaired": row.repaired.split(",") if row.repaired else [],
        "ignored": row.ignored.split(",") if row.ignored else [],
        "logprobs": json.loads(row.logprobs) if row.logprobs else [],
        "answers": json.loads(row.answers) if row.answers else {},
        "cost_usd": None if row.cost_usd is None else float(row.cost_usd),
        "at": row.at or row.created.isoformat(),
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
        "attempts": [attempt_told(made) for made in trace.get("attempts", [])],
    }


def attempt_told(made: Mapping[str, Any]) -> dict[str, Any]:
    """An attempt with its reason by language, where the record keeps it as a note."""
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
        "estimated": spent.estimated,
    }
