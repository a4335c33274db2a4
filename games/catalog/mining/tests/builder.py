"""Small worlds for tables: ``board("A.B/..C")`` is a grid of two rows where A, B and C own a plot each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

from games.catalog.mining import PACK
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.metrics import METRICS
from games.catalog.mining.prompts import WORDS
from games.catalog.mining.rules import MiningGame
from games.catalog.mining.state import NOBODY, Item, Message, MiningState, Plan
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import Event, Resolution, Step
from games.core.rng import Rng
from games.lab.scenarios.scenario import load

GAME = MiningGame()
Asked = Mapping[str, Sequence[str]]
"""Items by miner: ``{"A": ["claim 0,1", "mine 0,0 3"]}``. Who is missing does nothing."""


@dataclass(frozen=True, slots=True)
class World:
    config: MiningConfig
    state: MiningState
    seed: int = 7

    @property
    def rng(self) -> Rng:
        """The key of the round to come."""
        return Rng.root(self.seed).step(self.state.round + 1)

    def changed(self, **fields: Any) -> World:
        return World(self.config, replace(self.state, **fields), self.seed)


def board(owners: str, *, round: int = 10, seed: int = 7, **settings: Any) -> World:
    """Everybody has held his plots since round 1 and possessed them first; nobody has gold; ten rounds are over."""
    rows = owners.split("/")
    held = tuple(NOBODY if letter == "." else ord(letter) - ord("A") for row in rows for letter in row)
    settings.setdefault("miners", max(2, max(held) + 1))
    config = MiningConfig(rows=len(rows), cols=len(rows[0]), **settings)
    fresh = GAME.initial(config, Rng.root(seed).step(0)).state
    since = tuple(0 if owner == NOBODY else 1 for owner in held)
    return World(config, replace(fresh, round=round, owners=held, since=since, first=held), seed)


def letters(world_or_state: World | MiningState, cols: int | None = None) -> str:
    """The owners as `board` writes them."""
    state = world_or_state.state if isinstance(world_or_state, World) else world_or_state
    width = world_or_state.config.cols if isinstance(world_or_state, World) else cols
    assert width is not None
    text = ["." if owner == NOBODY else chr(ord("A") + owner) for owner in state.owners]
    return "/".join("".join(text[start : start + width]) for start in range(0, len(text), width))


def item(text: str) -> Item:
    """``"mine 0,1 3"``, ``"claim 0,1"``."""
    kind, cell, *s = text.split()
    row, col = cell.split(",")
    assert kind in ("claim", "raid", "defend", "mine")
    return Item(kind, (int(row), int(col)), int(s[0]) if s else 1)  # type: ignore[arg-type]


def plan(*items: str, messages: Sequence[Message] = ()) -> Plan:
    return Plan(tuple(item(text) for text in items), tuple(messages))


def told(plan: Plan) -> list[str]:
    """A plan's items as `item` reads them."""
    return [
        f"{one.type} {one.cell[0]},{one.cell[1]}" + (f" {one.s}" if one.type == "mine" or one.s != 1 else "")
        for one in plan.items
        if isinstance(one, Item)
    ]


def plans(world: World, asked: Asked) -> dict[int, Plan]:
    return {seat: plan(*asked.get(chr(ord("A") + seat), ())) for seat in range(world.config.miners)}


def resolve(world: World, asked: Asked) -> Resolution[MiningState]:
    """The round in which everybody does what is asked; all of it must be legal."""
    actions = plans(world, asked)
    for seat, action in actions.items():
        cleaned, reasons = GAME.clean(world.config, world.state, seat, action, world.rng.at("clean", seat))
        assert (cleaned, reasons) == (action, ()), reasons
    return GAME.resolve(world.config, world.state, actions, world.rng)


def after(world: World, asked: Asked) -> World:
    return World(world.config, resolve(world, asked).state, world.seed)


def step_of(world: World, asked: Asked | Mapping[int, Plan]) -> Step[MiningState, Plan]:
    """The same round as a step of a log."""
    actions = {k: v for k, v in asked.items() if isinstance(k, int) and isinstance(v, Plan)} or plans(
        world, {k: v for k, v in asked.items() if isinstance(k, str) and not isinstance(v, Plan)}
    )
    turn = GAME.turn(world.config, world.state)
    assert turn is not None
    resolved = GAME.resolve(world.config, world.state, actions, world.rng)
    index = world.state.round + 1
    return Step(index, turn, actions, {}, {}, resolved.events, resolved.payoffs, resolved.state)


def events(resolution: Resolution[MiningState], *kinds: str) -> list[Event]:
    return [event for event in resolution.events if event.kind in kinds]


def clean(world: World, seat: int, action: Plan | None) -> tuple[Plan, tuple[str, ...]]:
    """The cleaned plan, and its notes in English."""
    cleaned, notes = GAME.clean(world.config, world.state, seat, action, world.rng.at("clean", seat))
    return cleaned, tuple(map(WORDS.note, notes))


@lru_cache(maxsize=8)
def played(preset: str, rounds: int) -> tuple[MiningConfig, list[Step[MiningState, Plan]], list[Mapping[str, Any]]]:
    """A preset's policies with seed 7, for so many rounds at most: config, steps from the start, measures by round."""
    condition = load(f"mining/{preset}").conditions[0]
    config = condition.config
    assert isinstance(config, MiningConfig)
    deciders = {
        seat: deciding(PACK.policies[agent.policy].bind(agent.params)) for seat, agent in enumerate(condition.seats)
    }
    steps = list(islice(play(GAME, config, 7, deciders), rounds + 1))
    rows = [METRICS.measure(config, before.state, step) for before, step in pairwise(steps)]
    return config, steps, rows
