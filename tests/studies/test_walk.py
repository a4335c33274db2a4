"""Members walk a study: pages, groups, rounds with strangers, ends, pay and data."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from itertools import combinations

import pytest
from django.utils import timezone

from games.site.exports.sessionfiles import data_zip
from games.site.models import Member, Participant, Run, Session, Visit
from games.site.studies.gathering import studies_continue
from games.site.studies.walking import Place, advance, member_join
from tests.studies.conftest import again, play_on, sends, to_play, whole

pytestmark = pytest.mark.django_db(transaction=True)
Come = Callable[[int], list[Member]]


def test_four_walk_through_three_matches_with_strangers_to_one_end(session: Session, come: Come) -> None:
    members = come(4)
    for member in members:
        to_play(member)
    whole(session)
    for member in members:
        assert again(member).step == "survey"
        assert sends(member, trust="4") == {}
    found = [again(member) for member in members]
    assert {one.state for one in found} == {"done"}
    # three matches of two rounds in which both play C: 3 points each
    assert {one.pay["points"] for one in found} == {18.0}
    assert {one.pay["total"] for one in found} == {"4.8"}
    met = [
        frozenset(Participant.objects.filter(run=run).values_list("member", flat=True))
        for run in Run.objects.filter(session=session)
    ]
    assert len(met) == len(set(met)) == 6, "perfect strangers met twice"
    assert {len(pair) for pair in met} == {2}
    assert set(met) == {frozenset((one.pk, other.pk)) for one, other in combinations(members, 2)}


def test_the_same_page_sent_twice_is_taken_once(session: Session, come: Come) -> None:
    (member,) = come(1)
    at = Place.of(member)
    assert advance(member, at, "answered")
    assert not advance(member, at, "answered")
    assert again(member).step == "check"
    assert Visit.objects.filter(member=member).count() == 1


def test_a_label_finds_its_place_again(session: Session) -> None:
    first = member_join(session, label="ann")
    sends(first, agree="yes")
    assert member_join(session, label="ann").step == "check"
    assert Member.objects.filter(session=session).count() == 1


def test_wrong_tries_are_kept_and_the_last_one_screens_out_with_its_own_pay(session: Session, come: Come) -> None:
    (member,) = come(1)
    sends(member, agree="yes")
    assert sends(member, points="2") == {"points": "wrong"}
    assert sends(member, points="many") == {"points": "many; a whole number is needed"}
    assert sends(member, points="4") == {}
    told = again(member)
    assert (told.state, told.pay["total"]) == ("screened", "0.5")
    assert [one.data["points"] for one in Visit.objects.filter(member=member, step="check").order_by("pk")] == [2, 4]


def test_who_does_not_agree_goes_no_further(session: Session, come: Come) -> None:
    (member,) = come(1)
    assert sends(member) == {"agree": "needed"}
    assert sends(member, agree="no") == {}
    assert again(member).state == "declined"


def test_the_gone_are_passed_over_and_who_waits_too_long_leaves_with_thanks(session: Session, come: Come) -> None:
    members = come(5)
    for member in members:
        to_play(member)
    Member.objects.filter(pk=members[0].pk).update(seen=timezone.now() - timedelta(minutes=1))
    studies_continue()
    assert [again(one).state for one in members] == ["waiting", "playing", "playing", "playing", "playing"]
    Member.objects.filter(pk=members[0].pk).update(until=timezone.now() - timedelta(seconds=1))
    studies_continue()
    told = again(members[0])
    assert (told.state, told.pay["total"]) == ("unmatched", "3.0")


def test_who_leaves_a_match_is_paid_for_what_they_played_and_the_others_go_on(session: Session, come: Come) -> None:
    from games.site.people.joining import participant_leave

    members = come(4)
    for member in members:
        to_play(member)
    studies_continue()
    participant_leave(participant=Participant.objects.get(member=members[0]))
    whole(session)
    assert again(members[0]).state == "left"
    assert again(members[0]).pay["points"] == 0
    assert {again(one).step for one in members[1:]} == {"survey"}
    runs = Run.objects.filter(session=session)
    assert {run.status for run in runs} == {"finished"}
    assert runs.count() == 6, "the place of who left is kept by a substitute"


def test_the_data_of_a_session_have_a_row_for_each_person_and_decision(session: Session, come: Come) -> None:
    members = come(4)
    for member in members:
        to_play(member)
    whole(session)
    for member in members:
        sends(member, trust="4")
    with zipfile.ZipFile(io.BytesIO(data_zip(session))) as file:
        read = {
            name: list(csv.DictReader(io.StringIO(file.read(name).decode())))
            for name in file.namelist()
            if name.endswith("csv")
        }
    assert len(read["members.csv"]) == 4
    assert len(read["decisions.csv"]) == 4 * 3 * 2, "every decision once"
    assert {row["own"] for row in read["decisions.csv"]} == {"True"}
    by_seat = sum(float(row["points"]) for row in read["seats.csv"])
    assert by_seat == sum(float(row["points"]) for row in read["members.csv"])
    assert "p0" not in str(read), "labels are names"


def test_a_second_sweep_changes_nothing(session: Session, come: Come) -> None:
    for member in come(4):
        to_play(member)
    studies_continue()
    runs = set(Run.objects.values_list("pk", flat=True))
    studies_continue()
    assert set(Run.objects.values_list("pk", flat=True)) == runs
    play_on(session)
    studies_continue()
    studies_continue()
    assert Run.objects.filter(study_round=1).count() == 2
