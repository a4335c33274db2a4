"""Step 0: what is struck out, what is cut, and why."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.mining.state import Item, Malformed, Message, Plan
from games.catalog.mining.tests.builder import GAME, board, clean, events, plan, told

WORLD = "AAB/.../..C"

STRUCK: list[tuple[str, str, str]] = [
    ("outside the grid", "claim 3,0", "outside the grid"),
    ("negative", "claim -1,0", "outside the grid"),
    ("mining a foreign plot", "mine 0,2 3", "not yours"),
    ("mining an unowned plot", "mine 1,1 3", "not yours"),
    ("mining less than nothing", "mine 0,0 -1", "at least 0"),
    ("defending a foreign plot", "defend 0,2", "not yours"),
    ("defending with nothing", "defend 0,0 0", "at least 1"),
    ("claiming an owned plot", "claim 0,2", "owned by seat 1"),
    ("claiming one's own plot", "claim 0,0", "owned by seat 0"),
    ("raiding one's own plot", "raid 0,0", "your own plot"),
    ("raiding an unowned plot", "raid 1,1", "unowned"),
]


@pytest.mark.parametrize(("text", "why"), [row[1:] for row in STRUCK], ids=[row[0] for row in STRUCK])
def test_illegal_items_are_struck_out_and_cost_nothing(text: str, why: str) -> None:
    cleaned, reasons = clean(board(WORLD, stamina=1), 0, plan(text, "mine 0,1 1"))
    assert told(cleaned) == ["mine 0,1 1"]
    assert len(reasons) == 1
    assert why in reasons[0]


def test_a_plot_claimed_this_round_can_neither_be_mined_nor_defended() -> None:
    cleaned, reasons = clean(board(WORLD), 0, plan("claim 1,1", "mine 1,1 3", "defend 1,1"))
    assert told(cleaned) == ["claim 1,1"]
    assert len(reasons) == 2


def test_of_two_items_on_one_plot_the_first_is_kept_and_nothing_is_summed() -> None:
    cleaned, reasons = clean(board(WORLD), 0, plan("mine 0,0 1", "defend 0,0", "mine 0,0 2"))
    assert told(cleaned) == ["mine 0,0 1", "defend 0,0"]
    assert reasons == ("Mine (0,0): stands twice in the plan. The first is kept.",)


def test_mining_is_cut_to_the_cap_before_it_is_costed() -> None:
    cleaned, reasons = clean(board(WORLD, stamina=4), 0, plan("mine 0,0 9", "claim 1,1"))
    assert told(cleaned) == ["mine 0,0 3", "claim 1,1"]
    assert reasons == ("Mine (0,0): 9 stamina; at most 3 (mining cap). Cut to 3.",)


def test_one_point_defends_where_one_blocks_all() -> None:
    assert told(clean(board(WORLD), 0, plan("defend 0,0 5"))[0]) == ["defend 0,0"]
    assert told(clean(board(WORLD, defence="per_point"), 0, plan("defend 0,0 5"))[0]) == ["defend 0,0 5"]


PRUNED: list[tuple[str, int, list[str], list[str]]] = [
    ("what fits stays", 5, ["mine 0,0 3", "defend 0,0", "claim 1,1"], ["mine 0,0 3", "defend 0,0", "claim 1,1"]),
    ("the last goes first", 4, ["mine 0,0 3", "defend 0,0", "claim 1,1"], ["mine 0,0 3", "defend 0,0"]),
    ("no mine is shrunk", 2, ["mine 0,0 3", "claim 1,1"], []),
    ("no cheaper later item is kept", 3, ["defend 0,0", "mine 0,0 3", "claim 1,1"], ["defend 0,0"]),
    ("a tail of nothing goes with it", 1, ["defend 0,0", "claim 1,1", "mine 0,1 0"], ["defend 0,0"]),
]


@pytest.mark.parametrize(("stamina", "asked", "kept"), [row[1:] for row in PRUNED], ids=[row[0] for row in PRUNED])
def test_pruning_deletes_whole_items_from_the_end(stamina: int, asked: list[str], kept: list[str]) -> None:
    assert told(clean(board(WORLD, stamina=stamina), 0, plan(*asked))[0]) == kept


def test_pruning_says_what_it_cut() -> None:
    _, reasons = clean(board(WORLD, stamina=3), 0, plan("mine 0,0 3", "defend 0,0", "claim 1,1"))
    assert reasons == ("The plan costs 5 of 3 stamina. Struck out from its end: 2 items, beginning with Defend (0,0).",)


def test_more_defences_than_stamina_are_pruned_like_all_else() -> None:
    cleaned, _ = clean(board("AAAA", stamina=2), 0, plan(*(f"defend 0,{col}" for col in range(4))))
    assert told(cleaned) == ["defend 0,0", "defend 0,1"]


@pytest.mark.parametrize(
    "item",
    [
        Item("claim", (10**30, -(10**30))),
        Item("claim", (float("nan"), 0)),  # type: ignore[arg-type]
        Item("claim", (1.0, 1.0)),  # type: ignore[arg-type]
        Item("claim", [1, 1]),  # type: ignore[arg-type]
        Item("claim", (True, True)),
        Item("claim", None),  # type: ignore[arg-type]
        Item("burn", (0, 0)),  # type: ignore[arg-type]
        Item("mine", (0, 0), float("nan")),  # type: ignore[arg-type]
        Item("mine", (0, 0), 10**30),
        Malformed("x", "cell"),
    ],
    ids=repr,
)
def test_whatever_a_typed_item_holds_it_is_struck_out_and_never_raises(item: Any) -> None:
    cleaned, reasons = clean(board(WORLD), 0, Plan((item,)))
    assert cleaned.items == ()
    assert len(reasons) == 1
    assert "\n" not in reasons[0]
    assert clean(board(WORLD), 0, cleaned) == (cleaned, ())


def test_no_answer_is_a_round_of_nothing() -> None:
    assert clean(board(WORLD), 0, None) == (Plan(origin="none"), ())


# --- rationalisation ------------------------------------------------------------------------------


def test_no_plan_is_replaced_by_a_drawn_one_where_that_is_asked_for() -> None:
    world = board(WORLD, rationalisation="seeded")
    drawn, reasons = clean(world, 0, None)
    assert drawn.origin == "drawn"
    assert sum(item.s for item in drawn.items if isinstance(item, Item)) == 10
    assert reasons == (f"No plan could be read; {len(drawn.items)} items were drawn from the seed (rationalisation).",)
    assert clean(world, 0, drawn) == (drawn, ())
    assert clean(world, 0, None) == (drawn, reasons)


def test_a_plan_of_which_nothing_legal_is_left_is_replaced_and_its_messages_stay() -> None:
    world = board(WORLD, rationalisation="seeded", messages=1)
    drawn, reasons = clean(world, 0, plan("claim 9,9", messages=[Message(None, "hi")]))
    assert drawn.origin == "drawn"
    assert drawn.messages == (Message(None, "hi"),)
    assert len(reasons) == 2


def test_a_plan_of_which_something_is_left_and_a_plan_of_nothing_are_kept() -> None:
    world = board(WORLD, rationalisation="seeded")
    assert clean(world, 0, plan("claim 9,9", "claim 1,1"))[0] == plan("claim 1,1")
    assert clean(world, 0, plan()) == (plan(), ())


def test_different_seats_and_rounds_draw_different_plans() -> None:
    world = board("AAAAA/BBBBB/CCCCC/.....", rationalisation="seeded")
    plans = {clean(world, seat, None)[0].items for seat in range(3)}
    later = clean(world.changed(round=11), 0, None)[0].items
    assert len(plans | {later}) == 4


# --- messages -------------------------------------------------------------------------------------


def test_messages_are_bounded_in_number_and_length_and_survive_illegal_plans() -> None:
    world = board(WORLD, messages=2, message_length=5)
    cleaned, reasons = clean(
        world, 0, plan("claim 9,9", messages=[Message(None, "far too long"), Message((1,), "b"), Message(None, "c")])
    )
    assert cleaned.messages == (Message(None, "far t"), Message((1,), "b"))
    assert len(reasons) == 3


def test_messages_reach_other_seats_that_exist() -> None:
    world = board(WORLD, messages=3)
    sent = [Message((0, 2, 1, 2, 99), "a"), Message((0,), "b"), Message((), "c")]
    cleaned, _ = clean(world, 0, plan(messages=sent))
    assert cleaned.messages == (Message((1, 2), "a"),)
    assert clean(world, 0, cleaned) == (cleaned, ())


def test_where_nobody_may_talk_messages_are_struck_out() -> None:
    cleaned, reasons = clean(board(WORLD), 0, plan("claim 1,1", messages=[Message(None, "hi")]))
    assert cleaned == plan("claim 1,1")
    assert "messages 0" in reasons[0]


def test_messages_are_told_to_sender_and_recipients() -> None:
    world = board(WORLD, messages=3)
    sent = plan(messages=[Message((0,), "psst"), Message(None, "all")])
    resolved = GAME.resolve(world.config, world.state, {0: plan(), 1: plan(), 2: sent}, world.rng)
    assert [event.to for event in events(resolved, "message_sent")] == [(0, 2)]
    assert [event.to for event in events(resolved, "message_announced")] == [None]
