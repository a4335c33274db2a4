"""Step 0: strike out what is illegal, then prune from the tail until the plan fits the stamina.

Source: "platform_cleaning_and_pruning_policy". What is struck out costs nothing. Each part that is has its note, and
there is a bounded number of them.
"""

from __future__ import annotations

from typing import Any

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.drawing import draw_items
from games.catalog.mining.grid import Grid, grid
from games.catalog.mining.reading import talk
from games.catalog.mining.shared import shared
from games.catalog.mining.state import NOBODY, Item, Malformed, MiningState, Plan
from games.core.answers import JSON, Note
from games.core.cleaning import QUOTE_LENGTH, Notes, affordable, is_whole, quote
from games.core.game import Seat
from games.core.rng import Rng


def clean_plan(
    config: MiningConfig, state: MiningState, seat: Seat, plan: Plan | None, rng: Rng
) -> tuple[Plan, tuple[Note, ...]]:
    """The plan that will be carried out, and why it is not the one that was sent.

    No plan, or (with seeded rationalisation) a plan of which nothing legal is left, is replaced by a drawn one.
    """
    if plan is None:
        if config.rationalisation == "off":
            return Plan(origin="none"), ()
        drawn = _rationalise(config, state, seat, rng)
        return drawn, (Note("drawn_for_none", {"count": len(drawn.items)}),)
    notes = Notes()
    legal = _legal_items(config, state, seat, plan.items, notes)
    items = tuple(_prune(legal, state.stamina[seat], notes))
    messages = tuple(talk(config).clean(seat, plan.messages, notes, Malformed)) if plan.messages else ()
    if plan.unread:
        notes.insert(0, Note("plan_too_long", {"count": plan.unread + len(plan.items), "read": len(plan.items)}))
    if config.rationalisation == "seeded" and (plan.items or plan.unread) and not items:
        drawn = _rationalise(config, state, seat, rng)
        notes.insert(0, Note("drawn_for_illegal", {"count": len(drawn.items)}))
        return Plan(drawn.items, messages, drawn.origin), notes.bounded()
    if not notes and items == plan.items:
        return plan, ()
    return Plan(items, messages, plan.origin), notes.bounded()


def is_clean(config: MiningConfig, state: MiningState, seat: Seat, plan: Plan) -> bool:
    """Whether `clean_plan` would change nothing, for plans without messages of items on the grid's own cells.

    False says nothing: it may be clean all the same.
    """
    if plan.messages or plan.unread:
        return False
    shape = grid(config.rows, config.cols)
    owners, cells, plot_of = state.owners, shape.cells, shape.plot_of
    left, items = state.stamina[seat], plan.items
    try:
        for item in items:
            kind, cell, s = item.type, item.cell, item.s  # type: ignore[union-attr]
            plot = plot_of[cell]
            if cells[plot] is not cell or s.__class__ is not int:
                return False
            if kind == "mine":
                legal = owners[plot] == seat and 0 <= s <= config.mine_cap
            elif kind == "defend":
                legal = owners[plot] == seat and (s == 1 or (s > 1 and config.defence == "per_point"))
            else:
                legal = s == 1 and _may_enter(config, state, seat, kind, plot)
            if not legal:
                return False
            left -= s
    except (AttributeError, TypeError, KeyError):
        return False
    return left >= 0 and (len(items) < 2 or len({(item.type, item.cell) for item in items}) == len(items))  # type: ignore[union-attr]


def _may_enter(config: MiningConfig, state: MiningState, seat: Seat, kind: Any, plot: int) -> bool:
    """Whether a claim or raid is legal there."""
    owner = state.owners[plot]
    if owner == NOBODY:
        return kind == "claim" or (kind == "raid" and config.immunity_window == 0)
    return kind == "raid" and owner != seat and state.immune_until[plot] <= state.round


# --- items ----------------------------------------------------------------------------------------


