"""Untrusted answers to orders. What is junk in part survives as `Malformed` parts, which `cleaning` then strikes out.

The source's structure: how many mils to buy; lists of attacks, cessions, grants and messages. Entries are objects, or
lists in the same order (``["Brevia", 3]``). Nations go by name or by seat number. Other fields are commentary.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from games.catalog.nations.config import WORDS, NationsConfig
from games.catalog.nations.money import has_two_decimals, hundredths, shown
from games.catalog.nations.settings import MILS_MAX, RESOURCES
from games.catalog.nations.state import (
    PROMISES,
    Attack,
    Cession,
    Grant,
    Malformed,
    Message,
    Orders,
    Promise,
    ResourceGrant,
)
from games.core.answers import JSON, ActionSpec, BadAction
from games.core.game import Number, Seat

FIELDS: Final = ("buy", "attacks", "cede", "grants", "resources", "disband", "messages")
ENTRIES_MAX: Final = 500
"""So many entries of a list are read."""
QUOTE_LENGTH: Final = 60
WHOLE_MAX: Final = 2**53 - 1
"""The largest whole number that is read; what is more than a rule allows is cut off there."""
AMOUNT_MAX: Final = 1e13
"""The largest amount of money that is read: its hundredths are whole numbers still."""


def quote(value: Any) -> str:
    """Any value of an answer in at most `QUOTE_LENGTH` printable ASCII characters."""
    match value:
        case int() if abs(value) >= 1 << 63:
            text = f"a number of {value.bit_length()} bits"
        case str():
            text = ascii(value[:QUOTE_LENGTH])
        case bool() | int() | float() | None:
            text = repr(value)
        case list() | tuple():
            text = f"[{', '.join(quote(part) if not _is_deep(part) else '...' for part in islice(value, 4))}]"
        case Mapping():
            inside = (
                f"{quote(key)}: {quote(part) if not _is_deep(part) else '...'}"
                for key, part in islice(value.items(), 4)
            )
            text = "{" + ", ".join(inside) + "}"
        case _:
            text = type(value).__name__
    return text if len(text) <= QUOTE_LENGTH else text[: QUOTE_LENGTH - 3] + "..."


def _is_deep(value: Any) -> bool:
    return isinstance(value, list | tuple | Mapping)


def is_whole(value: Any) -> bool:
    """Whether this is a whole number that a rule can use: no bool, no float, not beyond `WHOLE_MAX`."""
    return type(value) is int and -WHOLE_MAX <= value <= WHOLE_MAX


def amount_of(value: Any) -> Number | None:
    """A number of at most two decimals, whole where it is; None if this is no amount."""
    if type(value) not in (int, float) or abs(value) > AMOUNT_MAX or not math.isfinite(value):
        return None
    return shown(hundredths(value)) if has_two_decimals(value) else None


@lru_cache(maxsize=64)
def action_spec(config: NationsConfig) -> ActionSpec[Orders]:
    """What every nation may answer in every turn."""
    reader = _Reader(config)
    return ActionSpec(_schema(config), reader.orders)


class _Reader:
    """Reads answers by the names of one config's nations."""

    def __init__(self, config: NationsConfig) -> None:
        self.seats = {name.casefold(): seat for seat, name in enumerate(config.names)}

    def orders(self, raw: Any) -> Orders:
        """An answer as orders; an empty one is a peaceful turn. Raises `BadAction` if it holds something else."""
        if not isinstance(raw, Mapping):
            raise BadAction.told(WORDS.fault("no_orders", what=quote(raw)))
        if raw and not any(name in raw for name in FIELDS):
            raise BadAction.told(WORDS.fault("nothing_named", what=quote(raw)))
        bad: list[Malformed] = []
        return Orders(
            buy=self._whole(raw, "buy", bad),
            attacks=self._each(raw, "attacks", ("on", "mils"), self._attack, bad),
            cede=self._each(raw, "cede", ("territory", "to"), self._cession, bad),
            grants=self._each(raw, "grants", ("to", "amount"), self._grant, bad),
            resources=self._each(raw, "resources", ("to", "resource", "amount"), self._resource, bad),
            disband=self._whole(raw, "disband", bad),
            messages=self._each(raw, "messages", ("to", "text", "promise"), self._message, bad),
            unread=tuple(bad),
        )

    def _whole(self, raw: Mapping[Any, Any], name: str, bad: list[Malformed]) -> int:
        value = raw.get(name)
        if value is None:
            return 0
        if not is_whole(value):
            bad.append(Malformed(name, quote(value)))
            return 0
        return int(value)

    def _each(
        self, raw: Mapping[Any, Any], name: str, keys: Sequence[str], make: Any, bad: list[Malformed]
    ) -> tuple[Any, ...]:
        """The readable entries of a list. One object alone counts as a list of it."""
        value = raw.get(name)
        if value is None:
            return ()
        if isinstance(value, Mapping):
            value = (value,)
        if not isinstance(value, list | tuple):
            bad.append(Malformed(name, quote(value)))
            return ()
        found = []
        for entry in islice(value, ENTRIES_MAX):
            fields = entry if isinstance(entry, Mapping) else None
            if isinstance(entry, list | tuple) and 2 <= len(entry) <= len(keys):
                fields = dict(zip(keys, entry, strict=False))
            made = None if fields is None else make(fields)
            if made is None:
                bad.append(Malformed(name, quote(entry)))
            else:
                found.append(made)
        if len(value) > ENTRIES_MAX:
            bad.append(Malformed(name, f"... {len(value) - ENTRIES_MAX} more"))
        return tuple(found)

    def _seat(self, value: Any) -> Seat | None:
        """A nation by name or number, whether or not there is such a number; None if this names nobody."""
        if isinstance(value, str) and len(value) <= QUOTE_LENGTH:
            return self.seats.get(value.strip().casefold())
        return value if is_whole(value) else None

    def _attack(self, fields: Mapping[Any, Any]) -> Attack | None:
        on, mils = self._seat(fields.get("on", fields.get("to"))), fields.get("mils")
        return Attack(on, mils) if on is not None and mils is not None and is_whole(mils) else None

    def _cession(self, fields: Mapping[Any, Any]) -> Cession | None:
        territory, to = fields.get("territory"), self._seat(fields.get("to"))
        if to is None or territory is None or not is_whole(territory):
            return None
        return Cession(territory, to)

    def _grant(self, fields: Mapping[Any, Any]) -> Grant | None:
        to, amount = self._seat(fields.get("to")), amount_of(fields.get("amount"))
        return None if to is None or amount is None else Grant(to, amount)

    def _resource(self, fields: Mapping[Any, Any]) -> ResourceGrant | None:
        to, kind, amount = self._seat(fields.get("to")), fields.get("resource"), fields.get("amount")
        if to is None or amount is None or not is_whole(amount):
            return None
        return next((ResourceGrant(to, known, amount) for known in RESOURCES if known == kind), None)

    def _message(self, fields: Mapping[Any, Any]) -> Message | None:
        text, to = fields.get("text"), fields.get("to")
        if not isinstance(text, str):
            return None
        raw = fields.get("promise")
        promise = None if raw is None else self._promise(raw)
        if raw is not None and promise is None:
            return None
        if to is None or (isinstance(to, str) and to.strip().casefold() == "all"):
            return Message(None, text, promise)
        listed = to if isinstance(to, list | tuple) else (to,)
        seats = [self._seat(one) for one in islice(listed, ENTRIES_MAX)]
        known = tuple(seat for seat in seats if seat is not None)
        return Message(known, text, promise) if len(known) == len(listed) else None

    def _promise(self, raw: Any) -> Promise | None:
        if not isinstance(raw, Mapping):
            return None
        amount, turns = amount_of(raw.get("amount", 0)), raw.get("turns", 1)
        if amount is None or not is_whole(turns):
            return None
        return next((Promise(kind, amount, turns) for kind in PROMISES if kind == raw.get("kind")), None)


