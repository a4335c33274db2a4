"""Why a reply cannot be used is told in the language of the prompts, and kept for readers of either."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents_app import parsing
from agents_app.deciders import llm
from agents_app.parsing import JSON_FAULTS, BadReply, Format, read_reply
from agents_app.profile import Language, Profile
from agents_app.prompting import lines, reason
from games.core.answers import SAID, SENTENCE, ActionSpec, BadAction
from games.core.codec import decode_note
from games.core.prompts import LANGUAGES
from games.core.words import placeholders
from games.lab.scenarios.scenario import load
from tests.agents.company import Scripted, first_request, seated
from tests.agents.test_deciding import MemoryLedger
from tests.agents.test_parsing import MOVES, SPEC, TOKENS

KEPT: list[tuple[str, Format, str, str]] = [
    ("", "json", "the reply is empty", "回复是空的"),
    ("I would rather not.", "json", "there is no JSON in the reply", "回复中没有 JSON"),
    (
        '{"items": [1, 2],}',
        "json",
        "the JSON is broken: Expecting property name enclosed in double quotes at character 17",
        "JSON 写错了：位置 17 应为双引号括起的字段名",
    ),
    ('{"a" 1}', "json", "the JSON is broken: Expecting ':' delimiter at character 5", "JSON 写错了：位置 5 缺少冒号"),
    ('{"items": [NaN]}', "json", "the JSON is broken: ValueError", "JSON 写错了：从位置 0 开始的 JSON 中有不能用的值"),
    (
        '{"items": [1, 2',
        "json",
        "the JSON does not end: Expecting ',' delimiter at character 15",
        "JSON 没有结束：位置 15 缺少逗号",
    ),
    ("", "token", "the reply is empty; one of C, D is asked for", "回复是空的；须为以下之一：C, D"),
    ("I play C", "token", "'I play C' is not one of C, D", "'I play C' 不在以下之列：C, D"),
    ("no plan here", "plan", "no line begins with PLAN:", "没有以 PLAN: 开头的行"),
    ("PLAN:", "plan", "nothing follows PLAN:", "PLAN: 之后什么也没有"),
]
"""What English prompts have said of these replies from the start: another word, and no stored call is found again."""


def refusal(text: str, form: Format, spec: ActionSpec[Any] | None = None) -> BadReply:
    with pytest.raises(BadReply) as caught:
        read_reply(text, False, form, spec or (MOVES if form == "token" else SPEC), TOKENS)
    return caught.value


@pytest.mark.parametrize(("text", "form", "en", "zh"), KEPT)
def test_a_fault_of_the_reply_is_told_in_both_languages(text: str, form: Format, en: str, zh: str) -> None:
    note = refusal(text, form).note
    assert (reason(note, "en"), reason(note, "zh")) == (en, zh)


def test_a_reply_that_was_cut_is_told_with_its_length() -> None:
    with pytest.raises(BadReply) as caught:
        read_reply("abc", True, "json", SPEC, {})
    assert [reason(caught.value.note, language) for language in LANGUAGES] == [
        "the reply was cut after 3 characters",
        "回复在 3 个字符处被截断",
    ]


def test_a_reader_without_a_note_is_told_in_its_own_line() -> None:
    note = refusal('{"items": "all"}', "json").note
    assert (note.kind, reason(note, "zh")) == (SENTENCE, "items: a list of whole numbers is needed")


def named(module: Any) -> Iterator[str]:
    """The kinds of notes that a module makes."""
    for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note":
            yield from (part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant))


def test_every_fault_has_its_line_in_both_languages() -> None:
    kinds = {*named(parsing), *named(llm)} | {*JSON_FAULTS.values(), "json_other", "json_value", "json_depth"}
    assert {"reply_empty", "reply_json_open", "not_open", "no_first_action"} <= kinds
    for language in LANGUAGES:
        assert kinds <= {*lines(language), ""}, language
    odd = {kind: [placeholders(lines(language)[kind]) for language in LANGUAGES] for kind in kinds}
    assert {kind for kind, (en, zh) in odd.items() if kind.startswith("reply") and en != zh} == set()


# --- as a model is told -----------------------------------------------------------------------------

REPLIES = [
    "",
    "I would rather not.",
    '{"items": [1, 2],}',
    '{"items": [{"type": "mine", "cell": [0, 0], "s": 1}]}',
    '{"foo": 1}',
    '{"do": "fly"}',
    '{"do": "move", "direction": "sideways"}',
    '{"move": "E"}',
    "E",
    "PLAN: dance",
    "PLAN: GO 0 1, GO 0 2",
    'PLAN: {"plan": "gather", "resource": "wood", "n": 99}',
    'PLAN: {"plan": "craft", "resource": "hammer"}',
]
TERMS = {
    *("messages", "negotiation"),
    *("GATHER", "CRAFT", "DUMP", "EXPLORE", "GO", "JOIN", "BARGAIN", "RESOURCE", "TOOL", "MAP"),
    *("row", "column", "group", "seat", "ask", "least"),
}
"""Terms of an answer, as the rules have them, that a prompt does not name: a field, a stage, the lines of plans."""
OWN = re.compile(r"[A-Za-z]{2,}")


def of_the_action(agent_prompt: str, reply: str) -> set[str]:
    """Words that a correction may use: those of the reply, and those that the prompt names as parts of an answer."""
    return {*OWN.findall(reply), *OWN.findall(agent_prompt), *TERMS, "JSON", "PLAN"}


async def corrections(scenario: str, language: Language, reply: str) -> tuple[str, dict[str, Any], set[str]] | None:
    """The correction of a reply, what is kept of the attempt, and the words it may use; None: the reply was usable."""
    condition = (loaded := load(scenario)).conditions[0]
    provider = Scripted([reply, "?"])
    agent = seated(loaded.pack, condition.config, Profile(language=language, retries=1), provider)
    decision = await agent.decide(first_request(loaded.pack, condition.config), MemoryLedger(0, 1, []))
    if len(provider.asked) == 1:
        return None
    attempts: Any = decision.trace["attempts"]
    asked = "".join(message.text for message in provider.asked[0].messages)
    return provider.asked[1].messages[-1].text, attempts[0], of_the_action(asked, reply)


SCENARIOS = ["mining/baseline", "dilemma/noisy", "adasociety/negotiation-easy", "adasociety/social-structure-easy"]


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_a_chinese_correction_has_no_english_words_but_those_of_the_answer(scenario: str, reply: str) -> None:
    found = await corrections(scenario, "zh", reply)
    if found is None:
        return
    told, attempt, words = found
    assert "请" in told
    assert [word for word in OWN.findall(told) if word not in words] == []
    assert attempt["why"].rstrip("。") in told or attempt["failure"] == "truncated"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_attempt_keeps_why_for_readers_of_either_language(language: Language) -> None:
    found = await corrections("mining/baseline", language, "I would rather not.")
    assert found is not None
    _, attempt, _ = found
    assert attempt["why"] == {"en": "there is no JSON in the reply", "zh": "回复中没有 JSON"}[language]
    assert attempt["note"] == {"kind": "reply_no_json", "data": {}}
    json.dumps(attempt)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_a_game_objects_to_is_kept_in_both_languages(language: Language) -> None:
    found = await corrections("mining/baseline", language, '{"items": [{"type": "mine", "cell": [0, 0], "s": 1}]}')
    assert found is not None
    note = decode_note(found[1]["note"])
    assert note.kind == SAID
    assert "not yours" in reason(note, "en")
    assert "不是你的地" in reason(note, "zh")
    assert found[1]["why"] == reason(note, language)


def test_an_action_is_refused_in_english_in_the_words_of_its_reader_as_ever() -> None:
    def read(raw: Any) -> Any:
        return ActionSpec.of(int).read(raw)

    error = refusal('{"a": 1}', "json", ActionSpec({}, read))
    assert error.line == "value: Input should be a valid integer (got {'a': 1})"
    assert reason(error.note, "zh") == "{'a': 1}；须为整数"
    with pytest.raises(BadAction):
        read("x")
