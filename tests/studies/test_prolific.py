"""The whole life of a study on Prolific, against a server that speaks their documented API."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

from games.errors.requests import BadRequest
from games.site.models import Member, Session
from games.site.studies.loading import study_read
from games.site.studies.prolific import Prolific, settle, study_body
from games.site.studies.walking import session_open
from tests.studies.conftest import PAIRS, sends, to_play, whole
from tests.studies.panel import TOKEN, Panel, panel

pytestmark = pytest.mark.django_db(transaction=True)

ON_PANEL: dict[str, Any] = {
    **PAIRS,
    "title": {"en": "Pairs"},
    "minutes": 10,
    "places": 4,
    "label": {"from": ["PROLIFIC_PID"], "required": True},
    "ends": {
        "done": {"code": "CDONE"},
        "screened": {"code": "CSCREEN", "pay": 0.5},
        "left": {"pay": 0},
        "dropped": {"pay": 0},
    },
}


def comes(there: Panel, study: str, participant: str) -> Member:
    """By the address that Prolific makes of the study's, through the door."""
    given = there.comes(study, participant)
    address = there.studies[study]["external_study_url"]
    for name, value in given.items():
        address = address.replace("{{%" + name + "%}}", value)
    parts = urlsplit(address)
    assert dict(parse_qsl(parts.query)) == given
    client = Client()
    assert client.get(f"{parts.path}?{parts.query}").status_code == 200
    assert client.post(f"{parts.path}?{parts.query}").status_code == 302
    return Member.objects.select_related("session").get(label=participant)


def test_a_study_is_made_published_walked_paused_approved_and_paid_to_the_cent_and_nobody_twice() -> None:
    session: Session = session_open(study_read(ON_PANEL), seed=7)
    with panel() as there:
        ours = Prolific(TOKEN, there.base)
        study = ours.create(study_body(session, "https://lab.example"))
        made = there.studies[study]
        assert (made["reward"], made["total_available_places"], made["estimated_completion_time"]) == (300, 4, 10)
        assert [(one["code"], one["code_type"]) for one in made["completion_codes"]] == [
            ("CDONE", "COMPLETED"),
            ("CSCREEN", "SCREENED_OUT"),
        ]
        assert ours.transition(study, "PUBLISH") == "ACTIVE"
        bad = comes(there, study, "bad")
        sends(bad, agree="yes")
        assert sends(bad, points="9") == {"points": "wrong"}
        sends(bad, points="9")
        there.completes("bad", "CSCREEN")
        back = comes(there, study, "back")
        slow = comes(there, study, "slow")
        there.submissions["sub-back"]["status"] = "RETURNED"
        there.submissions["sub-slow"]["status"] = "TIMED-OUT"
        assert ours.transition(study, "PAUSE") == "PAUSED"
        told = settle(ours, session, study)
        assert (told.approved, sorted(told.ended), told.bonuses, told.odd) == ([], [1, 2], {}, [])
        assert set(Member.objects.filter(pk__in=[back.pk, slow.pk]).values_list("state", flat=True)) == {"dropped"}
        assert ours.transition(study, "START") == "ACTIVE"
        people = [comes(there, study, f"p{n}") for n in range(4)]
        for one in people:
            to_play(one)
        whole(session)
        for one in people:
            sends(one, trust="4")
            there.completes(one.label, "CDONE")
        told = settle(ours, session, study)
        assert sorted(told.approved) == [3, 4, 5, 6]
        owed = {one.label: Decimal(one.pay["total"]) for one in Member.objects.filter(session=session)}
        assert there.paid == {label: amount for label, amount in owed.items() if amount}
        assert owed["bad"] == Decimal("0.5")
        assert all(owed[f"p{n}"] > 3 for n in range(4))
        again = settle(ours, session, study)
        assert (again.approved, again.bonuses, len(there.payments)) == ([], {}, 1)
        assert ours.transition(study, "STOP") == "AWAITING REVIEW"


def test_a_payment_of_which_nothing_is_known_is_never_made_again_but_told() -> None:
    session = session_open(study_read(ON_PANEL), seed=7)
    with panel() as there:
        ours = Prolific(TOKEN, there.base)
        study = ours.create(study_body(session, "https://lab.example"))
        ours.transition(study, "PUBLISH")
        people = [comes(there, study, f"p{n}") for n in range(4)]
        for one in people:
            to_play(one)
        whole(session)
        for one in people:
            sends(one, trust="4")
            there.completes(one.label, "CDONE")
        there.fails_at = "bulk-bonus-payments"
        with pytest.raises(BadRequest, match="503"):
            settle(ours, session, study)
        told = settle(ours, session, study)
        assert told.odd == [
            f"member {n}: look whether payment bulk-0 of {m.pay['panel']['amount']} was made"
            for n, m in enumerate(Member.objects.order_by("number"))
        ]
        assert len(there.payments) == 1


def test_who_never_came_and_who_is_not_done_is_told_and_not_approved() -> None:
    session = session_open(study_read(ON_PANEL), seed=7)
    with panel() as there:
        ours = Prolific(TOKEN, there.base)
        study = ours.create(study_body(session, "https://lab.example"))
        ours.transition(study, "PUBLISH")
        there.comes(study, "ghost")
        there.completes("ghost", "CDONE")
        comes(there, study, "quick")
        there.completes("quick", "CDONE")
        told = settle(ours, session, study)
        assert told.odd == ["ghost: awaits review, and never came here", "member 0: awaits review, and is walking here"]
        assert there.paid == {}


@pytest.mark.parametrize(
    ("key", "said"),
    [("minutes", "minutes: Prolific needs it"), ("places", "places: Prolific needs it"), ("ends", "ends.done.code: ")],
)
def test_a_file_that_lacks_what_prolific_needs_is_refused_by_name(key: str, said: str) -> None:
    data = {name: value for name, value in ON_PANEL.items() if name != key}
    with pytest.raises(BadRequest, match=said):
        study_body(session_open(study_read(data), seed=1), "https://lab.example")


def test_a_wrong_token_is_told_as_they_answer_it() -> None:
    with panel() as there, pytest.raises(BadRequest, match=r"401 .*Invalid token"):
        Prolific("other", there.base).transition("study-0", "PUBLISH")
