"""What is wrong with a value is told in the reader's language, whatever model it stands in."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from agents_app.people import PeopleSettings
from agents_app.profile import Limits, Profile
from games.core import registry
from games.core.answers import Note, first_fault, note_of
from games.core.faults import BOUNDS, CHOICES, KINDS, OTHER, flaw
from games.core.words import placeholders
from games.errors import sentences
from games.lab.scenarios.form import AgentForm, ScenarioForm
from games.laws.hostile import ANYTHING, answers
from games.site.web import peopleshapes, shapes

ROOT = Path(__file__).parents[2]


def models() -> Iterator[tuple[str, Any]]:
    """Everything that is read from a form, an address, a person or a model."""
    for slug in registry.packs():
        pack = registry.get(slug)
        yield f"{slug} config", pack.game.config_type
        yield f"{slug} actions", pack.game.action_type
        yield from ((f"{slug} {policy.name}", policy.params) for policy in pack.policies.values())
    yield from ((kind.__name__, kind) for kind in (PeopleSettings, Profile, Limits, AgentForm, ScenarioForm))
    for module in (shapes, peopleshapes):
        yield from ((name, kind) for name, kind in vars(module).items() if name.endswith("In"))


def found(kind: Any) -> set[str]:
    """The error types of what is wrong with junk that is made from a model's own JSON Schema."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    types: set[str] = set()
    for junk in (*answers(adapter.json_schema()), *ANYTHING):
        try:
            adapter.validate_python(junk)
        except ValidationError as error:
            types |= {one["type"] for one in error.errors(include_url=False, include_context=False)}
    return types - {"value_error", "assertion_error"}  # a validator of ours, which has its own words


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in models()])
def test_whatever_junk_gets_wrong_has_a_sentence(kind: Any) -> None:
    assert found(kind) - {*BOUNDS, *CHOICES, *KINDS} == set()


def test_the_junk_goes_beyond_bounds_of_every_kind() -> None:
    types = {one for _, kind in models() for one in found(kind)}
    assert {"greater_than_equal", "string_too_long", "too_long", "literal_error", "union_tag_invalid"} <= types


def noted(kind: str) -> Note:
    """The note of an error of this type, with every value that pydantic gives."""
    context = {key: 3 for _, key in BOUNDS.values()}
    choices = {"expected": "'a', 'b' or 'c'", "expected_tags": "'a', 'b'", "discriminator": "'do'"}
    error: Any = {"type": kind, "loc": ("here",), "msg": "Told.", "input": "x", "ctx": {**context, **choices}}
    return Note(*flaw(error))


@pytest.mark.parametrize("kind", [*BOUNDS, *CHOICES, *KINDS, "uuid_parsing"])
def test_a_kind_fills_its_sentence_in_both_languages(kind: str) -> None:
    note = noted(kind)
    for language in ("en", "zh"):
        template = sentences.WORDS.book(language)["faults"][note.kind]
        assert placeholders(template) <= set(note.data)
        assert "–" not in sentences.fault(note, language)


def test_both_languages_have_the_same_faults_and_name_the_same_values() -> None:
    en, zh = (sentences.WORDS.book(language)["faults"] for language in ("en", "zh"))
    assert {kind: placeholders(text) for kind, text in en.items()} == {
        kind: placeholders(text) for kind, text in zh.items()
    }


def test_a_type_without_a_sentence_is_told_in_pydantics_own_line() -> None:
    note = noted("uuid_parsing")
    assert (note.kind, sentences.fault(note, "zh")) == (OTHER, "'x'；Told.")


def test_choices_are_listed_one_by_one() -> None:
    assert sentences.fault(noted("literal_error"), "zh") == "'x'；只能是以下之一：'a', 'b', 'c'"


# --- as they reach a reader -----------------------------------------------------------------------

LATIN = re.compile(r"[A-Za-z]{2,}")


