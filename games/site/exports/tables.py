"""The nine levels as tables: their columns with what each holds, and their rows, run by run, in a fixed order."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from django.conf import settings

from agents_app.asides import WHENS
from games.core.conduct import stand_in
from games.site.exports.chosen import Chosen
from games.site.models import Call, Decision, Message, Participant, Run, SeatKind, Step
from games.site.people.seat_page import participants_table
from games.site.record import blobs, selectors
from games.site.record.conduct import decided, is_unsound
from games.site.record.deciders import decider, seated, seatings
from games.site.record.summary import labels_of

Level: TypeAlias = Literal[
    "runs", "rounds", "events", "decisions", "calls", "asides", "messages", "metrics", "participants"
]
Kind: TypeAlias = Literal["whole", "number", "text", "json", "time"]
Row: TypeAlias = tuple[Any, ...]
MEASURE: Final = "metric."
"""Before the name of a measure that is a column."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: whole numbers, numbers, text, JSON, or times in UTC; None where it does not apply."""

    name: str
    kind: Kind
    about: str


def _columns(*given: tuple[str, Kind, str]) -> tuple[Column, ...]:
    return tuple(Column(*one) for one in given)


RUN: Final = ("run", "text", "The run's id.")
STEP: Final = ("step", "whole", "Number of the resolved step; 0 is the start.")
CLOCK: Final = ("clock", "json", "The game's labels of the step, the outermost first.")
SEAT: Final = ("seat", "whole", "Number of the seat, from 0.")

