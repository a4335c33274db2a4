"""Small worlds for the tests, written as maps.

A map is rows of cells, blank between them: ``.`` nothing, ``#`` a block, ``H T S`` event grids (hammer, torch, steel),
digits the seats in order. ``piles`` names what lies where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.rules.state import STAY, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.core.game import Resolution
from games.core.rng import Rng
from games.core.words import Words

GAME = AdaSociety()
WORDS = Words(Path(__file__).parents[1] / "words")
EVENTS = {"H": "hammer_craft", "T": "torch_craft", "S": "steel_making", "G": "gem_cutting"}
HARD = {
    "carpenter": {
        "preferences": {"coal": 5, "torch": 1.5, "iron": 20 / 3},
        "capacity": {"hammer": 1, "coal": 0},
    },
    "miner": {
        "preferences": {"coal": 5, "torch": 1.5, "iron": 20 / 3},
        "capacity": {"stone": 0, "torch": 1, "iron": 0},
    },
}


def world(drawing: str, who: str = "", **settings: Any) -> AdaSocietyConfig:
    """A configuration whose map is drawn. ``who`` names each seat's role, as ``"carpenter miner"``."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    seats: dict[int, tuple[int, int]] = {}
    blocks: list[tuple[int, int]] = []
    grids: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            for letter in mark:
                if letter == "#":
                    blocks.append((r, c))
                elif letter.isdigit():
                    seats[int(letter)] = (r, c)
                elif letter in EVENTS:
                    grids.setdefault(EVENTS[letter], []).append((r, c))
    names = who.split() or ["carpenter"] * len(seats)
    roles = settings.pop("roles", HARD)
    piles = settings.pop("piles", {})
    return AdaSocietyConfig.model_validate(
        {
            "mini_game": "social_structure",
            "height": len(rows),
            "width": len(rows[0]),
            "block_cells": blocks,
            "resources": ["wood", "stone", "hammer", "coal", "torch", "iron"],
            "piles": [{"resource": name, "units": units, "cells": [place]} for place, (name, units) in piles.items()],
            "events": [{"event": event, "cells": cells} for event, cells in grids.items()],
            "roles": {name: roles[name] for name in dict.fromkeys(names)},
            "agents": [{"role": names[seat], "cells": [seats[seat]]} for seat in sorted(seats)],
            "sight": min(1, (min(len(rows), len(rows[0])) - 1) // 2),
            "steps": 50,
            **settings,
        }
    )


def start(config: AdaSocietyConfig, seed: int = 1) -> State:
    return GAME.initial(config, Rng.root(seed).step(0)).state


def held(config: AdaSocietyConfig, state: State, **bags: Mapping[str, int]) -> State:
    """The state with these bags: ``held(config, state, s0={"wood": 1})``."""
    task = task_of(config)
    after = list(state.bags)
    for seat, units in bags.items():
        after[int(seat[1:])] = tuple(units.get(name, 0) for name in task.resources)
    return replace(state, bags=tuple(after), known=(task.everything,) * len(after))


def bag(config: AdaSocietyConfig, state: State, seat: int) -> dict[str, int]:
    return {name: units for name, units in zip(task_of(config).resources, state.bags[seat], strict=True) if units}


def step(config: AdaSocietyConfig, state: State, **actions: Any) -> Resolution[State]:
    """One step: ``step(config, state, s0=Move("up"))``. Actions are cleaned; seats that are not named do not answer."""
    turn = GAME.turn(config, state)
    assert turn is not None, "the run is over"
    rng = Rng.root(1).step(state.step + 1)
    given = {int(seat[1:]): action for seat, action in actions.items()}
    clean = {seat: GAME.clean(config, state, seat, given.get(seat), rng.at("clean", seat))[0] for seat in turn.seats}
    return GAME.resolve(config, state, clean, rng)


def reasons(config: AdaSocietyConfig, state: State, seat: int, action: Any) -> tuple[str, ...]:
    """The notes on an action, in English."""
    return tuple(map(WORDS.note, GAME.clean(config, state, seat, action, Rng.root(1))[1]))


def refused(config: AdaSocietyConfig, state: State, seat: int, action: Any) -> bool:
    """Whether the action is replaced by staying, with a reason."""
    cleaned, why = GAME.clean(config, state, seat, action, Rng.root(1))
    return cleaned == STAY and bool(why)
