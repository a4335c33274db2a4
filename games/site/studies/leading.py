"""A class: matches that begin when its lead says so, for all who are there, and what else the lead does for all.

Who plays in a match is drawn when it begins, among those who wait and are present. Whoever is left over sits it out, or
plays with what the file fills in; it is somebody else each time. Each of these is done once, however often it is asked.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet

from games.errors.requests import BadRequest
from games.site.models import ACTIVE, ENDED, UNDER_WAY, Member, MemberState, Participant, Run, RunStatus, Session
from games.site.record import clock
from games.site.runs.creating import run_pause, run_play, run_stop
from games.site.studies.form import Step
from games.site.studies.gathering import PRESENT, Changed, Slot, match_make
from games.site.studies.loading import Study
from games.site.studies.matching import Groups, matched_now
from games.site.studies.playing import group_size, scenario_of
from games.site.studies.walking import Place, advance, arm_at, study_of

TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The match that the lead may begin next, of those that wait for the lead.

    ``number``  from 1, of ``of``
    ``here``    who waits for it and is present; so many are needed: ``least``
    ``busy``    whether the one before it is still played
    """

    step: str
    number: int
    of: int
    here: int
    least: int
    busy: bool

    @property
    def can_start(self) -> bool:
        return not self.busy and self.here >= self.least


def next_match(session: Session, study: Study | None = None) -> NextMatch | None:
    """The next that waits for the lead; None where none of the study does, or all have been begun."""
    study = study or study_of(session)
    for name, step in study.form.steps.items():
        if not step.is_led:
            continue
        number = _begun(session, name)
        if number >= step.repeat:
            continue
        under_way = Run.objects.filter(session=session, study_step=name).exclude(status__in=ENDED)
        playing = Member.objects.filter(session=session, step=name, state=MemberState.PLAYING)
        least = 1 if step.gather.otherwise == "fill" else group_size(step)
        busy = under_way.exists() or playing.exists()
        return NextMatch(name, number + 1, step.repeat, len(_present(session, name)), least, busy)
    return None


def match_start(session: Session, number: int | None = None) -> int:
    """Begin the next match for all who wait and are there; how many groups it has.

    ``number``  which (from 1) whoever asks means: one that has begun is not begun again, and 0 is returned

    Raises `BadRequest` where the one before it is still played, or too few are there.
    """
    study = study_of(session)
    coming = next_match(session, study)
    if coming is None or number not in (None, coming.number):
        return 0
    if coming.busy:
        told = f"match {coming.number}: match {coming.number - 1} is still played; begin the next when it is over"
        raise BadRequest("match_busy", told, "match", number=coming.number, before=coming.number - 1)
    if coming.here < coming.least:
        told = f"match {coming.number}: {coming.here} wait and are there; at least {coming.least} are needed"
        raise BadRequest("match_few", told, "match", number=coming.number, here=coming.here, least=coming.least)
    try:
        return _match(session, study, coming)
    except Changed:
        return 0  # somebody else began it a moment ago


def session_pause(session: Session) -> None:
    """Every match under way stands still, its clock too."""
    for run_id in _runs(session).filter(status__in=ACTIVE).values_list("pk", flat=True):
        run_pause(run_id=run_id)


def session_resume(session: Session) -> None:
    """Every match that stands still goes on."""
    for run_id in _runs(session).filter(status=RunStatus.PAUSED).values_list("pk", flat=True):
        run_play(run_id=run_id)


def session_end(session: Session) -> None:
    """It takes nobody new, matches under way stop where they stand, and everybody is at the end, as done.

    What was played until then counts.
    """
    Session.objects.filter(pk=session.pk).update(is_open=False)
    for run_id in _runs(session).exclude(status__in=ENDED).values_list("pk", flat=True):
        run_stop(run_id=run_id)
    under_way = Member.objects.filter(session=session, state__in=UNDER_WAY).select_related("session")
    for _ in range(TRIES):  # the sweep moves those along whose match has just been stopped
        for member in under_way.all():
            advance(member, Place.of(member), "ended", end=MemberState.DONE)
        if not under_way.exists():
            return


# --- one match --------------------------------------------------------------------------------------


def _match(session: Session, study: Study, coming: NextMatch) -> int:
    name, step = coming.step, study.form.steps[coming.step]
    scenario = scenario_of(step)
    with transaction.atomic():
        silo = _silo(session, name)
        there = {one.number: one for one in _present(session, name)}
        groups = _groups(session, step, name, coming.number - 1, sorted(there))
        for one in there.values():
            arm = arm_at(session, study, one, name)
            Member.objects.filter(pk=one.pk).update(arm=arm, silo=silo, place=one.number)
            one.arm, one.silo, one.place = arm, silo, one.number
        for index, group in enumerate(groups):
            members = [None if place is None else there[place] for place in group]
            match_make(session, step, scenario, Slot(name, coming.number - 1, silo, index), members)
    return len(groups)


def _groups(session: Session, step: Step, name: str, number: int, present: list[int]) -> list[list[int | None]]:
    size = group_size(step)
    past = _past(session, name, number)
    groups, left = matched_now(step.match, present, size, number, session.seed, past)
    filled: list[list[int | None]] = [list(group) for group in groups]
    if left and step.gather.otherwise == "fill":
        filled.append([*left, *[None] * (size - len(left))])
    return filled


def _past(session: Session, name: str, number: int) -> list[Groups]:
    """Who has met in each match before, by the members' numbers."""
    seats = Participant.objects.filter(run__session=session, run__study_step=name).exclude(member=None)
    found: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    rows = seats.order_by("run__created", "run", "seat").values_list("run__study_round", "run", "member__number")
    for before, run, member in rows:
        found[before][run].append(member)
    return [list(found[before].values()) for before in range(number)]


def _silo(session: Session, name: str) -> int:
    """The number of all who play that step: one silo."""
    known = Run.objects.filter(session=session, study_step=name).aggregate(n=Max("silo"))["n"]
    last = Run.objects.filter(session=session).aggregate(n=Max("silo"))["n"] or 0
    return int(known or last + 1)


def _begun(session: Session, name: str) -> int:
    """How many matches of a step have begun."""
    last = Run.objects.filter(session=session, study_step=name).aggregate(n=Max("study_round"))["n"]
    return 0 if last is None else int(last) + 1


def _present(session: Session, name: str) -> list[Member]:
    waiting = Member.objects.filter(session=session, step=name, state=MemberState.WAITING)
    return list(waiting.filter(seen__gte=clock.now() - PRESENT).select_related("session").order_by("number"))


def _runs(session: Session) -> QuerySet[Run]:
    return Run.objects.filter(session=session)
