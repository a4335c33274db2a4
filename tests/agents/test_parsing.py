"""Replies as models write them, and what may be made of each."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.parsing import BadReply, Format, read_reply, tokens_of
from games.core.answers import ActionSpec, BadAction


def _numbers(raw: Any) -> list[int]:
    if isinstance(raw, dict):
        raw = raw.get("items")
    if not isinstance(raw, list) or not all(isinstance(part, int) for part in raw):
        raise BadAction("items: a list of whole numbers is needed")
    return raw


SPEC: ActionSpec[Any] = ActionSpec({"type": "object", "properties": {"items": {"type": "array"}}}, _numbers)
TOKENS = {"C": {"move": "C"}, "D": {"move": "D"}}
MOVES: ActionSpec[Any] = ActionSpec({}, lambda raw: raw["move"])


@pytest.mark.parametrize(
    ("text", "value", "commentary"),
    [
        ('{"items": [1, 2]}', [1, 2], ""),
        ('I hold on.\n```json\n{"items": [3]}\n```\nThat is all.', [3], "I hold on.\nThat is all."),
        ('{"commentary": "mine first", "items": [4]}', [4], "mine first"),
        ('Either {"items": [1]} or, better: {"items": [2]}', [2], 'Either {"items": [1]} or, better:'),
        ("A set {a, b} and then [5, 6]", [5, 6], "A set {a, b} and then"),
        ('{"items": [7], "scratchpad": "remember"}', [7], ""),
    ],
)
def test_the_last_whole_json_is_the_answer_and_the_rest_is_commentary(
    text: str, value: list[int], commentary: str
) -> None:
    answer = read_reply(text, False, "json", SPEC, {})
    assert (answer.value, answer.commentary) == (value, commentary)


@pytest.mark.parametrize(
    ("text", "form", "kind"),
    [
        ("", "json", "unparseable"),
        ("   \n", "structured", "unparseable"),
        ("I would rather not.", "json", "unparseable"),
        ('{"items": [1, 2],}', "json", "unparseable"),
        ('{"items": [NaN]}', "json", "unparseable"),
        ("[" * 100_000, "json", "unparseable"),
        ('{"items": [1, 2', "json", "truncated"),
        ('{"items": [1], "note": "and so', "json", "truncated"),
        ('{"items": "all"}', "json", "illegal"),
        ("{}", "structured", "illegal"),
        ("", "token", "unparseable"),
        ("I play C", "token", "unparseable"),
        ("E", "token", "illegal"),
        ("Ｃ", "token", "illegal"),
        ("no plan here", "plan", "unparseable"),
        ("PLAN:", "plan", "unparseable"),
        ('PLAN: {"items": [1', "plan", "truncated"),
        ('PLAN: {"items": "x"}', "plan", "illegal"),
    ],
)
def test_a_reply_that_cannot_be_used_is_one_of_three_failures(text: str, form: Format, kind: str) -> None:
    with pytest.raises(BadReply) as caught:
        read_reply(text, False, form, MOVES if form == "token" else SPEC, TOKENS)
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)


def test_half_of_a_broken_answer_is_never_taken_for_the_whole() -> None:
    with pytest.raises(BadReply):
        read_reply('{"items": [1, 2], "messages": [,]}', False, "json", SPEC, {})


def test_a_reply_that_was_cut_is_refused_even_where_it_can_be_read() -> None:
    with pytest.raises(BadReply) as caught:
        read_reply('{"items": [1]}', True, "json", SPEC, {})
    assert caught.value.kind == "truncated"


@pytest.mark.parametrize(("text", "move"), [("C", "C"), (" d\n", "D"), ("c", "C")])
def test_a_token_stands_alone_in_either_case(text: str, move: str) -> None:
    assert read_reply(text, False, "token", MOVES, TOKENS).value == move


def test_actions_of_one_text_name_their_own_tokens() -> None:
    assert tokens_of(["C", "D"], lambda action: {"move": action}) == TOKENS
    with pytest.raises(ValueError, match="no single token"):
        tokens_of([1], lambda action: {"amount": action})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('I think.\nPLAN: {"items": [1, 2]}', [1, 2]),
        ("**Plan:** [3]", [3]),
        ("计划：[4]", [4]),
        ("PLAN: [1]\nOn second thoughts.\nPLAN: [5]", [5]),
    ],
)
def test_a_plan_follows_its_label(text: str, value: list[int]) -> None:
    assert read_reply(text, False, "plan", SPEC, {}).value == value


def test_a_plan_may_be_labels_between_commas() -> None:
    words: ActionSpec[Any] = ActionSpec({}, lambda raw: raw)
    assert read_reply("PLAN: gather wood, sell; rest", False, "plan", words, {}).value == [
        "gather wood",
        "sell",
        "rest",
    ]
