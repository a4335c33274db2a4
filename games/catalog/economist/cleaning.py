"""What a seat may answer, and what is struck out or changed of an answer, with the reason.

A worker's action that cannot be done for a reason that its seat knows becomes none at all; numbers out of bounds are
cut to them. What others do in the same step is not known: that fails when it is carried out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

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
from games.catalog.economist.tax import THRESHOLD_MAX, decimals, rising
from games.core.answers import JSON, ActionSpec, BadAction, Note, first_fault
from games.core.game import Seat

Cleaned: TypeAlias = tuple[Any, tuple[Note, ...]]
Fault: TypeAlias = tuple[str, Mapping[str, JSON]]
"""Kind and data of the note that says why nothing is done."""
COSTS: Final = {
    "move": "cost_move", "gather": "cost_gather", "build": "cost_build", "buy": "cost_trade", "sell": "cost_trade",
}  # fmt: skip
"""Which of the terms an action's energy is; the others take none."""
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


def clean_worker(config: EconomistConfig, state: State, seat: Seat, action: Action | None) -> Cleaned:
    """The action as it can be carried out, and why it differs."""
    if action is None or type(action) is Noop:
        return NOOP, ()
    fault = _forbidden(config, state, seat, action) or _impossible(config, state, seat, action)
    if fault is not None:
        return _struck(action, *fault)
    match action:
        case Deal():
            return _cut_order(config, action)
        case Shift():
            return _cut_shift(config, state, seat, action)
        case Misreport():
            return _cut_misreport(config, action)
    return action, ()


def _struck(action: Action, kind: str, data: Mapping[str, JSON]) -> Cleaned:
    return NOOP, (Note(kind, {"action": action.do, **data}),)


def _forbidden(config: EconomistConfig, state: State, seat: Seat, action: Action) -> Fault | None:
    """What rules that are not in force, or a ban, forbid."""
    match action:
        case Deal() if not config.market.enabled:
            return "market_disabled", {}
        case Deal() if state.workers.banned[seat] >= state.epoch:
            return "trade_restricted_collusion", {"epoch": state.workers.banned[seat] + 1}
        case Shift() if not config.gaming.income_shifting_enabled:
            return "shift_disabled", {}
        case Misreport() if not config.misreporting.enabled:
            return "misreport_disabled", {}
        case SetTaxes():
            return "not_your_role", {}
    return None


def _impossible(config: EconomistConfig, state: State, seat: Seat, action: Action) -> Fault | None:
    """What lacks energy, goods or room, in the contract's order; a house stands on no resource and no house."""
    terms, had = config.terms, state.workers
    cell, energy = had.cell[seat], had.energy[seat]
    cost: Micro = getattr(terms, COSTS[action.do]) if action.do in COSTS else 0
    if energy < cost:
        return "no_energy", {"energy": decimal(energy), "cost": decimal(cost)}
    match action:
        case Gather():
            place = sites(state.land).at[cell]
            if place < 0 or min(state.stock[place] + terms.regrowth, terms.stock_max) <= 0:
                return "no_resource", {}
        case Move(direction):
            if grid(terms.rows, terms.cols, config.sight).ways[cell][direction] < 0:
                return "off_map", {"direction": direction}
        case Build():
            if had.built[seat] >= terms.houses_max:
                return "max_houses", {"most": terms.houses_max}
            if had.wood[seat] < terms.house_wood:
                return "insufficient_wood", {"held": decimal(had.wood[seat]), "cost": decimal(terms.house_wood)}
            if had.stone[seat] < terms.house_stone:
                return "insufficient_stone", {"held": decimal(had.stone[seat]), "cost": decimal(terms.house_stone)}
            if state.land.bears[cell] != NONE or deeds(state.houses, terms.rows * terms.cols).owners[cell] >= 0:
                return "cell_occupied", {}
    return None


