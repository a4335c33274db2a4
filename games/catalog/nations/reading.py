"""Untrusted answers to orders. What is junk in part survives as `Malformed` parts, which `cleaning` then strikes out.

The source's structure: how many mils to buy; lists of attacks, cessions, grants and messages. Entries are objects, or
lists in the same order (``["Brevia", 3]``). Nations go by name or by seat number. Other fields are commentary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, TypeVar

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
from games.core import cleaning
from games.core.answers import JSON, ActionSpec, BadAction
from games.core.cleaning import QUOTE_LENGTH, Talk, Unreadable, chosen, recipients, several
from games.core.game import Number, Seat
from games.core.schema import record

T = TypeVar("T")
FIELDS: Final = ("buy", "attacks", "cede", "grants", "resources", "disband", "messages")
ENTRIES_MAX: Final = 500
"""So many entries of a list are read."""
WHOLE: Final = 1 << 53
"""Whole numbers from this on are not read; what is more than a rule allows is cut off there."""
PROMISE_TURNS_MAX: Final = 100
AMOUNT_MAX: Final = 1e13
"""The largest amount of money that is read: its hundredths are whole numbers still."""


quote: Final = partial(cleaning.quote, depth=1, beyond=1 << 63, more="")
whole: Final = partial(cleaning.whole, beyond=WHOLE)


def amount_of(value: Any) -> Number:
    """A number of at most two decimals, whole where it is; raises `Unreadable`."""
    if type(value) not in (int, float) or not abs(value) <= AMOUNT_MAX or not has_two_decimals(value):
        raise Unreadable
    return shown(hundredths(value))


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

        def mils(name: str) -> int:
            value = raw.get(name)
            try:
                return 0 if value is None else whole(value)
            except Unreadable:
                bad.append(Malformed(name, quote(value)))
                return 0

        def each(name: str, kind: Callable[..., T], **readers: Callable[[Any], Any]) -> tuple[T, ...]:
            """The readable entries of a list, by what reads each field. One object alone counts as a list of it."""
            value = raw.get(name)
            if not isinstance(value, list | tuple | Mapping | None):
                bad.append(Malformed(name, quote(value)))
                return ()
            entries = several(value)
            parts = []
            for entry in islice(entries, ENTRIES_MAX):
                try:
                    fields = _fields(entry, list(readers))
                    parts.append(kind(*(read(fields.get(key)) for key, read in readers.items())))
                except Unreadable:
                    bad.append(Malformed(name, quote(entry)))
            if len(entries) > ENTRIES_MAX:
                bad.append(Malformed(name, f"... {len(entries) - ENTRIES_MAX} more"))
            return tuple(parts)

        return Orders(
            buy=mils("buy"),
            attacks=each("attacks", Attack, on=self._seat, mils=whole),
            cede=each("cede", Cession, territory=whole, to=self._seat),
            grants=each("grants", Grant, to=self._seat, amount=amount_of),
            resources=each("resources", ResourceGrant, to=self._seat, resource=_resource, amount=whole),
            disband=mils("disband"),
            messages=each("messages", Message, to=self._hearers, text=_text, promise=_promise),
            unread=tuple(bad),
        )

    def _seat(self, value: Any) -> Seat:
        """A nation by name or number, whether or not there is such a number; raises `Unreadable` for another name."""
        if not isinstance(value, str):
            return whole(value)
        seat = self.seats.get(value.strip().casefold()) if len(value) <= QUOTE_LENGTH else None
        return whole(seat)

    def _hearers(self, value: Any) -> tuple[Seat, ...] | None:
        return recipients(value, self._seat, at_most=ENTRIES_MAX)


def _fields(entry: Any, keys: Sequence[str]) -> Mapping[Any, Any]:
    """The fields of an entry; of a list by their order. Whom an attack is on may be called whom it goes to."""
    if isinstance(entry, list | tuple) and 2 <= len(entry) <= len(keys):
        return dict(zip(keys, entry, strict=False))
    if not isinstance(entry, Mapping):
        raise Unreadable
    return {"on": entry.get("to"), **entry}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable
    return value


_resource: Final = partial(chosen, choices=RESOURCES)


def _promise(raw: Any) -> Promise | None:
    if raw is None:
        return None
    if not isinstance(raw, Mapping):
        raise Unreadable
    return Promise(chosen(raw.get("kind"), PROMISES), amount_of(raw.get("amount", 0)), whole(raw.get("turns", 1)))


@lru_cache(maxsize=64)
def talk(config: NationsConfig) -> Talk:
    """What nations may say to each other."""

    def readdress(to: Sequence[Seat], known: tuple[Seat, ...]) -> tuple[str, Mapping[str, JSON]]:
        return ("recipients_in_order", {"to": known}) if known else ("sent_to_nobody", {})

    return Talk(config.nations, config.messages, config.message_length, readdress)


# --- the schema -----------------------------------------------------------------------------------


def _schema(config: NationsConfig) -> Mapping[str, JSON]:
    """JSON Schema of the canonical form."""
    nation: JSON = {
        "anyOf": [
            {"type": "string", "enum": list(config.names)},
            {"type": "integer", "minimum": 0, "maximum": config.nations - 1},
        ]
    }
    mils: JSON = {"type": "integer", "minimum": 1, "maximum": MILS_MAX}
    buy: dict[str, JSON] = {"type": "integer", "minimum": 0, "maximum": MILS_MAX, "title": "Buy"}
    territory: JSON = {"type": "integer", "minimum": 1, "maximum": config.territories}
    # The rules cut a disbanding off at the army.
    disband: dict[str, JSON] = {"type": "integer", "minimum": 0, "title": "Disband"}
    properties: dict[str, JSON] = {
        "buy": _described(buy, "Mils to buy; they join the army after the turn."),
        "attacks": _list("Attacks", on=nation, mils=mils),
        "cede": _list("Cessions", territory=territory, to=nation),
        "grants": _list("Grants", to=nation, amount={"type": "number", "minimum": 0.01}),
        "disband": _described(disband, "Mils to disband, after all else."),
    }
    if config.resources:
        units: JSON = {"type": "integer", "minimum": 1}
        kind: JSON = {"type": "string", "enum": list(RESOURCES)}
        properties["resources"] = _list("Resources", to=nation, resource=kind, amount=units)
    if config.messages:
        promise = record(
            {
                "kind": {"type": "string", "enum": list(PROMISES)},
                "amount": {"type": "number", "minimum": 0},
                "turns": {"type": "integer", "minimum": 1, "maximum": PROMISE_TURNS_MAX},
            },
            ["kind"],
            "Promise",
        )
        about = (
            "Marks the message as a promise. peace: no attack. grant: at least amount in one turn. "
            "cede: territory number amount. turns: within how many turns."
        )
        properties["messages"] = talk(config).schema(nation, promise=_described(promise, about))
    return record(properties, title="Orders")


def _described(schema: Mapping[str, JSON], description: str) -> JSON:
    return {**schema, "description": description}


def _list(title: str, **properties: JSON) -> JSON:
    entry = record(properties, list(properties))
    return _described({"type": "array", "title": title, "items": entry}, "Carried out in this order.")
