"""Social actions in exploration: each costs the step's one action."""

from __future__ import annotations

from games.catalog.adasociety.rules.graph import Message
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import Join, Move, Pick, Send, ShowMap
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, reasons, start, step

CONFIG = AdaSocietyConfig(mini_game="exploration", message_chars=10, message_numbers=2)


def test_a_message_is_seen_once_by_its_receiver_alone() -> None:
    state = step(CONFIG, start(CONFIG), s0=Send(2, "hello", (0.5,))).state
    assert observe(CONFIG, state, 2).messages == ((0, Message("hello", (0.5,))),)
    assert observe(CONFIG, state, 1).messages == ()
    assert all(edge.message is None for edge in observe(CONFIG, state, 2).graph.edges)
    assert observe(CONFIG, step(CONFIG, state).state, 2).messages == ()


def test_a_message_to_oneself_is_allowed() -> None:
    state = step(CONFIG, start(CONFIG), s1=Send(1, "note")).state
    assert observe(CONFIG, state, 1).messages == ((1, Message("note")),)


def test_long_texts_and_wild_numbers_are_cut_with_reasons() -> None:
    state = start(CONFIG)
    raw = Send(1, "x" * 11, (float("nan"), 7.0, 1.0))
    cleaned, why = GAME.clean(CONFIG, state, 0, raw, None)  # type: ignore[arg-type]
    assert cleaned == Send(1, "x" * 10, (0.0, 1.0))
    assert len(why) == 3
    assert GAME.clean(CONFIG, state, 0, cleaned, None) == (cleaned, ())  # type: ignore[arg-type]


def test_characters_that_no_record_can_hold_are_replaced_with_the_reason() -> None:
    state = start(CONFIG)
    cleaned, why = GAME.clean(CONFIG, state, 0, Send(1, "a\ud800b\x00"), None)  # type: ignore[arg-type]
    assert cleaned == Send(1, "a?b?")
    assert [note.kind for note in why] == ["text_unstorable"]


def test_showing_the_map_is_switched_on_and_off_and_goes_one_way() -> None:
    state = step(CONFIG, start(CONFIG), s0=ShowMap(3)).state
    assert [sight.seat for sight in observe(CONFIG, state, 3).shared] == [0]
    assert observe(CONFIG, state, 0).shared == ()
    state = step(CONFIG, state, s0=ShowMap(3)).state
    assert state.graph.edges == ()


def test_joining_a_group_leaves_the_former_one() -> None:
    state = step(CONFIG, start(CONFIG), s0=Join(1), s1=Join(1)).state
    assert state.graph.sizes == (4, 4)
    assert len(state.graph.members[1, 1]) == 2
    state = step(CONFIG, state, s0=Join(2)).state
    assert [len(state.graph.members[1, group]) for group in (1, 2)] == [1, 1]


def test_a_social_action_takes_the_place_of_a_physical_one_and_holds_the_cell() -> None:
    state = start(CONFIG)
    after = step(CONFIG, state, s0=Join(0)).state
    assert after.cells[0] == state.cells[0]


def test_who_joins_in_a_step_shares_the_rewards_of_that_step() -> None:
    settings = CONFIG.model_dump()
    settings.update(
        piles=[{"resource": "wood", "units": 5, "cells": [[0, 0]]}],
        agents=[{"role": "carpenter", "count": 2, "cells": [[0, 0], [1, 1]]}, {"role": "miner", "count": 2}],
    )
    config = AdaSocietyConfig.model_validate(settings)
    state = step(config, start(config), s0=Join(0)).state
    assert step(config, state, s0=Pick("wood"), s1=Join(0)).payoffs == {0: 0.5, 1: 0.5, 2: 0.0, 3: 0.0}


def test_unknown_seats_and_groups_are_refused() -> None:
    state = start(CONFIG)
    assert reasons(CONFIG, state, 0, Send(4)) == ("Send a message to seat number 4: seats are 0 to 3. Stayed.",)
    assert reasons(CONFIG, state, 0, ShowMap(0)) == (
        "Show the map to seat number 0: another seat from 0 to 3. Stayed.",
    )
    assert reasons(CONFIG, state, 0, Join(99)) == ("Join group 99: groups are 0 to 3. Stayed.",)
    assert reasons(CONFIG, state, 0, Move("sideways"))
