"""Whoever took part may withdraw and have what they left erased: nothing of it stays, and runs and register verify."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from django.core import serializers
from django.test import Client

from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.experiments import registering
from games.site.exports.sessionfiles import data_zip, labels_csv
from games.site.models import ACTIVE, Call, Decision, Member, Message, Participant, RegisterEntry, Run, Session
from games.site.people.moves import move_submit
from games.site.record import selectors
from games.site.record.verification import verify_run
from games.site.runs.creating import run_create
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.operating import session_act
from games.site.studies.walking import Place, advance, member_join, session_open
from tests.studies.conftest import again, sends

pytestmark = pytest.mark.django_db(transaction=True)

SECRET, LABEL, ANSWER, OTHER = "meet me at the harbour", "PANEL-4711", "I live in Bergen", "see you there then"
# Long enough that no random key, pseudonym or digest beside it holds it by chance.
PANEL_STUDY = "STUDY-OF-HARBOURS-4712"
TALK: dict[str, Any] = {
    "study": "talk",
    "steps": {
        "play": {
            "scenario": "mining/baseline",
            "config": {"miners": 2, "rows": 4, "cols": 4, "rounds": 2, "messages": 2},
            "seats": {"0": {"person": True}, "1": {"person": True}},
        },
        "survey": {"ask": {"where": {"title": "Where?"}}},
    },
}


@pytest.fixture
def session() -> Session:
    """Two who talked in a match that is over; the first answered the survey."""
    session = session_open(study_read(TALK), seed=3)
    members = [member_join(session, label=LABEL, extra={"STUDY_ID": PANEL_STUDY}), member_join(session, label="p1")]
    studies_continue()
    run = Run.objects.get(session=session)
    texts = {members[0].pk: SECRET, members[1].pk: OTHER}
    for _ in range(2):
        conduct(run.pk, "live")
        run.refresh_from_db()
        for one in Participant.objects.filter(run=run):
            said = {"to": None, "text": texts[one.member_id or ""]}
            raw = {"action": {"items": [], "messages": [said]}}
            step = run.head + 1
            move_submit(participant=one, tab="", client_id=f"move-{one.pk}-{step}", step=step, raw=raw)
    conduct(run.pk, "live")
    studies_continue()
    sends(members[0], where=ANSWER)
    return session


def everything(session: Session) -> str:
    """All that stands of a session in the database, its log unpacked, and in its exports."""
    rows = [*Member.objects.all(), *Message.objects.all(), *Decision.objects.all(), *Call.objects.all()]
    found = [serializers.serialize("json", rows + list(Participant.objects.all()) + list(Run.objects.all()))]
    for run in Run.objects.all():
        play = selectors.playing(run)
        found += [repr(one) for one in selectors.steps(play, -1, run.head)]
        found += [str(selectors.base_of(run.pk, 0)._dictionary.dict_content)]
    with zipfile.ZipFile(io.BytesIO(data_zip(session))) as file:
        found += [file.read(name).decode("utf-8", "replace") for name in file.namelist()]
    return "\n".join([*found, labels_csv(session)])


def test_what_a_member_left_is_gone_and_their_match_and_the_register_verify(session: Session) -> None:
    member, run = Member.objects.get(label=LABEL), Run.objects.get()
    before = everything(session)
    assert all(one in before for one in (SECRET, LABEL, ANSWER, PANEL_STUDY, OTHER))
    moves = Decision.objects.filter(run=run).count()
    session_act(session, "erase", member)
    after = everything(session)
    assert [one for one in (SECRET, LABEL, ANSWER, PANEL_STUDY) if one in after] == []
    assert OTHER in after, "what the others said stays"
    assert Decision.objects.filter(run=run).count() == moves, "moves stay, under a pseudonym"
    told = str(verify_run(run.pk))
    entry = RegisterEntry.objects.get(kind="erased")
    assert told == f"{run.pk}: identical 2/2; 1 items erased by entry {entry.number}"
    assert (entry.document["answers"], entry.document["labels"]) == (1, 2)
    assert list(registering.faults()) == []


def test_a_word_that_the_game_has_itself_is_erased_where_it_was_said_alone() -> None:
    session = session_open(study_read(TALK), seed=3)
    members = [member_join(session, label=LABEL), member_join(session, label="p1")]
    studies_continue()
    run = Run.objects.get(session=session)
    for _ in range(2):
        conduct(run.pk, "live")
        run.refresh_from_db()
        for one in Participant.objects.filter(run=run):
            items = [{"type": "claim", "cell": [one.seat, one.seat]}] if run.head == 0 else []
            raw = {"action": {"items": items, "messages": [{"to": None, "text": "claim"}]}}
            step = run.head + 1
            move_submit(participant=one, tab="", client_id=f"move-{one.pk}-{step}", step=step, raw=raw)
    conduct(run.pk, "live")
    studies_continue()
    acts = [json.loads(row.answer)["action"]["items"] for row in Decision.objects.filter(run=run).order_by("id")]
    session_act(session, "erase", members[0])
    assert [
        json.loads(row.answer)["action"]["items"] for row in Decision.objects.filter(run=run).order_by("id")
    ] == acts
    assert not Message.objects.filter(run=run, text="claim").exists()
    assert verify_run(run.pk).difference is None


def test_a_match_that_was_forked_is_told_and_keeps_no_sweep_from_the_others(session: Session) -> None:
    run, member = Run.objects.get(), Member.objects.get(label=LABEL)
    Run.objects.filter(pk=run_create(scenario=load("mining/baseline"), seed=1).pk).update(parent=run)
    Member.objects.filter(pk=member.pk).update(erase_asked=again(member).created)
    studies_continue()
    assert again(member).erased is None
    assert Message.objects.filter(text=SECRET).exists(), "all or nothing"


def test_a_log_that_was_changed_after_an_erasure_is_told(session: Session) -> None:
    run = Run.objects.get()
    session_act(session, "erase", Member.objects.get(label=LABEL))
    document = RegisterEntry.objects.get(kind="erased").document
    document["matches"][run.pk]["after"] = "0" * 32
    RegisterEntry.objects.filter(kind="erased").update(document=document)
    assert verify_run(run.pk).difference is not None


def test_who_asks_while_a_match_goes_on_leaves_at_once_and_is_erased_when_it_is_over() -> None:
    session = session_open(study_read(TALK), seed=3)
    one, other = member_join(session, label="a-label"), member_join(session, label="b-label")
    studies_continue()
    run = Run.objects.get(session=session)
    conduct(run.pk, "live")
    client = Client()
    page = f"/me/{one.pk}"
    assert client.post(page, {"do": "erase"}).status_code == 302 or again(one).erase_asked is None
    client.post(page, {"do": "erase", "sure": "yes"})
    assert (again(one).state, again(one).erased) == ("left", None)
    studies_continue()
    assert again(one).label == "a-label", "not while the match goes on"
    for _ in range(4):
        conduct(run.pk, "live")
        run.refresh_from_db()
        if run.status not in ACTIVE:
            break
        seat = Participant.objects.get(member=other)
        step = run.head + 1
        raw = {"action": {"items": [], "messages": []}}
        move_submit(participant=seat, tab="", client_id=f"move-{step}-other", step=step, raw=raw)
    studies_continue()
    assert again(one).erased is not None
    assert again(one).label == ""
    assert b"What you left was erased." in client.get(page).content


def test_one_withdraws_from_any_page_and_only_who_is_sure(session: Session) -> None:
    member = Member.objects.get(label="p1")
    assert member.state == "walking"
    client = Client()
    assert b"Withdraw, or have your data erased" in client.get(f"/me/{member.pk}").content
    client.post(f"/me/{member.pk}", {"do": "withdraw"})
    assert again(member).state == "walking"
    client.post(f"/me/{member.pk}", {"do": "withdraw", "sure": "yes"})
    assert (again(member).state, again(member).erased) == ("left", None)
    client.post(f"/me/{member.pk}", {"do": "erase", "sure": "yes"})
    assert again(member).erased is not None


def test_an_erasure_happens_once(session: Session) -> None:
    member = Member.objects.get(label=LABEL)
    for _ in range(2):
        session_act(session, "erase", again(member))
        studies_continue()
    assert RegisterEntry.objects.filter(kind="erased").count() == 1


def test_the_key_to_the_data_can_be_thrown_away(session: Session) -> None:
    rest = Member.objects.get(label="p1")
    advance(rest, Place.of(rest), "answered")
    assert LABEL in labels_csv(session)
    before = data_zip(session)
    session_act(session, "unlink")
    assert LABEL not in labels_csv(session)
    assert PANEL_STUDY not in labels_csv(session)
    assert zipfile.ZipFile(io.BytesIO(before)).read("members.csv") == zipfile.ZipFile(
        io.BytesIO(data_zip(session))
    ).read("members.csv")
