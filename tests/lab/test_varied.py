"""The law on dead settings: what a bundled preset varies moves somebody, or the preset says why it cannot."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.core.registry import Registry, get
from games.lab.scenarios.scenario import Scenario, load, load_data
from games.laws.loading import subject
from games.laws.varied import dead, elsewhere
from tests.lab.test_shell import Polity
from tests.sites import ROOT

DEAR = {
    "mining/treatments", "mining/treatments-baseline", "mining/llm-noise", "mining/envoys", "mining/settling",
    "mining/scarcity", "nations/ambitions", "nations/bad-actors", "nations/factorial", "economist/adversaries",
}  # fmt: skip
"""Presets that take seconds; with all of AdaSociety they are looked at in the full run."""


def presets() -> list[Any]:
    names = [f"{game}/{preset}" for game in Registry().modules() for preset in get(game).scenarios]
    dear = {name for name in names if name in DEAR or name.startswith("adasociety/")}
    return [pytest.param(name, marks=pytest.mark.full if name in dear else ()) for name in names]


@pytest.mark.parametrize("name", presets())
def test_what_a_bundled_preset_varies_moves_somebody_or_is_given_a_reason(name: str) -> None:
    assert dead(load(name), seeds=1, steps=30) == []


@pytest.mark.full
@pytest.mark.parametrize("name", [name for one in presets() for name in one.values])
def test_no_reason_stands_where_longer_runs_of_five_seeds_differ(name: str) -> None:
    assert dead(load(name)) == []


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", list(Registry().modules()))
def test_each_setting_of_a_bundled_game_moves_somebody_or_is_given_a_reason(polity: Polity, game: str) -> None:
    said = polity("probe", game)
    assert said.status == 0, said.out


def test_what_moves_nobody_by_default_is_looked_for_in_presets_and_else_named_with_its_reason(polity: Polity) -> None:
    asked = [word for name in ("temptation", "collapse_k", "declared_not_a_dilemma") for word in ("--setting", name)]
    said = polity("probe", "dilemma", "--policy", "ALLC", "--json", *asked)
    told = json.loads(said.out)
    why = {one["setting"]: one["why"] for one in told["settings"]}
    assert why["temptation"].startswith("in demo, from step ")
    assert why["collapse_k"] == "only what is told or measured"
    assert "other payoffs" in why["declared_not_a_dilemma"]
    assert (told["dead"], said.status) == ([], 0)


def test_a_game_of_one_file_is_probed_where_it_lies(polity: Polity) -> None:
    said = polity("probe", str(ROOT / "docs" / "examples" / "schooling.py"), "--policy", "random")
    assert said.out.splitlines()[-1].endswith("dead: none"), said.out


def test_a_setting_that_moves_nobody_anywhere_says_its_reason_or_nothing() -> None:
    case = subject("chicken").case("default")
    assert "which payoff is more" in elsewhere([], [case], "straight")
    assert elsewhere([], [replace(case, pack=replace(case.pack, unheeded={}))], "straight") == ""


def scenario(**more: Any) -> Scenario:
    seats = {"default": {"policy": "guided"}}
    data = {"seats": seats, "config": {"miners": 4, "rounds": 6, "raid_tax": 3}, **more}
    return load_data(data, "here", "mining")


def test_a_tax_that_nobody_weighs_is_dead_and_one_that_a_raider_weighs_is_not() -> None:
    assert [one.split(":")[0] for one in dead(scenario())] == ["raid_tax"]
    assert dead(scenario(inert={"raid_tax": "nobody raids"})) == []
    small = {"miners": 4, "rounds": 12, "raid_tax": 3, "rows": 2, "cols": 2, "mine_cap": 1}
    assert dead(scenario(config=small, seats={"default": {"policy": "reckoner"}})) == []


def test_a_reason_for_what_moves_somebody_or_is_not_varied_is_refused() -> None:
    told = dead(replace(scenario(), inert={"raid_tax": "nobody raids", "rounds": "no", "talk": "no"}))
    assert [one.split(":")[0] for one in told] == ["inert.rounds", "inert.talk"]


def test_a_treatment_that_plays_the_same_is_dead() -> None:
    taxed = {"none": {}, "taxed": {"config": {"raid_tax": 5}}}
    told = dead(scenario(config={"miners": 4, "rounds": 6}, conditions=taxed))
    assert {one.split(":")[0] for one in told} == {"taxed", "raid_tax"}
