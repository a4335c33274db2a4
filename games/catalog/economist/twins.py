"""States that look the same to one seat: others' accounts, intentions and traces, and the map beyond its sight."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.land import seen_from, sites
from games.catalog.economist.state import STONE, WOOD, Account, Land, State
from games.core.game import Seat


def twins(config: EconomistConfig, state: State, seat: Seat) -> Iterator[State]:
    """The state with what this seat may not know changed, in two ways."""
    for more in (1, 700_001):
        yield _changed(config, state, seat, more)


def reseated(state: State, places: Sequence[Seat]) -> State:
    """Workers on each other's cells."""
    cells = state.workers.cell
    return replace(state, workers=replace(state.workers, cell=tuple(cells[place] for place in places[: len(cells)])))


def _changed(config: EconomistConfig, state: State, seat: Seat, more: int) -> State:
    had = state.workers
    private = {
        name: _others(getattr(had, name), seat, more)
        for name in (
            "coin", "energy", "wood", "stone", "gross", "shifted", "deferred", "earned", "audits", "catches", "fines",
        )
    }  # fmt: skip
    stance = _others(had.stance, seat, 1)
    boost = tuple(value + more for value in had.boost)
    traces = tuple(tuple(code + more for code in row) for row in had.traces)
    workers = replace(had, **private, stance=stance, boost=boost, traces=traces)
    tally = replace(state.tally, events=state.tally.events + more, exploits=state.tally.exploits + 1)
    report = state.report
    if report is not None:
        accounts = tuple(
            account if number == seat else _account(account, seat == config.workers, more)
            for number, account in enumerate(_swapped(report.accounts, seat))
        )
        report = replace(report, accounts=accounts, pairs=report.pairs + more, allied=report.allied + more)
    stock, land = _stock(config, state, seat, more), _land(config, state, seat) if more > 1 else state.land
    return replace(state, workers=workers, land=land, stock=stock, tally=tally, report=report)


def _others(values: tuple[int, ...], seat: Seat, more: int) -> tuple[int, ...]:
    return tuple(value if number == seat else value + more for number, value in enumerate(values))


def _swapped(accounts: tuple[Account, ...], seat: Seat) -> Sequence[Account]:
    """The true incomes of two other workers exchanged, so that all totals stay."""
    others = [number for number in range(len(accounts)) if number != seat]
    if len(others) < 2:
        return accounts
    one, other = others[:2]
    swapped = list(accounts)
    swapped[one] = replace(accounts[one], gross=accounts[other].gross)
    swapped[other] = replace(accounts[other], gross=accounts[one].gross)
    return swapped


def _account(account: Account, to_planner: bool, more: int) -> Account:
    """What nobody else may know of an account; whether it evaded unnoticed among it."""
    hidden = replace(account, chance=0.5, evaded=account.evaded + more)
    if account.outcome in ("none", "missed"):
        hidden = replace(hidden, outcome="missed" if account.outcome == "none" else "none")
    return hidden if to_planner else replace(hidden, reported=account.reported + more)


def _stock(config: EconomistConfig, state: State, seat: Seat, more: int) -> tuple[int, ...]:
    """Stocks beyond a worker's sight changed; the planner sees the whole map."""
    seen = _seen(config, state, seat)
    places = zip(sites(state.land).cells, state.stock, strict=True)
    return tuple(amount if cell in seen else max(0, amount - more) for cell, amount in places)


def _land(config: EconomistConfig, state: State, seat: Seat) -> Land:
    """Wood and stone beyond a worker's sight exchanged."""
    seen, other = _seen(config, state, seat), {WOOD: STONE, STONE: WOOD}
    return Land(tuple(b if cell in seen else other.get(b, b) for cell, b in enumerate(state.land.bears)))


def _seen(config: EconomistConfig, state: State, seat: Seat) -> Collection[int]:
    """The cells that a worker sees; the planner sees the whole map."""
    if seat == config.workers:
        return range(len(state.land.bears))
    return seen_from(config, state.workers.cell[seat])
