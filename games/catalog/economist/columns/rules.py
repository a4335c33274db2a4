"""A step of all workers over columns: each sentence is the one of that name in `economist.acting`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from games.catalog.economist.collusion import BLANK
from games.catalog.economist.columns.boundary import end_epoch, update_taxes
from games.catalog.economist.columns.world import (
    BUILD,
    BUY,
    GATHER,
    MISREPORT,
    MOVE,
    NOOP,
    SELL,
    SHIFT,
    Block,
    Log,
    Market,
    Plans,
    Worlds,
)
from games.catalog.economist.money import MICRO
from games.catalog.economist.state import RESOURCES, STONE, WOOD
from games.catalog.economist.terms import Terms
from games.core.draws import Draws, Flags, Ints

LAST = np.iinfo(np.int64).max
"""Comes after every price."""


def resolve(worlds: Worlds, plans: Plans, draws: Draws) -> Worlds:
    """A step of the workers, or the planner's turn."""
    return update_taxes(worlds, plans) if worlds.planning else act(worlds, plans, draws)


def act(worlds: Worlds, plans: Plans, draws: Draws) -> Worlds:
    """The four parts of a step, in the contract's order, and the step's row of the traces."""
    config, terms, had = worlds.config, worlds.config.terms, worlds.had.copy()
    tally = worlds.tally.copy()
    do = np.where(had.frozen >= worlds.epoch, NOOP, plans.do)
    deeds = np.bincount(do.ravel(), minlength=MISREPORT + 1)
    orders = plans if deeds[BUY] or deeds[SELL] else None
    after = replace(worlds, had=had, step=worlds.step + 1, tally=tally, welfare=(), made={})
    move(worlds, had, do == MOVE, plans)
    gather(worlds, after, do == GATHER)
    if deeds[BUILD]:
        build(worlds, after, do == BUILD)
    if orders is not None:
        had.energy -= terms.cost_trade * ((do == BUY) | (do == SELL))
    if deeds[SHIFT]:
        shift(had, plans, do == SHIFT, terms)
    if deeds[MISREPORT]:
        np.copyto(had.stance, plans.amount, where=do == MISREPORT)
    tally.exploits += np.count_nonzero((do == SHIFT) | (do == MISREPORT), axis=1)
    tally.events += config.workers
    after.traces = (*worlds.traces, traced(worlds, plans, do))[-config.collusion.detection_window_steps :]
    pay_houses(after)
    trade(worlds, after, orders, do)
    if terms.refills_each_step:
        had.energy[:] = terms.energy
    if after.step == config.steps_per_epoch:
        end_epoch(worlds, after, plans, draws)
    after.gained = had.coin - worlds.had.coin
    return after


def move(worlds: Worlds, had: Block, moves: Flags, plans: Plans) -> None:
    ends = worlds.shape.ways[had.cell, plans.way]
    np.copyto(had.cell, ends, where=moves)
    had.energy -= worlds.config.terms.cost_move * moves


def gather(worlds: Worlds, after: Worlds, gathers: Flags) -> None:
    """Who gathers on one cell takes turns in seat order: each what those before it left, its skill at most."""
    terms, had, stock = worlds.config.terms, after.had, worlds.regrown.copy()
    places, took = np.flatnonzero(gathers), np.zeros_like(had.coin)
    cells, skills = worlds.at.ravel()[places], np.array(terms.skills)[places % took.shape[1]]
    order = cells.argsort(kind="stable")
    cells, skills, places = cells[order], skills[order], places[order]
    before = skills.cumsum() - skills
    first = np.ones(len(cells), np.bool_)
    first[1:] = cells[1:] != cells[:-1]
    before -= np.maximum.accumulate(before * first)
    amounts = np.clip(stock.ravel()[cells] - before, 0, skills)
    np.subtract.at(stock.ravel(), cells, amounts)
    took.ravel()[places] = amounts
    kinds = worlds.bears.ravel()[worlds.at]
    wood, stone = took * (kinds == WOOD), took * (kinds == STONE)
    had.wood += wood
    had.stone += stone
    had.gross += took
    had.earned += took
    had.energy -= terms.cost_gather * (took > 0)
    after.gathered = worlds.gathered + np.stack((wood.sum(axis=1), stone.sum(axis=1)))
    after.stock = stock
    after.log = Log(took)


def build(worlds: Worlds, after: Worlds, builds: Flags) -> None:
    """Of several who build on one cell the first in seat order does."""
    terms, had = worlds.config.terms, after.had
    places = np.flatnonzero(builds)
    places = places[np.sort(np.unique(worlds.at.ravel()[places], return_index=True)[1])]
    world, seat = np.divmod(places, builds.shape[1])
    cell = had.cell[world, seat]
    had.wood[world, seat] -= terms.house_wood
    had.stone[world, seat] -= terms.house_stone
    had.energy[world, seat] -= terms.cost_build
    had.built[world, seat] += 1
    after.houses = worlds.estate.add(worlds.houses, world, seat, cell, worlds.epoch, worlds.step)
    after.owners = worlds.owners.copy()
    after.owners[world, cell] = seat
    after.tally.built += after.houses - worlds.houses


