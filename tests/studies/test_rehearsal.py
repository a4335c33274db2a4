"""A rehearsal walks a whole study by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from games.site.exports.sessions import tables_of
from games.site.models import Member, Session
from games.site.studies import presets
from games.site.studies.loading import study_read
from games.site.studies.rehearsal import Rehearsal, spread_of
from games.site.studies.rehearsed import REALISTIC, Mix
from games.site.studies.rehearsing import GRID_S, rehearse, session_walk
from tests.studies.conftest import PAIRS

STUDIES = Path(presets.__file__).parent / "files"

pytestmark = pytest.mark.django_db(transaction=True)


def test_everybody_comes_to_an_end_and_is_paid() -> None:
    session, told = rehearse(study_read(PAIRS), members=8)
    plain = told.plain()
    assert (plain["ends"], plain["stuck"], plain["matches"]) == ({"done": 8}, [], 12)
    assert plain["pay"]["min"] > 3, "what was played is paid"
    assert Session.objects.filter(pk=session.pk).exists()


def test_too_few_for_a_group_are_told_how_many_it_takes() -> None:
    told = rehearse(study_read(PAIRS), members=1)[1]
    assert (told.matches, told.faults) == (0, ["step play: nobody played; it begins with 4, and 1 came"])


def test_a_study_seats_trained_networks_by_name() -> None:
    trained = {"policy": "trained", "params": {"weights": "contract-easy-curriculum"}}
    play = {"scenario": "adasociety/contract-easy", "config": {"contract_rounds": 2, "steps": 12}}
    seats = {"*": trained, "carpenter_0": {"person": True}}
    study = {"study": "among-networks", "steps": {"play": {**play, "seats": seats}}, "ends": {"done": {"code": "C1"}}}
    session, told = rehearse(study_read(study), members=2)
    assert (told.plain()["ends"], told.plain()["matches"]) == ({"done": 2}, 2)
    for run in session.runs.all():
        seated = [seat.agent for seat in run.seats.order_by("index")]
        assert [one["params"]["weights"] for one in seated[1:]] == ["contract-easy-curriculum"] * 3
        assert all(len(one["params"]["digest"]) == 16 for one in seated[1:])


def test_who_drops_out_leaves_nobody_stuck_and_the_same_seed_gives_the_same() -> None:
    first = rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain()
    assert first["stuck"] == []
    assert first["ends"].get("left", 0) > 0
    assert rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain() == first


@pytest.mark.parametrize(
    ("name", "members"), [("partners-and-strangers", 8), pytest.param("mining-with-models", 10, marks=pytest.mark.full)]
)
def test_a_rehearsal_at_the_shell_needs_no_site_and_leaves_none(tmp_path: Path, name: str, members: int) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    command = [sys.executable, "-m", "simsite", "study", "rehearse", str(STUDIES / f"{name}.yaml"), "--json", "--ideal"]
    ended = subprocess.run(
        [*command, "--members", str(members)],
        env={**environ, "POLITY_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["ends"] == {"done": members}
    assert list(tmp_path.iterdir()) == []


def test_who_closes_their_page_in_a_match_is_dropped_after_the_time_allowed_and_not_paid_for_it() -> None:
    session, told = rehearse(study_read({**PAIRS, "away": {"after_s": 60}}), members=8, seed=1, mix=Mix(leaving=0.35))
    assert told.stuck == []
    tables = tables_of(session).rows
    gone = {row["number"]: row for row in tables["members"] if row["state"] == "dropped"}
    assert gone, "nobody of eight, of whom a third leaves, was dropped"
    assert {float(row["total"]) for row in gone.values()} == {3.0}, "what they came for"
    left = [row for row in tables["visits"] if row["why"] in ("away", "gone")]
    assert {row["number"] for row in left} == set(gone)


def test_a_second_tab_the_back_button_and_a_rest_change_nothing_of_what_is_kept() -> None:
    session, told = rehearse(study_read(PAIRS), members=4, seed=2, mix=Mix(twice=1.0))
    assert (told.plain()["ends"], told.faults) == ({"done": 4}, [])
    visits = tables_of(session).rows["visits"]
    assert len({(row["number"], row["step"], row["round"], row["attempt"]) for row in visits}) == len(visits)
    assert len(tables_of(session).rows["decisions"]) == 4 * 3 * 2


def test_who_comes_back_after_their_match_went_on_without_them_still_reads_the_next_page() -> None:
    document = yaml.safe_load((STUDIES / "class-in-pairs.yaml").read_text())
    document["steps"]["play"] |= {"config": {"rounds": 2}, "repeat": 1}
    told = Rehearsal()
    for seed in (4, 8, 11):
        session_walk(study_read(document), told, members=2, seed=seed, mix=Mix(resting=1.0))
    assert (told.plain()["ends"], told.stuck) == ({"done": 6}, [])


def test_people_differ_in_what_they_do_and_so_does_their_pay_and_the_clock_runs() -> None:
    told = Rehearsal()
    for seed in (1, 2):
        session_walk(study_read(PAIRS), told, members=8, seed=seed, mix=REALISTIC)
    plain = told.plain()
    assert plain["pay"]["min"] < plain["pay"]["median"] < plain["pay"]["max"]
    assert plain["pay"]["low"] < plain["pay"]["mean"] < plain["pay"]["high"]
    assert (plain["sessions"], plain["members"], plain["pay_of_a_session"]["n"]) == (2, 16, 2)
    assert 1 < plain["minutes"]["median"] < 60
    assert plain["pages_s"]["consent"]["max"] > plain["pages_s"]["consent"]["min"]
    assert Member.objects.filter(created__year=2030).count() == 16, "rows are stamped by the rehearsal's clock"


def test_the_time_of_a_page_runs_out_for_who_reads_slowly() -> None:
    steps = {"long": {"text": "One word, and another. " * 100, "limit_s": 5}, "end": {"text": "Bye."}}
    session, told = rehearse(study_read({"study": "pages", "steps": steps}), members=3)
    assert (told.plain()["ends"], told.faults) == ({"done": 3}, [])
    visits = [(row["step"], row["why"]) for row in tables_of(session).rows["visits"]]
    assert sorted(visits) == [("end", "answered")] * 3 + [("long", "timed_out")] * 3


def test_the_time_of_a_turn_runs_out_for_who_decides_slowly() -> None:
    play = {**PAIRS["steps"]["play"], "people": {"deadline_s": 5}, "repeat": 1, "silo": 2}
    session, told = rehearse(study_read({"study": "turns", "steps": {"play": play}}), members=4)
    assert told.plain()["ends"] == {"done": 4}
    rows = tables_of(session).rows["decisions"]
    assert {row["timed_out"] for row in rows} == {True, False}
    over = max((row["decided"] - row["opened"]).total_seconds() for row in rows)
    assert over <= 5 + GRID_S, "by the rehearsal's clock: a turn is over when its time is"


def test_a_means_interval_is_students_and_a_single_value_has_none() -> None:
    found = spread_of([4.0, 6.0])
    assert found is not None
    assert (found["mean"], found["low"], found["high"]) == (5, -7.71, 17.71), "t of one degree of freedom is 12.71"
    assert "low" not in (spread_of([4.0]) or {})
