"""A study is checked, opened, followed, helped, exported and ended by REST and at the shell; its keys are listed."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth import get_user_model
from django.test import Client
from typer.testing import CliRunner

from games.site.models import AuditEntry, Member, Session
from games.site.studies.form import StudyForm
from games.site.studies.keys import file_keys, markdown
from games.site.studies.walking import member_join
from tests.studies.conftest import PAIRS, again, to_play, whole

pytestmark = pytest.mark.django_db(transaction=True)
FILE = yaml.safe_dump(PAIRS, sort_keys=False)


@pytest.fixture
def lab() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("lab", password="lab"))
    return client


def post(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def test_a_study_goes_from_its_file_to_its_data_by_rest(lab: Client) -> None:
    checked = post(lab, "studies/check", {"file": FILE}).json()
    assert [(one["name"], one["kind"]) for one in checked["arms"]["all"]][2] == ("play", "play")
    opened = post(lab, "sessions", {"file": FILE, "seed": 7, "name": "Tuesday"})
    assert opened.status_code == 201
    told = opened.json()
    assert (told["name"], told["members"], told["seed"]) == ("Tuesday", 0, "7")
    session = Session.objects.get(code=told["code"])
    assert post(lab, "sessions", {"study": session.study_id}).status_code == 201
    members = [member_join(session, label=f"p{n}") for n in range(5)]
    for one in members:
        to_play(one)
    whole(session)
    at = f"sessions/{told['id']}"
    stands = lab.get(f"/api/v1/{at}").json()
    assert stands["matches"] == 6
    assert stands["states"] == {"walking": 4, "waiting": 1}
    assert [one["step"] for one in stands["people"]] == ["survey"] * 4 + ["play"]
    assert "p0" not in str(stands), "labels are names"
    done = post(lab, f"{at}/act", {"do": "end", "member": 4}).json()
    assert done["people"][4]["state"] == "dropped"
    assert post(lab, f"{at}/lead", {"do": "finish"}).status_code == 200
    with zipfile.ZipFile(io.BytesIO(lab.get(f"/api/v1/{at}/files/data.zip").content)) as file:
        assert {"decisions.csv", "decisions.parquet", "codebook.csv", "analysis.R"} <= set(file.namelist())
    assert b"p0" in lab.get(f"/api/v1/{at}/files/labels.csv").content
    post(lab, f"{at}/act", {"do": "erase", "member": 0})
    assert again(members[0]).erased is not None
    noted = set(AuditEntry.objects.values_list("what", flat=True))
    assert {"session_opened", "session_end", "exported", "labels_read", "session_erase"} <= noted
    assert [one["code"] for one in lab.get("/api/v1/sessions?study=pairs").json()][1] == told["code"]


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("studies/check", {"file": FILE.replace("repeat: 3", "repeat: 9")}, 422, "steps.play.repeat"),
        ("studies/check", {}, 422, "name one of the three"),
        ("sessions", {"preset": "nosuch"}, 404, "partners-and-strangers"),
        ("sessions", {"study": 99}, 404, "study 99"),
        ("sessions/99/act", {"do": "nudge"}, 404, "session 99"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    lab: Client, path: str, body: dict[str, Any], status: int, told: str
) -> None:
    answer = post(lab, path, body)
    assert (answer.status_code, told in answer.content.decode()) == (status, True), answer.content


def test_every_key_of_a_file_is_listed_with_what_it_means_and_an_example() -> None:
    keys = {one.path: one for one in file_keys()}
    assert {"steps.STEP.gather.wait_s", "steps.STEP.ask.QUESTION.as", "ends.END.pay", "away.then"} <= set(keys)
    assert {name for name, field in StudyForm.model_fields.items() if (field.alias or name) not in keys} == set()
    assert [one.path for one in keys.values() if not one.about] == []
    assert [one.path for one in keys.values() if not one.example] == []
    assert Client().get("/api/v1/studies/keys").json()[0]["path"] == "study"


def test_the_documentation_lists_the_keys_that_there_are() -> None:
    text = Path("docs/studies.md").read_text(encoding="utf-8")
    listed = re.search(r"<!-- keys -->\n(.*)<!-- /keys -->", text, re.S)
    assert listed is not None
    assert listed[1] == markdown(), "run: polity study keys --doc docs/studies.md"


def test_a_session_is_opened_followed_exported_and_ended_at_the_shell(tmp_path: Path, monkeypatch: Any) -> None:
    from simsite.commands.study import study

    monkeypatch.setattr("simsite.setup.set_django_up", lambda: None)
    file = tmp_path / "pairs.yaml"
    file.write_text(FILE)
    shell = CliRunner()
    opened = shell.invoke(study, ["open", str(file), "--name", "Tuesday"])
    assert opened.exit_code == 0, opened.output
    session = Session.objects.get(name="Tuesday")
    member_join(session, label="ann")
    followed = shell.invoke(study, ["follow", session.code])
    assert "Tuesday" in followed.output
    assert "walking 1" in followed.output
    out = tmp_path / "data.zip"
    assert shell.invoke(study, ["export", session.code, "--out", str(out)]).exit_code == 0
    assert zipfile.is_zipfile(out)
    assert shell.invoke(study, ["export", session.code, "--out", str(tmp_path / "l.csv"), "--labels"]).exit_code == 0
    assert "ann" in (tmp_path / "l.csv").read_text()
    assert shell.invoke(study, ["erase", session.code, "0"]).exit_code != 0, "only with --yes"
    assert shell.invoke(study, ["erase", session.code, "0", "--yes"]).exit_code == 0
    assert Member.objects.get().label == ""
    assert shell.invoke(study, ["end", session.code]).exit_code == 0
    session.refresh_from_db()
    assert not session.is_open
