"""What given eyes may see drawn, in coin and units. What they may not see is null.

Everybody sees the market, the schedule, the last epoch's totals and flags, frozen and banned workers. The planner sees
the map; a worker sees of it what its sight covers; the public sees where houses stand, which everybody is told, and
nothing else of it. A worker sees its own accounts, the planner each worker's report and the tax paid; who sees all sees
all.
"""

from __future__ import annotations

from typing import Any

from games.catalog.economist.boundary import are_allied
from games.catalog.economist.collusion import decoded
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.land import seen_from, sites
from games.catalog.economist.money import decimal
from games.catalog.economist.shapes import AccountView, BookView, EconomistView, FlagView, ReportView, WorkerView
from games.catalog.economist.state import Account, Book, Flag, Order, Report, State
from games.catalog.economist.statistics import bunching, statistics, total, welfare
from games.catalog.economist.tax import decimals
from games.core.game import All, Eyes, Public, Seat, SeatEyes


def draw(config: EconomistConfig, state: State, eyes: Eyes) -> EconomistView:
    """The state as JSON; cells go row by row."""
    seat = eyes.seat if isinstance(eyes, SeatEyes) else -1
    worker = seat if 0 <= seat < config.workers else -1
    public, sees_all = isinstance(eyes, Public), isinstance(eyes, All)
    bears, terms = state.land.bears, config.terms
    seen: Any = range(0 if public else len(bears)) if worker < 0 else seen_from(config, state.workers.cell[worker])
    stock = {cell: round(decimal(held), 2) for cell, held in zip(sites(state.land).cells, state.stock, strict=True)}
    drawn: EconomistView = {
        "rows": terms.rows,
        "cols": terms.cols,
        "epoch": state.epoch,
        "epochs": config.epochs,
        "step": state.step,
        "steps": config.steps_per_epoch,
        "planning": state.planning,
        "bears": [kind if cell in seen else None for cell, kind in enumerate(bears)],
        "stock": [stock.get(cell, 0) if cell in seen else None for cell in range(len(bears))],
        "houses": [
            (house.cell, house.owner) for house in state.houses if public or house.cell in seen or house.owner == worker
        ],
        "workers": [
            _worker(config, state, number, state.workers.cell[number] in seen, sees_all or number == seat)
            for number in range(config.workers)
        ],
        "schedule": decimals(state.schedule),
        "before": decimals(state.before),
        "smoothing": terms.smoothing,
        "damping": decimal(terms.damping),
        "falling": config.taxation.allow_non_monotone,
        "redistribution": config.taxation.redistribution,
        "fee": decimal(terms.fee),
        "house_cost": (decimal(terms.house_wood), decimal(terms.house_stone)),
        "energy": decimal(terms.energy),
        "books": {"wood": _book(state.books[0]), "stone": _book(state.books[1])},
        "treasury": decimal(state.treasury),
        "report": None if state.report is None else _report(config, state.report, seat, sees_all),
    }
    if terms.order_lifetime > 1:
        drawn["order_lifetime"] = terms.order_lifetime
    return drawn


def _worker(config: EconomistConfig, state: State, seat: Seat, is_placed: bool, is_open: bool) -> WorkerView:
    had = state.workers

    def amount(values: tuple[int, ...]) -> float | None:
        return decimal(values[seat]) if is_open else None

    return {
        "cell": had.cell[seat] if is_placed else None,
        "frozen": had.frozen[seat] if had.frozen[seat] >= state.epoch else None,
        "banned": had.banned[seat] if had.banned[seat] >= state.epoch else None,
        "coalition": config.coalition(seat) if is_open else "",
        "coin": amount(had.coin),
        "energy": amount(had.energy),
        "wood": amount(had.wood),
        "stone": amount(had.stone),
        "gross": amount(had.gross),
        "deferred": amount(had.deferred),
        "stance": amount(had.stance),
        "fines": amount(had.fines),
        "houses": had.built[seat] if is_open else None,
        "audits": had.audits[seat] if is_open else None,
        "catches": had.catches[seat] if is_open else None,
    }


def _book(book: Book) -> BookView:
    return {
        "bids": [_order(order) for order in book.bids],
        "asks": [_order(order) for order in book.asks],
        "price": decimal(book.price) or None,
        "qty": decimal(book.quantity) or None,
    }


def _order(order: Order) -> tuple[Seat, float, float, float]:
    return order.by, decimal(order.quantity), decimal(order.price), decimal(order.left)


def _report(config: EconomistConfig, report: Report, seat: Seat, sees_all: bool) -> ReportView:
    totals, tally = statistics(report), report.tally
    outcomes = [account.outcome for account in report.accounts]
    return {
        "epoch": report.epoch,
        "schedule": decimals(report.schedule),
        "statistics": totals._asdict(),
        "welfare": welfare(config, totals),
        "bunched": bunching(config, report),
        "flow": {
            "house_income": decimal(tally.house_income),
            "traded": decimal(tally.traded),
            "fees": decimal(tally.fees),
            "taxes": totals.total_tax_revenue,
            "fines": total(report, "fined"),
            "shared": total(report, "shared"),
        },
        "built": tally.built,
        "trades": tally.trades,
        "catches": outcomes.count("caught"),
        "misses": outcomes.count("missed") if sees_all else None,
        "flags": [_flag(config, flag, sees_all) for flag in report.flags],
        "accounts": [
            _account(account, sees_all or number == seat) if sees_all or seat in (number, config.workers) else None
            for number, account in enumerate(report.accounts)
        ],
    }


def _flag(config: EconomistConfig, flag: Flag, sees_all: bool) -> FlagView:
    left, right = ([decoded(code) for code in trace] for trace in (flag.left, flag.right))
    return {
        "pair": flag.pair,
        "similarity": flag.similarity,
        "suspicion": flag.suspicion,
        "traces": (left, right) if sees_all else None,
        "allied": are_allied(config, flag.pair) if sees_all else None,
    }


def _account(account: Account, is_open: bool) -> AccountView:
    """All of it for its worker; for the planner the report, the tax, and what an audit found."""
    return {
        "reported": decimal(account.reported),
        "paid": decimal(account.paid),
        "outcome": account.outcome if is_open or account.outcome in ("caught", "cleared") else "none",
        "fined": decimal(account.fined),
        "shared": decimal(account.shared),
        "gross": decimal(account.gross) if is_open else None,
        "owed": decimal(account.owed) if is_open else None,
        "evaded": decimal(account.evaded) if is_open else None,
        "chance": round(account.chance, 4) if is_open else None,
    }
