"""The code of the documentation runs: each page's Python blocks one after another, in one namespace."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: It needs a site: tests/launch/test_rest_page.py has one.
ELSEWHERE = ("rest",)
PAGES = [
    path for path in sorted(DOCS.glob("*.md")) if path.stem not in ELSEWHERE and BLOCK.search(path.read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for block in BLOCK.findall(page.read_text("utf-8")):
        exec(compile(block, str(page), "exec"), names)  # noqa: S102 - the documentation's own code
