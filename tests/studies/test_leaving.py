"""Who closes the browser is away in every later match, whatever its length: marked, replaced or out, and not paid."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest

from games.site.drive.conductor import conduct
from games.site.models import ACTIVE, Member, MemberState, Participant, ParticipantState, Run, Session, Visit
from games.site.people.moves import move_submit
from games.site.people.presence import Beat, beats_keep, presence_sweep
from games.site.people.seats import turn_advance
from games.site.record import clock
from games.site.studies.earning import gains_of, points_of
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.walking import Place, advance, member_join, member_seen, session_open, study_of
from tests.studies.conftest import again

pytestmark = pytest.mark.django_db(transaction=True)

STRANGERS: dict[str, Any] = {
    "study": "strangers",
    "steps": {
        "play": {
            "scenario": "dilemma/tft-vs-alld",
            "config": {"rounds": 1},
            "seats": {"*": {"person": True}},
            "people": {"deadline_s": 45, "grace_s": 30},
            "repeat": 5,
            "match": "perfect",
            "silo": 6,
        },
        "survey": {"ask": {"trust": {"title": "Trust?"}}},
    },
    "pay": {"show_up": 3, "point": 0.1},
    "ends": {"dropped": {"pay": 1}},
}
Passes = Callable[[float], None]


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    """A clock that stands still until so many seconds pass."""
    at = [clock.now()]
    monkeypatch.setattr(clock, "now", lambda *, anew=False: at[0])
    monkeypatch.setattr(clock, "known", lambda: at[0])

    def go(seconds: float) -> None:
        at[0] += timedelta(seconds=seconds)

    return go


def opened(members: int = 6, **more: Any) -> tuple[Session, list[Member]]:
    session = session_open(study_read({**deepcopy(STRANGERS), **more}), seed=5)
    found = [member_join(session, label=f"p{n}") for n in range(members)]
    for one in found:
        if one.step != "play":
            advance(one, Place.of(one), "answered")
    return session, found


def goes_on(session: Session, passes: Passes, closed: set[str], seconds: int, step: int = 5) -> None:
    """So long everybody whose browser is open moves at once; each second of the clock's process is every fifth."""
    for _ in range(0, seconds, step):
        for one in Member.objects.filter(session=session, state__in=("waiting", "playing")):
            if one.pk not in closed:
                seat = Participant.objects.filter(member=one, run__status__in=ACTIVE).first()
                member_seen(one)
                if seat is not None:
                    beats_keep([Beat(seat.pk, "", True, clock.now())])
        presence_sweep()
        studies_continue()
        for run in Run.objects.filter(session=session, status__in=ACTIVE):
            conduct(run.pk, "live")
            run.refresh_from_db()
            here = Participant.objects.filter(run=run, state="playing").exclude(member__in=closed)
            for seat in here if run.status in ACTIVE else ():
                at = run.head + 1
                move_submit(
                    participant=seat, tab="", client_id=f"{seat.pk}-{at}", step=at, raw={"action": {"move": "C"}}
                )
            conduct(run.pk, "live")
        passes(step)


def test_a_closed_browser_in_matches_of_one_round_is_neither_played_nor_paid(passes: Passes) -> None:
    session, members = opened()
    closed = {members[0].pk}
    goes_on(session, passes, closed, 400)
    told = again(members[0])
    assert (told.state, told.pay["points"], told.pay["total"]) == ("dropped", 0.0, "1.0")
    whys = set(Visit.objects.filter(member=told).values_list("why", flat=True))
    assert "played" not in whys
    for other in members[1:]:
        assert again(other).step == "survey", "the others are not held up"
        assert points_of(again(other), study_of(session)) != []
    assert {run.status for run in Run.objects.filter(session=session)} == {"finished"}


def pair(rounds: int) -> tuple[Session, list[Participant]]:
    """Two in one match that has begun."""
    play = {**STRANGERS["steps"]["play"], "config": {"rounds": rounds}, "repeat": 1, "silo": 2}
    session, _ = opened(2, steps={**STRANGERS["steps"], "play": play})
    studies_continue()
    conduct(Run.objects.get(session=session).pk, "live")
    return session, list(Participant.objects.filter(run__session=session).order_by("member__number"))


def moves(seat: Participant, step: int) -> None:
    move_submit(participant=seat, tab="", client_id=f"{seat.pk}-{step}", step=step, raw={"action": {"move": "C"}})


