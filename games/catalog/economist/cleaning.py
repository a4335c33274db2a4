"""What a seat may answer, and what is struck out or changed of an answer, with the reason.

A worker's action that cannot be done for a reason that its seat knows becomes none at all; numbers out of bounds are
cut to them. What others do in the same step is not known: that fails when it is carried out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, ValidationError

from games.catalog.economist.acting import shiftable
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import deeds
from games.catalog.economist.land import grid, sites
from games.catalog.economist.money import Micro, decimal, micro
from games.catalog.economist.settings import BRACKETS_MAX
from games.catalog.economist.state import (
    DIRECTIONS,
    KEEP,
    NONE,
    NOOP,
    RESOURCES,
    Action,
    Build,
    Deal,
    Gather,
    Misreport,
    Move,
    Noop,
    SetTaxes,
    Shift,
    State,
    WorkerAction,
)
from games.catalog.economist.tax import THRESHOLD_MAX, rising
from games.core.answers import JSON, ActionSpec, BadAction, Note, first_fault
from games.core.game import Seat

QUANTITY_MAX: Final = 1_000_000.0
_WORKER: TypeAdapter[Any] = TypeAdapter(Annotated[WorkerAction, Field(discriminator="do")])
_PLANNER: TypeAdapter[Any] = TypeAdapter(SetTaxes)
_TAXES: Final = frozenset({"do", "brackets"})


def read_worker(raw: Any) -> Any:
    """Untrusted JSON as a worker's action; raises `BadAction`."""
    return _read(_WORKER, raw)


def read_planner(raw: Any) -> Any:
    """Untrusted JSON as a schedule: ``{"brackets": [[threshold, rate], ...]}`` or bare pairs; raises `BadAction`."""
    if isinstance(raw, list | tuple):
        raw = {"brackets": raw}
    if isinstance(raw, Mapping) and raw and not raw.keys() & _TAXES:
        # Another game's answer, or one in another's words: it is not the wish to keep the schedule.
        raise BadAction("brackets: missing; none of them keeps the schedule", Note("missing", {"path": "brackets"}))
    return _read(_PLANNER, raw)


def _read(adapter: TypeAdapter[Any], raw: Any) -> Any:
    try:
        return adapter.validate_python(raw)
    except ValidationError as error:
        raise BadAction(*first_fault(error)) from None
    except OverflowError:
        raise BadAction("a number is too large to be read; use at most 1e308") from None


# --- what may be answered -------------------------------------------------------------------------


def _one(do: str, title: str, **fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": {"do": {"const": do}, **fields},
        "required": ["do", *fields],
        "additionalProperties": False,
    }


@lru_cache(maxsize=64)
def worker_spec(config: EconomistConfig) -> ActionSpec[Any]:
    """What a worker may answer: one of the actions that are in force."""
    market = config.market
    resource = {"enum": list(RESOURCES), "title": "Resource"}
    quantity = {"type": "number", "exclusiveMinimum": 0, "maximum": QUANTITY_MAX, "title": "Quantity"}
    price = {"type": "number", "minimum": market.price_floor, "maximum": market.price_ceiling, "title": "Price"}
    options = [
        _one("move", "Move", direction={"enum": list(DIRECTIONS), "title": "Direction"}),
        _one("gather", "Gather"),
        _one("build", "Build"),
    ]
    if market.enabled:
        options += [_one(do, do.title(), resource=resource, quantity=quantity, price=price) for do in ("buy", "sell")]
    if config.gaming.income_shifting_enabled:
        options.append(_one("shift", "Shift income", amount={"type": "number", "exclusiveMinimum": 0, "title": "Coin"}))
    if config.misreporting.enabled:
        most = config.misreporting.max_underreport_fraction
        fraction = {"type": "number", "minimum": 0, "maximum": most, "title": "Share hidden"}
        options.append(_one("misreport", "Misreport", fraction=fraction))
    options.append(_one("noop", "Nothing"))
    schema: dict[str, JSON] = {"type": "object", "oneOf": options, "discriminator": {"propertyName": "do"}}
    return ActionSpec(schema, read_worker)


@lru_cache(maxsize=8)
def planner_spec(falling: bool) -> ActionSpec[Any]:
    """What the planner may answer: the brackets that it wants, or none to keep them."""
    pair = {
        "type": "array",
        "prefixItems": [
            {"type": "number", "minimum": 0, "maximum": THRESHOLD_MAX, "title": "Threshold"},
            {"type": "number", "minimum": 0, "maximum": 1, "title": "Rate"},
        ],
        "minItems": 2,
        "maxItems": 2,
    }
    about = "Threshold in coin and marginal rate of each bracket, the first threshold 0"
    brackets = {
        "type": "array", "items": pair, "maxItems": BRACKETS_MAX, "title": "Brackets", "default": [],
        "description": f"{about}{'' if falling else ', rates not falling'}. Empty: keep the schedule.",
    }  # fmt: skip
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"do": {"const": "set_taxes", "default": "set_taxes"}, "brackets": brackets},
        "additionalProperties": False,
    }
    return ActionSpec(schema, read_planner)


