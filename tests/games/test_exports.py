"""Data taken away: every level in every form says what the database says, and nobody who took part is named."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pyarrow.parquet as pq
import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.core.registry import Registry
from games.lab.folders.reading import RunFolder
from games.lab.folders.verifying import verify
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.exports.plan import plan_of
from games.site.exports.tables import COLUMNS, Level
from games.site.exports.writing import WrongCount, all_rows
from games.site.models import AuditEntry, Call, Message, Run, Step
from games.site.record import selectors
from games.site.record.outcome import records
from games.site.runs.creating import run_create
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]
LEVELS = get_args(Level)


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


@pytest.fixture
def runs(make_run: MakeRun) -> list[Run]:
    """Two of policies and one in which Ann plays a turn and leaves."""
    made = [make_run(days=2), make_run(days=3, seed=4)]
    match = make_run(days=2, people=(0,))
    ann = Person()
    ann.joins(match.code, label="Ann Example")
    ann.starts()
    while (turn := ann.sees()["turn"]) is None:
        conduct(match.pk, "live")
    assert ann.moves(turn["step"]).status_code == 200
    ann.post(f"/play/{ann.id}/leave")
    for run in [*made, match]:
        for _ in range(20):
            conduct(run.pk, "live")
        run.refresh_from_db()
        assert run.status == "finished"
    return [*made, match]


def taken(client: Client, **body: Any) -> Any:
    answer = client.post("/api/v1/exports", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer, b"".join(answer.streaming_content)


def counted(level: str, runs: list[Run]) -> int:
    """By the database alone, in another way than the export counts."""
    ids = [run.pk for run in runs]
    all_ = [record for run in runs for record in records(run.pk)]
    return {
        "runs": len(ids),
        "rounds": Step.objects.filter(run__in=ids).count(),
        "events": sum(len(record["events"]) for record in all_),
        "decisions": sum(len(record["actions"]) for record in all_),
        "calls": Call.objects.filter(run__in=ids).count(),
        "asides": 0,
        "messages": Message.objects.filter(run__in=ids).count(),
        "metrics": sum(len(r["metrics"] or {}) for r in all_) + sum(len(run.metrics or {}) for run in runs),
        "participants": 1,
    }[level]


@pytest.mark.parametrize("level", LEVELS)
def test_every_form_holds_the_same_rows_and_as_many_as_the_database(
    operator: Client, runs: list[Run], level: str
) -> None:
    ids = [run.pk for run in runs]
    plan = operator.post("/api/v1/exports/plan", {"runs": ids, "level": level}, content_type="application/json").json()
    expected = counted(level, runs)
    assert plan["rows"] == expected
    names = [column["name"] for column in plan["columns"]]
    answer, lines = taken(operator, runs=ids, level=level, format="jsonl")
    told = [json.loads(line) for line in lines.splitlines()]
    assert (len(told), int(answer.headers["X-Polity-Rows"])) == (expected, expected)
    assert all(list(row) == names for row in told)
    _, text = taken(operator, runs=ids, level=level, format="csv")
    table = list(csv.DictReader(io.StringIO(text.decode(), newline="")))
    assert [row["run"] for row in table] == [row["run"] for row in told]
    _, packed = taken(operator, runs=ids, level=level, format="parquet")
    columns = pq.read_table(io.BytesIO(packed))
    assert (columns.num_rows, columns.column_names) == (expected, names)
    for column in plan["columns"]:
        if column["kind"] in ("whole", "number", "text"):
            assert columns[column["name"]].to_pylist() == [row[column["name"]] for row in told]


def test_a_spreadsheet_gets_its_mark_and_no_formula(operator: Client, runs: list[Run]) -> None:
    Run.objects.filter(pk=runs[0].pk).update(condition="=cmd|' /C calc'!A0")
    _, text = taken(operator, runs=[runs[0].pk], level="runs", format="csv", bom=True)
    assert text.startswith(b"\xef\xbb\xbf")
    row = next(csv.DictReader(io.StringIO(text.decode("utf-8-sig"), newline="")))
    assert row["condition"].startswith("'=")


def test_nobody_is_named_unless_it_is_asked_for_and_noted(operator: Client, runs: list[Run]) -> None:
    ids = [run.pk for run in runs]
    ann = runs[2].participants.get()
    for form in ("jsonl", "zip"):
        for level in LEVELS if form == "jsonl" else ("runs",):
            _, body = taken(operator, runs=ids, level=level, format=form)
            assert b"Ann Example" not in body
            assert ann.pk.encode() not in body
    _, named = taken(operator, runs=ids, level="participants", labels=True)
    assert json.loads(named)["label"] == "Ann Example"
    assert json.loads(named)["participant"].startswith("P-")
    entries = list(AuditEntry.objects.values_list("what", flat=True))
    assert (entries[0], set(entries[1:])) == ("labels_exported", {"exported"})


def test_a_persons_decisions_have_think_times_and_policies_have_none(operator: Client, runs: list[Run]) -> None:
    _, body = taken(operator, runs=[run.pk for run in runs], level="decisions")
    rows = [json.loads(line) for line in body.splitlines()]
    assert {row["kind"] for row in rows if row["think_s"] is not None} == {"person"}
    own = next(row for row in rows if row["kind"] == "person")
    assert 0 <= own["think_s"] < 60
    assert {row["flags"][0] for row in rows if row["kind"] == "person" and row["flags"]} == {"substitute"}


def test_a_filter_names_the_runs_as_the_list_does(operator: Client, runs: list[Run]) -> None:
    _, body = taken(operator, filter={"status": ["finished"], "game": "parade"})
    assert {json.loads(line)["run"] for line in body.splitlines()} == {run.pk for run in runs}
    link = operator.get(f"/api/v1/exports?run={runs[0].pk}&level=rounds&format=csv")
    assert b"".join(link.streaming_content).startswith(b"run,step,clock")
    assert link.headers["Content-Disposition"] == 'attachment; filename="polity-rounds.csv"'


def test_what_comes_after_the_count_is_not_sent(operator: Client, make_run: MakeRun) -> None:
    run = make_run(days=5, pace=0.001)
    conduct(run.pk, "live")
    plan = plan_of("rounds", [run.pk], None)
    Run.objects.filter(pk=run.pk).update(pace=0, wake_at=None)
    conduct(run.pk, "live")
    assert Run.objects.get(pk=run.pk).head > plan.rows
    assert len(list(all_rows(plan))) == plan.rows


def test_an_export_that_would_not_be_whole_breaks_off(operator: Client, runs: list[Run], monkeypatch: Any) -> None:
    monkeypatch.setattr("games.site.exports.plan._count", lambda *_: 7)
    answer = operator.post("/api/v1/exports", {"runs": [runs[0].pk], "level": "runs"}, content_type="application/json")
    with pytest.raises(WrongCount, match="1 runs came; 7 were counted"):
        b"".join(answer.streaming_content)


def test_a_zip_holds_run_folders_that_the_shell_reads_and_verifies(operator: Client, tmp_path: Path) -> None:
    scenario = load("mining/baseline", extra=[Layer("form", {"rounds": 4}, {})])
    made = run_create(scenario=scenario, seed=3)
    conduct(made.pk, "live")
    _, body = taken(operator, runs=[made.pk], format="zip")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path)
    told = json.loads((tmp_path / "checked.json").read_text())
    stored = selectors.run_get(made.pk)
    assert told == {"runs": [{"run": made.pk, "steps": 4, "hash": stored.head_hash}]}
    folder = RunFolder(tmp_path / made.pk, Registry())
    assert [entry.steps for entry in folder.entries] == [4]
    assert [(one.identical, one.difference) for one in verify(folder)] == [(4, None)]
    book = json.loads((tmp_path / "codebook.json").read_text())
    assert book["games"]["mining"]["measures"]["output"]["label"]["zh"]
    assert set(book["levels"]) == set(COLUMNS)


def test_a_zip_holds_a_run_that_waits_for_its_first_step(operator: Client) -> None:
    waiting = run_create(scenario=load("mining/baseline"), seed=3, start=False)
    assert waiting.head == -1
    _, body = taken(operator, runs=[waiting.pk], format="zip")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert json.loads(archive.read("checked.json"))["runs"][0]["steps"] == -1
        assert archive.read(f"{waiting.pk}/rounds.jsonl") == b""


def test_who_is_no_operator_takes_nothing(client: Client, runs: list[Run]) -> None:
    for answer in (
        client.get(f"/api/v1/exports?run={runs[0].pk}"),
        client.post("/api/v1/exports", {"runs": [runs[0].pk]}, content_type="application/json"),
        client.get("/api/v1/exports/codebook"),
    ):
        assert answer.status_code == 403
    assert not AuditEntry.objects.exists()
