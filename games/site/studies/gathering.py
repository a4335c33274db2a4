"""Groups: who waits is put together, and who has played goes on. `studies_continue` is called each second.

Every change is one transaction on condition that its members still wait where they were seen, so that two processes
never make a group twice, and one that dies between two leaves each member where they were.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, cast

from django.db import transaction
from django.db.models import F, Max, Q

from games.lab.scenarios.scenario import Scenario
from games.site.accounts.webhooks import session_happened
from games.site.models import (
    ENDED,
    HOLDING,
    UNDER_WAY,
    Member,
    MemberState,
    Participant,
    ParticipantState,
    Run,
    SeatKind,
    Session,
)
from games.site.people.invites import digest_of
from games.site.people.joining import participant_remove, run_begin
from games.site.people.presence import GONE
from games.site.people.seats import seat_hand_over
from games.site.record import clock, pulse
from games.site.record.conduct import is_missed
from games.site.runs.creating import run_create
from games.site.studies.answering import page_timed_out
from games.site.studies.erasing import erasures_due
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.matching import Groups, matched
from games.site.studies.playing import group_size, scenario_of, silo_of
from games.site.studies.walking import Place, advance, arm_at, grouped, secret_of, study_of

log = logging.getLogger(__name__)

AGAIN: Final = 7_368_787
"""Between the seeds of a silo's plays, so that none repeats the draws of the one before."""
PRESENT: Final = timedelta(seconds=20)
"""Who gave no sign for longer is passed over when groups form."""


def studies_continue() -> None:
    """One sweep over what is under way. Idempotent, from whichever process."""
    erasures_due()
    for session in Session.objects.filter(members__state__in=UNDER_WAY).distinct():
        session_continue(session)
    over = Session.objects.filter(is_open=False, ended=None).exclude(members__state__in=UNDER_WAY)
    for session in over.select_related("study"):
        with transaction.atomic():
            if over.filter(pk=session.pk).update(ended=clock.now()):
                session_happened("session.ended", session)


def session_continue(session: Session) -> None:
    """The same for one session."""
    study = study_of(session)
    for work in (_away, _finished, _late_pages, _form_silos, _next_rounds, _waited_out, _past_the_last):
        try:
            work(session, study)
        except Changed:
            continue  # somebody else did it a moment ago


class Changed(Exception):
    """A member is no longer where they were seen; the transaction is taken back."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a match stands in a session: its play step, round and silo, and its place among the matches of these."""

    step: str
    round: int
    silo: int
    index: int


# --- who has played, and who is late -----------------------------------------------------------------


def _away(session: Session, study: Study) -> None:
    """Who plays, waits for others, or was gone as their match ended, and gave no sign of life for too long: marked, and
    out where the file says so.
    """
    if not pulse.is_open():
        return  # nobody could give one
    since = clock.now() - timedelta(seconds=study.form.away.after_s)
    states = Q(state__in=(MemberState.PLAYING, MemberState.WAITING)) | Q(state=MemberState.WALKING, away__isnull=False)
    busy = Member.objects.filter(states, session=session)
    silent = busy.exclude(state=MemberState.WAITING, step__in=_led(study)).filter(seen__lt=since)
    gone = list(silent.select_related("session"))
    if any(one.away is None for one in gone):
        silent.filter(away=None).update(away=clock.now())
    for member in gone if study.form.away.then != "keep" else ():
        for seat in Participant.objects.filter(member=member, state__in=HOLDING).exclude(run__status__in=ENDED):
            participant_remove(participant=seat)
        advance(member, Place.of(member), "away", end=MemberState.DROPPED)


def _led(study: Study) -> list[str]:
    """The steps whose matches the lead begins: whoever waits there may put their phone away."""
    return [name for name, step in study.form.steps.items() if step.is_led]


def _finished(session: Session, study: Study) -> None:
    seats = Participant.objects.filter(
        Q(state__in=(ParticipantState.LEFT, ParticipantState.REMOVED)) | Q(run__status__in=ENDED),
        member__session=session, member__state=MemberState.PLAYING,
        run__study_step=F("member__step"), run__study_round=F("member__round"),
    )  # fmt: skip
    for seat in seats.select_related("run", "member__session").order_by("member__number"):
        member = cast(Member, seat.member)
        if seat.state == ParticipantState.LEFT:
            advance(member, Place.of(member), "left", end=MemberState.LEFT)
        elif seat.state == ParticipantState.REMOVED:
            advance(member, Place.of(member), "removed", end=MemberState.DROPPED)
        else:
            is_gone = seat.state == ParticipantState.SUBSTITUTED
            if is_gone:  # a sign of life takes it back
                Member.objects.filter(pk=member.pk, away=None).update(away=clock.now())
            why = "gone" if is_gone else "missed" if is_missed(seat.run, seat.seat) else "played"
            advance(member, Place.of(member), why)


