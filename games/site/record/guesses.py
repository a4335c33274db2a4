"""What spectators guess that a seat does next, what the crowd guessed, and what came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count
from django.utils.crypto import salted_hmac

from games.core.game import All, Seat
from games.errors.requests import BadRequest
from games.lab.story.guessing import Question, question_of, questions
from games.lab.story.rules import rules_of
from games.site.audience import Sight, Viewer
from games.site.models import ENDED, Guess, Run, Step
from games.site.record import blobs, selectors
from games.site.record.outcome import records

LOOK: Final = 64
"""Steps that are looked through for a seat's decision, before and after."""
MOST: Final = 10_000
"""Guesses that are kept of a run."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat's next decision after a step: what is asked of it, and what came in which step, as far as it is shown.

    ``last`` the last decision of anybody before it; ``before`` the seat's own; -1: none
    """

    question: Question
    last: int
    before: int
    step: int | None
    came: str | None


def seats_asked(play: selectors.Playing) -> list[Seat]:
    """The seats whose next decision is guessed: those that are held against each other."""
    ranked = rules_of(play.pack).ranked
    return [seat.index for seat in selectors.seats_of(play.run) if not ranked or seat.role in ranked]


def guessing(play: selectors.Playing) -> list[Question]:
    """What may be guessed in the run; [] nothing."""
    return questions(play.pack, play.config)


def is_spectator(viewer: Viewer, seen: Sight) -> bool:
    """Whether they may guess: who plays in the run may not, and nothing is asked of what is not shown whole."""
    return not viewer.seats and isinstance(seen.eyes, All) and not seen.blind


def asked_of(play: selectors.Playing, seen: Sight, seat: Seat, after: int) -> Asked | None:
    """What is asked of the seat's next decision after a step that is shown; None: nothing, or nothing yet."""
    head = selectors.shown_head(play.run, seen)
    if not -1 <= after <= head:
        raise BadRequest("no_guess", f"after: {after}; the last step that is shown is {head}", "after", why="after")
    seats, possible = seats_asked(play), guessing(play)
    if seat not in seats:
        return None
    last, own = -1, None
    for record in _back(play.run.pk, after):
        if last < 0 and any(question_of(possible, record, one) for one in seats):
            last = record["step"]
        if question_of(possible, record, seat):
            own = record
            break
    question = question_of(possible, own, seat)
    if question is None:
        return None
    before = own and question.decided(own, seat)
    for record in records(play.run.pk, after, min(head, after + LOOK)):
        decided = question.decided(record, seat)
        if decided is not None:
            return Asked(question, last, own["step"] if own else -1, record["step"], question.option(decided, before))
    if head - after >= LOOK or (play.run.status in ENDED and head == play.run.head):
        return None
    return Asked(question, last, own["step"] if own else -1, None, None)


def _back(run_id: str, after: int) -> Iterator[Mapping[str, Any]]:
    rows = Step.objects.filter(run_id=run_id, index__lte=after, index__gt=after - LOOK).order_by("-index")
    for index, body in rows.values_list("index", "record").iterator(chunk_size=4):
        yield selectors.base_of(run_id, blobs.snapshot_index(index)).unpack(body)


def _mark(run: Run, last: int, who: str) -> str:
    """Of one viewer in one round; nobody can tell whose it is, nor which of another round's is the same viewer's."""
    return salted_hmac("games.guess", f"{run.pk}/{last}/{who}", algorithm="sha256").hexdigest()


def guess(run: Run, seat: Seat, asked: Asked, choice: str, who: str) -> None:
    """Keep a viewer's guess; the first of a round counts."""
    if choice not in asked.question.options:
        known = list(asked.question.options)
        raise BadRequest("no_guess", f"choice: {choice!r}; one of {', '.join(known)}", "choice", why="choice")
    if run.guesses.count() >= MOST:
        raise BadRequest("no_guess", f"run {run.pk}: {MOST} guesses are kept, and no more", why="many", most=MOST)
    Guess.objects.get_or_create(
        mark=_mark(run, asked.last, who), defaults={"run": run, "seat": seat, "after": asked.last, "choice": choice}
    )


def guess_out(run: Run, seats: Sequence[Seat], seat: Seat, asked: Asked | None, who: str) -> dict[str, Any]:
    """The question, the viewer's own guess, what came, and what all guessed once one may know."""
    told: dict[str, Any] = {"seats": list(seats), "noun": {}, "options": [], "step": None, "came": None, "own": None}
    told["crowd"] = None
    if asked is None:
        return told
    question = asked.question
    own = Guess.objects.filter(mark=_mark(run, asked.last, who)).first() if who else None
    told |= {
        "noun": question.noun,
        "options": [{"key": key, "said": said} for key, said in question.options.items()],
        "step": asked.step,
        "came": asked.came,
        "own": own and {"seat": own.seat, "choice": own.choice},
    }
    if asked.step is not None or (own is not None and own.seat == seat):
        kept = Guess.objects.filter(run=run, seat=seat, after__gte=asked.before)
        if asked.step is not None:
            kept = kept.filter(after__lt=asked.step)
        counts = dict(kept.order_by().values_list("choice").annotate(Count("pk")))
        told["crowd"] = {key: counts.get(key, 0) for key in question.options}
    return told
