"""A rehearsal walks a whole study by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.site.models import Session
from games.site.studies import presets
from games.site.studies.loading import study_read
from games.site.studies.rehearsing import rehearse
from tests.studies.conftest import PAIRS

STUDIES = Path(presets.__file__).parent / "files"

pytestmark = pytest.mark.django_db(transaction=True)


def test_everybody_comes_to_an_end_and_is_paid() -> None:
    session, told = rehearse(study_read(PAIRS), members=8)
    plain = told.plain()
    assert (plain["ends"], plain["stuck"], plain["matches"]) == ({"done": 8}, [], 12)
    assert plain["pay"]["min"] > 3, "what was played is paid"
    assert Session.objects.filter(pk=session.pk).exists()


def test_who_drops_out_leaves_nobody_stuck_and_the_same_seed_gives_the_same() -> None:
    first = rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain()
    assert first["stuck"] == []
    assert first["ends"].get("left", 0) > 0
    assert rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain() == first


@pytest.mark.parametrize(("name", "members"), [("partners-and-strangers", 8), ("mining-with-models", 10)])
def test_a_rehearsal_at_the_shell_needs_no_site_and_leaves_none(tmp_path: Path, name: str, members: int) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    command = [sys.executable, "-m", "simsite", "study", "rehearse", str(STUDIES / f"{name}.yaml"), "--json"]
    ended = subprocess.run(
        [*command, "--members", str(members)],
        env={**environ, "POLITY_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout)["ends"] == {"done": members}
    assert list(tmp_path.iterdir()) == []
