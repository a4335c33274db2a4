"""What players are told: whole in both languages, by the settings in force, and the same facts as a model is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from games import catalog
from games.core.instructions import SECTIONS, Instructions, instructions, opening, system_prompt
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.registry import packs
from games.lab.scenarios.scenario import load
from tests.presets import QUICK, presets

FOLDER = Path(catalog.__file__).parent
GAMES = [pack for pack in packs().values() if pack.instructions is not None]
PRESETS = presets(QUICK)


def told(pack: Pack, config: Any, seat: int, language: str) -> Instructions:
    assert pack.instructions is not None
    return instructions(pack.game, pack.instructions, config, seat, language)


def test_each_game_of_the_catalog_tells_its_players_what_it_is() -> None:
    assert [pack.slug for pack in packs().values() if pack.instructions is None] == []


def first(preset: str) -> tuple[Pack, Any]:
    """The game of a preset and the settings of its first condition."""
    scenario = load(preset)
    return scenario.pack, scenario.conditions[0].config


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_told_whole_and_in_words_of_people(preset: str) -> None:
    pack, config = first(preset)
    for role in {spec.role: seat for seat, spec in enumerate(pack.game.seats(config))}.values():
        shapes = []
        for language in LANGUAGES:
            page = told(pack, config, role, language)
            assert page.aim, "what one earns"
            assert page.do, "what one may do"
            assert page.length, "how long it lasts"
            assert page.silence, "what is played without an answer"
            assert page.default
            text = "\n".join(line for name in SECTIONS for line in getattr(page, name))
            assert not re.search(r"[{}]|\bJSON\b|PLAN:", text), f"{language}: not for people: {text}"
            shapes.append([len(getattr(page, name)) for name in SECTIONS])
        assert shapes[0] == shapes[1], "one language tells more than the other"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rules_that_players_read_are_those_that_a_model_reads(preset: str) -> None:
    pack, config = first(preset)
    assert pack.prompts is not None
    for language in LANGUAGES:
        model = system_prompt(pack.prompts, config, opening(pack.game, config, 0), language)
        for line in told(pack, config, 0, language).rules:
            assert line in model, f"{language}: a model is not told {line!r}"


@pytest.mark.parametrize("preset", [one for one in PRESETS if packs()[one.values[0].split("/")[0]].folder is not None])
def test_each_act_of_a_preset_is_a_row_with_a_picture_that_its_game_draws(preset: str) -> None:
    pack, config = first(preset)
    drawn = (FOLDER / pack.slug / "board" / "pictures.ts").read_text("utf-8")
    for role in {spec.role: seat for seat, spec in enumerate(pack.game.seats(config))}.values():
        en, zh = (told(pack, config, role, language) for language in LANGUAGES)
        assert en.acts, "what one may do"
        assert [(act.picture, act.facts) for act in en.acts] == [(act.picture, act.facts) for act in zh.acts]
        for page in (en, zh):
            assert page.together
            for act in page.acts:
                assert act.name, act
                assert act.price, act
                assert not re.search(r"[{}|]|\bJSON\b", f"{act.name} {act.price} {act.text}"), act
                assert act.text[-1] in ".。", act
                assert re.search(rf"^  {act.picture}\b", drawn, re.M), f"no picture of {act.picture}"


ACTS: list[tuple[str, dict[str, Any], set[str], set[str]]] = [
    ("mining", {"messages": 2}, {"talk"}, set()),
    ("nations", {"messages": 0}, set(), {"talk"}),
    ("dilemma", {"talk": True}, {"talk"}, set()),
    ("adasociety", {"mini_game": "negotiation"}, {"ask", "propose", "accept", "end"}, {"group", "message"}),
    ("adasociety", {"mini_game": "contract"}, {"group"}, {"ask", "message"}),
    ("economist", {"market": {"enabled": False}}, set(), {"trade"}),
    ("economist", {"misreporting": {"enabled": False}}, set(), {"hide"}),
    ("economist", {"gaming": {"income_shifting_enabled": False}}, set(), {"defer"}),
]


@pytest.mark.parametrize(("slug", "change", "there", "absent"), ACTS)
def test_only_what_the_settings_allow_is_a_row(
    slug: str, change: dict[str, Any], there: set[str], absent: set[str]
) -> None:
    pack = next(pack for pack in GAMES if pack.slug == slug)
    acts = {act.picture for act in told(pack, pack.game.config_type(**change), 0, "en").acts}
    assert there <= acts
    assert not absent & acts


def test_a_row_tells_its_price_and_its_bounds_by_the_settings() -> None:
    pack = next(pack for pack in GAMES if pack.slug == "mining")
    rows = {act.picture: act for act in told(pack, pack.game.config_type(mine_cap=2, capture_fine=5), 0, "en").acts}
    assert rows["mine"].price == "1 to 2 stamina"
    assert rows["mine"].facts["cap"] == 2
    assert "A plot that you take also costs you 5 gold." in rows["raid"].text
    one = {act.picture: act for act in told(pack, pack.game.config_type(mine_cap=1), 0, "en").acts}
    assert one["mine"].price == "1 stamina"
    assert "costs you" not in one["raid"].text


CHANGES: list[tuple[str, dict[str, Any], str, str]] = [
    ("dilemma", {"rounds": 7}, "length", "7"),
    ("dilemma", {"fallback": "D"}, "default", "D"),
    ("dilemma", {"talk": True, "talk_limit": 33}, "do", "33"),
    ("mining", {"rounds": 7}, "length", "7"),
    ("mining", {"rationalisation": "seeded"}, "default", "random"),
    ("nations", {"turns": 7}, "length", "7"),
    ("nations", {"messages": 3, "message_length": 77}, "do", "77"),
    ("adasociety", {"steps": 77}, "length", "97"),
    ("economist", {"epochs": 7}, "length", "7"),
]


@pytest.mark.parametrize(("slug", "change", "section", "word"), CHANGES)
def test_what_is_told_follows_the_settings(slug: str, change: dict[str, Any], section: str, word: str) -> None:
    pack = next(pack for pack in GAMES if pack.slug == slug)
    before = told(pack, pack.game.config_type(), 0, "en").plain()[section]
    after = told(pack, pack.game.config_type(**change), 0, "en").plain()[section]
    assert before != after
    assert word in str(after)


def test_horizon_payoffs_and_default_are_the_same_facts_for_a_player_a_model_and_a_policy() -> None:
    """The table of facts: what stands behind the sentences is what the rules play by."""
    for pack in GAMES:
        config = pack.game.config_type()
        facts = told(pack, config, 0, "en").facts
        assert set(facts) == {"horizon", "payoffs", "default"}
        horizon = facts["horizon"]
        numbers = [str(one) for one in (horizon if isinstance(horizon, list) else [horizon])]
        said = "\n".join(told(pack, config, 0, "en").length)
        assert all(number in said for number in numbers), f"{pack.slug}: {numbers} in {said!r}"
        ends = (pack.game.horizon(config), pack.game.rounds(config))  # in steps, and in rounds of several
        if isinstance(horizon, int) and ends[0] is not None and pack.slug != "nations":
            assert horizon in ends, f"{pack.slug}: the rules end after {ends}"
