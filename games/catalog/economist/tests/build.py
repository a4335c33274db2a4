"""Small worlds made by hand: a strip or block of cells, workers with accounts, one step at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.money import micro
from games.catalog.economist.rules import EconomistGame
from games.catalog.economist.state import NOOP, Action, Land, State, Workers
from games.core.game import Resolution
from games.core.rng import Rng

GAME = EconomistGame()


def config(workers: int = 2, rows: int = 1, cols: int = 5, **more: Any) -> EconomistConfig:
    """Bare land of that size, one epoch of many steps, unless more is said."""
    plain = {"height": rows, "width": cols, "wood_density": 0, "stone_density": 0}
    given = {"epochs": 3, "steps_per_epoch": 10, **more, "map": {**plain, **more.get("map", {})}}
    return EconomistConfig.model_validate({"workers": workers, **given})


def world(terms: EconomistConfig, land: str = "", **accounts: Sequence[float]) -> State:
    """The first state with this land (``.`` bare, ``w`` wood, ``s`` stone) and accounts by seat, in coin and units.

    ``cell`` by number; ``built``, ``catches``, ``frozen`` and ``banned`` as whole numbers.
    """
    state = GAME.initial(terms, Rng.root(1).step(0)).state
    bears = tuple(".ws".index(sign) for sign in land.replace("/", "")) or state.land.bears
    whole = ("cell", "built", "catches", "audits", "frozen", "banned")
    had: dict[str, Any] = {"cell": (0,) * terms.workers}
    for name, values in accounts.items():
        had[name] = tuple(int(value) if name in whole else micro(value) for value in values)
    workers: Workers = replace(state.workers, **had)
    stock = (terms.terms.stock_max,) * sum(kind > 0 for kind in bears)
    return replace(state, land=Land(bears), stock=stock, workers=workers)


def step(
    terms: EconomistConfig, state: State, actions: Mapping[int, Action] | None = None, seed: int = 1
) -> Resolution[State]:
    """The state resolved with these actions; whoever is not named does nothing."""
    turn = GAME.turn(terms, state)
    assert turn is not None
    chosen = {seat: (actions or {}).get(seat, NOOP) for seat in turn.seats}
    return GAME.resolve(terms, state, chosen, Rng.root(seed).step(state.step + 1))


def told(resolved: Resolution[State], kind: str) -> list[dict[str, Any]]:
    """The data of the events of a kind."""
    return [dict(event.data) for event in resolved.events if event.kind == kind]


def last_step(terms: EconomistConfig, state: State) -> State:
    """The state with only the epoch's last step to come."""
    return replace(state, step=terms.steps_per_epoch - 1)
