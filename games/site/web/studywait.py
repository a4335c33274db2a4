"""The waiting room of a study: who is there, who is still missing, and what comes when the wait is over."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.site.models import Member, MemberState
from games.site.record import clock
from games.site.studies.form import Step
from games.site.studies.gathering import queue_of
from games.site.studies.leading import next_match
from games.site.studies.loading import Study
from games.site.studies.playing import silo_of
from games.site.studies.walking import arm_at
from games.site.web.studypay import ALL, paid_at
from games.site.web.studyshown import minutes_of, way_response
from games.site.web.studyterms import lasting
from games.site.web.waywords import say


def waiting_page(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    step = study.step(one.arm, one.step)
    if step.is_led:
        return _waiting_for_lead(request, one, study, lang)
    is_blind = bool(step.people.get("blind"))
    before = None
    if one.silo is None:
        queue = queue_of(one)
        of = silo_of(study.step(arm_at(one.session, study, one, one.step), one.step))
        if one.pk not in queue:  # their group was made after they were read
            return redirect("member", member=one.pk)
        place = queue.index(one.pk) // of
        here = min(of, len(queue) - place * of)
        before = place > 0
    else:
        same = Member.objects.filter(session=one.session, state=MemberState.WAITING, step=one.step, silo=one.silo)
        here = same.filter(round=one.round).count()
        of = Member.objects.filter(session=one.session, silo=one.silo, ended=None).count()
    missing = max(0, of - here)
    name = "wait_group" if is_blind else ("wait_now", "wait_one")[missing] if missing < 2 else "wait_more"
    squares = ["you", *["present"] * (here - 1), *["open"] * missing]
    return way_response(
        request, "study_wait.html", one, study, lang, waits=True, is_blind=is_blind, here=here, group_of=of,
        heading=say(lang, name, n=missing), lead=say(lang, "wait_blind") if is_blind else say(lang, "wait_lead", of=of),
        squares=[] if is_blind else squares, before=["present"] * of if before and not is_blind else [],
        count=say(lang, "n_of", n=here, of=of), before_count=say(lang, "starts_now", n=of, of=of),
        facts=_waited(one, step, study, is_blind, lang),
    )  # fmt: skip


def _waiting_for_lead(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    """A class waits for its lead; whoever is not in the match that is played is told from which one they are."""
    coming = next_match(one.session, study)
    name = "led_last" if coming is None else "led_busy" if coming.busy else "led"
    about = {} if coming is None else {"n": coming.number, "before": coming.number - 1, "of": coming.of}
    since = minutes_of((clock.now() - one.since).total_seconds())
    return way_response(
        request, "study_wait.html", one, study, lang, waits=True, heading=say(lang, name, **about),
        lead=say(lang, "led_lead"), facts=[(say(lang, "wait_since"), since)],
    )  # fmt: skip


def _waited(one: Member, step: Step, study: Study, is_blind: bool, lang: str) -> list[tuple[str, str]]:
    """Since when somebody waits, who may still come, and what happens when the wait is over."""
    since = minutes_of((clock.now() - one.since).total_seconds())
    if one.until is None:
        return [(say(lang, "wait_since"), since)]
    most = minutes_of(step.gather.wait_s)
    rows = [(say(lang, "wait_since"), say(lang, "since_most", since=since, most=most))]
    ahead = study.names()[: study.names().index(one.step)]
    walking = Member.objects.filter(session=one.session, state=MemberState.WALKING, step__in=ahead)
    coming = walking.filter(**({"silo": one.silo} if step.keeps_silo else {"arm__in": {one.arm, ""}})).count()
    if coming and not is_blind:
        rows.append((say(lang, "on_the_way"), say(lang, "person" if coming == 1 else "people", n=coming)))
    if step.gather.otherwise == "fill" or step.keeps_silo:
        then = say(lang, "then_fill")
    else:
        paid = paid_at(study, "unmatched")
        then = say(lang, "then_unmatched_paid", amount=paid) if paid and paid != ALL else say(lang, "then_unmatched")
    return [*rows, (say(lang, "after", time=lasting(step.gather.wait_s, lang)), then)]
