"""The data of a session answer the study's question: typed, the same for people and programs, read by a script."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from copy import deepcopy
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from games.site.drive.conductor import conduct
from games.site.exports.sessioncolumns import TABLES
from games.site.exports.sessionfiles import csv_of, data_zip, labels_csv
from games.site.exports.sessions import tables_of
from games.site.models import Member, Participant, Run, Session
from games.site.people.moves import move_submit
from games.site.people.seats import turn_advance
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.rehearsing import rehearse
from games.site.studies.walking import member_join, session_open
from tests.studies.conftest import sends

pytestmark = pytest.mark.django_db(transaction=True)

ARMS: dict[str, Any] = {
    "study": "two-arms",
    "arms": {"pair": {}, "program": {"play": {"seats": {"B": {"policy": "TFT"}}}}},
    "steps": {
        "play": {
            "scenario": "dilemma/tft-vs-alld",
            "config": {"rounds": 3},
            "seats": {seat: {"person": True, "substitute": "RANDOM"} for seat in "AB"},
            "people": {"deadline_s": 60},
        },
        "survey": {"ask": {"trust": {"title": "Trust?", "type": "integer", "minimum": 1, "maximum": 5}}},
    },
    "pay": {"show_up": 3, "point": 0.1},
}


def read(packed: bytes) -> dict[str, list[dict[str, str]]]:
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        return {
            name.removesuffix(".csv"): list(csv.DictReader(io.StringIO(file.read(name).decode())))
            for name in file.namelist()
            if name.endswith(".csv")
        }


def test_every_decision_has_payoff_arm_the_others_move_and_times_also_where_nobody_decided() -> None:
    session = session_open(study_read({**deepcopy(ARMS), "arms": {"program": ARMS["arms"]["program"]}}), seed=3)
    member_join(session, label="p0")
    studies_continue()
    run = Run.objects.get(session=session)
    conduct(run.pk, "live")
    one = Participant.objects.get(run=run)
    move_submit(participant=one, tab="", client_id="move-0-1", step=1, raw={"action": {"move": "C"}})
    for _ in range(2):
        conduct(run.pk, "live")
        turn_advance(run_id=run.pk)
    conduct(run.pk, "live")
    rows = read(data_zip(session))["decisions"]
    assert len(rows) == 6, "three rounds of a person and of a program"
    mine = [row for row in rows if row["seat"] == "0"]
    theirs = [row for row in rows if row["seat"] == "1"]
    assert mine[0]["action.move"] == "C"
    assert all(row["action.move"] for row in mine), "what was played for them stands there too"
    assert [row["timed_out"] for row in mine] == ["False", "True", "True"]
    assert [row["own"] for row in mine] == ["True", "False", "False"]
    assert [row["decided_by"] for row in mine] == ["person", "clock", "clock"]
    assert {row["decided_by"] for row in theirs} == {"policy"}
    assert {(row["arm"], row["study_step"]) for row in rows} == {("program", "play")}
    assert [row["step"] for row in mine] == ["1", "2", "3"]
    for row, other in zip(mine, theirs, strict=True):
        assert row["others"] == f'{{"1": {other["action"]}}}'
        assert datetime.fromisoformat(row["decided"]).utcoffset() == timedelta(0)
        assert datetime.fromisoformat(row["opened"]) <= datetime.fromisoformat(row["decided"])
    gained = [float(row["payoff"]) for row in mine]
    assert [float(row["cumulated"]) for row in mine] == [sum(gained[: n + 1]) for n in range(3)]
    assert gained[0] == 3.0


def rehearsed(members: int = 12) -> Session:
    return rehearse(study_read(ARMS), members=members, seed=2)[0]


def test_tables_that_are_empty_have_their_header_and_all_of_them_open_in_pandas(tmp_path: Path) -> None:
    import pandas as pd

    session = rehearsed(2)
    with zipfile.ZipFile(io.BytesIO(data_zip(session))) as file:
        file.extractall(tmp_path)
    for name in TABLES:
        plain = pd.read_csv(tmp_path / f"{name}.csv")
        typed = pd.read_parquet(tmp_path / f"{name}.parquet")
        assert list(plain.columns) == list(typed.columns)
        assert len(plain) == len(typed)
    assert not len(pd.read_csv(tmp_path / "messages.csv"))
    kinds = pd.read_parquet(tmp_path / "decisions.parquet").dtypes.astype(str)
    assert [kinds[one] for one in ("payoff", "own", "seat")] == ["float64", "bool", "int64"]
    assert "UTC" in kinds["decided"]


def test_the_python_script_that_comes_with_the_data_runs_at_once(tmp_path: Path) -> None:
    session = rehearsed()
    with zipfile.ZipFile(io.BytesIO(data_zip(session))) as file:
        file.extractall(tmp_path)
    told = subprocess.run([sys.executable, "analysis.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, ""), told.stderr
    assert told.stdout.startswith("\n== Who came, and how it ended, by arm")
    assert "payoff: program - pair = " in told.stdout
    assert told.stdout.endswith("done\n")


@pytest.mark.parametrize("members", [0, 1])
def test_the_script_runs_where_hardly_anybody_came(members: int, tmp_path: Path) -> None:
    session = session_open(study_read(ARMS), seed=1)
    for number in range(members):
        member_join(session, label=f"p{number}")
    with zipfile.ZipFile(io.BytesIO(data_zip(session))) as file:
        file.extractall(tmp_path)
    told = subprocess.run([sys.executable, "analysis.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")


def test_labels_stand_in_a_table_of_their_own_that_alone_leads_from_data_to_people() -> None:
    session = session_open(study_read(ARMS), seed=1)
    one = member_join(session, label="ann", extra={"STUDY_ID": "s-77"})
    packed = data_zip(session)
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        text = "".join(file.read(name).decode("utf-8", "replace") for name in file.namelist())
    assert "ann" not in [cell for rows in read(packed).values() for row in rows for cell in row.values()]
    assert "s-77" not in text
    assert one.pk not in text, "the address of a member's page is in the data"
    (label,) = csv.DictReader(io.StringIO(labels_csv(session)))
    assert (label["label"], label["STUDY_ID"]) == ("ann", "s-77")
    assert label["member"] == read(packed)["members"][0]["member"]


def test_answers_are_rows_with_a_number_where_they_are_one() -> None:
    session = session_open(study_read(ARMS), seed=1)
    member_join(session, label="a")
    Member.objects.update(step="survey", state="walking")
    sends(Member.objects.get(), trust="4")
    (row,) = tables_of(session).rows["answers"]
    assert (row["question"], row["value"], row["number_value"], row["right"]) == ("trust", "4", 4.0, None)
    assert csv_of(TABLES["answers"], []).startswith("session,member,number,arm,step")
