"""A model's commentary: by order of whoever runs the match, on one round, from what everybody may know of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from agents_app.budget import MemoryLedger, Meter, Spent
from agents_app.commenting import comment
from agents_app.ports import CallRecord, RunStop
from agents_app.profile import BadProfile, Language, Limits
from agents_app.providers.hosts import BadHost, check_host
from agents_app.site.models import AgentProfile
from games.errors.requests import BadRequest
from games.site.models import Comment, Run
from games.site.record import calls, selectors
from games.site.record.notices import notice
from games.site.record.outcome import records

BACK: Final = 3
"""Steps before it that the model is told as well."""
EACH: Final = 40
"""Events of a step that it is told."""
LONG: Final = 300
"""Characters of an event that it is told."""


def comment_make(*, run_id: str, step: int, model: str, language: Language) -> Comment:
    """Ask a named model for a comment on a step that was played, and keep it; what it has written is not asked again.
    It costs what such a call costs, which counts against the run's limits and the profile's own. Raises `BadRequest`.
    """
    play = selectors.playing(selectors.run_get(run_id))
    run = play.run
    if run.people or run.experiment_id is not None:
        why = "people" if run.people else "experiment"
        raise BadRequest(
            "no_comment", f"run {run.pk}: no model comments on a match of people or an experiment", why=why
        )
    if not 1 <= step <= run.head:
        raise BadRequest("no_comment", f"step: {step}; from 1 to {run.head}", "step", why="step", last=run.head)
    row = AgentProfile.objects.filter(name=model).first()
    if row is None:
        raise BadRequest("no_comment", f"model: {model!r}; there is no such model here", "model", why="model")
    profile, seats = row.resolved(), selectors.seats_of(run)
    written = Comment.objects.filter(run=run, step=step, model=profile.model, language=language).exclude(text="")
    if known := written.last():
        return known
    made: list[CallRecord] = []
    meters = (
        Meter("the run", Limits.model_validate(run.limits), _spent(run)),
        Meter(f"commentary by {model}", profile.limits, calls.spent_on_comments(run, profile.model)),
    )
    facts = list(public_facts(play, step, language))
    asked = comment(play.pack, profile, seats[0].role, language, facts, step, MemoryLedger(0, step, made, meters))
    text: str | None = None
    try:
        check_host(profile)
        text = asyncio.run(asked)
    except (BadProfile, BadHost, RunStop) as error:
        raise BadRequest("no_comment", str(error), why="model_says", said=str(error)[:300]) from None
    finally:
        asked.close()
        kept = [_kept(run, call, language, text or "") for call in made]
    if text is None:
        raise BadRequest("no_comment", f"{profile.model}: no usable answer came", why="model")
    return kept[-1]


def _spent(run: Run) -> Spent:
    return calls.sum_of((*calls.spent_by_seat(run).values(), calls.spent_on_comments(run)))


def _kept(run: Run, call: CallRecord, language: str, text: str) -> Comment:
    with transaction.atomic():
        kept = Comment.objects.create(
            run=run, step=call.step, model=call.model, language=language, text="" if call.failure else text,
            tokens_in=call.tokens_in, tokens_out=call.tokens_out, cost_usd=call.cost_usd,
        )  # fmt: skip
        Run.objects.filter(pk=run.pk).update(cost_usd=F("cost_usd") + (call.cost_usd or Decimal(0)))
        if kept.text:
            notice(run.pk, "commented", data={"model": call.model, "step": call.step})
    return kept


def public_facts(play: selectors.Playing, step: int, language: Language) -> Iterator[str]:
    """What happened in a step and the few before it, a line a step, as the game words it for people; of what only some
    seats may know there is nothing.
    """
    words, names = play.pack.words, [seat.name for seat in selectors.seats_of(play.run)]
    book = words.book(language) or words.book("en")
    voice = replace(words.voice(language), seat=lambda seat: names[seat] if seat < len(names) else str(seat))
    for record in records(play.run.pk, step - BACK - 1, step):
        known = [event for event in record["events"] if not isinstance(event.get("to"), list)]
        told = [_told(book, voice, event)[:LONG] for event in known[:EACH]]
        clock = ", ".join(f"{name} {n}" for name, n in record["clock"])
        yield f"{clock}: {'; '.join(told) or '–'}"


def _told(book: Any, voice: Any, event: Any) -> str:
    known = book["events"].get(event["kind"])
    return str(voice.sentence(known["text"], event["data"])) if known else event["kind"].replace("_", " ")