COLUMNS: Final[Mapping[Level, tuple[Column, ...]]] = {
    "runs": _columns(
        RUN,
        ("game", "text", "Which game."),
        ("scenario", "text", "Name of the preset or file."),
        ("condition", "text", "Name of the treatment."),
        ("replicate", "whole", "From 1 within a condition."),
        ("experiment", "text", "The experiment's name, where the run belongs to one."),
        ("seed", "text", "From which every draw follows; as text, since it may be beyond 2**53."),
        ("status", "text", "queued, running, waiting, paused, finished, stopped or failed."),
        ("steps", "whole", "Number of the last step."),
        ("rules_version", "whole", "Of the game's rules."),
        ("config_hash", "text", "Equal for equal settings."),
        ("hash", "text", "The last step's chained hash."),
        ("created", "time", "When it was made."),
        ("started", "time", "When it was first driven."),
        ("ended", "time", "When it was over."),
        ("decisions", "whole", "Decisions that were asked for."),
        ("fallbacks", "whole", "Of these, for which the default stood in."),
        ("cleaned", "whole", "Of these, of which a part was struck out."),
        ("substitutes", "whole", "Of these, made for somebody who was not there."),
        ("cost_usd", "number", "What its models have cost."),
        ("parent", "text", "The run of which it is a fork."),
        ("fork_at", "whole", "The parent's last step before it."),
        ("seats", "json", "Name, role, kind and agent by seat, as they are now."),
        ("config", "json", "All settings."),
        ("not_own", "whole", "Decisions that were not their seats' own: of substitutes, fallbacks, clock, default."),
        ("not_own_share", "number", "Of all decisions."),
        (
            "not_own_worst",
            "number",
            "The highest of that share and those of single seats; higher than the bound: unsound.",
        ),
        ("unsound", "whole", "1: to be left out of measures and rankings by default; else 0."),
    ),
    "rounds": _columns(
        RUN,
        STEP,
        CLOCK,
        ("stage", "text", "What was decided there."),
        ("seats", "json", "Who decided."),
        ("payoffs", "json", "What each seat got, as [seat, value]."),
        ("hash", "text", "The chained hash."),
        ("stored", "time", "When it was stored."),
        ("not_own", "whole", "How many of its decisions were not their seats' own."),
    ),
    "events": _columns(
        RUN,
        STEP,
        ("number", "whole", "Its place in the step."),
        CLOCK,
        ("kind", "text", "What happened; see the codebook's events."),
        ("to", "json", "Seats that may know it; null: everyone."),
        ("data", "json", "Its values."),
    ),
    "decisions": _columns(
        RUN,
        STEP,
        SEAT,
        CLOCK,
        ("stage", "text", "What was decided."),
        ("name", "text", "The seat's name."),
        ("role", "text", "The seat's role."),
        ("kind", "text", "Who sat there then: policy, model, person, program or recording."),
        ("agent", "text", "Which policy, model or substitute."),
        ("action", "json", "What was done, as the rules took it."),
        ("notes", "json", "What was struck out of the answer, and why."),
        ("flags", "json", "How it came about: fallback, substitute, timed_out, passed, …"),
        ("payoff", "number", "What the seat got in that step."),
        ("think_s", "number", "Seconds from the storing of the step before to that of the answer; null: a policy."),
        ("decided_by", "text", "The kind of who sat there; plan (their own); or substitute, fallback, clock, default."),
    ),
    "calls": _columns(
        RUN,
        ("call", "whole", "Its number on this site."),
        STEP,
        SEAT,
        (
            "purpose",
            "text",
            "act; reflect: the rewriting of a memory; before, after or end: questions beside the play.",
        ),
        ("attempt", "whole", "From 1 within a step."),
        ("model", "text", "As the vendor calls it."),
        ("prompt_hash", "text", "Of what was sent."),
        ("prompt", "text", "What was sent, as JSON."),
        ("reply", "text", "As it came."),
        ("failure", "text", "Empty for a usable reply, else its label."),
        ("tokens_in", "whole", "As the vendor counts."),
        ("tokens_out", "whole", "As the vendor counts."),
        ("cost_usd", "number", "Null: the price is not known."),
        ("latency_ms", "whole", "Milliseconds."),
        ("stored", "time", "When it was stored."),
        ("logprobs", "json", "The first token's likeliest values with natural logarithms; null: the vendor gave none."),
        ("answers", "json", "To questions beside the play, by name; null: none were asked, or not usably answered."),
    ),
    "asides": _columns(
        RUN,
        ("call", "whole", "The number of the call that was answered."),
        STEP,
        SEAT,
        ("model", "text", "As the vendor calls it."),
        ("when", "text", "before a move, after it, or at the end."),
        ("question", "text", "Its name in the profile."),
        ("number", "number", "The answer, where it is a number."),
        ("text", "text", "The answer, where it is a choice or a text."),
    ),
    "messages": _columns(
        RUN,
        STEP,
        ("order", "whole", "Its place in the step."),
        ("sender", "whole", "The seat that wrote it."),
        ("sender_kind", "text", "Who sat there then."),
        ("to", "json", "Seats; null: everyone."),
        ("text", "text", "As it was written: look through it for names before it is passed on."),
    ),
    "metrics": _columns(
        RUN,
        ("step", "whole", "Number of the step; null: the whole run."),
        ("metric", "text", "See the codebook's measures."),
        ("value", "number", "Null where it is undefined, or no number."),
        ("other", "json", "The value where it is no number."),
    ),
    "participants": _columns(
        RUN,
        SEAT,
        ("name", "text", "The seat's name."),
        ("participant", "text", "A name that stands for the person, the same in every export of this site."),
        ("label", "text", "What they were called; null unless it was asked for."),
        ("language", "text", "Of their page."),
        ("state", "text", "room, ready, playing, substituted, left or removed."),
        ("joined", "text", "When they sat down."),
        ("consent_at", "text", "When they agreed."),
        ("ended", "text", "When they gave the seat up."),
        ("moves", "whole", "Their own moves."),
        ("passed", "whole", "Turns that they passed."),
        ("timed_out", "whole", "Turns that they let run out."),
        ("substituted", "whole", "Turns that the substitute played."),
    ),
}


def pseudonym(participant: str) -> str:
    """A name that stands for a participant, and leads back to nobody without the site's key."""
    text = f"polity.pseudonym/{participant}".encode()
    return "P-" + hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()[:12]


