"""Moves that the clock, a default or a substitute made are never told as the class's."""

from __future__ import annotations

import csv
import io
import zipfile
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.site.drive.conductor import conduct
from games.site.exports.chosen import runs_chosen
from games.site.exports.sessionfiles import data_zip
from games.site.exports.tables import COLUMNS, Level, rows_of
from games.site.models import ENDED, Member, Participant, ParticipantState, Run, Session
from games.site.studies.findings import findings_of
from games.site.studies.standing import standing
from tests.studies.conftest import play_on
from tests.studies.test_class import begin, come, opened

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ("Mia", "Jonas", "Ben", "Ida")


def time_runs_out(session: Session) -> None:
    """Nobody moves in any match under way."""
    for run in Run.objects.filter(session=session).exclude(status__in=ENDED):
        while True:
            conduct(run.pk, "live")
            run.refresh_from_db()
            if run.status in ENDED:
                break
            past = (timezone.now() - timedelta(seconds=1)).isoformat()
            turn = {**(run.open_turn or {}), "deadline": past}
            Run.objects.filter(pk=run.pk).update(open_turn=turn, wake_at=None, status="queued")


def away(session: Session) -> None:
    """Everybody is gone: substitutes play."""
    Participant.objects.filter(run__session=session).update(state=ParticipantState.SUBSTITUTED)
    for run in Run.objects.filter(session=session).exclude(status__in=ENDED):
        Run.objects.filter(pk=run.pk).update(status="queued", wake_at=None)
        conduct(run.pk, "live")


def test_matches_that_nobody_played_have_no_finding_and_rank_nobody() -> None:
    session = opened()
    come(session, *NAMES)
    begin(session)
    time_runs_out(session)
    told = findings_of(session)
    (finding,) = told["findings"]
    assert (finding["moves"], finding["own"], finding["matches"], finding["unsound"]) == (8, 0, 2, 2)
    assert [value for value in finding["values"] if value is not None] == []
    assert (told["ranking"], told["average"]) == ([], None)
    assert all(match.best == () for match in standing(session).matches)


def test_a_match_that_was_played_counts_beside_one_that_was_not() -> None:
    session = opened()
    come(session, *NAMES)
    begin(session)
    first = Run.objects.filter(session=session).order_by("created", "pk").first()
    assert first is not None
    others = Run.objects.filter(session=session).exclude(pk=first.pk)
    held = list(others.values_list("pk", "status"))
    others.update(status="paused")
    play_on(session, "D")
    for pk, status in held:
        Run.objects.filter(pk=pk).update(status=status)
    away(session)
    told = findings_of(session)
    (finding,) = told["findings"]
    assert (finding["moves"], finding["own"], finding["matches"], finding["unsound"]) == (8, 4, 2, 1)
    assert finding["values"] == [0.0, 0.0], "the cooperation of the match that was played"
    mine = set(Participant.objects.filter(run=first).values_list("member__name", flat=True))
    assert {row["name"] for row in told["ranking"]} == mine


def test_summary_lists_exports_and_data_tell_the_same_share() -> None:
    session = opened(people={"deadline_s": 60, "shows": "all", "default": "substitute"})
    come(session, *NAMES[:2])
    begin(session)
    time_runs_out(session)
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    run = Run.objects.get(session=session)
    told = client.get(f"/api/v1/runs/{run.pk}").json()["not_own"]
    assert (told["share"], told["decisions"], told["unsound"], told["seats"]) == (1, 4, True, [1, 1])
    assert told["by"] == {"substitute": 4, "fallback": 0, "clock": 0, "default": 0}
    page = client.get("/api/v1/runs/table", {"sort": "-not_own", "not_own": 20}).json()
    assert [(row["id"], row["not_own"]["share"]) for row in page["rows"]] == [(run.pk, 1)]
    assert page["sums"]["not_own"] == 1
    assert client.get("/api/v1/runs/table", {"fallback": 1}).json()["rows"] == [], "no model was at fault"
    whole = b"".join(client.get("/api/v1/runs/table.csv").streaming_content)  # type: ignore[attr-defined]
    lines = list(csv.DictReader(io.StringIO(whole.decode())))
    assert (lines[0]["not_own"], lines[0]["unsound"]) == ("1.0", "1")
    rows = client.get(f"/api/v1/runs/{run.pk}/decisions").json()["items"]
    assert {row["decided_by"] for row in rows} == {"substitute"}
    exported: dict[str, list[dict[str, object]]] = {}
    levels: tuple[Level, ...] = ("runs", "rounds", "decisions")
    for level in levels:
        columns = [one.name for one in COLUMNS[level]]
        (chosen,) = runs_chosen([run.pk], None)
        exported[level] = [dict(zip(columns, row, strict=False)) for row in rows_of(level, chosen)]
    assert [(one["not_own"], one["not_own_share"], one["unsound"]) for one in exported["runs"]] == [(4, 1, 1)]
    assert [one["not_own"] for one in exported["rounds"]] == [0, 2, 2], "none is decided at the start"
    assert {one["decided_by"] for one in exported["decisions"]} == {"substitute"}
    data = zipfile.ZipFile(io.BytesIO(data_zip(session)))
    table = {
        name: list(csv.DictReader(io.TextIOWrapper(data.open(name), "utf-8")))
        for name in data.namelist()
        if name.endswith(".csv")
    }
    assert {row["decided_by"] for row in table["decisions.csv"]} == {"substitute"}
    assert [(row["not_own"], row["unsound"]) for row in table["matches.csv"]] == [("1.0", "True")]


def test_a_match_under_way_tells_its_share_so_far() -> None:
    session = opened()
    come(session, *NAMES[:2])
    begin(session)
    run = Run.objects.get(session=session)
    conduct(run.pk, "live")
    past = (timezone.now() - timedelta(seconds=1)).isoformat()
    run.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(open_turn={**run.open_turn, "deadline": past}, wake_at=None, status="queued")
    conduct(run.pk, "live")
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    told = client.get(f"/api/v1/runs/{run.pk}").json()
    assert told["status"] in ("running", "waiting")
    assert told["not_own"]["by"]["clock"] == 2
    assert Client().get(f"/api/v1/runs/{run.pk}").json().get("not_own") is None, "who is away is no visitor's"
    assert Member.objects.count() == 2