def _legal_items(
    config: MiningConfig, state: MiningState, seat: Seat, items: tuple[Item | Malformed, ...], notes: Notes
) -> list[Item]:
    """The items that may be carried out, their stamina within bounds; the first of each (type, cell) is kept."""
    shape = grid(config.rows, config.cols)
    legal: list[Item] = []
    taken: set[tuple[str, int]] = set()
    for item in items:
        if not isinstance(item, Item):
            notes.add(f"unread_{item.part}", what=item.text)
        elif (plot := _plot(shape, item.cell)) is None:
            notes.append(_of(item, "outside_grid", last_row=config.rows - 1, last_col=config.cols - 1))
        elif (fault := _forbidden(config, state, seat, item, plot)) is not None:
            notes.append(fault)
        elif (item.type, plot) in taken:
            notes.append(_of(item, "stands_twice"))
        else:
            taken.add((item.type, plot))
            legal.append(_bound_stamina(config, item, notes))
    return legal


def _of(item: Item, kind: str, **more: JSON) -> Note:
    """A note on one item: what it would do, and where."""
    cell: Any = item.cell
    is_cell = isinstance(cell, list | tuple) and len(cell) == 2 and all(map(is_whole, cell))
    name = item.type if isinstance(item.type, str) and len(item.type) <= QUOTE_LENGTH else quote(item.type)
    return Note(kind, {"action": name, "cell": list(cell) if is_cell else quote(cell), **more})


def _plot(shape: Grid, cell: Any) -> int | None:
    """The plot of a cell, None if it is no cell of the grid, whatever it is."""
    try:
        plot = shape.plot_of.get(cell)
    except TypeError:
        return None
    # 3.0 and True are equal to whole numbers and would be found; they are none.
    return plot if plot is not None and type(cell[0]) is int and type(cell[1]) is int else None


def _forbidden(config: MiningConfig, state: MiningState, seat: Seat, item: Item, plot: int) -> Note | None:
    """Why this item may not be carried out; None if it may. Ownership is that of the round's start."""
    owner = state.owners[plot]
    match item.type:
        case "mine" | "defend":
            if owner != seat:
                return _of(item, "not_yours")
            least = 0 if item.type == "mine" else 1
            if not is_whole(item.s) or item.s < least:
                stamina = item.s if is_whole(item.s) else quote(item.s)
                return _of(item, "too_little_stamina", stamina=stamina, least=least)
        case "claim":
            if owner != NOBODY:
                return _of(item, "owned_already", owner=owner)
        case "raid":
            if owner == seat:
                return _of(item, "own_plot")
            if owner == NOBODY:
                return None if config.immunity_window == 0 else _of(item, "unowned")
            if state.immune_until[plot] > state.round:
                return _of(item, "immune", until=state.immune_until[plot])
        case _:
            return _of(item, "no_such_action")
    return None


def _bound_stamina(config: MiningConfig, item: Item, notes: Notes) -> Item:
    """The item with no more stamina than its plot can use."""
    if item.type in ("claim", "raid"):
        return item if item.s == 1 and type(item.s) is int else Item(item.type, item.cell)
    most, kind = (config.mine_cap, "mining_capped") if item.type == "mine" else (1, "defence_capped")
    if item.s <= most or (item.type == "defend" and config.defence == "per_point"):
        return item
    notes.append(_of(item, kind, stamina=item.s, most=most))
    return Item(item.type, item.cell, most)


def _prune(items: list[Item], stamina: int, notes: Notes) -> list[Item]:
    """Whole items deleted from the end until the cost is within the stamina."""
    costs = [item.s for item in items]
    count = affordable(costs, stamina)
    if count < len(items):
        notes.append(_of(items[count], "over_stamina", cost=sum(costs), stamina=stamina, count=len(items) - count))
    return items[:count]


def stamina_spent(config: MiningConfig, state: MiningState, seat: Seat, plan: Plan) -> Note:
    """What a clean plan costs of a miner's stamina."""
    return Note("stamina_spent", {"cost": sum(plan.spent().values()), "stamina": state.stamina[seat]})


# --- rationalisation ------------------------------------------------------------------------------


def _rationalise(config: MiningConfig, state: MiningState, seat: Seat, rng: Rng) -> Plan:
    return Plan(draw_items(shared(config, state), seat, rng), origin="drawn")
