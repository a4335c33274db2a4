"""A step of all workers: regrowth, actions in seat order, house income, the market.

Source: contract, "Actions" and "Step Semantics"; what the ledger books follows the rule sheet, Readings.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.catalog.economist import collusion
from games.catalog.economist.desk import Desk
from games.catalog.economist.land import grid, regrow, sites
from games.catalog.economist.market import Bid, Trade, in_priority, match
from games.catalog.economist.money import Micro, micro, portion
from games.catalog.economist.state import (
    NOOP,
    RESOURCES,
    WOOD,
    Book,
    Build,
    Buy,
    Gather,
    House,
    Misreport,
    Move,
    Noop,
    Order,
    Sell,
    Shift,
    WorkerAction,
)
from games.core.game import Seat

Orders = dict[str, tuple[list[Bid], list[Bid]]]


def act(desk: Desk, actions: Mapping[Seat, WorkerAction]) -> None:
    """The four parts of a step, in the contract's order, and the step's row of the traces."""
    terms = desk.terms
    desk.stock = regrow(desk.state.stock, terms.regrowth, terms.stock_max)
    orders: Orders = {resource: ([], []) for resource in RESOURCES}
    row = []
    for seat, until in enumerate(desk.frozen):
        if until >= desk.epoch:
            desk.facts.append(("frozen_skip", seat))
            row.append(collusion.BLANK)
            continue
        action = actions.get(seat, NOOP)
        row.append(collusion.encoded(action))
        kind = type(action)
        if kind is Noop:
            desk.facts.append(("noop", seat))
        elif kind is Gather:
            gather(desk, seat)
        else:
            _perform(desk, seat, action, orders)
    window = desk.config.collusion.detection_window_steps
    desk.traces = (*desk.traces, tuple(row))[-window:]
    paid = pay_houses(desk)
    trade(desk, orders)
    desk.step += 1
    if terms.refills_each_step:
        desk.energy = [terms.energy] * len(desk.energy)
    desk.count(paid)


def _perform(desk: Desk, seat: Seat, action: WorkerAction, orders: Orders) -> None:
    match action:
        case Move():
            move(desk, seat, action)
        case Buy() | Sell():
            place(desk, seat, action, orders)
        case Build():
            build(desk, seat)
        case Shift():
            shift(desk, seat, micro(action.amount))
        case Misreport():
            misreport(desk, seat, micro(action.fraction))


def move(desk: Desk, seat: Seat, action: Move) -> None:
    """One cell; the way is free, since cells hold any number of workers."""
    terms, start = desk.terms, desk.cell[seat]
    end = grid(terms.rows, terms.cols, desk.config.sight).ways[start][action.direction]
    desk.cell[seat] = end
    desk.energy[seat] -= terms.cost_move
    desk.facts.append(("move", seat, start, end))


def gather(desk: Desk, seat: Seat) -> None:
    """As much as skill and stock allow; income in kind of 1 coin a unit. Who comes after the last unit gets nothing."""
    cell = desk.cell[seat]
    place = sites(desk.state.land).at[cell]
    amount = min(desk.stock[place], desk.terms.skills[seat]) if place >= 0 else 0
    if amount <= 0:
        desk.facts.append(("gather_fail", seat, "no_resource"))
        return
    desk.stock[place] -= amount
    is_stone = desk.state.land.bears[cell] != WOOD
    (desk.stone if is_stone else desk.wood)[seat] += amount
    desk.gathered[is_stone] += amount
    desk.energy[seat] -= desk.terms.cost_gather
    desk.book_income(seat, amount)
    desk.facts.append(("gather", seat, RESOURCES[is_stone], amount))


def build(desk: Desk, seat: Seat) -> None:
    """A house on the own cell; of two who build there in one step the first in seat order does."""
    terms, cell = desk.terms, desk.cell[seat]
    if any(house.cell == cell for house in desk.houses):
        desk.facts.append(("build_fail", seat, "cell_occupied"))
        return
    desk.wood[seat] -= terms.house_wood
    desk.stone[seat] -= terms.house_stone
    desk.energy[seat] -= terms.cost_build
    desk.built[seat] += 1
    desk.houses = (*desk.houses, House(seat, cell, desk.epoch, desk.step))
    desk.facts.append(("build", seat, cell, desk.built[seat]))


def place(desk: Desk, seat: Seat, action: Buy | Sell, orders: Orders) -> None:
    """Put an order down for this step's matching. It costs its energy whether or not it is filled."""
    quantity, price = micro(action.quantity), micro(action.price)
    desk.energy[seat] -= desk.terms.cost_trade
    orders[action.resource][action.do == "sell"].append(Bid(seat, quantity, price, quantity))
    desk.facts.append(("order_placed", seat, action.do, action.resource, quantity, price))


def shiftable(gross: Micro, shifted: Micro, most: Micro) -> Micro:
    """What of an epoch's income may still be deferred: the share ``most`` of all of it, less what was deferred."""
    return max(0, portion(gross + shifted, most) - shifted)


def shift(desk: Desk, seat: Seat, amount: Micro) -> None:
    """Give up income of this epoch for income of the next, less friction. No coin moves."""
    lost = portion(amount, desk.terms.friction)
    desk.gross[seat] -= amount
    desk.shifted[seat] += amount
    desk.deferred[seat] += amount - lost
    desk.facts.append(("shift_income", seat, amount, lost))


def misreport(desk: Desk, seat: Seat, fraction: Micro) -> None:
    """Take the stance for this epoch: the share is hidden of all its income, whenever it is earned."""
    desk.stance[seat] = fraction
    desk.facts.append(("misreport", seat, fraction, portion(desk.gross[seat], fraction)))


def pay_houses(desk: Desk) -> Micro:
    """Each house's coin to its owner, houses in the order in which they were built. The sum."""
    each = desk.terms.house_income
    if not desk.houses or not each:
        return 0
    for seat, count in enumerate(desk.built):
        if count:
            desk.coin[seat] += count * each
            desk.book_income(seat, count * each)
    desk.facts.append(("house_income", -1, desk.houses, each))
    paid = len(desk.houses) * each
    desk.house_income += paid
    return paid


def trade(desk: Desk, orders: Orders) -> None:
    """Match wood, then stone; orders that are not filled end with the step."""
    books: list[Book] = []
    for resource, goods in zip(RESOURCES, (desk.wood, desk.stone), strict=True):
        bids, asks = in_priority(*orders[resource])
        before: Book = desk.books[len(books)]
        last: Trade | None = None
        for last in match(bids, asks, desk.coin, goods, desk.terms.fee):
            _settle(desk, resource, last)
        price, quantity = (before.price, before.quantity) if last is None else (last.price, last.quantity)
        if bids or asks or last or before.bids or before.asks:
            books.append(Book(_orders(bids), _orders(asks), price, quantity))
        else:
            books.append(before)
    desk.books = (books[0], books[1])


def _settle(desk: Desk, resource: str, one: Trade) -> None:
    """Fees to the treasury; of the seller's proceeds what exceeds the income booked in kind is income."""
    desk.treasury += 2 * one.fee
    desk.fees += 2 * one.fee
    desk.trades += 1
    desk.traded += one.cost
    desk.book_income(one.seller, max(0, one.cost - one.fee - one.quantity))
    desk.facts.append(("trade", -1, one.buyer, one.seller, resource, one.quantity, one.price, one.fee))


def _orders(bids: list[Bid]) -> tuple[Order, ...]:
    return tuple(Order(bid.by, bid.quantity, bid.price, bid.left) for bid in bids)
