"""Where games are found: several packages, each game when it is asked for, the broken ones by name and reason."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.core import registry
from games.core.registry import CATALOG, BrokenGame, Registry, UnknownGame, look_in
from games.lab.newgame.copying import make


@pytest.fixture
def drafts(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A package with a good game, one that cannot be imported and one without a PACK."""
    home = tmp_path / f"drafts_of_{request.node.name[:24]}"
    make("good_one", home)
    for name, text in (("torn", "import nothing_of_that_name\n"), ("empty", "")):
        (home / name).mkdir()
        (home / name / "__init__.py").write_text(text)
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    yield home.name
    sys.path.remove(str(tmp_path))


def test_a_broken_game_is_named_with_its_reason_and_takes_nothing_else_down(drafts: str) -> None:
    found = Registry((CATALOG, drafts, "no_such_package"))

    assert {"mining", "good_one"} <= set(found.packs())
    assert found.get("good_one").title == "Good one"
    broken = found.broken()
    assert list(broken) == ["no_such_package", "empty", "torn"]
    assert "torn: it cannot be imported: ModuleNotFoundError" in broken["torn"]
    assert "empty: it has no PACK" in broken["empty"]
    assert "'no_such_package': cannot be imported" in broken["no_such_package"]
    for _ in range(2):
        with pytest.raises(BrokenGame, match="torn: it cannot be imported"):
            found.get("torn")
    with pytest.raises(UnknownGame, match=r"'chess': there is none of that name; there are .*'no_such_package'"):
        found.get("chess")


def test_a_game_is_imported_when_it_is_asked_for(drafts: str) -> None:
    found = Registry((drafts,))
    assert list(found.modules()) == ["empty", "good_one", "torn"]
    assert f"{drafts}.good_one" not in sys.modules
    found.get("good_one")
    assert f"{drafts}.good_one" in sys.modules


def test_a_process_looks_where_it_was_told_to_and_the_catalog_comes_first(
    drafts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_PLACES", [CATALOG])
    look_in((drafts,))
    assert Registry().packages == (CATALOG, drafts)
    assert "good_one" in registry.packs()
    assert registry.get("good_one").slug == "good_one"


def test_no_game_of_the_catalog_is_broken() -> None:
    assert Registry((CATALOG,)).broken() == {}


def test_a_package_is_looked_through_once_until_a_file_comes_or_goes(
    drafts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    real = registry._is_game

    def looking(info: pkgutil.ModuleInfo) -> bool:
        looked.append(info.name)
        return real(info)

    monkeypatch.setattr(registry, "_is_game", looking)
    (tmp_path / drafts / "no_game.py").write_text("")
    found = Registry((drafts,))
    for _ in range(3):
        found.get("good_one")
    assert looked == ["no_game"]
    with_pack = tmp_path / drafts / "late.py"
    with_pack.write_text("PACK = None\n")
    assert "late" in found.modules()
    with_pack.unlink()
    assert "late" not in found.modules()
