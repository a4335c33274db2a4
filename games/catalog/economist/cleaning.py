"""What a seat may answer, and what is struck out or changed of an answer, with the reason.

A worker's action that cannot be done for a reason that its seat knows becomes none at all; numbers out of bounds are
cut to them. What others do in the same step is not known: that fails when it is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Field, TypeAdapter

from games.catalog.economist.acting import shiftable
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.deeds import deeds
from games.catalog.economist.land import grid, sites
from games.catalog.economist.market import affordable, standing
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
    Cancel,
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
from games.catalog.economist.terms import Terms
from games.core.answers import JSON, ActionSpec, BadAction, Note, read_as
from games.core.cleaning import Bound, Bounds, Notes
from games.core.game import Seat
from games.core.schema import option

Cleaned: TypeAlias = tuple[Any, tuple[Note, ...]]
Fault: TypeAlias = tuple[str, Mapping[str, JSON]]
"""Kind and data of the note that says why nothing is done."""
COSTS: Final[Mapping[str, Callable[[Terms], Micro]]] = {
    "move": attrgetter("cost_move"),
    "gather": attrgetter("cost_gather"),
    "build": attrgetter("cost_build"),
    "buy": attrgetter("cost_trade"),
    "sell": attrgetter("cost_trade"),
}
"""Which of the terms an action's energy is; the others take none."""
QUANTITY_MAX: Final = 1_000_000.0
ALWAYS: Final = frozenset({Gather, Move, Build})
"""Actions that no setting forbids."""
LEAST: Final = decimal(1)
"""Less of an amount is nothing."""
WITHIN: Final = 1e-6
"""Numbers that are cut by less than this are cut without a note."""
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
        return read_as(adapter, raw)
    except OverflowError:
        raise BadAction("a number is too large to be read; use at most 1e308") from None


# --- what may be answered -------------------------------------------------------------------------


_one: Final = partial(option, "do")


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
        if market.order_lifetime_steps > 1:
            options.append(_one("cancel", "Withdraw orders", resource=resource))
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


def clean_worker(config: EconomistConfig, state: State, seat: Seat, action: Action) -> Cleaned:
    """The action as it can be carried out, and why it differs."""
    if type(action) is Noop:
        return NOOP, ()
    forbidden = None if type(action) in ALWAYS else _forbidden(config, state, seat, action)
    fault = forbidden or _impossible(config, state, seat, action)
    if fault is not None:
        return _struck(action, *fault)
    match action:
        case Deal():
            cut = _cut_order(config, action)
            return cut if cut[0] is NOOP or config.terms.order_lifetime == 1 else _covered(config, state, seat, *cut)
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
        case Deal() | Cancel() if not config.market.enabled:
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
    cell, energy, cost_of = had.cell[seat], had.energy[seat], COSTS.get(action.do)
    if cost_of is not None and energy < cost_of(terms):
        return "no_energy", {"energy": decimal(energy), "cost": decimal(cost_of(terms))}
    match action.do:  # a name costs less than a class, and this is asked of every action of every step
        case "gather":
            place = sites(state.land).at[cell]
            if place < 0 or min(state.stock[place] + terms.regrowth, terms.stock_max) <= 0:
                return "no_resource", {}
        case "move":
            if grid(terms.rows, terms.cols, config.sight).ways[cell][action.direction] < 0:
                return "off_map", {"direction": action.direction}
        case "build":
            if had.built[seat] >= terms.houses_max:
                return "max_houses", {"most": terms.houses_max}
            if had.wood[seat] < terms.house_wood:
                return "insufficient_wood", {"held": decimal(had.wood[seat]), "cost": decimal(terms.house_wood)}
            if had.stone[seat] < terms.house_stone:
                return "insufficient_stone", {"held": decimal(had.stone[seat]), "cost": decimal(terms.house_stone)}
            if state.land.bears[cell] != NONE or deeds(state.houses, terms.rows * terms.cols).owners[cell] >= 0:
                return "cell_occupied", {}
        case "cancel":
            book = state.books[RESOURCES.index(action.resource)]
            if not any(order.by == seat for order in standing((*book.bids, *book.asks))):
                return "nothing_to_cancel", {"resource": action.resource}
    return None


def _clamp(name: str, kind: str, low: float, high: float, **data: JSON) -> Bounds:
    """A number that is cut to either bound, which the note names as ``now``."""
    return Bounds(name, Bound(low, kind, {**data, "now": low}), Bound(high, kind, {**data, "now": high}), WITHIN)


