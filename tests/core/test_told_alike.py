"""What a player, a model and a policy are told of horizon, payoffs, default and rules: the same facts, by game.

The table stands in ``docs/told.md``, made from the very texts; ``POLITY_GOLDEN=1`` writes it anew.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from games.core.instructions import Instructions, instructions, opening, system_prompt
from games.core.prompts import LANGUAGES, PromptContext
from games.core.registry import get, packs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "told.md"
SECTIONS = {"horizon": ("length",), "payoffs": ("aim", "rules"), "default": ("silence",)}
"""Where players read of what."""


@dataclass(frozen=True)
class Fact:
    """One fact: by which words people and models are told of it, and where a policy has it.

    ``words`` are patterns by language, or by language and kind of reader ("en model"). ``at`` is the path of what a
    policy observes, with the ``value`` that stands there; where a policy sees no such thing, ``sheet`` is a pattern in
    the game's rule sheet, which policies are written by.
    """

    words: Mapping[str, str]
    at: str = ""
    value: Any = None
    sheet: str = ""


@dataclass(frozen=True)
class Told:
    """A game under settings that are not its defaults, so that no number stands there by itself."""

    slug: str
    role: str
    settings: Mapping[str, Any]
    facts: Mapping[str, Fact]


SILENT = {
    "en model": "If no answer of yours can be (?:used|read), {en}",
    "zh model": "回答(?:都无法使用|无一可读)，{zh}",
}


def silent(en: str, zh: str, en_people: str, zh_people: str, sheet: str) -> Fact:
    """The default: for people of an answer that does not come, for models of one that cannot be used."""
    models = {key: text.format(en=en, zh=zh) for key, text in SILENT.items()}
    return Fact({**models, "en player": en_people, "zh player": zh_people}, sheet=sheet)


ECONOMY: Mapping[str, Any] = {
    "workers": 3,
    "epochs": 7,
    "steps_per_epoch": 11,
    "build": {"income_per_house_per_step": 1.75},
}
EPOCHS = Fact({"en": r"(?:epoch|epochs|of) 7\b|\b7 epochs|1/7", "zh": r"7 ?期|第 ?7|1/7"}, "shared.config.epochs", 7)
CASES = (
    Told(
        "dilemma",
        "",
        {"rounds": 37, "temptation": 4.5, "fallback": "D"},
        {
            "horizon": Fact({"en": "lasts exactly 37 rounds", "zh": "恰好进行 37 轮"}, "rounds", 37),
            "payoffs": Fact(
                {"en": "you D, other C: you get 4.5, the other gets 0", "zh": "你 D，对方 C：你得 4.5 分，对方得 0 分"},
                "payoffs.temptation",
                4.5,
            ),
            "default": silent(
                "D is played", "则替你选 D", "time is up plays D", "按 D 执行", "becomes the `fallback` with a note"
            ),
        },
    ),
    Told(
        "mining",
        "",
        {"rounds": 37, "alpha": 6},
        {
            "horizon": Fact({"en": "37 rounds", "zh": "37 ?(?:个)?(?:回合|轮)"}, "shared.config.rounds", 37),
            "payoffs": Fact(
                {"en": "mine yields 6 gold for each stamina", "zh": "6 ?(?:枚|块)?.{0,4}金"}, "shared.config.alpha", 6
            ),
            "default": silent(
                "you do nothing",
                "你在该回合什么也不做",
                "Without an answer in time you do nothing",
                "什么都不做",
                "No answer is a round of nothing",
            ),
        },
    ),
    Told(
        "nations",
        "",
        {"turns": 9, "money_per_territory": 13},
        {
            "horizon": Fact({"en": r"\b9 turns", "zh": "9 ?个?回合"}, "public.turns", 9),
            "payoffs": Fact(
                {"en": "Each territory earns 13 money", "zh": "13 钱"}, "public.config.money_per_territory", 13
            ),
            "default": silent(
                "you give no orders",
                "你在该回合不下任何命令",
                "you give no orders in that turn",
                "你不下任何命令",
                "No answer is no orders",
            ),
        },
    ),
    Told(
        "adasociety",
        "carpenter",
        {"steps": 77, "social_control": "free"},
        {
            "horizon": Fact(
                {
                    "en player": "lasts 97 steps, 20 of them",
                    "en model": "for 77 steps.*in 20 steps",
                    "zh player": "97 ?步",
                    "zh model": "77 步.*20 步",
                },
                "horizon",
                97,
            ),
            "payoffs": Fact(
                {"en": "reward in a step is the change of your bag's worth", "zh": "奖励，是背包价值的变化"},
                "kit.values",
                (1.0, 1.0, 0.0),
            ),
            "default": silent(
                "you do nothing in that step",
                "你在该步什么也不做",
                "you do nothing in that step",
                "你不行动",
                "No answer is staying",
            ),
        },
    ),
    Told(
        "economist",
        "worker",
        ECONOMY,
        {
            "horizon": EPOCHS,
            "payoffs": Fact(
                {"en": "pays its owner 1.75 coin in every step", "zh": "每步付主人 1.75 钱币"},
                "shared.config.build.income_per_house_per_step",
                1.75,
            ),
            "default": silent(
                "you do nothing in that step",
                "你在该步什么也不做",
                "you do nothing in that step",
                "你不行动",
                "No answer: noop",
            ),
        },
    ),
    Told(
        "economist",
        "planner",
        {**ECONOMY, "planner": {"prod_weight": 1.25}},
        {
            "horizon": EPOCHS,
            "payoffs": Fact(
                {"en": "welfare: 1.25 x mean income", "zh": "1.25"}, "shared.config.planner.prod_weight", 1.25
            ),
            "default": silent(
                "the tax brackets stay as they are",
                "税级保持不变",
                "the tax brackets stay as they are",
                "税级",
                "or the schedule stays",
            ),
        },
    ),
)
IDS = [f"{one.slug} {one.role}".strip() for one in CASES]


@lru_cache(maxsize=8)
def config_of(case: int) -> tuple[Any, int]:
    """The settings, and a seat of the role."""
    told = CASES[case]
    game = get(told.slug).game
    config = game.config_type.model_validate(told.settings)
    return config, next(seat for seat, one in enumerate(game.seats(config)) if one.role == told.role)


@lru_cache(maxsize=32)
def player(case: int, language: str) -> Instructions:
    pack, (config, seat) = get(CASES[case].slug), config_of(case)
    assert pack.instructions is not None
    return instructions(pack.game, pack.instructions, config, seat, language)


@lru_cache(maxsize=32)
def model(case: int, language: str) -> str:
    """All that a model is told at its first request."""
    pack, (config, seat) = get(CASES[case].slug), config_of(case)
    assert pack.prompts is not None
    request = opening(pack.game, config, seat)
    options: dict[str, Any] = dict(pack.prompts.options)
    user = pack.prompts.render(config, PromptContext(request, language, options=options))["user"]
    return f"{system_prompt(pack.prompts, config, request, language)}\n{user}"


def said(case: int, fact: str, reader: str, language: str) -> str | None:
    """The line by which a reader is told of a fact; None: by none."""
    words = CASES[case].facts[fact].words
    pattern = words.get(f"{language} {reader}", words.get(language, ""))
    if reader == "player":
        lines = [line for name in SECTIONS[fact] for line in getattr(player(case, language), name)]
    else:
        lines = [line.strip().removeprefix("- ") for line in model(case, language).splitlines()]
    return next((line for line in lines if re.search(pattern, line)), None) or _across(lines, pattern)


def _across(lines: list[str], pattern: str) -> str | None:
    """What only several lines tell together."""
    first, *more = pattern.split(".*")
    found = [next((line for line in lines if re.search(part, line)), None) for part in (first, *more)]
    return " … ".join(found) if more and all(found) else None  # type: ignore[arg-type]


def observed(case: int, fact: str) -> Any:
    """What a policy has of it: the value in its observation, or the line of the rule sheet; None: nothing."""
    told, (config, seat) = CASES[case], config_of(case)
    of = told.facts[fact]
    if not of.at:
        sheet = (ROOT / "games" / "catalog" / told.slug / "README.md").read_text("utf-8")
        found = re.search(rf"[^.]*{of.sheet}[^.]*\.", " ".join(sheet.split()))
        return found[0].strip() if found else None
    value = opening(get(told.slug).game, config, seat).observation
    for step in of.at.split("."):
        value = getattr(value, step)
    return value


FACTS = [(case, fact) for case, told in enumerate(CASES) for fact in told.facts]


def test_every_game_and_role_stands_in_the_table() -> None:
    """Games in folders: what a declared game tells is one sentence for all its readers."""
    folders = [pack for pack in packs().values() if pack.folder is not None]
    of = {(pack.slug, one.role) for pack in folders for one in pack.game.seats(pack.game.config_type())}
    of -= {("adasociety", "miner")}  # told by the same sentences as its carpenters
    assert {(one.slug, one.role) for one in CASES} == of


@pytest.mark.parametrize(("case", "fact"), FACTS, ids=[f"{IDS[case]}-{fact}" for case, fact in FACTS])
def test_a_player_a_model_and_a_policy_are_told_the_same_fact(case: int, fact: str) -> None:
    for language in LANGUAGES:
        for reader in ("player", "model"):
            assert said(case, fact, reader, language), f"{language}: a {reader} is not told of the {fact}"
    of = CASES[case].facts[fact]
    seen = observed(case, fact)
    assert seen is not None, f"the rule sheet has no {of.sheet!r}"
    assert not of.at or seen == of.value


@pytest.mark.parametrize("case", range(len(CASES)), ids=IDS)
def test_every_rule_that_a_player_reads_is_one_that_a_model_reads(case: int) -> None:
    for language in LANGUAGES:
        unknown = [line for line in player(case, language).rules if line not in model(case, language)]
        assert unknown == []


def rows() -> Iterator[str]:
    """The table, as it stands on its page."""
    yield "# What a player, a model and a policy are told"
    yield ""
    yield "Made from the very texts by `tests/core/test_told_alike.py`, which fails where one of the three is not told."
    yield "The settings are not the defaults. `POLITY_GOLDEN=1 uv run pytest tests/core/test_told_alike.py` writes it."
    yield ""
    yield "| game | fact | a player reads | a model reads | a policy has |"
    yield "|---|---|---|---|---|"
    for case, told in enumerate(CASES):
        for fact, of in told.facts.items():
            seen = observed(case, fact)
            has = f"`{of.at}` = {seen}" if of.at else f"rule sheet: {seen}"
            cells = (IDS[case], fact, said(case, fact, "player", "en"), said(case, fact, "model", "en"), has)
            yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
        rules = player(case, "en").rules
        yield f"| {IDS[case]} | rules | {len(rules)} sentences | the same {len(rules)}, word for word | rule sheet |"


def test_the_table_on_its_page_is_what_is_told() -> None:
    text = "\n".join(rows()) + "\n"
    if os.environ.get("POLITY_GOLDEN"):
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text, "told otherwise now: look at it, then POLITY_GOLDEN=1 writes it anew"
