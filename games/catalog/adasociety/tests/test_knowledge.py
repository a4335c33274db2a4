"""The tree is unknown: nothing that reaches a seat names what it has neither seen nor held."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

import pytest

from games.catalog.adasociety import PACK
from games.catalog.adasociety.rules.crafting import changed
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import Dump, ShowMap
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.synthesis import EVENTS, RESOURCES
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME, held, start, step, world
from games.core import codec
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import SeatEyes
from games.lab.learning.adasociety import preset_config


def exploration() -> AdaSocietyConfig:
    config = preset_config("exploration")
    assert isinstance(config, AdaSocietyConfig)
    return config


def everything_sent(config: AdaSocietyConfig, step_: Any, seat: int) -> str:
    """All that a seat receives after a step: observation, schema, options, view, its events and notes."""
    observation = observe(config, step_.state, seat)
    spec = GAME.actions(config, step_.state, seat)
    parts = [
        repr(observation),
        json.dumps(spec.schema),
        repr(spec.options),
        codec.canonical(GAME.view(config, step_.state, SeatEyes(seat))).decode(),
        repr([(event.kind, event.data) for event in step_.events_for(SeatEyes(seat))]),
        repr(step_.notes.get(seat, ())),
    ]
    return "\n".join(parts)


def test_a_seat_that_has_seen_no_totem_is_never_told_of_one() -> None:
    config = exploration()
    decider = deciding(PACK.policies["random"].bind())
    unseen = ("totem", "gem", "cutter", "pottery", "pickaxe", "shovel")
    for told in play(GAME, config, 5, dict.fromkeys(range(8), decider)):
        if told.index > 60:
            break
        if told.index % 10 == 0:
            for seat in range(8):
                text = everything_sent(config, told, seat)
                assert not [name for name in unseen if name in text], (told.index, seat)


@pytest.mark.parametrize("seat", range(4))
def test_whatever_is_not_known_is_nowhere_named(seat: int) -> None:
    config = exploration()
    decider = deciding(PACK.policies["random"].bind())
    for told in play(GAME, config, 11, dict.fromkeys(range(8), decider)):
        if told.index > 100:
            break
        if told.index % 20 == 0 and told.state.step < config.horizon:
            known = told.state.known[seat]
            names = (*RESOURCES, *EVENTS)
            hidden = {name for bit, name in enumerate(names) if not known >> bit & 1}
            words = set(everything_sent(config, told, seat).replace('"', " ").replace("'", " ").split())
            assert not hidden & words, (told.index, hidden & words)


def test_what_is_seen_in_a_shared_window_is_known() -> None:
    config = world("0 . . . .\n. . . . .\n. . 1 . .\n. . . . .\n. . . . .", "miner miner", mini_game="exploration",
                   piles={(2, 2): ("coal", 1)}, sight=1)  # fmt: skip
    state = start(config)
    task = task_of(config)
    state = held(config, state, s1={"hammer": 1})
    coal = task.resource_index["coal"]
    state = type(state)(**{**state.__dict__, "known": (0, state.known[1])})
    assert not state.known[0] >> coal & 1
    resolved = step(config, state, s1=ShowMap(0))
    assert resolved.state.known[0] >> coal & 1
    shared = observe(config, resolved.state, 0).shared
    assert [sight.seat for sight in shared] == [1]
    assert ((coal, 1),) in [stack for _, stack in shared[0].things]


def test_what_was_known_stays_known_after_the_tool_is_gone() -> None:
    config = world("0 . .\n. . .\n. . .", "miner", piles={(0, 1): ("coal", 1)})
    state = start(config)
    coal = task_of(config).resource_index["coal"]
    assert not state.known[0] >> coal & 1
    state = type(state)(**{**state.__dict__, "bags": ((0, 0, 1, 0, 0, 0),)})
    state = step(config, state).state
    assert state.known[0] >> coal & 1
    from games.catalog.adasociety.rules.state import Dump

    assert step(config, state, s0=Dump("hammer")).state.known[0] >> coal & 1


def test_what_is_put_down_is_known_to_all_who_see_it_though_the_like_lies_near_the_place() -> None:
    drawing = """
        . . . 0 1 . .
        . . . . . . .
        . . . . . . .
    """
    config = world(drawing, piles={(0, 2): ("hammer", 1)})
    number = task_of(config).resource_index["hammer"]
    first = start(config)
    state = replace(first, bags=(changed(first.bags[0], number, 1), first.bags[1]))
    assert not state.known[1] >> number & 1, "the one that lies there is out of its sight"
    assert step(config, state, s0=Dump("hammer")).state.known[1] >> number & 1


def test_what_lies_around_a_cell_is_what_its_window_over_the_edges_holds() -> None:
    config = world(
        """
        0 . H . .
        . # . . T
        . . . . .
        . T . . 1
    """,
        piles={(3, 4): ("wood", 2)},
        sight=1,
    )
    task, land = task_of(config), start(config).land
    bits = [task.bits(event, stack) for event, stack in zip(land.terrain, land.stacks, strict=True)]
    assert any(bits)
    assert land.near(task) == [reduce(or_, window(bits)) for window in task.windows]
