"""A session with people as a publication: made again whole, and nothing in it by which anybody is known or comes in."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games.core.registry import Registry
from games.lab.folders.crate import METADATA, measured
from games.lab.folders.reproducing import opened, reproduce
from games.site.models import Member, Participant, Run, Session
from games.site.studies.loading import study_read
from games.site.studies.walking import member_join, session_open
from tests.games.test_publishing_experiments import bundle, packed
from tests.studies.conftest import PAIRS, sends, to_play, whole

pytestmark = pytest.mark.django_db(transaction=True)
LINK = "https://panel.example/complete?cc=C1XYZ"
STUDY: dict[str, Any] = {
    **deepcopy(PAIRS),
    "arms": {"calm": {}, "noisy": {"play": {"config": {"noise_a": 0.2}}}},
    "ends": {"done": {"code": "C1XYZ", "url": LINK}, "screened": {"pay": 0.5}},
}


@pytest.fixture
def walked() -> Session:
    session = session_open(study_read(STUDY), seed=7)
    members = [member_join(session, label=f"panel-id-{n}") for n in range(8)]
    for member in members:
        to_play(member)
    whole(session)
    for member in members:
        sends(member, trust="4")
    assert Run.objects.filter(session=session, status="finished").count() == 12
    return session


def test_a_session_is_published_without_its_people_and_made_again(
    walked: Session, admin_client: Client, tmp_path: Path
) -> None:
    where = f"/api/v1/sessions/{walked.pk}/publication"
    private = admin_client.get(where).json()["private"]
    assert "study.ends.done.code: taken out" in private
    told = admin_client.get(f"{where}.zip?author=E.%20Ostrom")
    assert (told.status_code, told["Content-Type"]) == (200, "application/zip")
    assert Client().get(f"{where}.zip").status_code in (401, 403)
    (tmp_path / "it.zip").write_bytes(told.content)
    with opened(tmp_path / "it.zip") as crate:
        found = list(reproduce(crate, Registry(), bundle()))
        assert [(name, why) for name, why in found if why is not None] == []
        assert len(found) > 12 + 20
        files = [path for path in crate.rglob("*") if path.is_file()]
        texts = b"".join(packed(path) if path.suffix == ".zst" else path.read_bytes() for path in files)
        done = subprocess.run([sys.executable, str(crate / "study" / "analysis.py")], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "calm" in done.stdout
    secrets = [walked.code, LINK, "C1XYZ"]
    for member in Member.objects.filter(session=walked):
        secrets += [member.label, member.pk]
    secrets += [str(one) for run in Run.objects.filter(session=walked) for one in (run.pk, run.code) if one]
    secrets += [str(one) for one in Participant.objects.filter(run__session=walked).values_list("pk", flat=True)]
    assert b"E. Ostrom" in texts
    assert [secret for secret in secrets if secret.encode() in texts] == []


def test_a_session_in_which_people_talk_is_made_again(admin_client: Client, tmp_path: Path) -> None:
    play = {**PAIRS["steps"]["play"], "config": {"rounds": 2, "talk": True}, "repeat": 1}
    session = session_open(study_read({**deepcopy(PAIRS), "steps": {**PAIRS["steps"], "play": play}}), seed=7)
    for member in [member_join(session) for _ in range(4)]:
        to_play(member)
    whole(session)
    (tmp_path / "it.zip").write_bytes(admin_client.get(f"/api/v1/sessions/{session.pk}/publication.zip").content)
    with opened(tmp_path / "it.zip") as crate:
        assert "talk" in (crate / "study" / "decisions.csv").read_text()
        assert [name for name, why in reproduce(crate, Registry(), bundle()) if why is not None] == []


def bend(crate: Path, name: str, column: str, value: str) -> None:
    """One cell of a table, and its digest in the metadata."""
    path = crate / "study" / f"{name}.csv"
    rows = list(csv.DictReader(path.open()))
    rows[3][column] = value
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    metadata = json.loads((crate / METADATA).read_text())
    entry = next(one for one in metadata["@graph"] if one["@id"] == f"study/{name}.csv")
    entry["sha256"], size = measured(path.read_bytes())
    entry["contentSize"] = str(size)
    (crate / METADATA).write_text(json.dumps(metadata, indent=1, ensure_ascii=False) + "\n")


def test_a_bent_table_of_a_session_is_named_though_its_digest_was_bent_too(
    walked: Session, admin_client: Client, tmp_path: Path
) -> None:
    told = admin_client.get(f"/api/v1/sessions/{walked.pk}/publication.zip")
    with zipfile.ZipFile(io.BytesIO(told.content)) as archive:
        archive.extractall(tmp_path)
    bend(tmp_path, "decisions", "payoff", "9.0")
    bend(tmp_path, "matches", "hash", "0" * 32)
    wrong = [name for name, why in reproduce(tmp_path, Registry(), bundle()) if why is not None]
    assert wrong == ["study/decisions.csv", "study/matches.csv"]


def test_a_session_without_a_finished_match_is_refused(admin_client: Client) -> None:
    session = session_open(study_read(STUDY), seed=7)
    told = admin_client.get(f"/api/v1/sessions/{session.pk}/publication")
    assert (told.status_code, told.json()["error"]["code"]) == (409, "no_runs")
