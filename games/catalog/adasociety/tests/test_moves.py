"""Who ends up where when all step at once."""

from __future__ import annotations

from collections import Counter

import pytest

from games.catalog.adasociety.rules.moves import settle_moves
from games.catalog.adasociety.rules.state import BLOCK, Dump, Move, Synthesize
from games.catalog.adasociety.tests.build import held, start, step, world
from games.core.rng import Rng

CORRIDOR = [-1] * 8


def standing(cells: list[int]) -> list[int]:
    return [cells.index(cell) if cell in cells else -1 for cell in range(len(CORRIDOR))]


def settled(cells: list[int], targets: dict[int, int], terrain: list[int] | None = None) -> list[int]:
    return settle_moves(cells, standing(cells), targets, terrain or CORRIDOR, BLOCK, Rng(1))[0]


@pytest.mark.parametrize(
    ("name", "cells", "targets", "after"),
    [
        ("alone to a free cell", [0], {0: 1}, [1]),
        ("swap", [0, 1], {0: 1, 1: 0}, [1, 0]),
        ("follow", [0, 1], {0: 1, 1: 2}, [1, 2]),
        ("a long file", [0, 1, 2, 3], {0: 1, 1: 2, 2: 3, 3: 4}, [1, 2, 3, 4]),
        ("cycle of three", [0, 1, 2], {0: 1, 1: 2, 2: 0}, [1, 2, 0]),
        ("into one who stays", [0, 1], {0: 1}, [0, 1]),
        ("a file behind one who stays", [0, 1, 2], {0: 1, 1: 2}, [0, 1, 2]),
    ],
)
def test_steps_go_through_unless_somebody_stays(
    name: str, cells: list[int], targets: dict[int, int], after: list[int]
) -> None:
    assert settled(cells, targets) == after


def test_a_block_bounces_and_whoever_follows_bounces_too() -> None:
    terrain = [-1, -1, BLOCK, -1]
    assert settled([0, 1], {0: 1, 1: 2}, terrain) == [0, 1]


def test_of_two_who_want_a_cell_one_gets_it_and_the_other_blocks_its_follower() -> None:
    for key in range(20):
        after, contests = settle_moves([0, 2, 3], standing([0, 2, 3]), {0: 1, 1: 1, 2: 2}, CORRIDOR, BLOCK, Rng(key))
        assert after in ([1, 2, 3], [0, 1, 2])
        assert contests == [(1, 0 if after[0] == 1 else 1, (0, 1))]


def test_a_swap_with_a_rival_moves_either_the_pair_or_nobody_of_it() -> None:
    seen = set()
    for key in range(40):
        after, _ = settle_moves([0, 1, 7], standing([0, 1, 7]), {0: 1, 1: 0, 2: 0}, CORRIDOR, BLOCK, Rng(key))
        seen.add(tuple(after))
    assert seen == {(1, 0, 7), (0, 1, 7)}, "a rival who wins a cell cannot enter it when its holder is bounced"


@pytest.mark.parametrize("rivals", [2, 3])
def test_a_contested_cell_is_drawn_uniformly(rivals: int) -> None:
    wins: Counter[int] = Counter()
    cells = [0, 2, 5][:rivals]
    for key in range(3000):
        after, contests = settle_moves(
            cells, standing(cells), dict.fromkeys(range(rivals), 7), CORRIDOR, BLOCK, Rng(key)
        )
        wins[contests[0][1]] += 1
        assert sum(cell == 7 for cell in after) == 1
    assert all(abs(wins[seat] - 3000 / rivals) < 4 * (3000 * (rivals - 1) / rivals**2) ** 0.5 for seat in range(rivals))


def test_the_map_wraps_on_both_axes() -> None:
    config = world("0 . .\n. . .\n. . .")
    assert step(config, start(config), s0=Move("up")).state.cells == (6,)
    assert step(config, start(config), s0=Move("left")).state.cells == (2,)


def test_nobody_enters_the_cell_of_one_who_works_there() -> None:
    config = world("0 1H . \n . . .\n . . .")
    state = held(config, start(config), s1={"wood": 1, "stone": 1})
    for work in (Synthesize(), Dump("wood")):
        after = step(config, state, s0=Move("right"), s1=work).state
        assert after.cells == (0, 1)
        assert after.bags != state.bags


def test_a_contest_is_told_to_those_who_wanted_the_cell() -> None:
    config = world("0 . 1\n. . .\n. . .")
    resolved = step(config, start(config), s0=Move("right"), s1=Move("left"))
    told = [event for event in resolved.events if event.kind == "cell_contested"]
    assert [(event.data["cell"], event.data["seats"], event.to) for event in told] == [([0, 1], [0, 1], (0, 1))]