def _late_pages(session: Session, study: Study) -> None:
    late = Member.objects.filter(session=session, state=MemberState.WALKING, until__lte=clock.now())
    for member in late.select_related("session"):
        page_timed_out(member)


# --- groups -----------------------------------------------------------------------------------------


def _form_silos(session: Session, study: Study) -> None:
    """The longest waiting who are present, as soon as they are as many as a silo has places."""
    waiting = Member.objects.filter(session=session, state=MemberState.WAITING, silo=None)
    for name in sorted(set(waiting.values_list("step", flat=True)), key=study.names().index):
        here = list(waiting.filter(step=name, seen__gte=clock.now() - PRESENT).order_by("since", "number"))
        arms = sorted({one.arm for one in here})
        for arm in arms:
            queue = [one for one in here if one.arm == arm]
            while queue:
                chosen = arm_at(session, study, queue[0], name)
                if study.step(chosen, name).is_led:
                    break
                silo = silo_of(study.step(chosen, name))
                if len(queue) < silo:
                    break
                silo_make(session, study, chosen, name, queue[:silo])
                queue = queue[silo:]


def queue_of(member: Member) -> list[str]:
    """Who waits for a group as a member does and is present, themselves too, in the order in which they are placed."""
    here = Member.objects.filter(
        session=member.session, state=MemberState.WAITING, silo=None, step=member.step, arm__in={member.arm, ""}
    ).order_by("since", "number")
    late = clock.now() - PRESENT
    return [pk for pk, seen in here.values_list("pk", "seen") if seen >= late or pk == member.pk]


def silo_make(session: Session, study: Study, arm: str, name: str, members: Sequence[Member]) -> None:
    """Places for those members, and the runs of their first round; all of it or nothing."""
    with transaction.atomic():
        number = 1 + max(
            (rows.filter(session=session).aggregate(last=Max("silo"))["last"] or 0)
            for rows in (Member.objects.all(), Run.objects.all())
        )
        for place, member in enumerate(members):
            kept = Member.objects.filter(pk=member.pk, state=MemberState.WAITING, silo=None, step=name)
            if not kept.update(silo=number, place=place, arm=arm):
                raise Changed
            member.silo, member.place, member.arm = number, place, arm
        _play(session, study, study.step(arm, name), name, 0, number, {one.place or 0: one for one in members})


def _next_rounds(session: Session, study: Study) -> None:
    """A silo goes on as soon as all of it that is still there waits; who comes too late for a match plays the next."""
    waiting = Member.objects.filter(session=session, state=MemberState.WAITING).exclude(silo=None)
    for silo, name in sorted({(one.silo or 0, one.step) for one in waiting}):
        held = Member.objects.filter(session=session, silo=silo, state__in=UNDER_WAY).select_related("session")
        there = list(held.filter(step=name))
        step = study.step(there[0].arm, name)
        if step.is_led or any(one.state != MemberState.WAITING for one in there):
            continue
        last = Run.objects.filter(session=session, study_step=name, silo=silo).aggregate(n=Max("study_round"))["n"]
        number = 0 if last is None else last + 1
        is_early = all(one.until is None or one.until > clock.now() for one in there)
        if number == 0 and is_early and held.filter(step__in=study.names()[: study.names().index(name)]).exists():
            continue
        if number >= step.repeat:
            for one in there:
                sat_out(one, name)
            continue
        with transaction.atomic():
            if study.form.away.then == "replace":
                there += _newcomers(session, there, step, name, number)
            _play(session, study, step, name, number, silo, {one.place or 0: one for one in there})


def _newcomers(session: Session, there: Sequence[Member], step: Step, name: str, number: int) -> list[Member]:
    """Who waits for a group takes the places of a silo whose holders are gone, from this match on."""
    free = sorted(set(range(silo_of(step))) - {one.place for one in there})
    waiting = Member.objects.filter(
        session=session, state=MemberState.WAITING, silo=None, step=name, arm__in={"", there[0].arm},
        seen__gte=clock.now() - PRESENT,
    )  # fmt: skip
    found = list(waiting.order_by("since", "number")[: len(free)])
    for place, one in zip(free, found, strict=False):
        one.silo, one.place, one.arm, one.round = there[0].silo, place, there[0].arm, number
        if not waiting.filter(pk=one.pk).update(silo=one.silo, place=place, arm=one.arm, round=number):
            raise Changed
    return found


