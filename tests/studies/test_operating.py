"""What an operator does about members, who is late, and who fills a place that nobody came for."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest

from games.core.prompts import LANGUAGES
from games.errors.faults import BadScenario
from games.errors.requests import BadRequest
from games.errors.sentences import fault
from games.site.exports.sessions import codebook, tables_of
from games.site.models import Member, Participant, Run, Seat, Session
from games.site.people.seat_page import seat_messages
from games.site.record import selectors
from games.site.studies import gathering, presets, walking
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.operating import session_act
from games.site.studies.rehearsing import rehearse
from games.site.studies.walking import Place, member_join, session_open
from tests.studies.conftest import PAIRS, again, to_play, whole

pytestmark = pytest.mark.django_db
Come = Callable[[int], list[Member]]


def act(member: Member, do: str, text: str = "") -> None:
    now = again(member)
    session_act(now.session, do, now, Place.of(now), text)


def test_a_nudge_reaches_the_seat_in_both_languages_and_is_gone_with_the_next_step(
    session: Session, come: Come
) -> None:
    members = come(4)
    for one in members:
        to_play(one)
    studies_continue()
    act(members[0], "nudge")
    seat = Participant.objects.get(member=members[0])
    told = seat_messages(selectors.run_get(seat.run_id), [(seat.pk, "")])[seat.pk, ""]
    assert set(told["said"]) == {"en", "zh"}
    act(members[0], "end")
    assert again(members[0]).told == {}


def test_a_message_goes_to_all_who_are_under_way_and_an_empty_one_is_refused(session: Session, come: Come) -> None:
    come(2)
    session_act(session, "say", text=" Five minutes left. ")
    assert [one.told["text"] for one in Member.objects.all()] == [{"en": "Five minutes left."}] * 2
    with pytest.raises(BadRequest, match="0 characters"):
        session_act(session, "say", text="  ")


def test_who_is_replaced_in_a_match_is_out_and_the_substitute_plays_on(session: Session, come: Come) -> None:
    members = come(4)
    for one in members:
        to_play(one)
    studies_continue()
    act(members[0], "replace")
    assert again(members[0]).state == "dropped"
    assert Participant.objects.get(member=members[0]).state == "removed"
    whole(session)
    assert {again(one).step for one in members[1:]} == {"survey"}


def test_more_time_is_given_to_who_waits(session: Session, come: Come) -> None:
    (one,) = come(1)
    to_play(one)
    before = again(one).until
    act(one, "extend")
    assert before is not None
    assert (again(one).until - before).total_seconds() == 60  # type: ignore[operator]


def test_whoever_comes_when_all_places_are_taken_is_late_and_who_ends_early_frees_one() -> None:
    session = session_open(study_read({**deepcopy(PAIRS), "places": 2, "ends": {"late": {"pay": 0.5}}}), seed=1)
    first, _, third = (member_join(session, label=f"p{n}") for n in range(3))
    assert (third.state, third.pay["total"]) == ("late", "0.5")
    act(first, "end")
    assert member_join(session, label="p3").state == "walking"
    session_act(session, "close")
    assert member_join(Session.objects.get(pk=session.pk), label="p4").state == "late"


def test_places_that_nobody_came_for_are_filled_by_the_agent_of_the_file() -> None:
    data = deepcopy(PAIRS)
    data["steps"]["play"]["gather"] = {"wait_s": 5, "else": "fill", "fill": {"model": "mock/TFT"}}
    session = session_open(study_read(data), seed=1)
    one = member_join(session, label="p0")
    to_play(one)
    Member.objects.update(until=one.created)
    studies_continue()
    assert again(one).state == "playing"
    run = Run.objects.get(participants__member=one)
    assert sorted(Seat.objects.filter(run=run).values_list("kind", flat=True)) == ["model", "person"]
    data["steps"]["play"]["gather"]["fill"] = {"model": "mock/nosuch"}
    with pytest.raises(BadScenario, match="nosuch"):
        study_read(data)


def test_whoever_is_not_yet_late_waits_on_while_the_late_are_put_together() -> None:
    data = deepcopy(PAIRS)
    data["steps"]["play"] |= {"match": "partner", "silo": 2, "gather": {"wait_s": 60, "else": "fill"}}
    session = session_open(study_read(data), seed=1)
    gone, late, other, fresh = (member_join(session, label=f"p{n}") for n in range(4))
    for one in (gone, late, other, fresh):
        to_play(one)
    Member.objects.filter(pk=gone.pk).update(seen=gone.created - timedelta(minutes=5))
    Member.objects.filter(pk__in=[late.pk, other.pk]).update(until=gone.created)
    gathering._waited_out(session, walking.study_of(session))
    assert [again(one).state for one in (gone, late, other, fresh)] == ["waiting", "playing", "playing", "waiting"]


def test_matches_are_shown_to_everybody_once_the_operator_says_so(session: Session, come: Come) -> None:
    for one in come(4):
        to_play(one)
    studies_continue()
    assert {run.audience["kind"] for run in Run.objects.all()} == {"private"}
    session_act(session, "show")
    assert {run.audience["kind"] for run in Run.objects.all()} == {"public"}


def test_every_column_stands_in_the_codebook(session: Session, come: Come) -> None:
    for one in come(4):
        to_play(one)
    whole(session)
    tables = tables_of(session)
    for name, rows in tables.rows.items():
        named = [one.name for one in tables.columns[name]]
        assert all(list(row) and set(row) == set(named) for row in rows), name
    told = codebook(tables)
    assert {(row["table"], row["column"]) for row in told} >= {
        (name, one.name) for name, columns in tables.columns.items() for one in columns
    }
    asked = [row for row in told if row["column"] == "question = trust, step = survey"]
    assert [(row["kind"], row["values"]) for row in asked] == [("integer", "1..5")]


@pytest.mark.parametrize("name", presets.names())
def test_a_study_that_comes_with_polity_is_good_in_both_languages(name: str) -> None:
    form = presets.study(name).form
    texts = [form.title, *(step.text for step in form.steps.values() if step.text)]
    texts += [question.title for step in form.steps.values() for question in step.ask.values()]
    assert all(set(text) == set(LANGUAGES) for text in texts)


@pytest.mark.django_db(transaction=True)
def test_a_class_in_pairs_comes_to_its_end() -> None:
    _, told = rehearse(presets.study("class-in-pairs"), members=4)
    assert (told.plain()["ends"], told.stuck) == ({"done": 4}, [])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"steps": {"a": {"ask": {"q": {"title": "?", "as": "likert"}}}}}, "需要 minimum"),
    ({"steps": {"a": {"text": "?", "repeat": 3}}}, "页面没有这一项"),
    ({"ends": {"done": {"pay": -1}}}, "至少为 0"),
    ({"assign": {"at": "nowhere"}}, "没有这个名称"),
]


@pytest.mark.parametrize(("change", "told"), WRONG, ids=[one[1] for one in WRONG])
def test_a_fault_of_a_study_file_is_told_in_chinese_too(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadScenario) as caught:
        study_read({**deepcopy(PAIRS), **change})
    assert any(one.note is not None and told in fault(one.note, "zh") for one in caught.value.faults)
