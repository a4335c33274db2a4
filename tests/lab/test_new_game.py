"""A new game from the template: found, playable, lawful, and with tests of its own that pass."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from games.core.conformance import GAME_LAWS, LAWS, Case
from games.core.registry import Pack
from games.lab.benching import cases_of
from games.lab.faults import Refused
from games.lab.finding import Shelf
from games.lab.newgame import make
from games.lab.running import run
from games.lab.scenario import load


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game in a temporary package of games."""
    return make("fish_pond", tmp_path_factory.mktemp("place") / "my_games")


@pytest.fixture(scope="module")
def shelf(made: Path) -> Shelf:
    sys.path.insert(0, str(made.parents[1]))
    importlib.invalidate_caches()
    return Shelf(("my_games",))


@pytest.fixture(scope="module")
def pack(shelf: Shelf) -> Pack:
    return shelf.pack("fish_pond")


@pytest.mark.parametrize("preset", ["baseline", "tragedy"])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_new_game_keeps_every_law(law: object, preset: str, pack: Pack, shelf: Shelf) -> None:
    assert callable(law)
    for condition in load(f"fish_pond/{preset}", shelf).conditions:
        law(Case(pack, preset, condition.config, dict(enumerate(condition.seats))))


@pytest.mark.parametrize("law", GAME_LAWS, ids=lambda law: law.__name__)
def test_a_new_game_keeps_the_laws_over_all_its_presets(law: object, pack: Pack, shelf: Shelf) -> None:
    assert callable(law)
    presets = [load(f"fish_pond/{preset}", shelf).conditions[0] for preset in pack.scenario_files()]
    law([Case(pack, one.name, one.config, dict(enumerate(one.seats))) for one in presets])


def test_nothing_of_the_templates_name_is_left(made: Path) -> None:
    for path in made.rglob("*"):
        assert "orchard" not in path.name.lower()
        assert path.is_dir() or "orchard" not in path.read_text("utf-8").lower(), path


def test_a_new_game_can_be_played_and_measured_at_once(shelf: Shelf, pack: Pack, tmp_path: Path) -> None:
    played = run(load("fish_pond/tragedy", shelf), tmp_path / "out", jobs=2)
    assert len(played) == 9
    assert len(cases_of(pack)) == 4


def test_a_new_games_own_tests_pass(made: Path) -> None:
    alone = ("-p", "no:cacheprovider", "-p", "no:django", "--rootdir", ".")
    call = [sys.executable, "-m", "pytest", "-q", *alone, "my_games"]
    told = subprocess.run(call, cwd=made.parents[1], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_a_new_game_never_takes_a_place_that_is_taken(made: Path) -> None:
    with pytest.raises(Refused, match=r"fish_pond: already exists; a new game never writes into it"):
        make("fish_pond", made.parent)
    with pytest.raises(Refused, match="mining: already exists"):
        make("mining")


@pytest.mark.parametrize("name", ["", "Pond", "9lives", "fish-pond", "a__b", "../x", "class", "x" * 41])
def test_a_name_that_cannot_be_a_package_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="a game's name is lower-case letters"):
        make(name, tmp_path)
    assert list(tmp_path.iterdir()) == []