def _play(
    session: Session, study: Study, step: Step, name: str, number: int, silo: int, there: dict[int, Member]
) -> None:
    """The runs of one round of a silo: a seat for each who is there, a substitute in every other place."""
    scenario, size = scenario_of(step), group_size(step)
    drawn = session.seed + silo + (AGAIN * study.names().index(name) if step.keeps_silo else 0)
    for index, group in enumerate(_groups(step, silo_of(step), size, number, drawn)):
        members = [there.get(place) for place in group]
        if any(members):
            match_make(session, step, scenario, Slot(name, number, silo, index), members, drawn - session.seed - silo)


def match_make(
    session: Session, step: Step, scenario: Scenario, slot: Slot, members: Sequence[Member | None], again: int = 0
) -> None:
    """One match: a seat for each who is there, in that order, a substitute in every other place. Raises `Changed`.

    ``again``  what is added to the seed where the silo plays under its number in another step
    """
    seed = session.seed + again + 1_000_003 * slot.silo + 1_009 * slot.round + slot.index
    shown = {"kind": "public"} if session.is_public else None
    run = run_create(scenario=scenario, seed=seed % 2**53, start=True, audience=shown)
    Run.objects.filter(pk=run.pk).update(
        session=session, study_step=slot.step, study_round=slot.round, silo=slot.silo, wake_at=None, code=None
    )
    seats = list(run.seats.filter(kind=SeatKind.PERSON).order_by("index"))
    for seat, member in zip(seats, members, strict=True):
        if member is None:
            if step.gather.fill is not None:
                seat_hand_over(run_id=run.pk, seat=seat.index, agent=step.gather.fill)
            continue
        if not grouped(member, Place.of(member), round=slot.round):
            raise Changed
        Participant.objects.create(
            run=run, member=member, seat=seat.index, link=seat.link, state=ParticipantState.READY,
            language=member.language, consent_at=member.created, holder=digest_of(secret_of(member)),
            seen=member.seen, active=member.seen, gone_at=_gone_since(member),
        )  # fmt: skip
    run_begin(run_id=run.pk)


def _gone_since(member: Member) -> datetime | None:
    """Since when somebody who is to play is gone: whoever was so in their last match still is."""
    if clock.now() - member.seen <= GONE:
        return None
    last = Participant.objects.filter(member=member).order_by("-joined").values_list("gone_at", flat=True).first()
    return last or clock.now()


def _groups(step: Step, silo: int, size: int, number: int, seed: int) -> Groups:
    past: list[Groups] = []
    for before in range(number):
        past.append(matched(step.match, silo, size, before, seed, past))
    return matched(step.match, silo, size, number, seed, past)


def _waited_out(session: Session, study: Study) -> None:
    """Who has waited as long as the file says: an end with thanks, or a group whose other places are filled."""
    late = Member.objects.filter(session=session, state=MemberState.WAITING, silo=None, until__lte=clock.now())
    for member in late.order_by("since", "number").select_related("session"):
        name = member.step
        arm = arm_at(session, study, member, name)
        if study.step(arm, name).gather.otherwise == "unmatched":
            advance(member, Place.of(member), "unmatched", end=MemberState.UNMATCHED)
            continue
        fresh = Member.objects.filter(session=session, state=MemberState.WAITING, silo=None, step=name)
        here = clock.now() - PRESENT
        others = [
            one
            for one in fresh.order_by("since", "number")
            if one.arm in ("", arm) and (one.seen >= here or one.pk == member.pk)
        ]
        chosen = others[: silo_of(study.step(arm, name))]
        if any(one.pk == member.pk for one in chosen):  # else they were placed with one before them, or soon will be
            silo_make(session, study, arm, name, chosen)


def _past_the_last(session: Session, study: Study) -> None:
    """Who waits for a match that the lead begins goes on where all of them are over: they came late, or sat one out."""
    for name in [name for name, step in study.form.steps.items() if step.is_led]:
        last = Run.objects.filter(session=session, study_step=name, study_round=study.form.steps[name].repeat - 1)
        if not last.exists() or last.exclude(status__in=ENDED).exists():
            continue
        for member in Member.objects.filter(session=session, state=MemberState.WAITING, step=name).select_related(
            "session"
        ):
            sat_out(member, name)


def sat_out(member: Member, name: str) -> None:
    """On to what comes after the matches of a step, none of which is left for them."""
    while (member.state, member.step) == (MemberState.WAITING, name):
        if not advance(member, Place.of(member), "sat_out"):
            break
