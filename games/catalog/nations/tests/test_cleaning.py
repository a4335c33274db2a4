"""What is illegal is dropped item by item with its reason, and the turn goes on."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.reading import action_spec
from games.catalog.nations.tests.builder import GAME, World, world
from games.core.answers import BadAction


def notes_of(here: World, raw: Any) -> list[str]:
    _, notes = here.cleaned(A=raw)
    return [note.kind for note in notes.get(0, ())]


HERE = world("AABC", A=5)


@pytest.mark.parametrize(
    ("raw", "kinds"),
    [
        ({"buy": -3}, ["mils_range"]),
        ({"buy": 1.5}, ["unread_buy"]),
        ({"buy": True}, ["unread_buy"]),
        ({"buy": 10**400}, ["unread_buy"]),
        ({"disband": -1}, ["mils_range"]),
        ({"attacks": [["Aldor", 1]]}, ["to_oneself"]),
        ({"attacks": [["Ruritania", 1]]}, ["unread_attacks"]),
        ({"attacks": [[7, 1]]}, ["no_such_nation"]),
        ({"attacks": [["Brevia", 0.5]]}, ["unread_attacks"]),
        ({"attacks": [["Brevia", 0]]}, ["too_few_mils"]),
        ({"attacks": [["Brevia", -2]]}, ["too_few_mils"]),
        ({"cede": [[3, "Corvane"]]}, ["not_yours"]),
        ({"cede": [[9, "Corvane"]]}, ["no_such_territory"]),
        ({"cede": [[1, "Aldor"]]}, ["to_oneself"]),
        ({"cede": [[1, "Brevia"], [1, "Corvane"]]}, ["ceded_twice"]),
        ({"grants": [["Brevia", -5]]}, ["too_little_money"]),
        ({"grants": [["Brevia", 0.001]]}, ["unread_grants"]),
        ({"grants": [["Brevia", "5"]]}, ["unread_grants"]),
        ({"grants": [["Aldor", 5]]}, ["to_oneself"]),
        ({"resources": [["Brevia", "food", 1]]}, ["no_resources"]),
        ({"messages": [["all", "x" * 100_000]]}, ["message_too_long"]),
        ({"messages": [["all", "a\x00b"]]}, ["message_unstorable"]),
        ({"messages": [[["Aldor"], "me"]]}, ["sent_to_nobody"]),
        ({"messages": [["all", "x"]] * 6}, ["too_many_messages", "too_many_messages"]),
        ({"messages": [{"to": "all", "text": "x", "promise": {"kind": "peace", "turns": 0}}]}, ["no_promise"]),
    ],
)
def test_each_fault_has_its_note_and_the_rest_stands(raw: dict[str, Any], kinds: list[str]) -> None:
    assert notes_of(HERE, raw) == kinds
    orders, _ = HERE.cleaned(A={"disband": 1, **raw})
    assert orders[0].disband == (0 if "disband" in raw else 1)
    HERE.after(A=raw)


def test_attacks_beyond_the_army_are_cut_off_in_their_order() -> None:
    orders, notes = HERE.cleaned(A={"attacks": [["Brevia", 3], ["Corvane", 4], ["Brevia", 1]]})
    assert [(one.on, one.mils) for one in orders[0].attacks] == [(1, 3), (2, 2)]
    assert [(note.data["mils"], note.data["left"]) for note in notes[0]] == [(4, 2), (1, 0)]


def test_in_proportion_attacks_beyond_the_army_are_all_scaled_down() -> None:
    here = world("AABC", settings={"cut_off": "in_proportion"}, A=5)
    orders, _ = here.cleaned(A={"attacks": [["Brevia", 6], ["Corvane", 4]]})
    assert [(one.on, one.mils) for one in orders[0].attacks] == [(1, 3), (2, 2)]


def test_a_territory_crosses_a_border_only() -> None:
    here = world("AABC", settings={"borders": [[2, 3]]})
    assert notes_of(here, {"cede": [[2, "Brevia"]]}) == []
    assert notes_of(here, {"cede": [[2, "Corvane"]]}) == ["no_border"]
    assert notes_of(here, {"cede": [[1, "Brevia"]]}) == ["no_border"]


def test_resources_are_cut_off_at_what_the_kept_territories_provide() -> None:
    here = world("AABC", settings={"resources": {"provided": [(4, 0, 0)] * 4}})
    raw = {"cede": [[1, "Brevia"]], "resources": [["Brevia", "energy", 3], ["Corvane", "energy", 3]]}
    orders, notes = here.cleaned(A=raw)
    assert [(one.to, one.amount) for one in orders[0].resources] == [(1, 3), (2, 1)]
    assert [note.kind for note in notes[0]] == ["resource_cut"]


@pytest.mark.parametrize("raw", [None, [], "peace", 3, {"thought": "hm"}])
def test_what_holds_no_orders_is_refused_as_a_whole(raw: Any) -> None:
    with pytest.raises(BadAction):
        action_spec(HERE.config).read(raw)


def test_nations_go_by_name_in_any_case_or_by_number() -> None:
    orders, notes = HERE.cleaned(A={"attacks": [{"on": "bREVIA ", "mils": 1}, {"on": 2, "mils": 1}]})
    assert [one.on for one in orders[0].attacks] == [1, 2]
    assert not notes


def test_silence_is_no_order() -> None:
    assert GAME.clean(HERE.config, HERE.state, 0, None, None)[0].buy == 0  # type: ignore[arg-type]


def test_orders_beyond_all_bounds_are_cut_off_like_any_other() -> None:
    here = world("AABC", A=5)
    orders, notes = here.cleaned(A={"buy": 10**9, "attacks": [["Brevia", 10**9]], "disband": 10**12})
    assert [(one.on, one.mils) for one in orders[0].attacks] == [(1, 5)]
    assert sorted(note.kind for note in notes[0]) == ["attack_cut", "mils_cut"]
    after = here.after(A={"disband": 10**12, "grants": [["Brevia", 10**12]]})
    assert (after.account("A").granted, after.account("A").disbanded) == (1000, 5)
    assert world("AABC").after(A={"buy": 10**9}).account("A").bought == 1