# --- workers --------------------------------------------------------------------------------------


def clean_worker(
    config: EconomistConfig, state: State, seat: Seat, action: Action | None
) -> tuple[Any, tuple[Note, ...]]:
    """The action as it can be carried out, and why it differs."""
    if action is None or type(action) is Noop:
        return NOOP, ()
    match action:
        case Gather() | Move() | Build():
            fault = fault_of(config, state, seat, action)
            return (action, ()) if fault is None else (NOOP, (fault,))
        case Deal():
            return _clean_order(config, state, seat, action)
        case Shift():
            return _clean_shift(config, state, seat, action)
        case Misreport():
            return _clean_misreport(config, action)
    return NOOP, (Note("not_your_role", {"action": action.do}),)


def fault_of(config: EconomistConfig, state: State, seat: Seat, action: Action) -> Note | None:
    """Why a move, a gathering or a building cannot be done; None where it can."""
    terms, had = config.terms, state.workers
    cell, energy = had.cell[seat], had.energy[seat]
    match action:
        case Gather():
            if energy < terms.cost_gather:
                return _tired("gather", energy, terms.cost_gather)
            place = sites(state.land).at[cell]
            if place < 0 or min(state.stock[place] + terms.regrowth, terms.stock_max) <= 0:
                return Note("no_resource", {"action": "gather"})
        case Move():
            if energy < terms.cost_move:
                return _tired("move", energy, terms.cost_move)
            if grid(terms.rows, terms.cols, config.sight).ways[cell][action.direction] < 0:
                return Note("off_map", {"action": "move", "direction": action.direction})
        case Build():
            return _build_fault(config, state, seat)
    return None


def _build_fault(config: EconomistConfig, state: State, seat: Seat) -> Note | None:
    """The contract's checks in its order; then that the cell holds neither a house nor a resource."""
    terms, had = config.terms, state.workers
    if had.energy[seat] < terms.cost_build:
        return _tired("build", had.energy[seat], terms.cost_build)
    if had.built[seat] >= terms.houses_max:
        return Note("max_houses", {"action": "build", "most": terms.houses_max})
    for name, held, cost in (("wood", had.wood[seat], terms.house_wood), ("stone", had.stone[seat], terms.house_stone)):
        if held < cost:
            return Note(f"insufficient_{name}", {"action": "build", "held": decimal(held), "cost": decimal(cost)})
    cell = had.cell[seat]
    if state.land.bears[cell] != NONE or deeds(state.houses, terms.rows * terms.cols).owners[cell] >= 0:
        return Note("cell_occupied", {"action": "build"})
    return None


def _tired(action: str, energy: Micro, cost: Micro) -> Note:
    return Note("no_energy", {"action": action, "energy": decimal(energy), "cost": decimal(cost)})


def _clean_order(config: EconomistConfig, state: State, seat: Seat, order: Deal) -> tuple[Any, tuple[Note, ...]]:
    terms, had = config.terms, state.workers
    if not config.market.enabled:
        return NOOP, (Note("market_disabled", {"action": order.do}),)
    if had.banned[seat] >= state.epoch:
        return NOOP, (Note("trade_restricted_collusion", {"action": order.do, "epoch": had.banned[seat] + 1}),)
    if had.energy[seat] < terms.cost_trade:
        return NOOP, (_tired(order.do, had.energy[seat], terms.cost_trade),)
    quantity, price = _number(order.quantity, QUANTITY_MAX), order.price
    if quantity is None or micro(quantity) <= 0:
        return NOOP, (Note("bad_quantity", {"action": order.do, "quantity": _shown(order.quantity)}),)
    lowest, highest = config.market.price_floor, config.market.price_ceiling
    held = lowest if math.isnan(price) else max(lowest, min(price, highest))
    notes = []
    if quantity != order.quantity and not _same(quantity, order.quantity):
        notes.append(
            Note("quantity_cut", {"action": order.do, "quantity": _shown(order.quantity), "most": QUANTITY_MAX})
        )
    if not _same(held, price):
        bounds: dict[str, JSON] = {"lowest": lowest, "highest": highest, "now": held}
        notes.append(Note("price_clamped", {"action": order.do, "price": _shown(price), **bounds}))
    return replace(order, quantity=round(quantity, 6), price=round(held, 6)), tuple(notes)


