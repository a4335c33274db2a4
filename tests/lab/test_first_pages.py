"""Each block of the documentation's first pages is what it says: files are written, commands run, in their order."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.declare.test_first_game_page import BLOCK, run

POLITY = [sys.executable, "-m", "simsite"]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["first-experiment", "first-model", "first-study"])
def test_each_block_of_the_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for kind, name, body in BLOCK.findall(text):
        if name:
            (tmp_path / name).write_text(body, "utf-8")
            continue
        assert kind == "sh", f"a block of {kind} without a name"
        for line in body.splitlines():
            if line.startswith("polity study rehearse"):  # a site of its own
                subprocess.run([*POLITY, *shlex.split(line)[1:]], check=True)
            else:
                run(line, monkeypatch)
    said = capsys.readouterr().out
    if page == "first-experiment":  # its figures stand in the text
        assert "14.2403" in said
        assert "11.7597" in said
        assert "opposite" in said
        assert "with fines 11.8 points are given, without them 14.2" in text
