"""Step 0: strike out what is illegal, then prune from the tail until the plan fits the stamina.

Source: "platform_cleaning_and_pruning_policy". What is struck out costs nothing. Reasons are one line each, and at most
`REASONS_SHOWN` of them.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.drawing import draw_items
from games.catalog.mining.grid import Grid, grid
from games.catalog.mining.reading import is_whole, quote
from games.catalog.mining.shared import shared
from games.catalog.mining.state import NOBODY, Cell, Item, Malformed, Message, MiningState, Plan
from games.core.game import Seat
from games.core.rng import Rng

REASONS_SHOWN: Final = 20


def clean_plan(
    config: MiningConfig, state: MiningState, seat: Seat, plan: Plan | None, rng: Rng
) -> tuple[Plan, tuple[str, ...]]:
    """The plan that will be carried out, and why it is not the one that was sent.

    No plan, or (with seeded rationalisation) a plan of which nothing legal is left, is replaced by a drawn one.
    """
    if plan is None:
        if config.rationalisation == "off":
            return Plan(origin="none"), ()
        drawn = _rationalise(config, state, seat, rng)
        return drawn, (_told_drawn("no plan could be read", drawn),)
    reasons: list[str] = []
    legal = _legal_items(config, state, seat, plan.items, reasons)
    items = tuple(_prune(legal, state.stamina[seat], reasons))
    messages = _legal_messages(config, seat, plan.messages, reasons)
    if plan.unread:
        reasons.insert(0, f"plan: {plan.unread + len(plan.items)} items; only the first {len(plan.items)} were read.")
    if config.rationalisation == "seeded" and (plan.items or plan.unread) and not items:
        drawn = _rationalise(config, state, seat, rng)
        reasons.insert(0, _told_drawn("nothing legal was left of the plan", drawn))
        return Plan(drawn.items, tuple(messages), drawn.origin), _bounded(reasons)
    if not reasons:
        return plan, ()
    return Plan(items, tuple(messages), plan.origin), _bounded(reasons)


def _bounded(reasons: list[str]) -> tuple[str, ...]:
    if len(reasons) <= REASONS_SHOWN:
        return tuple(reasons)
    return (*reasons[: REASONS_SHOWN - 1], f"and {len(reasons) - REASONS_SHOWN + 1} more of this kind")


# --- items ----------------------------------------------------------------------------------------


def _legal_items(
    config: MiningConfig, state: MiningState, seat: Seat, items: tuple[Item | Malformed, ...], reasons: list[str]
) -> list[Item]:
    """The items that may be carried out, their stamina within bounds; the first of each (type, cell) is kept."""
    shape = grid(config.rows, config.cols)
    kept: list[Item] = []
    taken: set[tuple[str, int]] = set()
    for item in items:
        if not isinstance(item, Item):
            reasons.append(f"{item.text}: {item.why}. Struck out.")
            continue
        plot = _plot(shape, item.cell)
        if plot is None:
            reasons.append(
                f"{item.type} {quote(item.cell)}: outside the grid; rows 0 to {config.rows - 1}, "
                f"columns 0 to {config.cols - 1}. Struck out."
            )
            continue
        if (fault := _forbidden(config, state, seat, item, plot)) is not None:
            reasons.append(f"{item.type} {_at(item.cell)}: {fault}. Struck out.")
            continue
        if (item.type, plot) in taken:
            reasons.append(f"{item.type} {_at(item.cell)}: stands twice in the plan. The first is kept.")
            continue
        taken.add((item.type, plot))
        kept.append(_bound_stamina(config, item, reasons))
    return kept


def _plot(shape: Grid, cell: Any) -> int | None:
    """The plot of a cell, None if it is no cell of the grid, whatever it is."""
    try:
        plot = shape.plot_of.get(cell)
    except TypeError:
        return None
    # 3.0 and True are equal to whole numbers and would be found; they are none.
    return plot if plot is not None and type(cell[0]) is int and type(cell[1]) is int else None


def _forbidden(config: MiningConfig, state: MiningState, seat: Seat, item: Item, plot: int) -> str | None:
    """Why this item may not be carried out; None if it may. Ownership is that of the round's start."""
    owner = state.owners[plot]
    match item.type:
        case "mine" | "defend":
            if owner != seat:
                return "not yours at the start of the round"
            least = 0 if item.type == "mine" else 1
            if not is_whole(item.s) or item.s < least:
                return f"{quote(item.s)} stamina; at least {least}"
        case "claim":
            if owner != NOBODY:
                return f"owned by seat {owner}; only unowned plots can be claimed"
        case "raid":
            if owner == seat:
                return "your own plot"
            if owner == NOBODY:
                return None if config.immunity_window == 0 else "unowned; only plots of others can be raided"
            if state.immune_until[plot] > state.round:
                return f"immune to raids until the end of round {state.immune_until[plot]} (immunity_window)"
        case _:
            return "no such action"
    return None


