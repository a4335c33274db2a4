"""Mechanisms around the games in folders: those that are settings of their own, and those around whole matches."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.core import codec
from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import BrokenGame, Registry
from games.declare.mechanisms import Own
from games.errors.faults import Refused
from games.lab.newgame.copying import make_from
from games.lab.populations import lineups
from games.lab.scenarios.scenario import load, load_data
from games.laws.case import Case
from games.laws.checking import verdicts
from games.laws.loading import subject

DEEP = ("dilemma", "nations", "mining", "economist", "adasociety")
OWN = {slug: tuple(Registry().get(slug).around.on) for slug in DEEP}  # type: ignore[union-attr]
PAIRS = [(slug, name) for slug in DEEP for name in OWN[slug]]
STEPS = 40


def told(slug: str, preset: str) -> list[Any]:
    """What is played in a preset, as stored: actions, events, payoffs."""
    case = subject(slug).case(preset)
    steps = Case(case.pack, preset, case.config, case.seated, 3, STEPS).played().steps
    return [codec.encode_step(case.game, step) for step in steps]


@pytest.mark.parametrize(("slug", "name"), PAIRS)
def test_a_mechanism_by_a_game_s_own_settings_changes_what_is_played_or_what_seats_know(slug: str, name: str) -> None:
    if name == "reputation":  # of what is seen: policies here go by less
        pack = Registry().get(f"{slug}-{name}")
        one, other = ([case.game.observe(case.config, step.state, 0, ()) for step in case.played().steps]
                      for case in (subject(pack.slug).case(preset) for preset in ("none", name)))  # fmt: skip
        assert one != other
    else:
        assert told(f"{slug}-{name}", "none") != told(f"{slug}-{name}", name)


@pytest.mark.parametrize("slug", DEEP)
def test_a_run_under_a_mechanism_is_one_of_the_game_itself_under_those_settings(slug: str) -> None:
    name = OWN[slug][-1]
    case = subject(f"{slug}-{name}").case(name)
    own = Registry().get(slug)
    config = own.game.config_type.model_validate(case.config.model_dump())
    again = Case(own, name, config, case.seated, 3, STEPS).played().steps
    assert told(f"{slug}-{name}", name) == [codec.encode_step(own.game, step) for step in again]


@pytest.mark.parametrize("slug", DEEP)
def test_a_mechanism_that_a_game_has_not_among_its_settings_is_refused_with_those_that_it_has(slug: str) -> None:
    with pytest.raises(BrokenGame, match=f"{slug} has no mediation; it has {', '.join(OWN[slug])}"):
        Registry().get(f"{slug}-mediation")


def test_a_scenario_lays_mechanisms_around_a_game_in_a_folder_and_may_say_otherwise_what_they_set() -> None:
    form = {
        "game": "nations",
        "mechanisms": {"communication": {"messages": 2}, "reputation": {}},
        "config": {"turns": 3},
    }
    found = load_data(form, "words.yaml", "nations", Registry())
    config: Any = found.conditions[0].config
    assert found.pack.slug == "nations-reputation-communication"
    assert (config.messages, config.attacks_seen, config.turns) == (2, "all", 3)


@pytest.mark.parametrize("slug", DEEP)
def test_all_mechanisms_of_a_game_are_an_experiment_of_none_each_and_all(slug: str) -> None:
    found = load(f"{slug}-{'-'.join(OWN[slug])}/treatments", Registry())
    several = ["together"] if len(OWN[slug]) > 1 else []
    assert [one.name for one in found.conditions] == ["none", *OWN[slug], *several]
    assert {"en", "zh"} <= {*found.conditions[0].title}


@pytest.mark.full
@pytest.mark.parametrize("slug", DEEP)
def test_laws_hold_of_every_game_in_a_folder_under_its_mechanisms(slug: str) -> None:
    of = subject(f"{slug}-{'-'.join(OWN[slug])}")
    failed = [str(one) for one in verdicts([of.case(name) for name in of.presets]) if not one.holds]
    assert not failed, "\n".join(failed)


def test_an_own_mechanism_without_words_or_seats_still_has_its_presets() -> None:
    own = Own(on={"communication": {"talk": True}}, off={"communication": {"talk": False}})
    found = own(Registry().get("dilemma"), ["communication"])
    assert sorted(found.scenarios) == ["communication", "none", "treatments"]
    assert json.loads(found.scenarios["none"])["config"] == {"talk": False}


# --- the dilemma, which the declared one stands for where others meet ---------------------------------


SAME = {"ALLC": "cooperator", "ALLD": "equilibrium", "TFT": "tit_for_tat", "GRIM": "grim", "WSLS": "win_stay"}
PAYS = {"temptation": 5, "both_cooperate": 3, "both_defect": 1, "sucker": 0}


@pytest.mark.parametrize(("one", "other"), list(product(SAME, repeat=2)))
def test_the_dilemma_pays_what_the_declared_one_pays_under_its_numbers(one: str, other: str) -> None:
    deep, flat = Registry().get("dilemma"), Registry().get("prisoners_dilemma")

    def paid(pack: Any, config: Any, names: tuple[str, str]) -> list[list[float]]:
        seated = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(names)}
        return [[step.payoffs[seat] for seat in (0, 1)] for step in play(pack.game, config, 1, seated) if step.payoffs]

    declared = paid(flat, flat.game.config_type(rounds=12, **PAYS), (SAME[one], SAME[other]))
    assert paid(deep, deep.game.config_type(rounds=12), (one, other)) == declared
    assert len(declared) == 12


# --- around whole matches -----------------------------------------------------------------------------


def file_of(folder: Path, told: Any) -> Path:
    path = folder / "met.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def test_what_policies_earned_in_matches_becomes_a_table_around_which_mechanisms_are_laid(tmp_path: Path) -> None:
    met = {
        "agents": ["deal", "raid"],
        "seats": 2,
        "profiles": [
            {"agents": [0, 0], "payoffs": [[4, 4], [2, 2]]},
            {"agents": [1, 0], "payoffs": [[6, 0]]},
            {"agents": [1, 1], "payoffs": [[1.126, 1.126]]},
        ],
    }
    made = make_from("sent", file_of(tmp_path, met), tmp_path)
    cls = Registry((str(made),)).get("sent").game.made.cls  # type: ignore[attr-defined]
    keys = ("c1", "c2")
    paid = [[float(one) for one in cls.matrix[pair]] for pair in product(keys, repeat=2)]
    assert paid == [[3, 3], [0, 6], [6, 0], [1.13, 1.13]]
    assert cls.declared.roles == ()
    pack = cls.around("contracts").pack()
    seated = {seat: deciding(pack.policies["conditional"].bind()) for seat in (0, 1)}
    steps = list(play(pack.game, pack.game.config_type(), 1, seated))
    assert sum(sum(step.payoffs.values()) for step in steps) > 0


@pytest.mark.parametrize(
    ("agents", "seats", "message"),
    [(13, 2, "13 policies"), (2, 5, "5 seats"), (7, 4, "7 policies")],
)
def test_more_than_a_table_takes_is_refused(tmp_path: Path, agents: int, seats: int, message: str) -> None:
    profiles = [{"agents": [one] * seats, "payoffs": [[1] * seats]} for one in range(agents)]
    told = {"agents": [f"a{n}" for n in range(agents)], "seats": seats, "profiles": profiles}
    with pytest.raises(Refused, match=message):
        make_from("sent", file_of(tmp_path, told), tmp_path)


def test_a_line_up_that_was_not_played_and_what_is_no_json_are_refused(tmp_path: Path) -> None:
    told = {"agents": ["a", "b"], "seats": 2, "profiles": [{"agents": [0, 1], "payoffs": [[1, 1]]}]}
    with pytest.raises(Refused, match="no match of a, a: a table needs each of the 3 line-ups"):
        make_from("sent", file_of(tmp_path, told), tmp_path)
    path = tmp_path / "odd.json"
    path.write_text("{", "utf-8")
    with pytest.raises(Refused, match="no JSON"):
        make_from("sent", path, tmp_path)


def test_line_ups_of_a_game_in_a_folder_sit_where_all_can_and_count_by_its_rounds() -> None:
    pack = Registry().get("economist")
    config = pack.game.config_type(workers=2, epochs=3, steps_per_epoch=4)
    told = lineups(pack, config, ["honest", "gaming"], [1])
    assert told["seats"] == 2  # the planner is played by its default
    seated = {0: deciding(pack.policies["honest"].bind()), 1: deciding(pack.policies["gaming"].bind()),
              2: deciding(pack.policies["heuristic"].bind())}  # fmt: skip
    steps = list(play(pack.game, config, 1, seated))
    earned = [sum(step.payoffs.get(seat, 0) for step in steps) / 3 for seat in (0, 1)]
    assert told["profiles"][1] == {"agents": [0, 1], "payoffs": [pytest.approx(earned)]}


def test_policies_of_different_roles_are_refused_as_a_line_up() -> None:
    pack = Registry().get("trust")
    with pytest.raises(Refused, match="no seat of trust is for all of them"):
        lineups(pack, pack.game.config_type(), ["truster", "returner"], [1])
