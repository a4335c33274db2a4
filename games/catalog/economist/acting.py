"""A step of all workers: regrowth, actions in seat order, house income, the market.

Source: contract, "Actions" and "Step Semantics"; what the ledger books follows the rule sheet, Readings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.catalog.economist import collusion
from games.catalog.economist.deeds import deeds
from games.catalog.economist.desk import Desk
from games.catalog.economist.land import grid, regrow, sites
from games.catalog.economist.market import Bid, Trade, in_priority, match, reserve
from games.catalog.economist.money import Micro, micro, portion
from games.catalog.economist.state import (
    RESOURCES,
    WOOD,
    Action,
    Book,
    Cancel,
    Deal,
    House,
    Misreport,
    Move,
    Order,
    Shift,
)
from games.core.game import Seat


def act(desk: Desk, actions: Mapping[Seat, Action]) -> None:
    """The four parts of a step, in the contract's order, and the step's row of the traces."""
    terms = desk.terms
    desk.stock = list(regrow(desk.state.stock, terms.regrowth, terms.stock_max))
    row: list[int] = []
    by_offers = desk.config.collusion.evidence == "offers"
    for seat, until in enumerate(desk.frozen):
        if until >= desk.epoch:
            desk.facts.append(("frozen_skip", seat))
            row.append(collusion.BLANK)
            continue
        action = actions[seat]
        row.append(collusion.offered(action, desk.books) if by_offers else collusion.encoded(action))
        DOING[action.do](desk, seat, action)
    stand = by_offers and terms.order_lifetime > 1
    traced = collusion.standing_offers(desk.books, len(row)) if stand else tuple(row)
    desk.traces = (*desk.traces, traced)[-desk.config.collusion.detection_window_steps :]
    pay_houses(desk)
    trade(desk)
    desk.step += 1
    if terms.refills_each_step:
        desk.energy = [terms.energy] * len(desk.energy)
    desk.count(desk.facts)


def rest(desk: Desk, seat: Seat, _action: Any) -> None:
    """Nothing."""
    desk.facts.append(("noop", seat))


def move(desk: Desk, seat: Seat, action: Move) -> None:
    """One cell; the way is free, since cells hold any number of workers."""
    terms, start = desk.terms, desk.cell[seat]
    end = grid(terms.rows, terms.cols, desk.config.sight).ways[start][action.direction]
    desk.cell[seat] = end
    desk.energy[seat] -= terms.cost_move
    desk.facts.append(("move", seat, start, end))


def gather(desk: Desk, seat: Seat, _action: Any) -> None:
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


def build(desk: Desk, seat: Seat, _action: Any) -> None:
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


def place(desk: Desk, seat: Seat, action: Deal) -> None:
    """Put an order down for this step's matching. It costs its energy whether or not it is filled.

    Where orders stand, the coin or the goods that it may take are set aside until it is filled or ends.
    """
    quantity, price, sells = micro(action.quantity), micro(action.price), action.do == "sell"
    desk.energy[seat] -= desk.terms.cost_trade
    order = Bid(seat, quantity, price, quantity)
    if desk.terms.order_lifetime > 1:
        order.since = desk.step
        _hold(desk, action.resource, sells, order, -1)
    desk.orders[action.resource][sells].append(order)
    desk.facts.append(("order_placed", seat, action.do, action.resource, quantity, price))


def cancel(desk: Desk, seat: Seat, action: Cancel) -> None:
    """Withdraw the own orders of a good; what was set aside for them comes back. It takes no energy."""
    for sells, orders in enumerate(desk.orders[action.resource]):
        for order in [order for order in orders if order.by == seat]:
            orders.remove(order)
            _end(desk, action.resource, bool(sells), order, "cancelled")


def _hold(desk: Desk, resource: str, sells: bool, order: Bid, sign: int) -> None:
    """Set aside what an order may still take (-1), or give it back (1)."""
    if not sells:
        desk.coin[order.by] += sign * reserve(order.left, order.price, desk.terms.fee)
    else:
        (desk.wood if resource == "wood" else desk.stone)[order.by] += sign * order.left


def _end(desk: Desk, resource: str, sells: bool, order: Bid, reason: str) -> None:
    """An order stands no more: what was set aside for it comes back."""
    _hold(desk, resource, sells, order, 1)
    side = "sell" if sells else "buy"
    desk.facts.append(("order_ended", order.by, side, resource, order.left, order.price, reason))


def shiftable(gross: Micro, shifted: Micro, most: Micro) -> Micro:
    """What of an epoch's income may still be deferred: the share ``most`` of all of it, less what was deferred."""
    return max(0, portion(gross + shifted, most) - shifted)


