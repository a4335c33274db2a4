"""Packages as an installer leaves them, for tests of what they plug in."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.core import plugs, registry

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
LAKE = EXAMPLES / "polity-lake"


def forget() -> None:
    plugs.plugs.cache_clear()
    plugs._loaded.cache_clear()
    registry._loaded.cache_clear()
    plugs._told.cache_clear()


class Installed:
    """Packages as an installer leaves them: modules, and what is told of them."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def add(self, name: str, entries: str, *files: Path, **texts: str) -> None:
        for file in files:
            shutil.copy(file, self.place)
        for module, text in texts.items():
            (self.place / f"{module}.py").write_text(text)
        for module in (*texts, *(file.stem for file in files)):
            sys.modules.pop(module, None)  # of another test
        importlib.invalidate_caches()
        info = self.place / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entries)
        forget()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    place = tmp_path / "site-packages"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    yield Installed(place)
    forget()
