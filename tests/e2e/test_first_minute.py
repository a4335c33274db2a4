"""The README's first command, from a clean clone, as a stranger would run it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.sites import ROOT, serve

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(600)]


def test_a_clean_clone_shows_a_moving_match_after_one_command(tmp_path: Path, watched: Watched) -> None:
    uv = shutil.which("uv")
    if not uv:
        pytest.skip("needs uv: pip install uv")
    command = "uv run polity serve"
    assert command in (ROOT / "README.md").read_text()
    clone = tmp_path / "polity"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    site = serve([uv, "run", "polity"], clone, tmp_path / "home", tmp_path / "serve.log")
    try:
        watched.page.goto(f"{site.address}/")
        place = watched.page.locator(".title span.mut").last
        first = place.inner_text(timeout=30_000)
        expect(place).not_to_have_text(first, timeout=30_000)
        watched.shot("first-minute")
        assert watched.faults == []
    finally:
        site.end()
    assert site.process.wait(30) == 0
