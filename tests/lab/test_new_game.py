"""A new game from the template: found, playable, lawful, and with tests of its own that pass."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.core.pack import Pack
from games.core.registry import BrokenGame, Registry, get, load_pack
from games.declare import missing_words
from games.errors.faults import Refused
from games.lab.folders.benching import cases_of
from games.lab.folders.running import run
from games.lab.newgame.copying import make, make_file
from games.lab.newgame.ejecting import eject
from games.lab.scenarios.scenario import load
from games.laws import GAME_LAWS, LAWS, Case
from games.laws.checking import verdicts
from games.laws.loading import subject
from games.laws.mutation.choosing import mutants_of


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game in a temporary package of games."""
    return make("fish_pond", tmp_path_factory.mktemp("place") / "my_games")


@pytest.fixture(scope="module")
def registry(made: Path) -> Registry:
    sys.path.insert(0, str(made.parents[1]))
    importlib.invalidate_caches()
    return Registry(("my_games",))


@pytest.fixture(scope="module")
def pack(registry: Registry) -> Pack:
    return registry.get("fish_pond")


@pytest.mark.parametrize("preset", ["baseline", "generosity"])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_new_game_keeps_every_law(law: object, preset: str, pack: Pack, registry: Registry) -> None:
    assert callable(law)
    for condition in load(f"fish_pond/{preset}", registry).conditions:
        law(Case(pack, preset, condition.config, dict(enumerate(condition.seats))))


@pytest.mark.parametrize("law", GAME_LAWS, ids=lambda law: law.__name__)
def test_a_new_game_keeps_the_laws_over_all_its_presets(law: object, pack: Pack, registry: Registry) -> None:
    assert callable(law)
    presets = [load(f"fish_pond/{preset}", registry).conditions[0] for preset in pack.scenarios]
    law([Case(pack, one.name, one.config, dict(enumerate(one.seats))) for one in presets])


def test_nothing_of_the_templates_name_is_left(made: Path) -> None:
    for path in made.rglob("*"):
        if path.suffix == ".pyc" or path.name == "__pycache__":
            continue
        text = path.name if path.is_dir() else path.name + path.read_text("utf-8")
        assert not [word for word in ("blank", "slate", "空白") if word in text.lower()], path


@pytest.mark.parametrize("name", ["aaa", "zz_a_rather_long_name_for_a_game"])
def test_a_new_game_is_clean_to_the_linter_whatever_its_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "catalog"
    folder.mkdir(parents=True)
    (tmp_path / "games" / "__init__.py").touch()
    shutil.copy("pyproject.toml", tmp_path)
    make(name, folder)
    for how in (("check",), ("format", "--check")):
        call = [sys.executable, "-m", "ruff", *how, "--no-cache", "games"]
        told = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout + told.stderr


def test_a_new_game_can_be_played_and_measured_at_once(registry: Registry, pack: Pack, tmp_path: Path) -> None:
    played = run(load("fish_pond/generosity", registry), tmp_path / "out", jobs=2)
    assert len(played) == 9
    assert [case.policy for case in cases_of(pack)][-1] == "even+sensible"


def test_a_new_games_own_tests_pass(made: Path) -> None:
    alone = ("-p", "no:cacheprovider", "-p", "no:django", "--rootdir", ".")
    call = [sys.executable, "-m", "pytest", "-q", *alone, "my_games"]
    told = subprocess.run(call, cwd=made.parents[1], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_a_new_game_can_be_made_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert make("pond", Path()) == Path("pond")


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


def test_a_new_game_is_one_file_that_keeps_every_law_and_lacks_no_words(tmp_path: Path) -> None:
    home = tmp_path / "file_games"
    made = make_file("fish_fund", home)
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    found = Registry((home.name,))
    assert list(found.modules()) == ["fish_fund"]
    fund = found.get("fish_fund")
    assert fund.title == "Fish fund"
    assert missing_words(fund) == {"zh": []}
    cases = []
    for preset in fund.scenarios:
        one = load(f"fish_fund/{preset}", found).conditions[0]
        cases.append(Case(fund, preset, one.config, dict(enumerate(one.seats))))
    for law in LAWS:
        law(cases[0])
    for law_of_all in GAME_LAWS:
        law_of_all(cases)
    with pytest.raises(Refused, match=r"fish_fund.py: already exists"):
        make_file("fish_fund", home)
    with pytest.raises(Refused, match=r"fish_fund.py: already exists"):
        make("fish_fund", home)
    assert made.with_suffix(".zh.yaml").is_file()


def test_a_game_by_the_path_of_its_file_is_played_too(tmp_path: Path) -> None:
    made = make_file("fish_fund", tmp_path / "by_path")
    assert load("fish_fund", Registry((str(made),))).pack.slug == "fish_fund"
    made.write_text(made.read_text("utf-8").replace("pays=[0, 30]", "pays=[0, 31]"), "utf-8")
    other = made.with_name("fish_other.py")
    made.rename(other)
    line = r"game fish_other: FishFund: example give \[10, 0\]: pays \[0, 30\]; \[0, 31\] is expected"
    with pytest.raises(BrokenGame, match=line):
        Registry((str(other),)).get("fish_other")


def test_a_game_without_a_translation_is_ejected_without_one(tmp_path: Path) -> None:
    path = make_file("fund_alone", tmp_path)
    path.with_suffix(".zh.yaml").unlink()
    folder = eject(load_pack(str(path)), tmp_path / "alone_ejected")
    assert [one.name for one in (folder / "words").iterdir()] == ["en.yaml"]
    of = subject(str(folder))
    failed = [str(one) for one in verdicts([of.case(name) for name in of.presets]) if not one.holds]
    assert not failed, failed
    assert len(mutants_of(of)) == len(mutants_of(subject(str(path)))) > 10


@pytest.mark.parametrize("slug", ["public_goods", "stag_hunt", "ultimatum", "auction", "commons", "double_auction"])
def test_an_ejected_game_is_a_folder_that_keeps_every_law_and_plays_the_same_bytes(slug: str, tmp_path: Path) -> None:
    home = tmp_path / f"ejected_{slug}"
    folder = eject(get(slug), home)
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    found = Registry((home.name,))
    pack = found.get(slug)
    assert pack.folder == folder
    presets = {name: load(f"{slug}/{name}", found).conditions[0] for name in pack.scenarios}
    cases = [Case(pack, name, one.config, dict(enumerate(one.seats))) for name, one in presets.items()]
    for case in cases:
        one = load(f"{slug}/{case.preset}").conditions[0]
        file = Case(get(slug), case.preset, one.config, dict(enumerate(one.seats)))
        assert case.hashes(case.run()) == file.hashes(file.run())
    for law in GAME_LAWS:
        law(cases)
    with pytest.raises(Refused, match="already exists; nothing is written into it"):
        eject(get(slug), home)
    with pytest.raises(Refused, match="it has a folder already"):
        eject(pack, tmp_path / "again")