def rows_of(level: Level, chosen: Chosen, measures: tuple[str, ...] = (), *, labels: bool = False) -> Iterator[Row]:
    """The rows of one run. ``measures`` are the further columns of runs and rounds, in their order."""
    run = chosen.run()
    match level:
        case "runs":
            return iter([_run(run, chosen, measures)])
        case "rounds":
            return (_round(run, record, hash_, stored, measures) for record, hash_, stored in _steps(chosen))
        case "events":
            return _events(run, chosen)
        case "decisions":
            return _decisions(run, chosen)
        case "calls":
            return _calls(run, chosen)
        case "asides":
            return _asides(run, chosen)
        case "messages":
            return _messages(run, chosen)
        case "metrics":
            return _metrics(run, chosen)
        case "participants":
            return _participants(run, labels)


def _steps(chosen: Chosen) -> Iterator[tuple[dict[str, Any], str, datetime]]:
    rows = Step.objects.filter(run_id=chosen.run_id, index__lte=chosen.until).order_by("index")
    for index, body, hash_, stored in rows.values_list("index", "record", "hash", "created").iterator(chunk_size=200):
        yield selectors.base_of(chosen.run_id, blobs.snapshot_index(index)).unpack(body), hash_, stored


def _run(run: Run, chosen: Chosen, measures: Iterable[str]) -> Row:
    tally, metrics = run.tally or {}, run.metrics or {}
    labels, counts = labels_of(run), decided(run)
    seats = [
        {"name": seat.name, "role": seat.role, "kind": str(seat.kind), "agent": labels[seat.index]}
        for seat in selectors.seats_of(run)
    ]
    return (
        run.pk,
        run.game,
        run.scenario.name,
        run.condition,
        run.replicate,
        run.experiment.slug if run.experiment is not None else None,
        str(run.seed),
        str(run.status),
        max(chosen.until, 0),
        run.rules_version,
        run.config_hash,
        run.head_hash or None,
        run.created,
        run.started,
        run.ended,
        *(tally.get(name) for name in ("decisions", "fallbacks", "cleaned", "substitutes")),
        float(run.cost_usd),
        run.parent_id,
        run.fork_at,
        seats,
        run.config,
        counts.not_own.total(),
        counts.share(),
        counts.worst(),
        int(is_unsound(run)),
        *(metrics.get(name) for name in measures),
    )


def _round(run: Run, record: Mapping[str, Any], hash_: str, stored: datetime, measures: Iterable[str]) -> Row:
    metrics = record["metrics"] or {}
    told = tuple(record[name] for name in ("clock", "stage", "seats", "payoffs"))
    not_own = sum(stand_in(flags) is not None for _, flags in record["flags"])
    return run.pk, record["step"], *told, hash_, stored, not_own, *(metrics.get(name) for name in measures)


def _events(run: Run, chosen: Chosen) -> Iterator[Row]:
    pk = run.pk
    for record, _, _ in _steps(chosen):
        step, clock = record["step"], record["clock"]
        for number, event in enumerate(record["events"]):
            yield pk, step, number, clock, event["kind"], event.get("to"), event["data"]


def _decisions(run: Run, chosen: Chosen) -> Iterator[Row]:
    sat, seats = seatings(run), {seat.index: seat for seat in selectors.seats_of(run)}
    before: datetime | None = run.started
    answered = _answers(chosen)
    for record, _, stored in _steps(chosen):
        notes, flags, payoffs = (dict(record[name]) for name in ("notes", "flags", "payoffs"))
        here = answered(record["step"])
        for seat, action in record["actions"]:
            kind, agent = seated(sat[seat], record["step"])
            came, sent = here.get(seat, (None, None))
            flagged = flags.get(seat, [])
            thought = (came - before).total_seconds() if came is not None and before is not None else None
            yield (
                run.pk,
                record["step"],
                seat,
                record["clock"],
                record["stage"],
                seats[seat].name,
                seats[seat].role,
                kind,
                agent,
                action,
                notes.get(seat, []),
                flagged,
                payoffs.get(seat),
                None if thought is None else max(0.0, round(thought, 3)),
                decider(run, kind, record["step"], flagged, sent),
            )
        before = stored


