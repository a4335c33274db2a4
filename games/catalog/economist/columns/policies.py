"""Workers and planners over columns: each the rule of that name in `economist.workers`, `reckoning` or `planners`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from games.catalog.economist import planners
from games.catalog.economist.columns.crew import Crew
from games.catalog.economist.columns.world import BUILD, GATHER, MISREPORT, SELL, SHIFT, Plans, Worlds
from games.catalog.economist.dealing import MARKET_DAYS
from games.catalog.economist.land import grid
from games.catalog.economist.money import MICRO, micro
from games.catalog.economist.observation import PlannerSeen, Shared, public
from games.catalog.economist.reckoning import MarginalParams
from games.catalog.economist.state import STONE, WOOD, Book
from games.catalog.economist.workers import CollusiveParams, CrimeParams, EvasiveParams, GamingParams, TraderParams
from games.core.draws import Draws, Ints
from games.core.rng import Rng


def honest(_params: Any, crew: Crew) -> None:
    crew.settle()
    if crew.is_market_day:
        crew.deal()
    crew.rest((crew.energy < crew.terms.cost_gather) | crew.saves)
    if not crew.idle.any():
        return
    lies, lacks = crew.lies >= crew.least, (crew.lacking[0] > 0, crew.lacking[1] > 0)
    crew.do(lies & (((crew.bears == WOOD) & lacks[0]) | ((crew.bears == STONE) & lacks[1])), GATHER)
    crew.seek(lacks[0] | lacks[1], lacks)
    crew.do(lies, GATHER)
    crew.toward(crew.idle)


def trader(params: TraderParams, crew: Crew) -> None:
    crew.settle()
    if crew.step % params.every == 0:
        crew.deal()
    honest(params, crew)


def simple(crew: Crew) -> None:
    pays = crew.can_pay_house
    crew.do(pays & crew.is_free, BUILD)
    crew.wander(pays)
    if crew.is_market_day:
        crew.deal()
    crew.rest((crew.energy < crew.terms.cost_gather) | crew.saves)
    crew.do(crew.lies >= crew.least, GATHER)
    crew.wander(crew.idle)


def crafted(params: CrimeParams, crew: Crew) -> None:
    if params.craft == "simple":
        simple(crew)
    else:
        honest(params, crew)


def gaming(params: GamingParams, crew: Crew) -> None:
    if crew.config.gaming.income_shifting_enabled:
        gross, shifted = crew.gross, crew.worlds.had.shifted[:, crew.of]
        most = np.maximum(0, (gross + shifted) * crew.terms.shift_max // MICRO - shifted)
        most = np.minimum(most, gross * micro(params.shift_fraction) // MICRO)
        for threshold, _ in crew.config.schedule:
            above = (threshold < gross) & (gross < threshold * 13 // 10) & (threshold > 0)
            amount = np.minimum(gross - threshold + MICRO // 2, most)
            crew.do(above & (amount > MICRO // 10), SHIFT, amount=amount)
    crafted(params, crew)


def evasive(params: EvasiveParams, crew: Crew) -> None:
    terms = crew.config.misreporting
    fraction = micro(round(min(params.underreport_fraction, terms.max_underreport_fraction), 6))
    if terms.enabled and crew.step > 3 and fraction:
        crew.do((crew.worlds.had.stance[:, crew.of] == 0) & (crew.gross > MICRO), MISREPORT, amount=fraction)
    crafted(params, crew)


def collusive(params: CollusiveParams, crew: Crew) -> None:
    crew.settle()
    terms, market, place = crew.terms, crew.config.market, crew.worlds.epoch % 2
    extra = crew.spare[place]
    if crew.is_market_day:
        agreed = micro(round(max(market.price_floor, min(params.ask_price, market.price_ceiling)), 6))
        crew.do(crew.can_order & (extra >= MICRO), SELL, way=place, amount=extra, price=agreed)
    reserve = 0 if crew.is_market_day or terms.refills_each_step else MARKET_DAYS * terms.cost_trade
    crew.rest(crew.energy < terms.cost_gather + reserve)
    if crew.step % 5 != 2:
        crew.do(crew.lies > 0, GATHER)
    lacks = crew.lacking[0] > 0, crew.lacking[1] > 0
    crew.seek(lacks[0] | lacks[1], lacks)
    crew.toward(crew.idle)


def marginal(params: MarginalParams, crew: Crew) -> None:
    crew.rest(crew.energy <= crew.terms.energy * (1 - labour(params, crew)))
    honest(params, crew)


def labour(params: MarginalParams, crew: Crew) -> Any:
    """The share of its energy that a worker works, 0 to 1; powers are Python's own."""
    lacks = (crew.lacking[0] > 0) | (crew.lacking[1] > 0)
    wage = crew.skills / MICRO * np.maximum(1.0, np.where(lacks, crew.unit_value / MICRO, 0.0))
    net, place = np.unique(wage * (1 - last_rate(crew) / MICRO), return_inverse=True)
    shares = [min(1.0, float((one / params.rest) ** params.elasticity)) for one in net.tolist()]
    return np.array(shares)[place].reshape(crew.cell.shape)


def last_rate(crew: Crew) -> Ints:
    """The rate on the last coin of the income that is expected for the epoch, in millionths."""
    ended, rate = crew.worlds.ended, np.zeros_like(crew.gross)
    income = crew.gross if ended is None else np.maximum(crew.gross, ended.gross[:, crew.of])
    for place, (threshold, _) in enumerate(crew.config.schedule):
        rate = np.where(income >= threshold, crew.worlds.rates[:, place, None], rate)
    return rate


WORKERS: Final = (honest, trader, gaming, evasive, collusive, marginal)
PLANNERS: Final = (planners.heuristic, planners.bandit, planners.fixed, planners.rl, planners.saez)


def at_work(play: Callable[[Any, Crew], None]) -> Callable[..., None]:
    """A worker's policy, which plays in the workers' steps."""

    def play_all(params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
        if not worlds.planning:
            crew = Crew(worlds, seats, draws, plans)
            play(params, crew)
            crew.hand_in()

    return play_all


def planning(play: Callable[..., Any]) -> Callable[..., None]:
    """A planner's policy, asked world by world: it has few turns. It is shown what no column keeps as empty."""

    def play_all(params: Any, worlds: Worlds, seats: Ints, draws: Draws, plans: Plans) -> None:
        if not worlds.planning or worlds.ended is None:
            return
        config, ended, books = worlds.config, worlds.ended, (Book(), Book())
        shape, targets, memories = grid(config.terms.rows, config.terms.cols, config.sight), [], []
        known, reported = public(config), ended.reported.tolist()
        for world, key in enumerate(draws.keys[:, 0].tolist()):
            shared = Shared(known, shape, worlds.epoch, worlds.step, worlds.schedules[world], books)
            of = tuple(reported[world])
            seen = PlannerSeen(shared, int(seats[0]), ended.statistics[world], of, (), worlds.before[world], 0, 0)
            target, memory = play(params, seen, worlds.memories[world], Rng(key))
            targets.append(target)
            memories.append(memory)
        plans.targets, plans.memories = targets, memories

    return play_all


POLICIES: Final = {
    **{play.__name__: at_work(play) for play in WORKERS},
    **{play.__name__: planning(play) for play in PLANNERS},
}
