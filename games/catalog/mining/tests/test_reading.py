"""Untrusted answers: both forms, and all the junk that there is."""

from __future__ import annotations

import math
from typing import Any

import pytest

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.reading import action_spec
from games.catalog.mining.state import Item, Malformed, Message, Plan
from games.catalog.mining.tests.builder import board, clean, told
from games.core import codec
from games.core.answers import BadAction

CONFIG = MiningConfig(messages=2)


def read(raw: Any) -> Plan:
    return action_spec(CONFIG).read(raw)


def test_a_bare_list_and_a_list_under_items_are_the_same_plan() -> None:
    items = [{"type": "mine", "cell": [0, 1], "s": 2}, {"type": "claim", "cell": [3, 4]}]
    expected = Plan((Item("mine", (0, 1), 2), Item("claim", (3, 4))))
    assert read(items) == read({"items": items}) == read({"plan": items}) == read({"actions": items}) == expected


def test_four_fields_are_flattened_in_the_order_in_which_they_stand() -> None:
    fields = {"mine": [{"cell": [0, 0], "s": 3}], "claim": [[1, 1], [2, 2]], "raid": [[5, 5]], "defend": [[0, 0]]}
    assert told(read(fields)) == ["mine 0,0 3", "claim 1,1", "claim 2,2", "raid 5,5", "defend 0,0"]
    contract = {name: fields[name] for name in ("claim", "raid", "defend", "mine")}
    assert told(read(contract)) == ["claim 1,1", "claim 2,2", "raid 5,5", "defend 0,0", "mine 0,0 3"]


def test_commentary_beside_the_fields_is_ignored() -> None:
    assert told(read({"thought": "I shall claim.", "claim": [[0, 0]], "origin": "drawn", "unread": 9})) == ["claim 0,0"]
    assert read({"origin": "drawn", "items": []}).origin == "own"


def test_a_plot_may_be_named_by_its_number() -> None:
    assert told(read([{"type": "claim", "plot": 37}])) == ["claim 3,7"]


def test_a_defence_may_carry_points_and_a_claim_never_costs_more_than_one() -> None:
    assert told(read({"defend": [{"cell": [0, 0], "s": 3}], "claim": [{"cell": [1, 1], "s": 9}]})) == [
        "defend 0,0 3",
        "claim 1,1",
    ]


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "burn", "cell": [0, 0]},
        {"type": ["mine"], "cell": [0, 0]},
        {"type": "mine", "cell": [0, 0]},
        {"type": "mine", "cell": [0, 0], "s": "3"},
        {"type": "mine", "cell": [0, 0], "s": math.nan},
        {"type": "mine", "cell": [0, 0], "s": 2.0},
        {"type": "mine", "cell": [0, 0], "s": True},
        {"type": "mine", "cell": [0, 0], "s": 10**30},
        {"type": "claim", "cell": [0]},
        {"type": "claim", "cell": "0,0"},
        {"type": "claim", "cell": [0.0, 1]},
        {"type": "claim", "cell": [False, True]},
        {"type": "claim", "cell": [10**30, 0]},
        {"type": "claim"},
        "claim",
        None,
        7,
        [],
    ],
    ids=repr,
)
def test_a_part_that_is_no_item_survives_reading_and_is_struck_out_with_a_reason(raw: Any) -> None:
    plan = read([{"type": "claim", "cell": [0, 0]}, raw])
    assert isinstance(plan.items[1], Malformed)
    cleaned, reasons = clean(board(".../..."), 0, plan)
    assert told(cleaned) == ["claim 0,0"]
    assert len(reasons) == 1
    assert reasons[0].endswith("Struck out.")
    assert len(reasons[0]) < 200


@pytest.mark.parametrize("raw", [None, True, 3, math.nan, math.inf, "claim (0,0)", "", {}, {"thought": "hm"}], ids=repr)
def test_what_holds_no_plan_at_all_is_refused_in_one_line(raw: Any) -> None:
    with pytest.raises(BadAction) as refused:
        read(raw)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "many",
    [
        [{"type": "mine", "cell": [0, 0], "s": 1}] * 1_000_000,
        {"claim": [[0, 0]] * 1_000_000, "raid": [[0, 0]] * 1_000_000},
        [None] * 1_000_000,
    ],
    ids=["list", "fields", "junk"],
)
def test_a_million_items_are_bounded_and_it_is_said(many: Any) -> None:
    plan = read(many)
    assert len(plan.items) == 4 * 100
    assert plan.unread >= 1_000_000 - 400
    _, reasons = clean(board("A" + "." * 9), 0, plan)
    assert any("only the first 400 were read" in reason for reason in reasons)
    assert len(reasons) <= 21


def test_a_flood_of_typed_items_is_cleaned_to_a_few_reasons() -> None:
    flood = Plan((Item("raid", (5, 5)),) * 100_000)
    cleaned, reasons = clean(board("AB"), 0, flood)
    assert cleaned.items == ()
    assert len(reasons) <= 21


def test_a_plan_that_was_stored_reads_back_as_itself() -> None:
    plan = Plan((Item("mine", (0, 1), 2), Item("raid", (2, 2))), (Message(None, "peace"), Message((1, 2), "war")))
    assert read(codec.plain(codec.dump(Plan, plan))) == plan
    assert codec.load(Plan, codec.plain(codec.dump(Plan, plan))) == plan


def test_messages_are_read_to_one_to_several_or_to_all() -> None:
    plan = read(
        {"messages": ["hello", {"to": "all", "text": "a"}, {"to": 3, "text": "b"}, {"to": [1, 2], "text": "c"}]}
    )
    assert plan.messages == (Message(None, "hello"), Message(None, "a"), Message((3,), "b"), Message((1, 2), "c"))
    assert plan.items == ()


def test_the_schema_names_messages_only_where_there_are_any() -> None:
    assert "messages" in str(action_spec(CONFIG).schema)
    assert "messages" not in str(action_spec(MiningConfig()).schema)
