"""The documentation as files: what a host of static pages is given by ``.ci/docs.py``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, ".ci/docs.py", str(into)], cwd=ROOT, check=True, timeout=120)
    return into


def test_every_link_from_file_to_file_leads_to_a_part_that_is_there(folder: Path) -> None:
    texts = {path.resolve(): path.read_text("utf-8") for path in folder.rglob("*.html")}
    assert len(texts) > 40
    lost = []
    for path, text in texts.items():
        for link in re.findall(r'<a [^>]*?href="([^"]*)"', text):
            if link.startswith("http"):
                continue
            file, _, anchor = link.partition("#")
            there = texts.get((path.parent / file).resolve() if file else path)
            if there is None or (anchor and f'id="{anchor}"' not in there):
                lost.append((path.name, link))
    assert not lost


def test_no_file_asks_a_site_for_anything(folder: Path) -> None:
    for path in folder.rglob("*.html"):
        asked = re.findall(r'<(?:link|script|img)[^>]*?(?:href|src)="([^"]*)"', path.read_text("utf-8"))
        own = [one for one in asked if not one.startswith("data:")]
        assert own, path
        assert not [one for one in own if not (path.parent / one).is_file()]
    for sheet in folder.rglob("*.css"):
        letters = re.findall(r"url\(['\"]?([^)'\"]+)", sheet.read_text("utf-8"))
        assert not [one for one in letters if not one.startswith("data:") and not (sheet.parent / one).is_file()]
