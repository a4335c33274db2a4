"""Two levels that learn: workers, each for what it has and rests, and a planner for all of them (Zheng et al., "The AI
Economist", 2022).

A worker chooses at each step to rest or to do what one of the game's workers would. One network plays all seats; whose
a row is stands in it, and each level has numbers and actions of its own. In every second world a planner of the preset
sets the rates, so that workers learn under each of them alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.economist.money import MICRO, decimal
from games.catalog.economist.observation import WorkerSeen
from games.catalog.economist.reckoning import last_rate
from games.catalog.economist.state import NOOP, Workers
from games.catalog.economist.workers import can_pay_house
from games.core.agents import Decider, Decision, Request, deciding
from games.core.game import Seat, Step
from games.lab.learning.economist.planning import USUAL, Rates, ends, welfare
from games.lab.learning.field import Part, Sizes
from games.lab.learning.outside import Outside
from games.lab.scenarios.scenario import Condition, Scenario

TWO_LEVELS: Final = "two-levels"
LEARNT: Final = "learnt"
BESIDE: Final = ("free-market", "us-federal", "saez")
"""Conditions whose planner sets the rates where none learns."""
MIXED: Final = tuple(name for other in BESIDE for name in (LEARNT, other))
CRAFTS: Final[Sequence[tuple[str, Mapping[str, Any]]]] = (
    ("honest", {}), ("specialist", {"good": "wood"}), ("specialist", {"good": "stone"}), ("builder", {}),
    ("evasive", {"craft": "honest"}), ("gaming", {"craft": "honest"}),
)  # fmt: skip
LABOUR: Final = 0.25
"""Coin that a unit of energy is worth to a worker who rests."""
KNOWN: Final = 20
"""Numbers of a worker's row."""


class Levels:
    """So many worlds whose planners are ``planners`` by turns, `LEARNT` or a condition's. A world's rewards are those
    of its workers, what each has at 1 coin a unit less its labour, and its planner's, welfare an epoch.
    """

    best = 1.0

    def __init__(self, scenario: Scenario, worlds: int, planners: Sequence[str] = MIXED, starts: str = "fixed") -> None:
        found = {condition.name: condition for condition in scenario.conditions}
        begins = found[starts]
        config: Any = begins.config
        self.worlds, self._rates = worlds, Rates(len(config.taxation.brackets))
        seats, known = config.workers + 1, KNOWN + self._rates.features
        actions, turns = len(CRAFTS) + self._rates.actions, scenario.pack.game.horizon(config)
        levels = (*(0,) * config.workers, 1)
        self.sizes = Sizes(seats, known, actions, turns or 0, Part(0, (0, 0, 0)), Part(0, (0, 0)), levels)
        self._crafts = [deciding(scenario.pack.policies[name].bind(params)) for name, params in CRAFTS]
        names = [planners[world % len(planners)] for world in range(worlds)]
        self._runs = [_World(scenario, found.get(name, begins), name == LEARNT) for name in names]
        self._told = [name == LEARNT for name in names]
        if not any(self._told):
            self._told = [True] * worlds

    def begin(self, seeds: Sequence[int]) -> None:
        for run, seed in zip(self._runs, seeds, strict=True):
            run.begin(seed)

    def see(self) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        rows = np.zeros((self.worlds, self.sizes.seats, self.sizes.features), np.int16)
        mask = np.zeros((self.worlds, self.sizes.seats, self.sizes.actions), np.int8)
        mask[..., 0] = 1
        planner = self.sizes.seats - 1
        for world, run in enumerate(self._runs):
            for seat, request in run.asked.items():
                if seat == planner:
                    rows[world, seat, KNOWN:] = self._rates.look(request).row
                    mask[world, seat, len(CRAFTS) + 1 :] = 1
                else:
                    rows[world, seat, :KNOWN] = _known(request.observation)
                    mask[world, seat, : len(CRAFTS) + 1] = 1
        return rows, mask

    def act(self, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        gained = [
            run.act({seat: self._decided(request, int(chosen[seat])) for seat, request in run.asked.items()})
            for run, chosen in zip(self._runs, actions, strict=True)
        ]
        return np.array(gained)

    def _decided(self, request: Request[Any, Any], number: int) -> Decision[Any]:
        if request.seat == self.sizes.seats - 1:
            return self._rates.look(request).decision(max(0, number - len(CRAFTS)))
        return self._crafts[number - 1](request) if number else Decision(NOOP)

    def totals(self) -> NDArray[np.float64]:
        """Welfare an epoch, from the second on, of the worlds whose planner learns; of all where none does."""
        return np.array(
            [np.mean(run.epochs[1:]) for run, is_told in zip(self._runs, self._told, strict=True) if is_told]
        )


def _known(seen: WorkerSeen) -> list[int]:
    """What a worker weighs, as whole numbers."""
    shared = seen.shared
    config, schedule = shared.config, shared.schedule
    over = next((low for low, _ in schedule if low > seen.gross), 0)
    amounts = (seen.coin, seen.wood, seen.stone, seen.gross, max(0, over - seen.gross), seen.stock[seen.here])
    prices = (book.price or 0 for book in shared.books)
    return [
        4,
        16 * shared.step // config.steps_per_epoch,
        8 * shared.epoch // config.epochs,
        8 * seen.energy // max(1, config.terms.energy),
        *(_size(amount) for amount in amounts),
        *(_size(price) for price in prices),
        min(40, round(8 * decimal(seen.skill))),
        *(round(16 * decimal(rate)) for rate in (last_rate(seen), schedule[0][1], schedule[-1][1])),
        min(20, seen.houses),
        4 * can_pay_house(seen),
        4 * bool(seen.stance),
        min(8, seen.catches),
    ]


def _size(amount: int) -> int:
    return min(40, round(4 * math.log1p(amount / MICRO)))


class _World(Outside):
    """A run from outside: all workers, and the planner where it ``learns``."""

    def __init__(self, scenario: Scenario, condition: Condition, learns: bool) -> None:
        planner: Any = condition.seats[-1]
        bound = scenario.pack.policies[planner.policy].bind(planner.params)
        others: dict[Seat, Decider] = {} if learns else {len(condition.seats) - 1: deciding(bound)}
        super().__init__(scenario.pack.game, condition.config, others, self._hear)
        terms = self.config.terms
        self._house = terms.house_wood + terms.house_stone
        self.epochs: list[float] = []
        self._before: Step[Any, Any] | None = None
        self._gained = np.zeros(self.seats)

    def begin(self, seed: int) -> None:
        self._before, self.epochs = None, []
        super().begin(seed)

    def act(self, decisions: Mapping[Seat, Decision[Any]]) -> NDArray[np.float64]:
        """What each seat gains until somebody is asked again, or the run is over."""
        self._gained = np.zeros(self.seats)
        if self.asked:
            self.answer(decisions)
        return self._gained

    def _hear(self, step: Step[Any, Any]) -> None:
        before, self._before = self._before, step
        if before is None:
            return
        was, now = before.state.workers, step.state.workers
        worked = np.maximum(0, np.subtract(was.energy, now.energy))
        self._gained[:-1] += (self._has(now) - self._has(was) - LABOUR * worked) / MICRO
        if ends(self.config, before, step):
            self.epochs.append(welfare(self.config, before, step))
            self._gained[-1] += self.epochs[-1] / USUAL

    def _has(self, workers: Workers) -> NDArray[np.float64]:
        goods = np.add(workers.wood, workers.stone) + np.multiply(workers.built, self._house)
        return np.asarray(goods + workers.coin, np.float64)
