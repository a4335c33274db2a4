"""What a model is told, by the rule sheets' tables: every field of an observation, at each stage, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from agents_app.profile import Language, Profile
from games.core.agents import deciding
from games.core.engine import Position, play
from games.core.pack import Pack
from games.core.registry import packs
from games.core.requests import Requests
from tests.agents.company import seated
from tests.agents.test_everything_accepted_plays import SHORT, config_of

CATALOG = Path(__file__).parents[2] / "games" / "catalog"
LAND: dict[str, Any] = {"rounds": 3, "miners": 3, "rows": 3, "cols": 3}
PRESSED: dict[str, Any] = {
    "needs": [{"resource": "berry"}], "decay": {"berry": 5}, "creatures": 20, "group_norm": "vote",
}  # fmt: skip
SCENES: dict[str, list[tuple[str, dict[str, Any], str]]] = {
    "adasociety": [("survival", PRESSED, "pioneer"), ("survival", PRESSED | {"group_norm": "delegation"}, "pioneer")],
    "mining": [("talk", LAND, ""), ("raid-tax", {"rounds": 12, "immunity_window": 3}, "random")],
    "dilemma": [("geometric", {}, ""), ("noisy", {}, "")],
    "nations": [("open-world", {}, "raider"), ("baseline", {"nations": 3}, "random"), ("baseline", {}, "diplomat")],
}
"""Matches beside the short ones that show what is told only where a setting is on: preset, changes, policy."""
WITHIN = ("shared", "public", "kit")
"""Parts of an observation that are told field by field."""
STEPS = 8


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    fields: tuple[str, ...]
    stages: tuple[str, ...]
    phrases: dict[Language, str]


def table(slug: str) -> list[Row]:
    """The rows of a rule sheet."""
    text = (CATALOG / slug / "README.md").read_text("utf-8")
    part = text.partition("## What a model is told")[2].partition("\n## ")[0]
    rows = []
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and "`" in cells[0]:
            named = tuple(re.findall(r"`([\w.]+)`", cells[0].partition(":")[0]))
            stages = () if cells[1] == "–" else tuple(one.strip() for one in cells[1].split(","))
            rows.append(Row(named, stages, {"en": cells[2], "zh": cells[3]}))
    return rows


def scenes(pack: Pack) -> Iterator[tuple[Any, Any]]:
    """Configs, and each position in their first steps."""
    short = [(preset, changes, "") for preset, changes in SHORT[pack.slug].items()]
    for preset, changes, policy in [*short, *SCENES.get(pack.slug, [])]:
        config = config_of(pack, preset, changes)
        chosen = [policy or pack.default_for(one.role) for one in pack.game.seats(config)]
        deciders = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(chosen)}
        steps: list[Any] = []
        for step in play(pack.game, config, 1, deciders, controller=pack.controller):
            steps.append(step)
            yield config, Position(list(steps))
            if len(steps) > STEPS:
                break


@lru_cache(maxsize=8)
def told(slug: str) -> tuple[dict[tuple[str, Language], list[str]], frozenset[str]]:
    """The prompts by stage and language, with all that may be said, and the fields of all observations."""
    pack = packs()[slug]
    texts: dict[tuple[str, Language], list[str]] = {}
    known: set[str] = set()
    for config, position in scenes(pack):
        turn = pack.game.turn(config, position.last.state)
        for seat in turn.seats if turn is not None else ():
            request = Requests(pack.game, config, 1, position, turn)[seat]
            known |= named(request.observation)
            if hasattr(request.observation, "is_banned"):
                request = replace(request, observation=banned(request.observation))
            role = pack.game.seats(config)[seat].role
            for language in ("en", "zh"):
                profile = Profile(language=language, options=pack.prompts.whole() if pack.prompts else {})
                messages = seated(pack, config, profile, role=role).first_prompt(request).messages
                text = "\n".join(message.text for message in messages)
                texts.setdefault((turn.stage, language), []).append(text)
    return texts, frozenset(known)


def banned(seen: Any) -> Any:
    """A worker who may place no orders: that takes more steps of collusion than are played here."""
    return seen._replace(is_banned=True) if hasattr(seen, "_replace") else replace(seen, is_banned=True)


def named(observation: Any) -> set[str]:
    found = set()
    for name in names(observation):
        inner = getattr(observation, name)
        found |= {f"{name}.{one}" for one in names(inner)} if name in WITHIN and names(inner) else {name}
    return found


def names(value: Any) -> list[str]:
    if is_dataclass(value):
        return [one.name for one in fields(value) if not one.name.startswith("_")]
    return list(getattr(value, "_fields", ()))


GAMES = sorted(SHORT)


@pytest.mark.parametrize("slug", GAMES)
def test_every_field_that_a_seat_knows_is_in_the_rule_sheets_table(slug: str) -> None:
    listed = {name for row in table(slug) for name in row.fields}
    assert listed == told(slug)[1]


@pytest.mark.parametrize("slug", GAMES)
def test_every_row_stands_in_the_prompts_of_its_stages_in_both_languages(slug: str) -> None:
    texts, _ = told(slug)
    missing = []
    for row in table(slug):
        for stage in row.stages:
            for language, phrase in row.phrases.items():
                pattern = re.compile(".*?".join(map(re.escape, phrase.split("…"))))
                if not any(pattern.search(text) for text in texts[stage, language]):
                    missing.append((stage, language, phrase))
    assert not missing, "\n".join(map(str, missing))


def test_every_stage_that_has_words_is_in_its_games_table() -> None:
    for slug in GAMES:
        prompts = packs()[slug].prompts
        assert prompts is not None
        assert {stage for row in table(slug) for stage in row.stages} == prompts.stages, slug