def english_in(told: str, *, but: tuple[str, ...] = ()) -> list[str]:
    """Words of a sentence in Latin letters, without what is quoted and the names that it may have."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "", told)
    return [word for word in LATIN.findall(plain) if word not in but]


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def post(client: Client, path: str, body: Any) -> dict[str, Any]:
    answer = client.post(path, json.dumps(body), content_type="application/json")
    assert answer.status_code == 422, answer.content
    return dict(answer.json()["error"])


FORMS: list[tuple[str, dict[str, Any], str, str]] = [
    ("mining/baseline", {"config": {"rows": "1O"}}, "config.rows", "'1O'；须为整数"),
    ("mining/baseline", {"config": {"rows": 0}}, "config.rows", "0；至少为 1"),
    ("mining/baseline", {"config": {"rowz": 3}}, "config.rowz", "没有这一项；是否要写 rows？"),
    ("mining/baseline", {"config": {"defence": "x"}}, "config.defence", "'x'；只能是以下之一：'block_all'"),
    ("mining/baseline", {"seats": {"0": {"policy": "guidde"}}}, "seats.0.policy", "'guidde'；没有这个名称，"),
    ("mining/baseline", {"people": {"tick_s": 99}}, "people.tick_s", "99；最多为 10"),
    ("dilemma/noisy", {"config": {"noise_a": 2}}, "config.noise_a", "2；最多为 1"),
]


@pytest.mark.parametrize(("scenario", "body", "path", "zh"), FORMS)
def test_a_chinese_form_refuses_a_typo_and_a_value_out_of_range_without_an_english_word(
    operator: Client, scenario: str, body: dict[str, Any], path: str, zh: str
) -> None:
    error = post(operator, "/api/v1/runs", {"scenario": scenario, **body})
    (fault,) = [each for each in error["faults"] if each["path"] == path]
    assert fault["says"]["en"] == fault["message"]
    assert fault["says"]["zh"].startswith(zh)
    assert english_in(fault["says"]["zh"], but=("rows", "guided")) == []


def test_limits_are_refused_in_both_languages(operator: Client) -> None:
    error = post(operator, "/api/v1/runs", {"scenario": "mining/baseline", "limits": {"usd": -1}})
    assert error["says"] == {"en": "usd: -1; more than 0", "zh": "usd：-1；须大于 0"}
    assert sentences.sentence("zh", error["code"], error["message"], error) == "限额不能这样设。usd：-1；须大于 0"


def test_a_request_that_cannot_be_read_is_told_in_both_languages(operator: Client) -> None:
    error = post(operator, "/api/v1/runs", {"scenario": "x" * 201})
    assert error["code"] == "invalid"
    assert error["says"]["zh"].endswith("；最多 200 个字符")


def test_an_answer_that_is_no_action_is_told_in_both_languages() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(registry.get("dilemma").game.action_type)
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(7)
    for language in ("en", "zh"):
        assert "7" in sentences.fault(first_fault(caught.value)[1], language)
    spec = registry.get("adasociety").game
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(spec.action_type).validate_python({"do": "fly"})
    told = sentences.fault(first_fault(caught.value)[1], "zh")
    assert told.startswith("'fly'；只能是以下之一：'move'")


def test_a_models_own_words_are_kept_as_they_are_where_they_have_no_note() -> None:
    error: ErrorDetails = {"type": "value_error", "loc": (), "msg": "Value error, no", "input": 1, "ctx": {}}
    assert sentences.says(note_of(error)) is None
    assert sentences.fault(note_of(error), "zh") == "Value error, no"


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("mining", {"gold_mines": 101}),
    ("mining", {"stamina_each": [1, 2]}),
    ("mining", {"stamina_draw": [9, 3]}),
    ("mining", {"rows": 1, "alpha_map": [[1, 1]]}),
    ("dilemma", {"temptation": 3}),
    ("dilemma", {"temptation": 6}),
    ("dilemma", {"temptation": 5.0001}),
    ("adasociety", {"sight": 20, "height": 5, "width": 5}),
    ("adasociety", {"message_chars": 7, "mini_game": "contract"}),
    ("adasociety", {"block_cells": [[199, 0]]}),
    ("adasociety", {"agents": [{"role": "pirate", "count": 1}]}),
    (
        "adasociety",
        {"mini_game": "exploration", "schedule": [{"at": 0, "structure": {"groups": [{"members": [0, 900]}]}}]},
    ),
    ("adasociety", {"new_resources": {"amber": {"value": 1, "requires": {"amber": 1}}}}),
]


@pytest.mark.parametrize(("slug", "given"), IMPOSSIBLE, ids=str)
def test_what_a_game_finds_across_its_settings_is_told_in_both_languages(slug: str, given: dict[str, Any]) -> None:
    kind = registry.get(slug).game.config_type
    with pytest.raises(ValidationError) as caught:
        kind.model_validate(given)
    (error,) = caught.value.errors()
    says = sentences.says(note_of(error))
    assert says is not None
    assert error["msg"] == f"Value error, {says['en']}"
    names = [*LATIN.findall(str(given)), *LATIN.findall(" ".join(kind.model_fields)), *NAMES]
    assert english_in(says["zh"], but=tuple(names)) == []
    assert "–" not in says["zh"]


NAMES = ("carpenter", "miner", "exploration")
"""Roles and mini-games, as they are written in the settings."""


def validators() -> Iterator[str]:
    """Where a model's validator raises an error in words of English alone."""
    configs = sorted([*(ROOT / "games").glob("**/config.py"), *(ROOT / "games").glob("**/settings.py")])
    for path in (*configs, ROOT / "agents_app" / "profile.py", ROOT / "agents_app" / "people.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ValueError":
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_no_validator_of_a_game_speaks_english_alone() -> None:
    assert list(validators()) == []


TERMS: list[tuple[dict[str, Any], str]] = [
    ({"people": {"deadline_s": 30, "tick_s": 2}}, "deadline_s 和 tick_s：一个回合只有一个计时"),
    ({"seats": {"0": {"model": "mock/nobody"}}}, "model：'mock/nobody'；"),
    ({"seats": {"0": {"model": "mock/default", "profile": {"persona": "hero"}}}}, "persona：'hero'；"),
    ({"seats": {"0": {"model": "mock/default", "profile": {"timeout_s": 500}}}}, "timeout_s：500 超过 budget_s 的 180"),
]


@pytest.mark.parametrize(("body", "zh"), TERMS, ids=str)
def test_terms_and_profiles_are_refused_in_both_languages(operator: Client, body: dict[str, Any], zh: str) -> None:
    (fault,) = post(operator, "/api/v1/runs", {"scenario": "mining/baseline", **body})["faults"]
    assert fault["says"]["zh"].startswith(zh)
    assert fault["says"]["en"] == fault["message"]


def kinds_made() -> Iterator[tuple[str, str]]:
    """Where, and of which kind, a fault of `games.errors.sentences` is made by name."""
    made = {"Note": 0, "said": 0, "told": 0}
    lab, site = ("folders", "newgame", "scenarios", "wire"), ("people", "record", "runs")
    rooms = ("errors", *(f"lab/{room}" for room in lab), *(f"site/{room}" for room in site))
    files = [path for room in rooms for path in (ROOT / "games" / room).glob("*.py")]
    files += [*(ROOT / "agents_app").glob("p*.py"), ROOT / "agents_app" / "deciders" / "seating.py"]
    for path in sorted(files):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = getattr(node, "func", None) if isinstance(node, ast.Call) else None
            name = getattr(called, "attr", getattr(called, "id", ""))
            if isinstance(node, ast.Call) and name in made and node.args:
                kind = node.args[made[name]]
                if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", kind.value


def test_every_fault_that_is_made_by_name_has_its_sentence() -> None:
    known = {*sentences.WORDS.book("en")["faults"]}
    ours = [(where, kind) for where, kind in kinds_made() if "parsing" not in where]
    assert len(ours) > 20
    assert [each for each in ours if each[1] not in known] == []
    for kind in ("no_such", "unknown", "no_seat"):
        assert {f"{kind}_near", f"{kind}_among"} <= known
