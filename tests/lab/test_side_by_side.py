"""Runs of policies side by side: the same folder as one by one, and what cannot be played so is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.core.pack import NoBatch
from games.lab.folders import sidebyside
from games.lab.folders.playing import Playing
from games.lab.folders.running import run
from games.lab.folders.runspec import RunFailed, specs_of
from games.lab.folders.sidebyside import grouped, one_by_one
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer, set_layer
from games.lab.scenarios.scenario import Scenario, load_preset


def scenario(preset: str = "mining/policies", rounds: int = 12, *more: Layer) -> Scenario:
    return load_preset(preset, [set_layer([f"rounds={rounds}"]), *more])


def logs(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "run_manifest.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_folder_is_the_same_side_by_side_and_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = scenario("mining/first-possession", 12)
    run(one, tmp_path / "together", jobs=1)
    monkeypatch.setattr(sidebyside, "_batch", lambda specs: NoBatch(""))
    run(one, tmp_path / "alone", jobs=1)
    assert logs(tmp_path / "together") == logs(tmp_path / "alone")


def test_runs_are_grouped_by_config_in_their_order_and_shared_among_workers() -> None:
    specs = specs_of(load_preset("mining/treatments"))
    groups = grouped(specs, 2)
    assert [spec for group in groups for spec in group] == specs
    assert all(len({spec.condition for spec in group}) == 1 for group in groups)
    assert [len(group) for group in grouped(specs[:20], 2)] == [10, 10]
    assert max(map(len, groups)) <= sidebyside.MOST


def test_runs_that_go_one_by_one_are_counted_with_the_reason() -> None:
    lonely = Layer("test", seats=read_seats({"default": {"policy": "avenger"}}, "test"), seats_at="")
    specs = specs_of(scenario("mining/first-possession", 12, lonely))
    assert one_by_one(specs) == {"policy avenger: it has no form over columns; its worlds are played one by one": 60}
    assert not one_by_one(specs_of(scenario("mining/first-possession")))


def test_a_run_that_fails_among_others_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Playing.keep

    def keep(self: Playing, *given: object) -> None:
        if self.spec.seed == 3 and self.last == 4:
            raise ZeroDivisionError("nothing to share")
        kept(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Playing, "keep", keep)
    with pytest.raises(RunFailed, match=r"replicate 3 \(seed 3\), step 5: ZeroDivisionError: nothing to share"):
        run(scenario("mining/first-possession"), tmp_path / "out", jobs=1)
