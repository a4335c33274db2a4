"""Schemas are strict where the vendor holds to them, and what lasts is cached and paid at its own price."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from agents_app.deciders.forms import Forms
from agents_app.profile import Price, Profile
from agents_app.prompting import prompts_of
from agents_app.providers.answers import reply_of
from agents_app.providers.parameters import body_of, messages_of
from agents_app.providers.protocol import Message, Prompt
from agents_app.providers.strict import is_strict, strict_form, without_nulls
from agents_app.usage import counted
from games.core.prompts import PromptContext
from games.core.registry import get
from tests.agents.company import first_request, mining, seated
from tests.agents.test_misbehaving import PLACES

TOLD = (Message("system", "The rules of the game."), Message("user", "Round 1."))


def objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    inner = [found for part in schema.values() for found in objects(part)]
    return [schema, *inner] if schema.get("type") == "object" else inner


@pytest.mark.parametrize("where", ["dilemma", "mining", "nations"])
def test_a_strict_form_requires_all_and_lets_what_may_be_left_out_be_null(where: str) -> None:
    place = PLACES[where]
    pack = get(place.game or where)
    config = pack.game.config_type(**place.settings)
    request = first_request(pack, config, place.after, seat=place.seat)
    assert request.actions is not None
    form = strict_form(request.actions.schema)
    assert form is not None
    for found in objects(form):
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False
    assert "default" not in str(form)
    assert strict_form(form) == form, "it is its own strict form"


def test_an_answer_with_nulls_is_read_as_one_without() -> None:
    place = PLACES["mining"]
    pack = get("mining")
    config = pack.game.config_type(**place.settings)
    profile = Profile(model="openai/gpt-4o", output="structured")
    request = first_request(pack, config, 0)
    asked = Forms(pack, config, profile, structured=True).asked(request, prompts_of(pack))
    item = {"type": "claim", "cell": [0, 0]}
    assert request.actions is not None
    assert asked.spec.read({"items": [{**item, "s": None}]}) == request.actions.read({"items": [item]})
    assert without_nulls({"a": [None, {"b": None, "c": 0}]}) == {"a": [None, {"c": 0}]}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "oneOf": [{"type": "object", "properties": {}}]},
        {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"type": "number"}]}}},
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "number"}}}},
        {"type": ["object", "string"]},
    ],
)
def test_what_does_not_fit_strict_mode_is_asked_without_it(schema: dict[str, Any]) -> None:
    assert strict_form(schema) is None
    body, _ = body_of(Prompt("openai/gpt-4o", TOLD, 64, schema=schema), strict=True)
    assert body["response_format"]["json_schema"] == {"name": "answer", "schema": schema}


def test_strict_is_said_to_vendors_that_hold_to_it_and_to_nobody_else() -> None:
    assert is_strict(Profile(model="openai/gpt-4o"))
    assert not is_strict(Profile(model="openai/local", base_url="http://127.0.0.1:9/v1"))
    assert not is_strict(Profile(model="groq/llama-3.3-70b-versatile"))
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    prompt = Prompt("openai/gpt-4o", TOLD, 64, schema=schema)
    strict = body_of(prompt, strict=True)[0]["response_format"]["json_schema"]
    assert (strict["strict"], strict["schema"]["additionalProperties"]) == (True, False)
    assert "strict" not in body_of(prompt)[0]["response_format"]["json_schema"]


@pytest.mark.parametrize("model", ["anthropic/claude-sonnet-4-5", "openrouter/anthropic/claude-sonnet-4.5"])
def test_what_lasts_is_marked_for_claudes_cache(model: str) -> None:
    system, user = messages_of(Prompt(model, TOLD, 64))
    assert system["content"] == [{"type": "text", "text": TOLD[0].text, "cache_control": {"type": "ephemeral"}}]
    assert user["content"] == TOLD[1].text
    assert messages_of(Prompt("openai/gpt-4o", TOLD, 64))[0]["content"] == TOLD[0].text


@pytest.mark.parametrize(
    "usage",
    [
        {"cache_creation_input_tokens": 600, "prompt_tokens_details": {"cached_tokens": 300}},
        {"prompt_tokens_details": {"cached_tokens": 300, "cache_write_tokens": 600}},
    ],
)
def test_what_is_written_to_a_cache_costs_its_own_price(usage: dict[str, Any]) -> None:
    price = Price(input_usd=10, output_usd=20, cached_usd=1, written_usd=Decimal("12.5"))
    told = {
        "choices": [{"message": {"content": "C"}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 1, **usage},
    }
    prompt = Prompt("anthropic/claude", (Message("system", "x" * 4000),), 64)
    spent = counted(prompt, reply_of(told), price).cost_usd
    assert spent == (100 * 10 + 300 * 1 + 600 * Decimal("12.5") + 20) / Decimal(1_000_000)


def test_rules_and_form_stand_first_and_equal_for_all_seats_where_a_game_says_apart_who_one_is() -> None:
    pack, config = mining(miners=2, rows=3, cols=3, rounds=2)
    own = pack.prompts
    assert own is not None

    class Parted(type(own)):  # type: ignore[misc]
        def render(self, config: Any, telling: PromptContext, /) -> Any:
            told = super().render(config, telling)
            return {**told, "system": "The rules.", "who": f"You are miner {telling.request.seat}."}

    parted = replace(pack, prompts=Parted())
    profile = Profile(model="openai/local", base_url="http://127.0.0.1:9/v1", output="json")
    found = []
    for seat in (0, 1):
        request = first_request(parted, config, 0, seat=seat)
        prompt = seated(parted, config, profile).first_prompt(request)
        system, user = prompt.messages
        assert system.text.endswith(f"You are miner {seat}.")
        assert "Schema: " in system.text[: system.shared]
        assert "Schema: " not in user.text
        found.append(system.text[: system.shared])
        claude = messages_of(replace(prompt, model="anthropic/claude-sonnet-4-5"))[0]["content"]
        assert [part["text"] for part in claude] == [found[-1], f"\n\nYou are miner {seat}."]
    assert found[0] == found[1]
    plain = seated(pack, config, profile).first_prompt(first_request(pack, config, 0))
    assert "Schema: " in plain.messages[-1].text, "where it does not, nothing changes"
