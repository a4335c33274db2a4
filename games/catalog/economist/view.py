"""What given eyes may see drawn, in coin and units. What they may not see is null.

Everybody sees the market, the schedule, the last epoch's totals and flags, frozen and banned workers. The planner sees
the map; a worker sees of it what its sight covers; the public sees where houses stand, which everybody is told, and
nothing else of it. A worker sees its own accounts, the planner each worker's report and the tax paid; who sees all sees
all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.catalog.economist.boundary import are_allied
from games.catalog.economist.collusion import decoded
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.land import grid, sites
from games.catalog.economist.money import decimal
from games.catalog.economist.news import written
from games.catalog.economist.state import Account, Book, Flag, Order, Report, State
from games.catalog.economist.statistics import bunching, statistics, total, welfare
from games.core.answers import JSON
from games.core.game import All, Eyes, Public, Seat, SeatEyes, View


def draw(config: EconomistConfig, state: State, eyes: Eyes) -> View:
    """The state as JSON; cells go row by row."""
    seat = eyes.seat if isinstance(eyes, SeatEyes) else -1
    worker = seat if 0 <= seat < config.workers else -1
    plans, public = seat == config.workers, isinstance(eyes, Public)
    seen = frozenset[int]() if public else _seen(config, state, worker)
    terms, had = config.terms, state.workers
    stock: list[JSON] = [0] * len(state.land.bears)
    for cell, amount in zip(sites(state.land).cells, state.stock, strict=True):
        stock[cell] = round(decimal(amount), 2)
    return {
        "rows": terms.rows,
        "cols": terms.cols,
        "epoch": state.epoch,
        "epochs": config.epochs,
        "step": state.step,
        "steps": config.steps_per_epoch,
        "planning": state.planning,
        "bears": [kind if cell in seen else None for cell, kind in enumerate(state.land.bears)],
        "stock": [amount if cell in seen else None for cell, amount in enumerate(stock)],
        "houses": [
            [house.cell, house.owner] for house in state.houses if public or house.cell in seen or house.owner == worker
        ],
        "workers": [
            _worker(config, state, number, had.cell[number] in seen, isinstance(eyes, All) or number == seat)
            for number in range(config.workers)
        ],
        "schedule": written(state.schedule),
        "before": written(state.before),
        "smoothing": terms.smoothing,
        "damping": decimal(terms.damping),
        "falling": config.taxation.allow_non_monotone,
        "redistribution": config.taxation.redistribution,
        "fee": decimal(terms.fee),
        "house_cost": [decimal(terms.house_wood), decimal(terms.house_stone)],
        "energy": decimal(terms.energy),
        "books": {"wood": _book(state.books[0]), "stone": _book(state.books[1])},
        "treasury": decimal(state.treasury),
        "report": None if state.report is None else _report(config, state.report, eyes, worker, plans),
    }


def _seen(config: EconomistConfig, state: State, worker: Seat) -> frozenset[int] | range:
    if worker < 0:
        return range(len(state.land.bears))
    shape = grid(config.map.height, config.map.width, config.sight)
    return frozenset(shape.sights[state.workers.cell[worker]])


def _worker(config: EconomistConfig, state: State, seat: Seat, placed: bool, opened: bool) -> Mapping[str, JSON]:
    had = state.workers
    public: dict[str, JSON] = {
        "cell": had.cell[seat] if placed else None,
        "frozen": had.frozen[seat] if had.frozen[seat] >= state.epoch else None,
        "banned": had.banned[seat] if had.banned[seat] >= state.epoch else None,
        "coalition": config.coalition(seat) if opened else "",
    }
    amounts = {
        "coin": had.coin, "energy": had.energy, "wood": had.wood, "stone": had.stone, "gross": had.gross,
        "deferred": had.deferred, "stance": had.stance, "fines": had.fines,
    }  # fmt: skip
    counts = {"houses": had.built, "audits": had.audits, "catches": had.catches}
    private: dict[str, JSON] = {name: decimal(of[seat]) if opened else None for name, of in amounts.items()}
    private.update({name: of[seat] if opened else None for name, of in counts.items()})
    return {**public, **private}


def _book(book: Book) -> Mapping[str, JSON]:
    return {
        "bids": [_order(order) for order in book.bids],
        "asks": [_order(order) for order in book.asks],
        "price": decimal(book.price) or None,
        "qty": decimal(book.quantity) or None,
    }


def _order(order: Order) -> list[JSON]:
    return [order.by, decimal(order.quantity), decimal(order.price), decimal(order.left)]


def _report(config: EconomistConfig, report: Report, eyes: Eyes, worker: Seat, plans: bool) -> Mapping[str, JSON]:
    totals, tally = statistics(report), report.tally
    sees_all = isinstance(eyes, All)
    return {
        "epoch": report.epoch,
        "schedule": written(report.schedule),
        "statistics": dict(totals._asdict()),
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
        "catches": sum(account.outcome == "caught" for account in report.accounts),
        "misses": sum(account.outcome == "missed" for account in report.accounts) if sees_all else None,
        "flags": [_flag(config, flag, sees_all) for flag in report.flags],
        "accounts": [
            _account(account, sees_all or seat == worker, plans) for seat, account in enumerate(report.accounts)
        ],
    }


def _flag(config: EconomistConfig, flag: Flag, sees_all: bool) -> Mapping[str, JSON]:
    traces: list[Any] = [[decoded(code) for code in trace] for trace in (flag.left, flag.right)]
    return {
        "pair": list(flag.pair),
        "similarity": flag.similarity,
        "suspicion": flag.suspicion,
        "traces": traces if sees_all else None,
        "allied": are_allied(config, flag.pair) if sees_all else None,
    }


def _account(account: Account, opened: bool, plans: bool) -> Mapping[str, JSON] | None:
    """All of it for its worker; for the planner the report, the tax, and what an audit found."""
    if not opened and not plans:
        return None
    told: dict[str, JSON] = {"reported": decimal(account.reported), "paid": decimal(account.paid)}
    found = account.outcome if opened or account.outcome in ("caught", "cleared") else "none"
    told["outcome"] = found
    told["fined"] = decimal(account.fined)
    told["shared"] = decimal(account.shared)
    for name in ("gross", "owed", "evaded"):
        told[name] = decimal(getattr(account, name)) if opened else None
    told["chance"] = round(account.chance, 4) if opened else None
    return told
