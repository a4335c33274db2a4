"""The economist: workers gather, trade and build on a grid; a planner taxes them.

Source: "AI Economist Full Domain Contract" 0.1; the README says how its open points are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from games.catalog.economist.acting import act
from games.catalog.economist.boundary import end_epoch, reset, update_taxes
from games.catalog.economist.cleaning import clean_planner, clean_worker, planner_spec, worker_spec
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.desk import Desk
from games.catalog.economist.imagining import imagine
from games.catalog.economist.land import lay_out, sites
from games.catalog.economist.market import set_aside
from games.catalog.economist.money import MICRO, Micro, decimal
from games.catalog.economist.news import News
from games.catalog.economist.observation import Observation, see_planner, see_workers
from games.catalog.economist.shapes import EconomistView
from games.catalog.economist.state import NEVER, NOOP, STONE, WOOD, Action, Book, SetTaxes, State, Workers
from games.catalog.economist.statistics import statistics, welfare
from games.catalog.economist.view import draw
from games.core.answers import JSON, ActionSpec, Note
from games.core.game import (
    Event,
    Eyes,
    Game,
    Imagined,
    Invariant,
    LazyEvents,
    Resolution,
    Seat,
    SeatSpec,
    Seen,
    Step,
    Turn,
)
from games.core.rng import Rng


class EconomistGame(Game[EconomistConfig, State, Observation, Action]):
    slug: ClassVar[str] = "economist"
    rules_version: ClassVar[int] = 1
    config_type = EconomistConfig
    state_type = State
    action_type: Any = Action
    view_type: ClassVar[Any] = EconomistView
    draws_in_cleaning: ClassVar[bool] = False

    def seats(self, config: EconomistConfig) -> Sequence[SeatSpec]:
        width = max(2, len(str(config.workers)))
        workers = [SeatSpec(f"worker-{number:0{width}}", "worker") for number in range(1, config.workers + 1)]
        return [*workers, SeatSpec("planner", "planner")]

    def initial(self, config: EconomistConfig, rng: Rng) -> Resolution[State]:
        """The land laid out, every worker on a cell drawn for it, with its coin and full energy."""
        land, terms, n = lay_out(config, rng), config.terms, config.workers
        cells = tuple(rng.below(len(land.bears), "place", seat) for seat in range(n))
        none, never = (0,) * n, (NEVER,) * n
        workers = Workers(
            cell=cells, coin=(terms.coin,) * n, energy=(terms.energy,) * n, wood=none, stone=none, gross=none,
            shifted=none, deferred=none, stance=none, built=none, earned=none, audits=none, catches=none, fines=none,
            boost=none, banned=never, frozen=never,
        )  # fmt: skip
        stock = (terms.stock_max,) * len(sites(land).cells)
        state = State(0, 0, False, land, stock, (), workers, (Book(), Book()), config.schedule)
        wood, stone = land.bears.count(WOOD), land.bears.count(STONE)
        opened: dict[str, JSON] = {"rows": terms.rows, "cols": terms.cols, "workers": n, "wood": wood, "stone": stone}
        return Resolution(state, (Event("land_opened", opened),))

    def turn(self, config: EconomistConfig, state: State) -> Turn | None:
        """All workers who are not frozen, step by step; at an epoch's end the planner, if it has a turn then."""
        epoch, steps = state.epoch + 1, config.steps_per_epoch
        if state.planning:
            return Turn((("epoch", epoch), ("step", steps)), "plan", (config.workers,))
        if state.step >= steps:
            return None
        return Turn((("epoch", epoch), ("step", state.step + 1)), "work", _awake(state.workers.frozen, state.epoch))

    def horizon(self, config: EconomistConfig) -> int | None:
        plans = (config.epochs - 1) // config.planner.update_interval_epochs
        return config.epochs * config.steps_per_epoch + plans

    def rounds(self, config: EconomistConfig) -> int | None:
        return config.epochs

    def observe(self, config: EconomistConfig, state: State, seat: Seat, past: Sequence[Seen[Action]]) -> Observation:
        return see_planner(config, state, seat) if seat == config.workers else see_workers(config, state, (seat,))[0]

    def observe_all(
        self, config: EconomistConfig, state: State, seats: Sequence[Seat], kept: Sequence[Step[State, Action]]
    ) -> Sequence[Observation]:
        if seats[-1] == config.workers:
            return [self.observe(config, state, seat, ()) for seat in seats]
        return see_workers(config, state, seats)

    def imagine(self, observation: Observation, rng: Rng) -> Imagined[EconomistConfig, State, Action]:
        return imagine(observation, rng)

    def actions(self, config: EconomistConfig, state: State, seat: Seat) -> ActionSpec[Action]:
        if seat == config.workers:
            return planner_spec(config.taxation.allow_non_monotone)
        return worker_spec(config)

    def clean(
        self, config: EconomistConfig, state: State, seat: Seat, action: Action | None, rng: Rng
    ) -> tuple[Action, tuple[Note, ...]]:
        if seat == config.workers:
            return clean_planner(config, action)
        return (NOOP, ()) if action is None or action is NOOP else clean_worker(config, state, seat, action)

    def resolve(
        self, config: EconomistConfig, state: State, actions: Mapping[Seat, Action], rng: Rng
    ) -> Resolution[State]:
        """A step of the workers, and after the last of an epoch its end; or the planner's turn."""
        desk = Desk(config, state)
        gains: dict[Seat, float] = {}
        if state.planning:
            target = actions[config.workers]
            assert isinstance(target, SetTaxes)
            update_taxes(desk, target)
            reset(desk)
        else:
            act(desk, actions)
            ends = desk.step == config.steps_per_epoch
            if ends:
                end_epoch(desk, rng)
            coins = zip(desk.coin, state.workers.coin, strict=True)
            gains = {seat: (now - had) / MICRO for seat, (now, had) in enumerate(coins)}
            if ends:
                gains[config.workers] = welfare(config, statistics(desk.report))
        news = News(desk.facts, config.terms, config.workers)
        return Resolution(desk.after(), LazyEvents(news.events), gains)

    def view(self, config: EconomistConfig, state: State, eyes: Eyes) -> EconomistView:
        return draw(config, state, eyes)

    def invariants(self, config: EconomistConfig, state: State) -> Iterable[Invariant]:
        had, terms = state.workers, config.terms
        reserved, *goods = set_aside(state.books, terms.fee)
        coin = sum(had.coin) + reserved + state.treasury
        due = terms.coin * config.workers + state.house_income
        yield _equal("coin held and treasury are what was given and what houses paid", coin, due)
        for name, held, offered, cost, got in (
            ("wood", had.wood, goods[0], terms.house_wood, state.gathered[0]),
            ("stone", had.stone, goods[1], terms.house_stone, state.gathered[1]),
        ):
            there = sum(held) + offered + len(state.houses) * cost
            yield _equal(f"{name} held and built in is what was gathered", there, got)
        least = min(map(min, (had.coin, had.energy, had.wood, had.stone, had.gross, had.deferred)))
        yield Invariant("no account is below 0", min(least, state.treasury, *state.stock, 0) >= 0, str(least))
        yield Invariant("a cell holds one house at most", len({h.cell for h in state.houses}) == len(state.houses))
        yield Invariant("no house stands on a resource", not any(state.land.bears[h.cell] for h in state.houses))
        yield Invariant("every house has its owner", sum(had.built) == len(state.houses))
        yield Invariant("nobody owns more houses than allowed", max(had.built) <= terms.houses_max)


def _equal(name: str, found: Micro, due: Micro) -> Invariant:
    return Invariant(name, found == due, f"{decimal(found)} of {decimal(due)}")


@lru_cache(maxsize=256)
def _awake(frozen: tuple[int, ...], epoch: int) -> tuple[Seat, ...]:
    return tuple(seat for seat, until in enumerate(frozen) if until < epoch)
