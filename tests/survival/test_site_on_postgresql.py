"""The tests of site and studies once more, on PostgreSQL: what one database takes the other may not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.sites import ROOT


@pytest.mark.full
def test_the_tests_of_site_and_studies_hold_on_postgresql(postgres_url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/games", "tests/studies"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:]
