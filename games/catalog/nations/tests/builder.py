"""Small worlds for tables: ``world("AAB", A=4)`` is three territories of A and B, and an army of four mils of A."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.reading import action_spec
from games.catalog.nations.rules import NationsGame
from games.catalog.nations.state import Account, NationsState, Orders
from games.core.answers import Note
from games.core.game import Event, SeatEyes, View
from games.core.rng import Rng

GAME = NationsGame()
LETTERS = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class World:
    config: NationsConfig
    state: NationsState

    def cleaned(self, **answers: Any) -> tuple[dict[int, Orders], dict[int, tuple[Note, ...]]]:
        """Orders by letter as answers (who is missing does nothing), and the notes of those that have any."""
        spec = action_spec(self.config)
        orders, notes = {}, {}
        for seat in range(self.config.nations):
            raw = answers.get(LETTERS[seat])
            read = None if raw is None else spec.read(raw)
            orders[seat], made = GAME.clean(self.config, self.state, seat, read, Rng(0))
            if made:
                notes[seat] = made
        return orders, notes

    def after(self, **answers: Any) -> Turned:
        orders, _ = self.cleaned(**answers)
        resolved = GAME.resolve(self.config, self.state, orders, Rng(0))
        return Turned(self.config, resolved.state, tuple(resolved.events), resolved.payoffs)


@dataclass(frozen=True, slots=True)
class Turned(World):
    events: tuple[Event, ...]
    payoffs: Mapping[int, Any]

    def account(self, letter: str) -> Account:
        return self.state.last.accounts[LETTERS.index(letter)]

    def armies(self) -> list[int]:
        return list(self.state.army)

    def told(self, letter: str, *kinds: str) -> list[tuple[str, Mapping[str, Any]]]:
        eyes = SeatEyes(LETTERS.index(letter))
        return [(event.kind, event.data) for event in self.events if event.kind in kinds and event.visible_to(eyes)]

    def view(self, letter: str) -> View:
        return GAME.view(self.config, self.state, SeatEyes(LETTERS.index(letter)))


def world(owners: str, *, turn: int = 0, settings: Mapping[str, Any] | None = None, **armies: int) -> World:
    """Penalty 0 unless set, so that each table has one thing in it."""
    given = {"violence_penalty": 0, **(settings or {})}
    nations = given.setdefault("nations", max(2, *(LETTERS.index(letter) + 1 for letter in (*owners, *armies))))
    holdings = [[at for at, owner in enumerate(owners, 1) if LETTERS.index(owner) == seat] for seat in range(nations)]
    config = NationsConfig(territories=len(owners), holdings=tuple(map(tuple, holdings)), **given)
    state = GAME.initial(config, Rng(0)).state
    army = tuple(armies.get(LETTERS[seat], 0) for seat in range(nations))
    return World(config, replace(state, army=army, turn=turn))
