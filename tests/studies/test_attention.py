"""Who is looked for: missed turns, pages that nobody looks at, a clock that stands while all are away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents_app.people import PeopleSettings
from games.errors.faults import BadScenario
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.drive.person_seats import wake
from games.site.models import Member, Notice, Participant, Run, RunStatus, Session
from games.site.people.invites import digest_of
from games.site.people.joining import run_begin
from games.site.people.presence import AWAY_MAX, Beat, beats_keep, presence_sweep
from games.site.people.seats import turn_advance
from games.site.runs.creating import run_create
from games.site.studies.walking import member_join

pytestmark = pytest.mark.django_db


def match(scenario: str = "dilemma/tft-vs-alld", **people: Any) -> Run:
    """A person in each seat, begun."""
    seats = read_seats({"seats": {"*": {"person": True}}}, "test")
    run = run_create(scenario=load(scenario, extra=[Layer("test", {"rounds": 9}, seats, people=people)]), start=True)
    now = timezone.now()
    for seat in run.seats.all():
        Participant.objects.create(
            run=run, seat=seat.index, link=1, state="ready", holder=digest_of("s"), seen=now, active=now
        )
    run_begin(run_id=run.pk)
    conduct(run.pk, "live")
    return Run.objects.get(pk=run.pk)


def misses_a_turn(run: Run) -> None:
    turn_advance(run_id=run.pk)
    wake(run.pk)  # as the commit does
    conduct(run.pk, "live")


def test_who_misses_as_many_turns_in_a_row_as_the_terms_allow_is_out() -> None:
    run = match(out_after=2)
    misses_a_turn(run)
    presence_sweep()
    assert set(Participant.objects.values_list("state", flat=True)) == {"playing"}
    misses_a_turn(run)
    presence_sweep()
    assert set(Participant.objects.values_list("state", flat=True)) == {"removed"}
    assert Notice.objects.filter(kind="out").count() == 2


def test_the_clock_stands_while_everybody_is_away_and_goes_on_when_somebody_is_back() -> None:
    run = match(pause_away=True, deadline_s=60, grace_s=5)
    one, other = Participant.objects.order_by("seat")
    long_ago = timezone.now() - timedelta(seconds=30)
    Participant.objects.filter(pk=one.pk).update(seen=long_ago)
    presence_sweep()
    assert Run.objects.get().status == RunStatus.WAITING, "one of two is here"
    Participant.objects.update(seen=long_ago)
    presence_sweep()
    stands = Run.objects.get()
    assert stands.status == RunStatus.PAUSED
    assert 55 < (stands.open_turn or {})["left_s"] <= 60
    beats_keep([Beat.now(other.pk, "", True)])
    assert Run.objects.get().status == RunStatus.QUEUED
    conduct(run.pk, "live")
    assert (Run.objects.get().open_turn or {})["deadline"]


def test_a_match_that_nobody_comes_back_to_goes_on_after_a_while_with_substitutes() -> None:
    match(pause_away=True, deadline_s=60, grace_s=5)
    Participant.objects.update(seen=timezone.now() - timedelta(seconds=30))
    presence_sweep()
    long_ago = timezone.now() - AWAY_MAX - timedelta(seconds=5)
    Run.objects.update(away_since=long_ago)
    Participant.objects.update(gone_at=long_ago)
    presence_sweep()
    assert Run.objects.get().status == RunStatus.QUEUED
    assert set(Participant.objects.values_list("state", flat=True)) == {"substituted"}


def test_a_match_that_an_operator_paused_is_not_resumed_by_who_comes_back() -> None:
    match(pause_away=True)
    one = Participant.objects.order_by("seat")[0]
    Run.objects.update(status=RunStatus.PAUSED)
    Participant.objects.update(gone_at=timezone.now())
    beats_keep([Beat.now(one.pk, "", True)])
    assert Run.objects.get().status == RunStatus.PAUSED


def test_how_long_and_how_often_a_page_is_not_looked_at_is_kept() -> None:
    match()
    one = Participant.objects.order_by("seat")[0]
    now = timezone.now()
    for seconds, active in ((4, True), (8, False), (12, False), (16, True), (20, False)):
        at = now + timedelta(seconds=seconds)
        beats_keep([Beat(one.pk, "", active, at)])
        if active:
            Participant.objects.update(active=at)
    one.refresh_from_db()
    assert (one.unfocused, one.unfocused_s) == (2, pytest.approx(12))


def test_a_member_who_plays_is_seen(session: Session) -> None:
    match()
    member = member_join(session, label="ann")
    one = Participant.objects.order_by("seat")[0]
    Participant.objects.filter(pk=one.pk).update(member=member)
    Member.objects.update(seen=timezone.now() - timedelta(minutes=5))
    beats_keep([Beat.now(one.pk, "", True)])
    assert timezone.now() - Member.objects.get().seen < timedelta(seconds=5)


def test_each_stage_has_its_own_clock_and_a_stage_that_is_none_is_refused() -> None:
    terms = PeopleSettings.model_validate({"deadline_s": 30, "stages": {"talk": 90}})
    assert (terms.stage_s("talk"), terms.stage_s("choose")) == (90, 30)
    run = match("dilemma/talk", stages={"talk": 90}, deadline_s=30)
    left = (run.open_turn or {})["deadline"]
    assert left is not None
    with pytest.raises(BadScenario, match="nosuch"):
        match("dilemma/talk", stages={"nosuch": 90})