def shift(had: Block, plans: Plans, shifts: Flags, terms: Terms) -> None:
    amount = plans.amount * shifts
    had.gross -= amount
    had.shifted += amount
    had.deferred += amount - amount * terms.friction // MICRO


def traced(worlds: Worlds, plans: Plans, do: Ints) -> Ints:
    """What the detector sees: `collusion.encoded` of each deed, or `collusion.offered`."""
    sells = do == SELL
    code = np.where(sells | (do == BUY), 16 + ((plans.price * 2 + plans.way) * 2 + sells), do)
    if worlds.config.collusion.evidence == "acts":
        return code
    waiting = np.where(plans.way == 0, worlds.market.waiting[0][:, None], worlds.market.waiting[1][:, None])
    return np.where(sells & (plans.price > waiting), code, BLANK)


def pay_houses(after: Worlds) -> None:
    rents, had, tally = after.config.terms.rents, after.had, after.tally
    if not any(rents) or not after.houses.any():
        return
    net = np.maximum(had.built * np.array(rents), -had.coin)
    income = np.maximum(net, 0)
    had.gross += income
    had.earned += income
    had.coin += net
    assert after.log is not None
    after.log.paid = net
    paid = net.sum(axis=1)
    after.house_income = after.house_income + paid
    tally.house_income += paid
    tally.events += after.houses


def trade(worlds: Worlds, after: Worlds, orders: Plans | None, do: Ints) -> None:
    """Match wood, then stone."""
    market = worlds.market
    if orders is None:
        after.market = market if market.plans is None else replace(market, plans=None, waiting=market.waiting * 0)
        return
    orders = replace(orders, do=do)
    left, waiting = orders.amount.copy(), np.zeros_like(market.waiting)
    after.market = Market(orders, left, waiting, market.price.copy(), market.quantity.copy())
    after.treasury = after.treasury.copy()
    for place in range(len(RESOURCES)):
        bids, asks = ((do == side) & (orders.way == place) for side in (BUY, SELL))
        meeting = np.flatnonzero(bids.any(axis=1) & asks.any(axis=1))
        if len(meeting):
            match(after, place, orders.price, bids, asks, meeting)
        waiting[place] = (orders.price * (bids & (left > 0))).max(axis=1)


def match(after: Worlds, place: int, prices: Ints, bids: Flags, asks: Flags, world: Ints) -> None:
    """The orders of one good in these worlds: in each the best bid and the best offer that stand, until none meet."""
    had, market, tally, fee = after.had, after.market, after.tally, after.config.terms.fee
    coin, goods, left = had.coin, (had.wood, had.stone)[place], market.left
    buyers = np.where(bids[world], -prices[world], LAST).argsort(axis=1, kind="stable")
    sellers = np.where(asks[world], prices[world], LAST).argsort(axis=1, kind="stable")
    most = np.stack((np.count_nonzero(bids[world], axis=1), np.count_nonzero(asks[world], axis=1)))
    assert after.log is not None
    row, turn = np.arange(len(world)), np.zeros_like(most)
    while len(row):
        here, buyer, seller = world[row], buyers[row, turn[0]], sellers[row, turn[1]]
        bid, ask = prices[here, buyer], prices[here, seller]
        meets = bid >= ask
        quantity, price = np.minimum(left[here, buyer], left[here, seller]), (bid + ask) // 2
        cost = quantity * price // MICRO
        charge = cost * fee // MICRO
        pays = coin[here, buyer] >= cost + charge
        done = meets & pays & (goods[here, seller] >= quantity)
        turn += np.stack((~pays, pays & ~done))
        if done.any():
            at, buy, sell = here[done], buyer[done], seller[done]
            units, costs, fees = quantity[done], cost[done], charge[done]
            coin[at, buy] -= costs + fees
            coin[at, sell] += costs - fees
            goods[at, buy] += units
            goods[at, sell] -= units
            left[at, buy] -= units
            left[at, sell] -= units
            income = np.maximum(0, costs - fees - units)
            had.gross[at, sell] += income
            had.earned[at, sell] += income
            turn[:, done] += np.stack((left[at, buy] == 0, left[at, sell] == 0))
            market.price[place, at], market.quantity[place, at] = price[done], units
            after.treasury[at] += 2 * fees
            after.log.trades.append((at, buy, sell, place, units, price[done], fees))
            for total, number in ((tally.events, 1), (tally.trades, 1), (tally.traded, costs), (tally.fees, 2 * fees)):
                total[at] += number
        on = meets & (turn < most).all(axis=0)
        row, turn, most = row[on], turn[:, on], most[:, on]