def shift(desk: Desk, seat: Seat, action: Shift) -> None:
    """Give up income of this epoch for income of the next, less friction. No coin moves."""
    amount = micro(action.amount)
    lost = portion(amount, desk.terms.friction)
    desk.gross[seat] -= amount
    desk.shifted[seat] += amount
    desk.deferred[seat] += amount - lost
    desk.facts.append(("shift_income", seat, amount, lost, amount - lost))


def misreport(desk: Desk, seat: Seat, action: Misreport) -> None:
    """Take the stance for this epoch: the share is hidden of all its income, whenever it is earned."""
    desk.stance[seat] = fraction = micro(action.fraction)
    desk.facts.append(("misreport", seat, fraction, portion(desk.gross[seat], fraction)))


DOING: Final[Mapping[str, Callable[[Desk, Seat, Any], None]]] = {
    "move": move, "gather": gather, "build": build, "buy": place, "sell": place, "cancel": cancel,
    "shift": shift, "misreport": misreport, "noop": rest,
}  # fmt: skip


def pay_houses(desk: Desk) -> None:
    """What each owner's houses bring in a step; upkeep beyond the rent is paid as far as there is coin."""
    if not desk.houses or not any(desk.terms.rents):
        return
    paid = [0] * len(desk.built)
    for seat, count in enumerate(desk.built):
        if count:
            net = count * desk.terms.rents[seat]
            if net > 0:
                desk.book_income(seat, net)
            else:
                net = max(net, -desk.coin[seat])
            paid[seat] = net
            desk.coin[seat] += net
    terms = desk.terms
    desk.facts.append(("house_income", -1, deeds(desk.houses, terms.rows * terms.cols), paid))
    desk.house_income += sum(paid)


def trade(desk: Desk) -> None:
    """Match wood, then stone; what is not filled of an order ends with its last step, or with the epoch."""
    desk.books = (_matched(desk, 0), _matched(desk, 1))


def _matched(desk: Desk, place: int) -> Book:
    """One resource's market after this step; the last trade's price and quantity stand until another comes."""
    resource, goods, before = RESOURCES[place], (desk.wood, desk.stone)[place], desk.books[place]
    if not (any(desk.orders[resource]) or before.bids or before.asks):
        return before
    bids, asks = in_priority(*desk.orders[resource])
    price, quantity = before.price, before.quantity
    for each in match(bids, asks, desk.coin, goods, desk.terms.fee):
        _settle(desk, resource, each)
        price, quantity = each.price, each.quantity
    if desk.terms.order_lifetime > 1:
        bids, asks = (_alive(desk, resource, bool(sells), side) for sells, side in enumerate((bids, asks)))
    return Book(_orders(bids), _orders(asks), price, quantity)


def _settle(desk: Desk, resource: str, done: Trade) -> None:
    """Fees to the treasury; of the seller's proceeds what exceeds the income booked in kind is income."""
    desk.treasury += 2 * done.fee
    desk.book_income(done.seller, max(0, done.cost - done.fee - done.quantity))
    desk.facts.append(("trade", -1, done.buyer, done.seller, resource, done.quantity, done.price, done.fee))


def _alive(desk: Desk, resource: str, sells: bool, orders: list[Bid]) -> list[Bid]:
    """The orders of a side but for those whose last step this was."""
    now, alive = desk.step + 1, []
    over = now == desk.config.steps_per_epoch
    for order in orders:
        if order.left and (over or now - order.since >= desk.terms.order_lifetime):
            _end(desk, resource, sells, order, "epoch_over" if over else "expired")
        else:
            alive.append(order)
    return alive


def _orders(bids: list[Bid]) -> tuple[Order, ...]:
    return tuple(Order(bid.by, bid.quantity, bid.price, bid.left, bid.since) for bid in bids)
