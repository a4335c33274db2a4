"""What other packages plug in is found, named with version and digest, and left out where it is broken."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from games.core import plugs, registry
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import Registry, load_pack, plugged
from games.laws.loading import subject
from tests.plugging import LAKE, Installed


def test_a_game_of_a_package_is_found_with_its_board_and_its_presets(installed: Installed) -> None:
    installed.add("polity-lake", "[polity.games]\nlake = lake\n", *sorted(LAKE.glob("lake.*")))
    pack = Registry().get("lake")
    assert list(pack.scenarios) == ["default"]
    assert pack.board is not None
    assert pack.board.name == "lake.board.js"
    plug = plugs.plugs("games")["lake"]
    assert (plug.package, plug.version) == ("polity-lake", "1.0")
    (installed.place / "lake.board.js").write_text("export default () => {}")
    plugs.plugs.cache_clear()
    assert plugs.plugs("games")["lake"].digest != plug.digest


def test_a_folder_of_games_is_read_file_by_file_and_a_lost_one_is_named(tmp_path: Path) -> None:
    for name in ("lake.py", "lake.board.js"):
        shutil.copy(LAKE / name, tmp_path)
    (tmp_path / "notes.py").write_text("print('no game')")
    found = Registry((registry.CATALOG, str(tmp_path)), has_plugs=False)
    assert found.modules()["lake"] == str(tmp_path / "lake.py")
    assert "notes" not in found.modules()
    lost = Registry((str(tmp_path / "gone"),), has_plugs=False)
    assert lost.broken() == {str(tmp_path / "gone"): f"{tmp_path / 'gone'}: there is no such folder of games"}


def test_a_game_of_the_catalog_keeps_its_name_from_a_package(installed: Installed) -> None:
    installed.add("thief", "[polity.games]\nmining = thief\n", thief="raise RuntimeError('imported')")
    assert Registry().modules()["mining"] == "games.catalog.mining"


def test_a_broken_plug_is_named_and_takes_nothing_else_down(installed: Installed) -> None:
    entries = "[polity.games]\nruin = ruin\n[polity.measures]\nruin = ruin:measure\n"
    installed.add("polity-ruin", entries, ruin="raise RuntimeError('not today')")
    assert "not today" in Registry().broken()["ruin"]
    assert plugs.broken("measures")["ruin"].startswith("measure ruin of polity-ruin 1.0: RuntimeError('not today')")
    assert "stag_hunt" in Registry().packs()


def test_a_measure_of_a_package_stands_beside_the_games_own(installed: Installed) -> None:
    code = """
def measure(slug, config, series):
    return {"plugged_rounds": len(series), "gini": -1}
measure.about = {"plugged_rounds": "Rounds; 1 and more."}
"""
    installed.add("polity-more", "[polity.measures]\nmore = more:measure\n", more=code)
    pack = load_pack("games.catalog.public_goods")
    config = pack.game.config_type(rounds=2)
    steps = list(play(pack.game, config, 1, {seat: deciding(pack.policies["punisher"].bind()) for seat in range(4)}))
    series = [pack.metrics.measure(config, a.state, b) for a, b in pairwise(steps)]
    told = pack.metrics.summarise(config, series)
    assert told["plugged_rounds"] == len(series)
    assert told["gini"] != -1
    assert pack.metrics.about()["plugged_rounds"] == "Rounds; 1 and more."
    assert "plugged_rounds" not in subject("public_goods").pack.metrics.about(), "the game does not answer for it"


def test_the_digest_covers_what_lies_beside_a_game_by_its_name_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "lake.py").write_text("a")
    before = plugs.digest_of(tmp_path / "lake.py")
    (tmp_path / "other.py").write_text("b")
    assert plugs.digest_of(tmp_path / "lake.py") == before
    (tmp_path / "lake.zh.yaml").write_text(json.dumps({}))
    assert plugs.digest_of(tmp_path / "lake.py") != before


def test_a_measure_that_raises_or_gives_no_number_is_named_and_no_run_fails_of_it(
    installed: Installed, caplog: pytest.LogCaptureFixture
) -> None:
    code = """
def raising(slug, config, series):
    raise KeyError("lost")
raising.about = {"plugged_lost": "Lost."}
def endless(slug, config, series):
    return {"plugged_endless": float("inf")}
endless.about = {"plugged_endless": "Endless."}
"""
    entries = "[polity.measures]\nraising = ruin:raising\nendless = ruin:endless\n"
    installed.add("polity-ruin", entries, ruin=code)
    pack = load_pack("games.catalog.public_goods")
    config = pack.game.config_type(rounds=2)
    steps = list(play(pack.game, config, 1, {seat: deciding(pack.policies["punisher"].bind()) for seat in range(4)}))
    told = pack.metrics.summarise(config, [pack.metrics.measure(config, a.state, b) for a, b in pairwise(steps)])
    assert (told["plugged_lost"], told["plugged_endless"]) == (None, None)
    assert told["gini"] is not None
    assert "measure raising of polity-ruin 1.0: KeyError('lost'); its measures are undefined" in caplog.text
    assert "measure endless of polity-ruin 1.0: ValueError('plugged_endless is inf')" in caplog.text


def test_a_plug_in_that_has_not_what_its_kind_needs_is_broken_by_name(installed: Installed) -> None:
    entries = "[polity.steps]\nhalf = half:step\n[polity.exporters]\nhalf = half:export\n"
    installed.add("polity-half", entries, half="def export(folders): ...\nclass step:\n    settings = dict\n")
    why = plugs.broken("steps")["half"]
    assert why == "step half of polity-half 1.0: TypeError('half:step has no page, score, stores')"
    assert "half:export has no about" in plugs.broken("exporters")["half"]
    rows = {(one.kind, one.name): one for one in plugged(Registry())}
    assert rows["steps", "half"].why
    assert rows["steps", "half"].digest
    with pytest.raises(plugs.BrokenPlug, match="step 'gone': no package brings it; there are half"):
        plugs.loaded_one("steps", "gone")
