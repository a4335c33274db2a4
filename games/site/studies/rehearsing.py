"""A study walked by nobody: drawn answers on its pages, policies in its seats. What it takes, pays, and who got stuck.

Everything is played in the process that asks for it, on rows of its own session, which is deleted afterwards unless it
is kept. Members who drop close their page in a match, and their substitutes play on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.agents import deciding
from games.core.rng import Rng
from games.site.drive.conductor import conduct
from games.site.models import (
    ACTIVE,
    UNDER_WAY,
    Decision,
    Member,
    MemberState,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
    Session,
)
from games.site.people.joining import participant_leave
from games.site.people.open_turn import open_requests
from games.site.record import clock, selectors
from games.site.record.decisions import encode_decision
from games.site.studies.answering import MOVED, page_submit
from games.site.studies.form import Question
from games.site.studies.gathering import studies_continue
from games.site.studies.leading import match_start, next_match
from games.site.studies.loading import Study
from games.site.studies.walking import Place, advance, member_join, session_open, study_of

SWEEPS_MAX: Final = 10_000


@dataclass(slots=True)
class Rehearsal:
    """What came of it."""

    members: int
    ends: Counter[str] = field(default_factory=Counter)
    arms: Counter[str] = field(default_factory=Counter)
    totals: list[float] = field(default_factory=list)
    matches: int = 0
    stuck: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        pay = self.totals
        return {
            "members": self.members,
            "ends": dict(sorted(self.ends.items())),
            "arms": dict(sorted(self.arms.items())),
            "matches": self.matches,
            "pay": {"min": min(pay), "mean": round(sum(pay) / len(pay), 2), "max": max(pay)} if pay else None,
            "stuck": self.stuck,
        }


def rehearse(study: Study, *, members: int, drop: float = 0.0, seed: int = 1) -> tuple[Session, Rehearsal]:
    """Walk so many members through the study; ``drop`` is the chance of each to leave in their first match."""
    session = session_open(study, seed=seed)
    rng = Rng.root(seed).at("studies.rehearsal")
    for number in range(members):
        member_join(session, label=f"rehearsal-{number}")
    left: set[str] = set()
    for _ in range(SWEEPS_MAX):
        before = _standing(session)
        for member in Member.objects.filter(session=session, state=MemberState.WALKING).select_related("session"):
            _answer(member, rng)
        Member.objects.filter(session=session).update(seen=clock.now())
        studies_continue()
        if (coming := next_match(session, study)) is not None and coming.can_start:
            match_start(session)
        for one in Participant.objects.filter(run__session=session, member__isnull=False, run__status__in=ACTIVE):
            if one.member_id in left or not rng.chance(drop, "drop", int(one.member.number)):  # type: ignore[union-attr]
                continue
            left.add(str(one.member_id))
            participant_leave(participant=one)
        matches_play(session)
        if _standing(session) == before:
            break
    return session, _told(session, members)


def _standing(session: Session) -> list[tuple[Any, ...]]:
    rows = Member.objects.filter(session=session).order_by("number")
    return list(rows.values_list("step", "round", "attempt", "state"))


def _answer(member: Member, rng: Rng) -> None:
    at = Place.of(member)
    step = study_of(member.session).step(member.arm, at.step)
    sent = {name: _drawn(question, rng, member.number) for name, question in step.ask.items()}
    sent |= {f"{name}{MOVED}": "yes" for name in step.ask}
    if page_submit(member, at, {**sent, "agree": "yes"}):
        advance(member, at, "rehearsed")


def _drawn(question: Question, rng: Rng, number: int) -> str:
    """The right answer where there is one, else any that the question allows."""
    if question.answer is not None:
        return str(
            {True: "yes", False: "no"}[question.answer] if isinstance(question.answer, bool) else question.answer
        )
    if question.choices:
        return str(rng.choice(question.values, "choice", number))
    if question.type == "boolean":
        return rng.choice(["yes", "no"], "boolean", number)
    if question.type in ("integer", "number"):
        least = int(question.minimum or 0)
        most = int(question.maximum if question.maximum is not None else least + 10)
        return str(least + rng.below(most - least + 1, "number", number))
    return "rehearsed"


def matches_play(session: Session) -> None:
    """Every match to its end: what each seat's substitute would play is sent as its holder's own move."""
    for run in Run.objects.filter(session=session, status__in=ACTIVE):
        for _ in range(SWEEPS_MAX):
            conduct(run.pk, "live")
            run.refresh_from_db()
            if run.status not in ACTIVE or not _move(run):
                break


def _move(run: Run) -> bool:
    """Whether anybody was asked."""
    play = selectors.playing(run)
    held = list(Participant.objects.filter(run=run, state=ParticipantState.PLAYING))
    asked = open_requests(play, held)
    for seat, open_request in asked.items():
        named = run.seats.get(index=seat).agent["substitute"]
        decider = deciding(play.pack.policies[named["policy"]].bind(named.get("params")))
        answer = encode_decision(play, decider(open_request.request))
        Decision.objects.get_or_create(
            run=run, step=open_request.step, seat=seat, purpose="act",
            defaults={"answer": answer, "client_id": f"rehearsal-{open_request.step}"},
        )  # fmt: skip
    if asked:
        Run.objects.filter(pk=run.pk, status=RunStatus.WAITING).update(status=RunStatus.QUEUED, wake_at=None)
    return bool(asked)


def _told(session: Session, members: int) -> Rehearsal:
    told = Rehearsal(members)
    for one in Member.objects.filter(session=session).order_by("number"):
        told.ends[one.state] += 1
        if one.arm:
            told.arms[one.arm] += 1
        if one.ended:
            told.totals.append(float(one.pay["total"]))
        if one.state in UNDER_WAY:
            told.stuck.append(f"member {one.number}: {one.state} at {one.step}, round {one.round}")
    told.matches = Run.objects.filter(session=session).count()
    return told
