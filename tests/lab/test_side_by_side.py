"""Runs of policies side by side: the same folder as one by one, and what cannot be played so is said."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from games.catalog.mining.columns.world import Terms
from games.core.pack import NoBatch
from games.lab.folders import sidebyside
from games.lab.folders.playing import Playing, play_spec
from games.lab.folders.processes import processes
from games.lab.folders.running import run
from games.lab.folders.runspec import RunFailed, specs_of
from games.lab.folders.sidebyside import grouped, in_turn, one_by_one, play_group
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer, set_layer
from games.lab.scenarios.scenario import Scenario, load, load_preset


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


TREATED = """
    game: mining
    config: {miners: 6, rows: 4, cols: 4, rounds: 17, mine_cap: 2}
    seats:
      default: {policy: guided}
      0: {policy: random}
      1: {policy: reckoner}
      2: {policy: opportunist}
      3: {policy: tit-for-tat-raid}
      4: {policy: envoy}
    seeds: 1..3
    conditions:
      base: {}
      cap: {config: {mine_cap: 4}}
      window: {config: {immunity_window: 0}}
      long-window: {config: {immunity_window: 3}}
      points: {config: {defence: per_point}}
      rich: {config: {stamina: 14, gold_mines: 3}}
      uneven: {config: {stamina_draw: [4, 9]}}
      last: {config: {history: last}}
      full: {config: {history: full}}
      taxed: {config: {raid_tax: 2, share_out: true}}
      fined: {config: {capture_fine: 3}}
      judged: {config: {adjudication: 0.5}}
      short: {config: {rounds: 5}}
      peaceful: {seats: {"*": {policy: guided}}}
"""


def test_runs_of_unlike_settings_are_the_same_together_and_alone(
    write: Callable[[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    treated = load(str(write("treated.yaml", TREATED)))
    assert [len(group) for group in grouped(specs_of(treated), 1)] == [36, 3, 3]
    run(treated, tmp_path / "together", jobs=1)
    kept = Terms.of
    monkeypatch.setattr(Terms, "of", lambda configs: kept([configs[0]] * len(configs)))
    run(treated, tmp_path / "bent", jobs=1)
    monkeypatch.setattr(sidebyside, "_batch", lambda specs: NoBatch(""))
    run(treated, tmp_path / "alone", jobs=1)
    assert logs(tmp_path / "together") == logs(tmp_path / "alone") != logs(tmp_path / "bent")


def test_runs_are_grouped_by_what_lets_them_stand_together_and_shared_among_workers() -> None:
    specs = specs_of(load_preset("mining/treatments"))
    groups = grouped(specs, 2)
    assert sorted(place for group in groups for place in group) == list(range(len(specs)))
    assert [len(group) for group in groups] == sorted(map(len, groups), reverse=True)
    assert all(
        len({str((specs[place].config["rounds"], specs[place].agents)) for place in group}) == 1 for group in groups
    )
    assert [len(group) for group in grouped(specs[:20], 2)] == [10, 10]
    assert max(map(len, groups)) == 75 <= sidebyside.MOST
    lonely = Layer("test", seats=read_seats({"default": {"policy": "avenger"}}, "test"), seats_at="")
    alone = grouped(specs_of(load_preset("mining/treatments", [lonely])), 1)
    assert [place for group in alone for place in group] == list(range(len(specs)))


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks on this system")
def test_other_processes_do_not_hear_an_interrupt_from_their_first_moment_on() -> None:
    with processes(1) as pool:
        assert signal.SIGINT in pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()).result()


def test_what_comes_of_groups_is_told_in_the_order_of_all() -> None:
    told: list[str] = []

    def groups() -> Iterator[tuple[list[int], list[str]]]:
        for places in ([0, 2, 5], [1, 4], [3]):
            told.append("|")
            yield places, [str(place) for place in places]

    for one in in_turn(groups()):
        told.append(one)
    assert "".join(told) == "|0|12|345"


def test_runs_of_two_scenarios_whose_conditions_have_one_name_keep_their_own_settings() -> None:
    few, many = (
        specs_of(replace(whole, seeds=(1, 2, 3), conditions=whole.conditions[:1], experiment=None))
        for whole in (load_preset("mining/mixed", [set_layer(("rounds=5", f"mine_cap={cap}"))]) for cap in (1, 4))
    )
    assert {spec.condition for spec in (*few, *many)} == {few[0].condition}
    mixed = [*few, *many]
    for group in grouped(mixed, 1):
        specs = [mixed[place] for place in group]
        together = [one.metrics for one in play_group(specs, [None] * len(specs))]
        assert together == [play_spec(spec, None).metrics for spec in specs]


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


def test_a_run_that_fails_before_its_turn_is_not_kept_in_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Playing.keep

    def keep(self: Playing, *given: object) -> None:
        if self.spec.condition == "baseline" and self.last == 4:
            raise ZeroDivisionError("nothing to share")
        kept(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Playing, "keep", keep)
    whole = load("mining/treatments", seeds=(1, 2))
    few = {one.name: one for one in whole.conditions}
    order = tuple(few[name] for name in ("miners-10", "baseline", "immunity-0"))
    with pytest.raises(RunFailed, match="baseline"):  # four of one kind go before two of another
        run(replace(whole, conditions=order, experiment=None), tmp_path / "out", jobs=1)
    assert not list(tmp_path.iterdir())
