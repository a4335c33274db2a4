"""Untrusted answers to plans. What is junk in part survives as `Malformed` parts, which `cleaning` then strikes out.

Two forms are read. The list ``[{"type": "mine", "cell": [3, 7], "s": 3}, ...]``, bare or under ``items`` (also
``actions``, ``plan``), is the canonical one. The four fields ``claim``, ``raid``, ``defend``, ``mine`` are flattened in
the order in which they stand in the answer, since order is priority. Other fields are commentary, and ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import KINDS, Item, Malformed, Message, Plan
from games.core.answers import JSON, ActionSpec, BadAction
from games.core.cleaning import Talk, Unreadable, is_whole, quote, recipients, several, whole
from games.core.game import Seat
from games.core.schema import record
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")
LISTS: Final = ("items", "actions", "plan")
ITEMS_READ_AT_MOST: Final = 10_000
MESSAGES_READ_AT_MOST: Final = 50


@lru_cache(maxsize=64)
def action_spec(config: MiningConfig) -> ActionSpec[Plan]:
    """What every seat may answer in every round."""
    distinct = min(len(KINDS) * config.plots, ITEMS_READ_AT_MOST)

    def read(raw: Any) -> Plan:
        return read_plan(raw, config, distinct)

    return ActionSpec(_schema(config), read)


def read_plan(raw: Any, config: MiningConfig, at_most: int = ITEMS_READ_AT_MOST) -> Plan:
    """An answer as a plan; raises `BadAction` if it holds no plan at all.

    Only the first ``at_most`` items are read (as many as can differ in type and cell); the rest are counted.
    """
    if isinstance(raw, list | tuple):
        raw = {LISTS[0]: raw}
    if not isinstance(raw, Mapping):
        raise BadAction.told(WORDS.fault("no_plan", what=quote(raw)))
    fields = [(name, value) for name, value in raw.items() if name in LISTS or name in KINDS]
    if not fields and "messages" not in raw:
        raise BadAction.told(WORDS.fault("nothing_named", what=quote(raw)))
    parts: list[Item | Malformed] = []
    count = 0
    for name, value in fields:
        listed = several(value)
        kind = name if name in KINDS else None
        parts.extend(_item(kind, entry, config) for entry in islice(listed, max(0, at_most - len(parts))))
        count += len(listed)
    messages = tuple(_message(entry) for entry in islice(several(raw.get("messages")), MESSAGES_READ_AT_MOST))
    return Plan(tuple(parts), messages, unread=count - len(parts))


def _item(kind: str | None, entry: Any, config: MiningConfig) -> Item | Malformed:
    """One item: an object, or a bare cell where a field named its type."""
    fields = entry if isinstance(entry, Mapping) else {"cell": entry} if kind else {}
    name = next((known for known in KINDS if known == (kind or fields.get("type"))), None)
    if name is None:
        return Malformed(quote(entry), "type")
    cell = fields.get("cell")
    if cell is None and is_whole(fields.get("plot")):
        cell = divmod(fields["plot"], config.cols)
    if not (isinstance(cell, list | tuple) and len(cell) == 2 and is_whole(cell[0]) and is_whole(cell[1])):
        return Malformed(f"{name} {quote(entry)}", "cell")
    s: Any = fields.get("s", None if name == "mine" else 1)
    if not is_whole(s):
        return Malformed(f"{name} {quote(entry)}", "stamina")
    return Item(name, (cell[0], cell[1]), s if name in ("defend", "mine") else 1)


def _message(entry: Any) -> Message | Malformed:
    """One message: its text alone (to everyone), or ``{"to": "all" | seat | [seats], "text": ...}``."""
    fields = entry if isinstance(entry, Mapping) else {"text": entry}
    text = fields.get("text")
    if not isinstance(text, str):
        return Malformed(quote(entry), "text")
    try:
        return Message(recipients(fields.get("to"), whole), text)
    except Unreadable:
        return Malformed(quote(entry), "recipients")


@lru_cache(maxsize=64)
def talk(config: MiningConfig) -> Talk:
    """What miners may say to each other."""

    def readdress(to: Sequence[Any], known: tuple[Seat, ...]) -> tuple[str, dict[str, JSON]]:
        unknown = [other for other in to if other not in known]
        if known and not unknown:
            return "seats_in_order", {}
        kind = "sent_to_the_rest" if known else "sent_to_nobody"
        return kind, {"to": quote(unknown), "last": config.miners - 1}

    return Talk(config.miners, config.messages, config.message_length, readdress)


def _schema(config: MiningConfig) -> Mapping[str, JSON]:
    """JSON Schema of the canonical form."""
    cell: JSON = {
        "type": "array",
        "title": "Cell",
        "description": f"[row, column], from [0, 0] to [{config.rows - 1}, {config.cols - 1}]",
        "items": {"type": "integer", "minimum": 0, "maximum": max(config.rows, config.cols) - 1},
        "minItems": 2,
        "maxItems": 2,
    }
    about = "For mine (and for defend where each point offsets one raid); 1 for all else."
    s: JSON = {"type": "integer", "title": "Stamina", "description": about, "minimum": 0, "default": 1}
    kind: JSON = {"type": "string", "enum": list(KINDS)}
    item = record({"type": kind, "cell": cell, "s": s}, ["type", "cell"], "Item")
    order = "In order of priority: what exceeds your stamina is struck out from the end."
    plan: JSON = {"type": "array", "title": "Plan", "description": order, "items": item}
    properties: dict[str, JSON] = {"items": plan}
    if config.messages:
        seat: JSON = {"type": "integer", "minimum": 0, "maximum": config.miners - 1}
        properties["messages"] = talk(config).schema(seat)
    return record(properties, ["items"], "Plan")
