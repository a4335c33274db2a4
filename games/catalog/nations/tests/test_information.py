"""Who knows what: by the config, in observations, news and views."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.tests.builder import GAME, World, world
from games.core.game import All, Public


def seen(now: World, seat: int) -> Any:
    return GAME.observe(now.config, now.state, seat, ())


@pytest.mark.parametrize(("setting", "hears"), [("own", False), ("all", True)])
def test_a_private_message_reaches_its_receivers_and_others_only_by_config(setting: str, hears: bool) -> None:
    here = world("ABC", settings={"messages_seen": setting})
    after = here.after(A={"messages": [[["Brevia"], "secret"]]})
    assert len(after.told("B", "message_sent")) == 1
    assert bool(after.told("C", "message_sent")) == hears
    assert [event.visible_to(Public()) for event in after.events if event.kind == "message_sent"] == [hears]


@pytest.mark.parametrize(("setting", "hears"), [("own", False), ("all", True)])
def test_attacks_are_known_to_all_or_to_the_two(setting: str, hears: bool) -> None:
    after = world("ABC", settings={"attacks_seen": setting}, A=1).after(A={"attacks": [["Brevia", 1]]})
    for letter, knows in (("A", True), ("B", True), ("C", hears)):
        assert bool(after.told(letter, "nation_attacked")) == knows
        assert bool(after.view(letter)["attacks"]) == knows
        assert bool(seen(after, "ABC".index(letter)).battles) == knows


@pytest.mark.parametrize(("setting", "other"), [("own", None), ("all", 4)])
def test_armies_of_others_are_hidden_or_shown(setting: str, other: int | None) -> None:
    here = world("ABC", settings={"armies_seen": setting}, B=4)
    seats: Any = here.after().view("A")["seats"]
    assert seats[1]["army"] == other
    assert (seen(here, 0).public.armies is None) == (other is None)


def test_grants_are_known_to_the_two_and_what_was_meant_to_the_giver_alone() -> None:
    after = world("ABC").after(A={"grants": [["Brevia", 15]]})
    giver, receiver, third = (seen(after, seat).payments for seat in range(3))
    assert [(one.wanted, one.paid) for one in giver] == [(1500, 1000)]
    assert [(one.wanted, one.paid) for one in receiver] == [(1000, 1000)]
    assert third == ()
    assert [after.view(letter)["grants"] for letter in "C"] == [[]]


def test_a_goal_is_told_to_its_seat_alone() -> None:
    here = world("ABC", settings={"goals": [{"seat": 0, "kind": "rival", "rival": 1, "text": "Ruin Brevia."}]})
    assert seen(here, 0).goal is not None
    assert seen(here, 1).goal is None
    for eyes, shown in ((All(), True), (Public(), False)):
        seats: Any = GAME.view(here.config, here.state, eyes)["seats"]
        assert (seats[0]["goal"] is not None) == shown


def test_an_unknown_end_stands_nowhere_that_a_nation_looks() -> None:
    here = world("ABC", settings={"end_known": False, "turns": 9})
    assert seen(here, 0).public.turns is None
    assert here.after().view("A")["turns"] is None
    assert GAME.horizon(here.config) is None