def _cut_order(config: EconomistConfig, order: Deal) -> Cleaned:
    lowest, highest = config.market.price_floor, config.market.price_ceiling
    quantity, price = _cut(order.quantity, 0.0, QUANTITY_MAX), _cut(order.price, lowest, highest)
    if micro(quantity) <= 0:
        return _struck(order, "bad_quantity", {"quantity": _shown(order.quantity)})
    notes = (
        *_noted("quantity_cut", order, "quantity", quantity, most=QUANTITY_MAX),
        *_noted("price_clamped", order, "price", price, lowest=lowest, highest=highest, now=price),
    )
    return replace(order, quantity=round(quantity, 6), price=round(price, 6)), notes


def _cut_shift(config: EconomistConfig, state: State, seat: Seat, action: Shift) -> Cleaned:
    had = state.workers
    most = decimal(shiftable(had.gross[seat], had.shifted[seat], config.terms.shift_max))
    amount = _cut(action.amount, 0.0, most)
    if micro(amount) <= 0:
        return _struck(action, "nothing_to_shift", {"amount": _shown(action.amount), "most": most})
    return Shift(round(amount, 6)), _noted("shift_cut", action, "amount", amount, most=most)


def _cut_misreport(config: EconomistConfig, action: Misreport) -> Cleaned:
    most = config.misreporting.max_underreport_fraction
    fraction = _cut(action.fraction, 0.0, most)
    return Misreport(round(fraction, 6)), _noted("fraction_cut", action, "fraction", fraction, most=most, now=fraction)


def _cut(value: float, low: float, high: float) -> float:
    """The nearest number within bounds; the lower one for what is no number."""
    return low if math.isnan(value) else max(low, min(value, high))


def _same(value: float, other: float) -> bool:
    return abs(value - other) < 1e-6


def _noted(kind: str, action: WorkerAction, name: str, cut: float, **bounds: JSON) -> tuple[Note, ...]:
    """A note of a field that was cut; none where it stays as it was."""
    given = getattr(action, name)
    return () if _same(given, cut) else (Note(kind, {"action": action.do, name: _shown(given), **bounds}),)


def _shown(value: float) -> JSON:
    """A number as a note may hold it."""
    return round(value, 6) if math.isfinite(value) and abs(value) < 1e12 else f"{value:.6g}"


# --- the planner ----------------------------------------------------------------------------------


def clean_planner(config: EconomistConfig, state: State, action: Action | None) -> Cleaned:
    """A schedule that can stand, made of the answer: a note for each kind of repair, of the first that needed it."""
    if action is None:
        return KEEP, ()
    if not isinstance(action, SetTaxes):
        return KEEP, (Note("not_your_role", {"action": action.do}),)
    if not action.brackets:
        return KEEP, ()
    notes: dict[str, Note] = {}

    def repaired(kind: str, **data: JSON) -> None:
        notes.setdefault(kind, Note(kind, data))

    pairs: dict[Micro, Micro] = {}
    for threshold, rate in action.brackets[:BRACKETS_MAX]:
        low, part = _cut(threshold, 0.0, THRESHOLD_MAX), _cut(rate, 0.0, 1.0)
        if not _same(low, threshold):
            repaired("threshold_clamped", threshold=_shown(threshold), most=THRESHOLD_MAX, now=low)
        if not _same(part, rate):
            repaired("rate_clamped", rate=_shown(rate), now=part)
        if micro(low) in pairs:
            repaired("threshold_repeated", threshold=decimal(micro(low)))
        pairs.setdefault(micro(low), micro(part))
    if len(action.brackets) > BRACKETS_MAX:
        repaired("brackets_cut", count=len(action.brackets), most=BRACKETS_MAX)
    (first, rate), *others = sorted(pairs.items())
    if first != 0:
        repaired("first_threshold_moved", threshold=decimal(first))
    brackets = ((0, rate), *others)
    risen = brackets if config.taxation.allow_non_monotone else rising(brackets)
    lifted: list[JSON] = [decimal(low) for (low, given), (_, now) in zip(brackets, risen, strict=True) if given != now]
    if lifted:
        repaired("rates_raised", thresholds=lifted)
    return SetTaxes(decimals(risen)), tuple(notes.values())