QUANTITY: Final = Bounds(
    "quantity",
    Bound(LEAST, "bad_quantity", strikes=True),
    Bound(QUANTITY_MAX, "quantity_cut", {"most": QUANTITY_MAX}),
    WITHIN,
)
THRESHOLD: Final = _clamp("threshold", "threshold_clamped", 0.0, THRESHOLD_MAX, most=THRESHOLD_MAX)
RATE: Final = _clamp("rate", "rate_clamped", 0.0, 1.0)


def _cut_order(config: EconomistConfig, order: Deal) -> Cleaned:
    notes = Notes()
    quantity = QUANTITY.hold(order.quantity, notes, action=order.do)
    if quantity is None:
        return NOOP, tuple(notes)
    lowest, highest = config.market.price_floor, config.market.price_ceiling
    prices = _clamp("price", "price_clamped", lowest, highest, lowest=lowest, highest=highest)
    price = prices.hold(order.price, notes, action=order.do) or lowest
    return replace(order, quantity=round(quantity, 6), price=round(price, 6)), tuple(notes)


def _covered(config: EconomistConfig, state: State, seat: Seat, order: Deal, notes: tuple[Note, ...]) -> Cleaned:
    """A standing order as far as what the seat holds covers it; none at all against one of its own."""
    terms, had, book = config.terms, state.workers, state.books[RESOURCES.index(order.resource)]
    price, sells = micro(order.price), order.do == "sell"
    for own in standing(book.bids if sells else book.asks):
        if own.by == seat and (own.price >= price if sells else own.price <= price):
            other = "buy" if sells else "sell"
            return _struck(order, "crosses_own", {"other": other, "resource": order.resource, "at": decimal(own.price)})
    if sells:
        most = (had.wood if order.resource == "wood" else had.stone)[seat]
    else:
        most = affordable(had.coin[seat], price, terms.fee)
    if most <= 0:
        return _struck(order, "nothing_to_set_aside", {"resource": order.resource, "price": order.price})
    if micro(order.quantity) <= most:
        return order, notes
    cut = Note("order_uncovered", {"action": order.do, "quantity": order.quantity, "most": decimal(most)})
    return replace(order, quantity=decimal(most)), (*notes, cut)


def _cut_shift(config: EconomistConfig, state: State, seat: Seat, action: Shift) -> Cleaned:
    notes, had = Notes(), state.workers
    most = decimal(shiftable(had.gross[seat], had.shifted[seat], config.terms.shift_max))
    nothing = Bound(LEAST, "nothing_to_shift", {"most": most}, strikes=True)
    cut = Bound(most, "shift_cut", {"most": most}) if most >= LEAST else replace(nothing, value=most)
    amount = Bounds("amount", nothing, cut, WITHIN).hold(action.amount, notes, action="shift")
    return (NOOP if amount is None else Shift(round(amount, 6))), tuple(notes)


def _cut_misreport(config: EconomistConfig, action: Misreport) -> Cleaned:
    notes, most = Notes(), config.misreporting.max_underreport_fraction
    shares = _clamp("fraction", "fraction_cut", 0.0, most, most=most)
    return Misreport(round(shares.hold(action.fraction, notes, action="misreport") or 0.0, 6)), tuple(notes)


# --- the planner ----------------------------------------------------------------------------------


def clean_planner(config: EconomistConfig, action: Action | None) -> Cleaned:
    """A schedule that can stand, made of the answer: a note for each kind of repair, of the first that needed it."""
    if not isinstance(action, SetTaxes | None):
        return KEEP, (Note("not_your_role", {"action": action.do}),)
    if action is None or not action.brackets:
        return KEEP, ()
    notes = Notes()
    pairs: dict[Micro, Micro] = {}
    for threshold, rate in action.brackets[:BRACKETS_MAX]:
        low, part = micro(THRESHOLD.hold(threshold, notes) or 0.0), micro(RATE.hold(rate, notes) or 0.0)
        if low in pairs:
            notes.add("threshold_repeated", threshold=decimal(low))
        pairs.setdefault(low, part)
    if len(action.brackets) > BRACKETS_MAX:
        notes.add("brackets_cut", count=len(action.brackets), most=BRACKETS_MAX)
    (first, rate), *others = sorted(pairs.items())
    if first != 0:
        notes.add("first_threshold_moved", threshold=decimal(first))
    brackets = ((0, rate), *others)
    risen = brackets if config.taxation.allow_non_monotone else rising(brackets)
    lifted: list[JSON] = [decimal(low) for (low, given), (_, now) in zip(brackets, risen, strict=True) if given != now]
    if lifted:
        notes.add("rates_raised", thresholds=lifted)
    kinds: dict[str, Note] = {}
    for note in notes:
        kinds.setdefault(note.kind, note)
    return SetTaxes(decimals(risen)), tuple(kinds.values())