def _clean_shift(config: EconomistConfig, state: State, seat: Seat, action: Shift) -> tuple[Any, tuple[Note, ...]]:
    if not config.gaming.income_shifting_enabled:
        return NOOP, (Note("shift_disabled", {"action": "shift"}),)
    had = state.workers
    most = shiftable(had.gross[seat], had.shifted[seat], config.terms.shift_max)
    amount = _number(action.amount, decimal(most))
    if amount is None or micro(amount) <= 0:
        return NOOP, (
            Note("nothing_to_shift", {"action": "shift", "amount": _shown(action.amount), "most": decimal(most)}),
        )
    cut = () if _same(amount, action.amount) else (
        Note("shift_cut", {"action": "shift", "amount": _shown(action.amount), "most": decimal(most)}),
    )  # fmt: skip
    return Shift(round(amount, 6)), cut


def _clean_misreport(config: EconomistConfig, action: Misreport) -> tuple[Any, tuple[Note, ...]]:
    if not config.misreporting.enabled:
        return NOOP, (Note("misreport_disabled", {"action": "misreport"}),)
    most = config.misreporting.max_underreport_fraction
    fraction = 0.0 if math.isnan(action.fraction) else max(0.0, min(action.fraction, most))
    cut = () if _same(fraction, action.fraction) else (
        Note(
            "fraction_cut",
            {"action": "misreport", "fraction": _shown(action.fraction), "most": most, "now": fraction},
        ),
    )  # fmt: skip
    return Misreport(round(fraction, 6)), cut


def _number(value: float, most: float) -> float | None:
    """A positive number, cut to a bound; None where it is none."""
    return None if math.isnan(value) or value <= 0 else min(value, most)


def _same(one: float, other: float) -> bool:
    return abs(one - other) < 1e-6


def _shown(value: float) -> JSON:
    """A number as a note may hold it."""
    return round(value, 6) if math.isfinite(value) and abs(value) < 1e12 else f"{value:.6g}"


# --- the planner ----------------------------------------------------------------------------------


def clean_planner(config: EconomistConfig, state: State, action: Action | None) -> tuple[Any, tuple[Note, ...]]:
    """A schedule that can stand, made of the answer: see the notes for each repair."""
    if action is None:
        return KEEP, ()
    if not isinstance(action, SetTaxes):
        return KEEP, (Note("not_your_role", {"action": action.do}),)
    if not action.brackets:
        return KEEP, ()
    notes: list[Note] = []
    pairs: dict[Micro, Micro] = {}
    for threshold, rate in action.brackets[:BRACKETS_MAX]:
        low = 0.0 if math.isnan(threshold) else max(0.0, min(threshold, THRESHOLD_MAX))
        part = 0.0 if math.isnan(rate) else max(0.0, min(rate, 1.0))
        if not _same(low, threshold):
            notes.append(Note("threshold_clamped", {"threshold": _shown(threshold), "most": THRESHOLD_MAX, "now": low}))
        if not _same(part, rate):
            notes.append(Note("rate_clamped", {"rate": _shown(rate), "now": part}))
        if micro(low) in pairs:
            notes.append(Note("threshold_repeated", {"threshold": decimal(micro(low))}))
        else:
            pairs[micro(low)] = micro(part)
    if len(action.brackets) > BRACKETS_MAX:
        notes.append(Note("brackets_cut", {"count": len(action.brackets), "most": BRACKETS_MAX}))
    brackets = sorted(pairs.items())
    if brackets[0][0] != 0:
        notes.append(Note("first_threshold_moved", {"threshold": decimal(brackets[0][0])}))
        brackets[0] = (0, brackets[0][1])
    if not config.taxation.allow_non_monotone and any(a[1] > b[1] for a, b in itertools.pairwise(brackets)):
        risen = rising(brackets)
        lifted: list[JSON] = [
            decimal(low) for (low, rate), (_, now) in zip(brackets, risen, strict=True) if rate != now
        ]
        notes.append(Note("rates_raised", {"thresholds": lifted}))
        brackets = list(risen)
    wanted = SetTaxes(tuple((decimal(low), decimal(rate)) for low, rate in brackets))
    return wanted, tuple(_brief(notes))


def _brief(notes: list[Note]) -> list[Note]:
    """At most one note of a kind: a hundred bad brackets are told once, by the first."""
    first: dict[str, Note] = {}
    for note in notes:
        first.setdefault(note.kind, note)
    return [*first.values()]
