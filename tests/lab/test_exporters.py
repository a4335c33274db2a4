"""Forms of runs that packages bring: at the shell, on the site, and by name where they fail."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

import polity
from games.errors.faults import Refused
from games.lab.exporters import exported
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.runs.creating import run_create
from simsite.cli import main
from tests.plugging import EXAMPLES, Installed

ENTRY = "[polity.exporters]\naxelrod = polity_axelrod_export:interactions\n"
RUIN = """
def ruin(folders):
    {body}
ruin.about = {{"en": "Ruin."}}
"""


@pytest.fixture
def axelrod(installed: Installed) -> Installed:
    installed.add("polity-axelrod", ENTRY, EXAMPLES / "polity-axelrod" / "polity_axelrod_export.py")
    return installed


def rows(body: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(body.decode())))


def test_a_folder_is_written_in_the_form_of_another_framework(axelrod: Installed, tmp_path: Path) -> None:
    polity.play("dilemma/demo", seeds=2, config={"rounds": 5}, out=tmp_path / "runs")
    with pytest.raises(SystemExit) as ended:
        main(["export", str(tmp_path / "runs"), "--exporter", "axelrod", "--out", str(tmp_path)])
    assert ended.value.code == 0
    found = rows((tmp_path / "axelrod.csv").read_bytes())
    assert [len(row["Actions"]) for row in found] == [5, 5]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise KeyError('lost')", r"exporter ruin of polity-ruin 1.0: KeyError\('lost'\)"),
        ("return 'a/b.csv', 'text/csv', b''", "a file name without folders"),
        ("return 'a.csv', 'text/csv', [1]", "exporter ruin of polity-ruin 1.0: TypeError"),
    ],
)
def test_an_exporter_that_fails_is_named_and_writes_nothing(
    axelrod: Installed, tmp_path: Path, body: str, told: str
) -> None:
    axelrod.add("polity-ruin", "[polity.exporters]\nruin = ruin:ruin\n", ruin=RUIN.format(body=body))
    polity.play("dilemma/demo", seeds=1, config={"rounds": 2}, out=tmp_path / "runs")
    with pytest.raises(Refused, match=told):
        exported("ruin", [tmp_path / "runs"])
    assert exported("axelrod", [tmp_path / "runs"]).name == "axelrod.csv"
    with pytest.raises(Refused, match="exporter 'gone': no package brings it; there are axelrod, ruin"):
        exported("gone", [tmp_path / "runs"])


@pytest.mark.django_db(transaction=True)
def test_the_site_lists_what_is_plugged_in_and_gives_runs_in_its_forms(axelrod: Installed, monkeypatch: Any) -> None:
    axelrod.add("polity-ruin", "[polity.exporters]\nruin = ruin:ruin\n", ruin=RUIN.format(body="raise KeyError('x')"))
    axelrod.add("polity-gone", "[polity.steps]\ngone = gone:step\n")
    monkeypatch.setattr("games.site.runs.creating.enqueue", lambda *_: None)
    runs = [run_create(scenario=load("dilemma/demo"), seed=seed, start=True) for seed in (1, 2)]
    for run in runs:
        conduct(run.pk, "live")
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    listed = {row["name"]: row for row in client.get("/api/v1/plugins").json()}
    assert listed["axelrod"]["about"]["en"] == "Interactions as the Axelrod library reads them"
    assert "No module named 'gone'" in listed["gone"]["why"]
    page = client.get("/plugins").content.decode()
    assert listed["axelrod"]["digest"] in page
    assert "No module named" in page
    answer = client.get("/api/v1/exports/as/axelrod", {"run": [run.pk for run in runs]})
    assert answer["Content-Disposition"] == 'attachment; filename="axelrod.csv"'
    assert len(rows(answer.content)) == 4
    refused = client.get("/api/v1/exports/as/ruin", {"run": runs[0].pk})
    assert refused.status_code in (400, 422)
    assert "exporter ruin of polity-ruin 1.0: KeyError('x')" in refused.json()["error"]["message"]
    assert client.get("/api/v1/exports/as/gone", {"run": runs[0].pk}).json()["error"]["code"] == "exporter_failed"
