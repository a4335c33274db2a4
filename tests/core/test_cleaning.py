"""Untrusted answers: what is read, struck out and cut, with a note of each, whatever the junk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.core import cleaning
from games.core.answers import Note
from games.core.cleaning import QUOTE_LENGTH, Bound, Bounds, Notes, Talk, Unreadable


@dataclass(frozen=True, slots=True)
class Letter:
    to: tuple[int, ...] | None
    text: str


@dataclass(frozen=True, slots=True)
class Smudge:
    text: str
    part: str


def flat(notes: Sequence[Note]) -> list[tuple[str, dict[str, Any]]]:
    return [(note.kind, dict(note.data)) for note in notes]


# --- reading --------------------------------------------------------------------------------------


def test_quotes_are_short_and_printable_whatever_is_quoted() -> None:
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    for value in (10**5000, "x" * 10**6, "\x00\n\ud800", deep, {"a": ["b"] * 10**6}, object(), -(10**40)):
        assert len(cleaning.quote(value)) <= QUOTE_LENGTH
        assert cleaning.quote(value).isprintable()
        assert cleaning.quote(value).isascii()


@pytest.mark.parametrize(
    ("value", "more", "text"),
    [
        (2**31 - 1, {}, "2147483647"),
        (-(2**31), {}, "a number of 32 bits"),
        (2**62, {"beyond": 1 << 63}, str(2**62)),
        (True, {}, "True"),
        (math.nan, {}, "nan"),
        (None, {}, "None"),
        ("a\n\u00e9", {}, "'a\\n\\xe9'"),
        ([1, 2, 3, 4], {}, "[1, 2, 3, 4]"),
        ([1, 2, 3, 4, 5], {}, "[1, 2, 3, 4, ...]"),
        ((1, 2, 3, 4, 5), {"more": ""}, "[1, 2, 3, 4]"),
        ([[[[1]]]], {}, "[[[...]]]"),
        ([{"a": 1}], {"depth": 1}, "[...]"),
        ({"to": [1], "text": "hi"}, {}, "{'to': [1], 'text': 'hi'}"),
        (dict.fromkeys("abcde", 0), {}, "{'a': 0, 'b': 0, 'c': 0, 'd': 0, ...}"),
        ({1}, {}, "set"),
    ],
    ids=str,
)
def test_a_quote_is_so_deep_and_so_long(value: Any, more: dict[str, Any], text: str) -> None:
    assert cleaning.quote(value, **more) == text


@pytest.mark.parametrize("value", [True, 1.0, "1", None, math.inf, [], 2**31, -(2**31)], ids=repr)
def test_what_is_no_whole_number_is_unreadable(value: Any) -> None:
    assert not cleaning.is_whole(value)
    with pytest.raises(Unreadable) as refused:
        cleaning.whole(value, "stamina")
    assert refused.value.part == "stamina"


def test_whole_numbers_are_read_up_to_what_a_game_can_use() -> None:
    assert [cleaning.whole(value) for value in (0, -5, 2**31 - 1, 1 - 2**31)] == [0, -5, 2**31 - 1, 1 - 2**31]
    assert cleaning.whole(2**53 - 1, beyond=1 << 53) == 2**53 - 1


def test_a_choice_is_read_whatever_stands_in_its_place() -> None:
    assert cleaning.chosen("food", ("energy", "food")) == "food"
    junk: tuple[Any, ...] = (["food"], None, 1, {"food": 1}, "Food")
    for value in junk:
        with pytest.raises(Unreadable):
            cleaning.chosen(value, ("energy", "food"))


def test_a_thing_alone_counts_as_a_list_of_it() -> None:
    assert cleaning.several(None) == ()
    assert cleaning.several([1, 2]) == [1, 2]
    assert cleaning.several({"a": 1}) == ({"a": 1},)
    assert cleaning.several("ab") == ("ab",)


@pytest.mark.parametrize(
    ("value", "to"), [(None, None), (" All", None), (3, (3,)), ([2, 2, -7], (2, 2, -7)), ([], ())], ids=str
)
def test_a_message_is_for_all_or_for_the_seats_that_it_names(value: Any, to: Any) -> None:
    assert cleaning.recipients(value, cleaning.whole) == to


@pytest.mark.parametrize("value", ["Brevia", [1, None], {"seat": 1}, True], ids=str)
def test_recipients_that_are_no_seats_are_unreadable(value: Any) -> None:
    with pytest.raises(Unreadable):
        cleaning.recipients(value, cleaning.whole, "recipients")


def test_no_more_seats_are_read_than_allowed() -> None:
    def never(_: Any) -> int:
        raise AssertionError("read")

    with pytest.raises(Unreadable) as refused:
        cleaning.recipients([0] * 4, never, "recipients", at_most=3)
    assert refused.value.part == "recipients"


# --- notes and bounds -----------------------------------------------------------------------------


def test_notes_are_bounded_and_the_last_counts_the_rest() -> None:
    notes = Notes()
    for at in range(20):
        notes.add("bad", at=at)
    assert notes.bounded() == tuple(notes)
    notes.add("bad", at=20)
    assert len(notes.bounded()) == 20
    assert notes.bounded()[:19] == tuple(notes[:19])
    assert notes.bounded()[19] == Note("and_more", {"count": 2})


PRICE = Bounds("price", Bound(1, "price_cut", {"least": 1}), Bound(9.5, "price_cut", {"most": 9.5}), within=1e-6)
MILS = Bounds("mils", Bound(0, "mils_range", strikes=True), Bound(100, "mils_cut", {"most": 100}))


@pytest.mark.parametrize(
    ("bounds", "number", "held", "noted"),
    [
        (PRICE, 1, 1, []),
        (PRICE, 9.5, 9.5, []),
        (PRICE, 0, 1, [("price_cut", {"do": "buy", "price": 0, "least": 1})]),
        (PRICE, 10.1234567, 9.5, [("price_cut", {"do": "buy", "price": 10.123457, "most": 9.5})]),
        (PRICE, math.inf, 9.5, [("price_cut", {"do": "buy", "price": "inf", "most": 9.5})]),
        (PRICE, math.nan, 1, [("price_cut", {"do": "buy", "price": "nan", "least": 1})]),
        (PRICE, 1e300, 9.5, [("price_cut", {"do": "buy", "price": "1e+300", "most": 9.5})]),
        (PRICE, 1 - 1e-9, 1, []),
        (MILS, -1, None, [("mils_range", {"do": "buy", "mils": -1})]),
        (MILS, 0, 0, []),
        (MILS, 100, 100, []),
        (MILS, 101, 100, [("mils_cut", {"do": "buy", "mils": 101, "most": 100})]),
        (Bounds("mils", MILS.least), 10**9, 10**9, []),
        (Bounds("mils", None, MILS.most), -5, -5, []),
    ],
)
def test_a_number_is_held_to_its_bounds_with_the_note_that_was_declared(
    bounds: Bounds, number: float, held: float | None, noted: list[Any]
) -> None:
    notes = Notes()
    assert bounds.hold(number, notes, do="buy") == held
    assert flat(notes) == noted


@pytest.mark.parametrize(
    ("costs", "budget", "count"),
    [
        ([], 0, 0),
        ([3, 1, 1], 5, 3),
        ([3, 1, 1], 4, 2),
        ([3, 1], 2, 0),
        ([1, 3, 1], 3, 1),
        ([1, 1, 0], 1, 1),
        ([1, 0, 1], 1, 2),
    ],
)
def test_a_budget_strikes_whole_parts_from_the_end(costs: list[int], budget: int, count: int) -> None:
    assert cleaning.affordable(costs, budget) == count
    assert sum(costs[:count]) <= budget


@pytest.mark.parametrize(
    ("wanted", "budget", "parts"), [([3, 4, 1], 5, [3, 2, 0]), ([3], 5, [3]), ([], 5, []), ([2, 2], 0, [0, 0])]
)
def test_a_budget_that_is_given_out_in_order_ends_where_it_is_spent(
    wanted: list[int], budget: int, parts: list[int]
) -> None:
    assert cleaning.cut_in_order(wanted, budget) == parts


# --- others, and messages to them -----------------------------------------------------------------


@pytest.mark.parametrize("to", [1, 3, -1, 4, True, 2.0, "2", None, 2**40], ids=repr)
def test_another_is_a_seat_that_exists_and_is_not_ones_own(to: Any) -> None:
    assert cleaning.is_other(to, 1, 4) == (to == 3)


TALK = Talk(4, 2, 5, lambda to, known: ("sent_to", {"asked": len(to), "to": known}))


def sent(talk: Talk, *messages: Any) -> tuple[list[Any], list[Any]]:
    notes = Notes()
    return list(talk.clean(1, messages, notes, Smudge)), flat(notes)


@pytest.mark.parametrize(
    ("message", "legal", "noted"),
    [
        (Letter(None, "peace"), Letter(None, "peace"), []),
        (Letter((0, 3), "peace"), Letter((0, 3), "peace"), []),
        (Letter((3, 0, 3), "hi"), Letter((0, 3), "hi"), [("sent_to", {"text": "hi", "asked": 3, "to": (0, 3)})]),
        (Letter((1, 0, 9), "hi"), Letter((0,), "hi"), [("sent_to", {"text": "hi", "asked": 3, "to": (0,)})]),
        (Letter((1,), "hi"), None, [("sent_to", {"text": "hi", "asked": 1, "to": ()})]),
        (Letter((), "hi"), None, [("sent_to", {"text": "hi", "asked": 0, "to": ()})]),
        (Letter(None, "a\x00\ud800"), Letter(None, "a??"), [("message_unstorable", {"text": "a??"})]),
        (
            Letter(None, "far too"),
            Letter(None, "far t"),
            [("message_too_long", {"text": "far too", "length": 7, "most": 5})],
        ),
        (
            Letter(None, "a\x00" + "b\n" * 40),
            Letter(None, "a?b\nb"),
            [
                ("message_unstorable", {"text": "a?" + "b " * 29 + "…"}),
                ("message_too_long", {"text": "a?" + "b " * 29 + "…", "length": 82, "most": 5}),
            ],
        ),
        (Smudge("[1]", "recipients"), None, [("unread_recipients", {"what": "[1]"})]),
    ],
    ids=str,
)
def test_a_message_reaches_others_as_far_as_it_can(message: Any, legal: Any, noted: list[Any]) -> None:
    assert sent(TALK, message) == ([] if legal is None else [legal], noted)
    if legal is not None:
        assert sent(TALK, legal) == ([legal], [])


def test_only_messages_that_can_be_sent_count_towards_the_most() -> None:
    many = [Letter((1,), "me"), *(Letter(None, text) for text in "abc"), Smudge("7", "text")]
    legal, noted = sent(TALK, *many)
    assert [letter.text for letter in legal] == ["a", "b"]
    assert [kind for kind, _ in noted] == ["sent_to", "too_many_messages", "unread_text"]
    assert noted[1] == ("too_many_messages", {"text": "c", "most": 2})


def test_where_nobody_may_talk_messages_are_counted_and_struck_out() -> None:
    silent = replace(TALK, most=0)
    assert sent(silent) == ([], [])
    assert sent(silent, Letter(None, "a"), Smudge("7", "text")) == ([], [("no_talk", {"count": 2})])


def test_the_schema_of_talk_holds_its_bounds_and_what_a_game_adds() -> None:
    schema: Any = TALK.schema({"type": "integer", "maximum": 3}, promise={"type": "string"})
    assert (schema["maxItems"], schema["items"]["properties"]["text"]["maxLength"]) == (2, 5)
    assert schema["items"]["properties"]["to"]["anyOf"][1]["items"] == {"type": "integer", "maximum": 3}
    assert schema["items"]["properties"]["promise"] == {"type": "string"}
    assert schema["items"]["required"] == ["to", "text"]


def test_a_text_in_one_line_has_spaces_for_what_no_page_shows() -> None:
    assert cleaning.printable("a\nb\u202e") == "a b "
    assert cleaning.begun("x" * 60) == "x" * 60
    assert cleaning.begun("x" * 61) == "x" * 60 + "…"