def earned_and_gained(seat: Participant) -> tuple[list[float], list[float]]:
    """What the holder of a seat earned in each match, and what the seat gained in each step of this one."""
    run = Run.objects.select_related("session").get(pk=seat.run_id)
    assert run.session is not None
    assert seat.member is not None
    gained = [gains.get(seat.seat, 0.0) for gains in gains_of(run.pk, run.head)[1:]]
    return points_of(again(seat.member), study_of(run.session)), gained


def test_who_decides_nothing_in_a_match_is_told_as_missed_and_earns_nothing_there() -> None:
    _, (missed, other) = pair(1)
    moves(other, 1)
    turn_advance(run_id=missed.run_id)
    conduct(missed.run_id, "live")
    studies_continue()
    assert dict(Visit.objects.values_list("member__number", "why")) == {0: "missed", 1: "played"}
    earned, gained = earned_and_gained(missed)
    assert (earned, sum(gained) > 0) == ([0.0], True)


def test_what_a_substitute_plays_on_earns_the_seat_something_and_its_holder_nothing() -> None:
    _, (gone, other) = pair(2)
    moves(gone, 1)
    moves(other, 1)
    conduct(gone.run_id, "live")
    Participant.objects.filter(pk=gone.pk).update(state=ParticipantState.SUBSTITUTED)
    moves(other, 2)
    conduct(gone.run_id, "live")
    earned, gained = earned_and_gained(gone)
    assert (earned, gained[1] > 0) == ([gained[0]], True)


def test_who_is_gone_is_gone_when_the_next_match_begins(passes: Passes) -> None:
    session, members = opened(away={"after_s": 600})
    goes_on(session, passes, {members[0].pk}, 55)
    second = Participant.objects.filter(member=members[0]).order_by("-joined").first()
    assert second is not None
    assert second.run.study_round == 1
    assert second.gone_at is not None
    goes_on(session, passes, {members[0].pk}, 200)
    assert again(members[0]).step == "survey", "their substitute has played to the end"
    goes_on(session, passes, {members[0].pk}, 400)
    told = again(members[0])
    assert (told.state, told.pay["points"], told.pay["total"]) == ("dropped", 0.0, "1.0")


def test_who_comes_back_before_the_stated_time_is_over_goes_on(passes: Passes) -> None:
    session, members = opened(away={"after_s": 150})
    goes_on(session, passes, {members[0].pk}, 75)
    assert Visit.objects.filter(member=members[0], why="gone").exists(), "their substitute ended a match"
    goes_on(session, passes, set(), 200)
    told = again(members[0])
    assert (told.step, told.state, told.away) == ("survey", "walking", None)
    assert points_of(told, study_of(session))[0] == 0.0, "what a program played earns nothing"
    assert points_of(told, study_of(session))[-1] > 0.0
    goes_on(session, passes, {members[0].pk}, 400)
    assert again(told).state == "walking", "a page that is read waits"


def test_where_the_study_keeps_them_they_are_marked_and_come_back(passes: Passes) -> None:
    session, members = opened(away={"after_s": 60, "then": "keep"})
    goes_on(session, passes, {members[0].pk}, 150)
    told = again(members[0])
    assert told.away is not None
    assert told.state in ("playing", "waiting", "walking")
    assert points_of(told, study_of(session)) == [0.0] * len(points_of(told, study_of(session)))
    if told.state == MemberState.PLAYING:
        member_seen(told)
        assert again(told).away is None


def test_where_the_study_replaces_them_who_waits_takes_the_place(passes: Passes) -> None:
    session, members = opened(7, away={"after_s": 60, "then": "replace"})
    assert [again(one).state for one in members].count("waiting") == 7
    goes_on(session, passes, {members[0].pk}, 200)
    gone, new = again(members[0]), again(members[6])
    assert gone.state == "dropped"
    assert new.step == "survey"
    assert (new.silo, new.place) == (gone.silo, gone.place)
    assert 0 < Participant.objects.filter(member=new).count() < 5


def test_who_waits_for_a_group_and_is_gone_is_paid_as_gone(passes: Passes) -> None:
    _, members = opened(1)
    passes(121)
    studies_continue()
    assert (again(members[0]).state, again(members[0]).pay["total"]) == ("dropped", "1.0")
