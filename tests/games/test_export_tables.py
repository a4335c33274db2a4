"""Every table that is no level of runs, by REST and by the client: rows, pages, roles, and nobody's label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from games.site.accounts.trail import audit
from games.site.drive.conductor import conduct
from games.site.exports.others import TABLES, Name
from games.site.models import AuditEntry, Member, Run, Session, Snapshot, Study, Visit

pytestmark = pytest.mark.django_db(transaction=True)


def signed_in(*groups: str, **more: Any) -> Client:
    user = get_user_model().objects.create_user("-".join(groups) or "op", **more)
    user.groups.add(*Group.objects.filter(name__in=groups))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def run(make_run: Callable[..., Run]) -> Run:
    made = make_run(days=2)
    for _ in range(20):
        conduct(made.pk, "live")
    made.refresh_from_db()
    return made


@pytest.fixture
def session(db: None) -> Session:
    study = Study.objects.create(slug="trust", document={"x": 1}, document_hash="0" * 32)
    session = Session.objects.create(study=study, code="ROOM1", seed=5)
    now = timezone.now()
    for number in range(3):
        member = Member.objects.create(
            session=session, number=number, label=f"Ann {number}", since=now, seen=now, ended=now,
            pay={"total": "3.50", "currency": "EUR"},
        )  # fmt: skip
        Visit.objects.create(member=member, step="play", entered=now, left=now, why="done")
    return session


def test_every_table_is_told_and_none_names_anybody(run: Run, session: Session) -> None:
    operator = signed_in(is_superuser=True)
    told = {name: operator.get(f"/api/v1/exports/tables/{name}").json() for name in get_args(Name)}
    assert {name for name, rows in told.items() if not rows} <= {"audit"}, told
    assert set(told) == set(TABLES)
    assert "Ann" not in str(told)
    assert [row["amount"] for row in told["payments"]] == ["3.50"] * 3
    assert {row["session"] for row in told["visits"]} == {"ROOM1"}
    (position,) = [row for row in told["snapshots"] if row["step"] == 0]
    assert position["state"]
    assert len(position["hash"]) == 32
    assert {(row["run"], row["after"]) for row in told["seats"]} == {(run.pk, -1)}
    assert Snapshot.objects.count() == len(told["snapshots"])
    assert AuditEntry.objects.filter(what="exported", on="table payments").exists()


def test_pages_follow_each_other_to_the_last_row_and_filters_narrow(session: Session) -> None:
    operator = signed_in(is_superuser=True)
    for number in range(5):
        audit(who="op", what="tried", on=f"thing {number}", data={})
    seen, address = [], "/api/v1/exports/tables/members?limit=2"
    while address:
        answer = operator.get(address)
        seen += [row["number"] for row in answer.json()]
        address = answer.headers.get("Link", "").partition(">")[0].lstrip("<")
    assert sorted(seen) == [0, 1, 2]
    assert operator.get("/api/v1/exports/tables/members?session=NOBODY").json() == []
    assert operator.get("/api/v1/exports/tables/audit?run=x").status_code == 422
    assert operator.get("/api/v1/exports/tables/audit?cursor=soon").status_code == 422
    assert operator.get("/api/v1/exports/tables/secrets").status_code == 422


def test_people_and_the_trail_are_for_operators_alone(run: Run, session: Session) -> None:
    for name in get_args(Name):
        address = f"/api/v1/exports/tables/{name}"
        assert Client().get(address).status_code == 403, name
    experimenter = signed_in("experimenter")
    told = {name: experimenter.get(f"/api/v1/exports/tables/{name}").status_code for name in get_args(Name)}
    assert {name for name, status in told.items() if status == 200} == {"snapshots", "seats"}
    assert set(told.values()) == {200, 403}
