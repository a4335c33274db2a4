"""A world that agrees with what one seat knows: a worker its sight, accounts and the market; the planner its report.

Land out of sight is laid out anew; other workers have up to twice what one has oneself, one's own skill, and no allies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.land import lay_out
from games.catalog.economist.market import set_aside
from games.catalog.economist.money import MICRO, Micro
from games.catalog.economist.observation import Observation, PlannerSeen, Shared, WorkerSeen
from games.catalog.economist.state import NEVER, NONE, Account, Action, Flag, House, Land, Report, State, Tally, Workers
from games.catalog.economist.statistics import Statistics
from games.core.game import CannotImagine, Imagined, Seat
from games.core.rng import Rng


def imagine(seen: Observation, rng: Rng) -> Imagined[EconomistConfig, State, Action]:
    """Houses out of sight are one's own alone; nobody else is banned or frozen, hides or defers."""
    shared, plans = seen.shared, isinstance(seen, PlannerSeen)
    coalition, allies = ("", ()) if isinstance(seen, PlannerSeen) else (seen.coalition, seen.allies)
    config = _veiled(shared.config, seen.seat, coalition, (seen.seat, *allies) if coalition else ())
    if (shared.step >= config.steps_per_epoch) != plans or (plans and shared.epoch + 1 >= config.epochs):
        raise CannotImagine("economist: only a seat that is on turn can say what comes of what it does")
    state = _of_planner(config, seen, rng) if isinstance(seen, PlannerSeen) else _of_worker(config, seen, rng)
    return Imagined(config, state, seen.seat)


@lru_cache(maxsize=256)
def _veiled(config: EconomistConfig, seat: Seat, coalition: str, members: tuple[Seat, ...]) -> EconomistConfig:
    """The settings as a seat may know them: without the skills of others in gathering, with its own coalition alone."""
    skills, everyone = config.skill_gather, range(config.workers)
    alike = (skills[seat],) * config.workers if skills and seat < config.workers else ()
    allies = tuple(coalition if one in members else "" for one in everyone) if members else ()
    known = config.model_copy(update={"skill_gather": alike, "coalitions": allies})
    for made in ("terms", "schedule", "allies", "_public"):
        known.__dict__.pop(made, None)
    return known


def _of_worker(config: EconomistConfig, seen: WorkerSeen, rng: Rng) -> State:
    shared, seat, terms, everyone = seen.shared, seen.seat, config.terms, range(config.workers)
    sight = shared.grid.sights[seen.cell]
    bears, stock = list(lay_out(config, rng.at("land")).bears), [terms.stock_max] * (terms.rows * terms.cols)
    for cell, kind, amount in zip(sight, seen.bears, seen.stock, strict=True):
        bears[cell], stock[cell] = kind, max(0, amount - terms.regrowth)
    hidden = [cell for cell in range(len(bears)) if cell not in sight]
    houses = [(owner, cell) for cell, owner in zip(sight, seen.owners, strict=True) if owner >= 0]
    missing = seen.houses - sum(owner == seat for owner, _ in houses)
    houses += [(seat, cell) for cell in rng.sample(hidden, missing, "house")]
    places = {one: cell for cell, group in zip(sight, seen.around, strict=True) for one in group}

    def others(own: Micro, label: str) -> tuple[Micro, ...]:
        return tuple(own if one == seat else rng.below(2 * own + 1, label, one) for one in everyone)

    def own(value: Micro, rest: Micro = 0) -> tuple[Micro, ...]:
        return tuple(value if one == seat else rest for one in everyone)

    workers = _workers(
        cell=tuple(
            places[one] if one in places else hidden[rng.below(len(hidden), "place", one)] for one in everyone
        ),
        coin=others(seen.coin, "coin"), energy=(seen.energy,) * config.workers, wood=others(seen.wood, "wood"),
        stone=others(seen.stone, "stone"), gross=(seen.gross,) * config.workers, shifted=own(seen.shifted),
        deferred=own(seen.deferred), stance=own(seen.stance), built=_counted(houses, config.workers),
        audits=own(seen.catches), catches=own(seen.catches), fines=own(seen.fines),
        banned=own(shared.epoch if seen.is_banned else NEVER, NEVER),
    )  # fmt: skip
    accounts = (seen.last,) * config.workers if seen.last else ()
    return _whole(config, shared, bears, stock, houses, workers, _report(shared, shared.epoch - 1, workers, accounts))