def _answers(chosen: Chosen) -> Callable[[int], dict[int, tuple[datetime, bool]]]:
    """When each seat's stored answer of a step came, and whether somebody sent it; to be asked for ascending steps."""
    rows = Decision.objects.filter(run_id=chosen.run_id, purpose="act", step__lte=chosen.until).order_by("step", "seat")
    stream = rows.values_list("step", "seat", "created", "client_id").iterator(chunk_size=500)
    waiting = next(stream, None)

    def at(step: int) -> dict[int, tuple[datetime, bool]]:
        nonlocal waiting
        found: dict[int, tuple[datetime, bool]] = {}
        while waiting is not None and waiting[0] <= step:
            if waiting[0] == step:
                found[waiting[1]] = waiting[2], bool(waiting[3])
            waiting = next(stream, None)
        return found

    return at


def _calls(run: Run, chosen: Chosen) -> Iterator[Row]:
    rows = Call.objects.filter(run=run, pk__lte=chosen.calls).order_by("pk")
    for row in rows.iterator(chunk_size=100):
        cost = None if row.cost_usd is None else float(row.cost_usd)
        first = (run.pk, row.pk, row.step, row.seat, row.purpose, row.attempt, row.model, row.prompt_hash, row.prompt)
        then = row.reply, row.failure, row.tokens_in, row.tokens_out, cost, row.latency_ms, row.created
        yield *first, *then, *(json.loads(text) if text else None for text in (row.logprobs, row.answers))


def _asides(run: Run, chosen: Chosen) -> Iterator[Row]:
    for call, step, seat, model, when, answers in answered_aside(chosen):
        for question, answer in answers.items():
            is_text = isinstance(answer, str)
            yield (
                run.pk,
                call,
                step,
                seat,
                model,
                when,
                question,
                None if is_text else answer,
                answer if is_text else None,
            )


def answered_aside(chosen: Chosen) -> Iterator[tuple[int, int, int, str, str, dict[str, float | str]]]:
    """Calls in which questions beside the play were answered, with the answers by name."""
    rows = Call.objects.filter(run_id=chosen.run_id, pk__lte=chosen.calls, purpose__in=WHENS).exclude(answers="")
    names = ("pk", "step", "seat", "model", "purpose", "answers")
    for *first, text in rows.order_by("pk").values_list(*names).iterator(chunk_size=500):
        yield *first, json.loads(text)


def _messages(run: Run, chosen: Chosen) -> Iterator[Row]:
    sat = seatings(run)
    rows = Message.objects.filter(run=run, pk__lte=chosen.messages, step__lte=chosen.until).order_by("step", "order")
    for row in rows.iterator(chunk_size=500):
        kind = seated(sat[row.sender], row.step)[0] if row.sender in sat else ""
        yield run.pk, row.step, row.order, row.sender, kind, row.to, row.text


def _metrics(run: Run, chosen: Chosen) -> Iterator[Row]:
    for record, _, _ in _steps(chosen):
        for name, value in (record["metrics"] or {}).items():
            yield run.pk, record["step"], name, *_split(value)
    for name, value in (run.metrics or {}).items():
        yield run.pk, None, name, *_split(value)


def _split(value: Any) -> tuple[float | None, Any]:
    """A number and nothing else, or nothing and the value."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (float(value), None) if is_number else (None, value)


def _participants(run: Run, labels: bool) -> Iterator[Row]:
    names = [column.name for column in COLUMNS["participants"]]
    for told in participants_table(run, labels=labels):
        told["participant"] = pseudonym(told["participant"])
        yield tuple(told.get(name) if told.get(name) != "" else None for name in names)


def has_people(run: Run) -> bool:
    """Whether a person took part."""
    return run.seats.filter(kind=SeatKind.PERSON).exists() or Participant.objects.filter(run=run).exists()