def _bound_stamina(config: MiningConfig, item: Item, reasons: list[str]) -> Item:
    """The item with no more stamina than its plot can use."""
    most: int
    bound: Literal["mine_cap", "block_all"]
    match item.type:
        case "mine":
            most, bound = config.mine_cap, "mine_cap"
        case "defend" if config.defence == "block_all":
            most, bound = 1, "block_all"
        case "defend":
            return item
        case _:
            return item if item.s == 1 and type(item.s) is int else Item(item.type, item.cell)
    if item.s <= most:
        return item
    reasons.append(f"{item.type}: {item.s} stamina on {_at(item.cell)}; at most {most} ({bound}). Cut to {most}.")
    return Item(item.type, item.cell, most)


def _prune(items: list[Item], stamina: int, reasons: list[str]) -> list[Item]:
    """Whole items deleted from the end until the cost is within the stamina."""
    cost = sum(item.s for item in items)
    if cost <= stamina:
        return items
    kept, left = len(items), cost
    while left > stamina:
        kept -= 1
        left -= items[kept].s
    shown = ", ".join(f"{item.type} {_at(item.cell)} {item.s}" for item in items[kept : kept + 5])
    cut = len(items) - kept
    more = ", ..." if cut > 5 else ""
    which = "the last item was" if cut == 1 else f"the last {cut} items were"
    reasons.append(f"plan: {cost} of {stamina} stamina; {which} struck out: {shown}{more}.")
    return items[:kept]


def _at(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


# --- messages -------------------------------------------------------------------------------------


def _legal_messages(
    config: MiningConfig, seat: Seat, messages: tuple[Message | Malformed, ...], reasons: list[str]
) -> list[Message]:
    """The messages that will be delivered: the first few, each to seats that exist, none longer than allowed."""
    if not messages:
        return []
    if not config.messages:
        reasons.append(f"messages: {len(messages)} sent; miners cannot talk here (messages 0). Struck out.")
        return []
    kept: list[Message] = []
    for message in messages:
        if not isinstance(message, Message):
            reasons.append(f"message {message.text}: {message.why}. Struck out.")
        elif len(kept) == config.messages:
            reasons.append(f"message {quote(message.text)}: at most {config.messages} a round (messages). Struck out.")
        elif (sent := _legal_message(config, seat, message, reasons)) is not None:
            kept.append(sent)
    return kept


def _legal_message(config: MiningConfig, seat: Seat, message: Message, reasons: list[str]) -> Message | None:
    to = message.to
    if to is not None:
        known = tuple(sorted({other for other in to if is_whole(other) and 0 <= other < config.miners} - {seat}))
        if known != to:
            others = [other for other in to if other not in known]
            if others:
                reasons.append(
                    f"message {quote(message.text)}: to {quote(others)}; other seats are 0 to {config.miners - 1}. "
                    + ("Sent to the rest." if known else "Struck out.")
                )
            else:
                reasons.append(f"message {quote(message.text)}: seats put in order, each once.")
            to = known
        if not to:
            return None
    text = _storable(message.text)
    if len(text) > config.message_length:
        reasons.append(
            f"message {quote(text)}: {len(text)} characters; at most {config.message_length} (message_length). Cut."
        )
        text = text[: config.message_length]
    elif text != message.text:
        reasons.append(f"message {quote(text)}: characters that no text may hold were replaced.")
    return Message(to, text)


def _storable(text: str) -> str:
    """The text without what UTF-8 or a database cannot hold: lone surrogates and NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "?")


# --- rationalisation ------------------------------------------------------------------------------


def _rationalise(config: MiningConfig, state: MiningState, seat: Seat, rng: Rng) -> Plan:
    return Plan(draw_items(shared(config, state), seat, rng), origin="drawn")


def _told_drawn(why: str, plan: Plan) -> str:
    return f"plan: {why}; {len(plan.items)} items were drawn from the seed (rationalisation)."