def _of_planner(config: EconomistConfig, seen: PlannerSeen, rng: Rng) -> State:
    shared, terms, count, told = seen.shared, config.terms, config.workers, seen.statistics
    bears = list(lay_out(config, rng.at("land")).bears)
    cells = rng.sample(range(len(bears)), told.total_houses, "house")
    houses = [(place % count, cell) for place, cell in enumerate(cells)]
    gross = _incomes(told, count) or seen.reported
    accounts = tuple(
        Account(
            gross[one], seen.reported[one], seen.paid[one], seen.paid[one], "caught" if one < seen.catches else "none"
        )
        for one in range(count)
    )
    each, rest = divmod(round(told.mean_coin * count * MICRO), count)
    none = (0,) * count
    workers = _workers(
        cell=tuple(rng.below(len(bears), "place", one) for one in range(count)),
        coin=tuple(each + (one < rest) for one in range(count)), energy=none, wood=none, stone=none, gross=gross,
        shifted=none, deferred=none, stance=none, built=_counted(houses, count), audits=none, catches=none, fines=none,
        banned=(NEVER,) * count,
    )  # fmt: skip
    report = _report(shared, shared.epoch, workers, accounts, seen.flags, told.n_frozen)
    stock = [terms.stock_max] * len(bears)
    return _whole(config, shared, bears, stock, houses, workers, report, seen.before, is_planned=True)


def _incomes(told: Statistics, count: int) -> tuple[Micro, ...]:
    """Whole incomes of that sum and that Gini coefficient: all alike but the two poorest and the richest. Empty where
    there are none, because incomes are alike but for a few millionths."""
    total, odd = round(told.total_income * MICRO), round(told.total_income * MICRO) * (count + 1) % 2
    ranked = 2 * round((told.gini * count * total - odd) / 2) + odd  # the sum of (2i - n - 1) times the i-th income
    if count < 3:
        return (total,) if count == 1 else ((total - ranked) // 2, (total + ranked) // 2)
    less = next((less for less in range(count) if (ranked - (count - 3) * less) % (count - 1) == 0), 0)
    gap = (ranked - (count - 3) * less) // (count - 1)
    least = next((one for one in range(less, less + count) if (total + 2 * one + less - gap) % count == 0), 0)
    usual = (total + 2 * least + less - gap) // count
    if usual < least or gap < least:
        return ()
    return (usual - least, usual - less, *(usual,) * (count - 3), usual + gap - least)


def _report(
    shared: Shared, epoch: int, workers: Workers, accounts: tuple[Account, ...], flags: int = 0, frozen: int = 0
) -> Report | None:
    """How the last epoch ended; None where none has."""
    if not accounts:
        return None
    found = (Flag((0, 1), 0.0, 0.0, (), ()),) * flags
    return Report(epoch, accounts, workers.coin, workers.built, shared.schedule, Tally(), found, frozen=frozen)


def _workers(**known: Any) -> Workers:
    """All workers, with nothing in what nobody is told."""
    none = (0,) * len(known["cell"])
    return Workers(**known, earned=known["gross"], boost=none, frozen=(NEVER,) * len(none))


def _counted(houses: Iterable[tuple[Seat, int]], count: int) -> tuple[int, ...]:
    owners = [owner for owner, _ in houses]
    return tuple(owners.count(one) for one in range(count))


def _whole(
    config: EconomistConfig,
    shared: Shared,
    bears: list[int],
    stock: Sequence[Micro],
    houses: Sequence[tuple[Seat, int]],
    had: Workers,
    report: Report | None,
    before: tuple[tuple[Micro, Micro], ...] = (),
    is_planned: bool = False,
) -> State:
    """The state, in which coin and goods came from somewhere: out of houses, and out of the land."""
    for _, cell in houses:
        bears[cell] = NONE
    terms = config.terms
    reserved, wood, stone = set_aside(shared.books, terms.fee)
    return State(
        epoch=shared.epoch,
        step=shared.step,
        planning=is_planned,
        land=Land(tuple(bears)),
        stock=tuple(amount for kind, amount in zip(bears, stock, strict=True) if kind != NONE),
        houses=tuple(House(owner, cell, 0, 0) for owner, cell in houses),
        workers=had,
        books=shared.books,
        schedule=shared.schedule,
        before=before,
        house_income=sum(had.coin) + reserved - terms.coin * config.workers,
        gathered=(
            sum(had.wood) + wood + len(houses) * terms.house_wood,
            sum(had.stone) + stone + len(houses) * terms.house_stone,
        ),
        report=report,
    )