# --- the schema -----------------------------------------------------------------------------------


def _schema(config: NationsConfig) -> Mapping[str, JSON]:
    """JSON Schema of the canonical form."""
    nation: JSON = {
        "anyOf": [
            {"type": "string", "enum": list(config.names)},
            {"type": "integer", "minimum": 0, "maximum": config.nations - 1},
        ]
    }
    mils: JSON = {"type": "integer", "minimum": 0, "maximum": MILS_MAX}
    properties: dict[str, JSON] = {
        "buy": {**mils, "title": "Buy", "description": "Mils to buy; they join the army after the turn."},  # type: ignore[dict-item]
        "attacks": _list("Attacks", {"on": nation, "mils": {"type": "integer", "minimum": 1, "maximum": MILS_MAX}}),
        "cede": _list(
            "Cessions", {"territory": {"type": "integer", "minimum": 1, "maximum": config.territories}, "to": nation}
        ),
        "grants": _list("Grants", {"to": nation, "amount": {"type": "number", "minimum": 0.01}}),
        "disband": {  # the rules cut it off at the army
            "type": "integer",
            "minimum": 0,
            "title": "Disband",
            "description": "Mils to disband, after all else.",
        },
    }
    if config.resources:
        kind: JSON = {"type": "string", "enum": list(RESOURCES)}
        amount: JSON = {"type": "integer", "minimum": 1}
        properties["resources"] = _list("Resources", {"to": nation, "resource": kind, "amount": amount})
    if config.messages:
        properties["messages"] = _messages(config, nation)
    return {
        "type": "object",
        "title": "Orders",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }


def _messages(config: NationsConfig, nation: JSON) -> JSON:
    promise: JSON = {
        "type": "object",
        "title": "Promise",
        "description": "Marks the message as a promise. peace: no attack. grant: at least amount in one turn. "
        "cede: territory number amount. turns: within how many turns.",
        "properties": {
            "kind": {"type": "string", "enum": list(PROMISES)},
            "amount": {"type": "number", "minimum": 0},
            "turns": {"type": "integer", "minimum": 1, "maximum": 100},
        },
        "required": ["kind"],
        "additionalProperties": False,
    }
    return {
        "type": "array",
        "title": "Messages",
        "maxItems": config.messages,
        "items": {
            "type": "object",
            "properties": {
                "to": {"anyOf": [{"const": "all"}, {"type": "array", "items": nation}]},
                "text": {"type": "string", "maxLength": config.message_length},
                "promise": promise,
            },
            "required": ["to", "text"],
            "additionalProperties": False,
        },
    }


def _list(title: str, properties: Mapping[str, JSON]) -> JSON:
    """A list of objects, carried out in order."""
    entry: JSON = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "array", "title": title, "description": "Carried out in this order.", "items": entry}
