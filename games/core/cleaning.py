"""Untrusted answers, part by part: what can be read, what is struck out or cut, and a note of each such change.

Reading raises `Unreadable` for a part that holds nothing a rule can use. Cleaning writes to `Notes`; the kinds of the
notes, and the sentences that show them, are the game's.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from typing import Any, Final, TypeVar, overload

from games.core.answers import JSON, Note
from games.core.game import Number, Seat
from games.core.schema import record

QUOTE_LENGTH: Final = 60
"""Characters of an answer that a note quotes."""
NOTES_MAX: Final = 20
WHOLE: Final = 1 << 31
"""Whole numbers from this on, up and down, are no cells, seats or units."""
T = TypeVar("T")


# --- reading --------------------------------------------------------------------------------------


class Unreadable(ValueError):
    """A part of an answer of which nothing can be made. ``part`` is the game's name of what is wrong with it."""

    def __init__(self, part: str = "") -> None:
        super().__init__(part)
        self.part = part


def is_whole(value: Any, beyond: int = WHOLE) -> bool:
    """Whether this is a whole number that a rule can use: no bool, no float, and nearer to 0 than ``beyond``."""
    return type(value) is int and -beyond < value < beyond


def whole(value: Any, part: str = "", beyond: int = WHOLE) -> int:
    """A whole number that a rule can use; raises `Unreadable`."""
    if not is_whole(value, beyond):
        raise Unreadable(part)
    return int(value)


def chosen(value: Any, choices: Iterable[T], part: str = "") -> T:
    """The choice that this is, whatever its type; raises `Unreadable` if it is none."""
    for choice in choices:
        if choice == value:
            return choice
    raise Unreadable(part)


def several(value: Any) -> Sequence[Any]:
    """A list as it is, nothing as an empty list, and anything else as a list of itself alone."""
    return value if isinstance(value, list | tuple) else () if value is None else (value,)


def recipients(
    value: Any, seat_of: Callable[[Any], Seat], part: str = "", at_most: int | None = None
) -> tuple[Seat, ...] | None:
    """Whom a message is for: None for all (nothing, or "all"), else seats as they were named.

    ``seat_of`` reads one seat and raises `Unreadable`; so do more than ``at_most`` of them.
    """
    if value is None or (isinstance(value, str) and value.strip().casefold() == "all"):
        return None
    seats = several(value)
    if at_most is not None and len(seats) > at_most:
        raise Unreadable(part)
    return tuple(seat_of(seat) for seat in seats)


def quote(value: Any, depth: int = 3, beyond: int = WHOLE, more: str = ", ...") -> str:
    """Any value of an answer in at most `QUOTE_LENGTH` printable ASCII characters.

    Lists and mappings are written ``depth`` deep and four parts long, then ``more``; numbers from ``beyond`` on are
    named by their bits.
    """
    match value:
        case int() if abs(value) >= beyond:
            return f"a number of {value.bit_length()} bits"
        case bool() | int() | float() | None:
            return repr(value)
        case str():
            text = ascii(value[:QUOTE_LENGTH])
        case list() | tuple() | Mapping() if not depth:
            text = "..."
        case list() | tuple():
            parts = [quote(part, depth - 1, beyond, more) for part in islice(value, 4)]
            text = f"[{', '.join(parts)}{more if len(value) > 4 else ''}]"
        case Mapping():
            pairs = [[quote(part, depth - 1, beyond, more) for part in pair] for pair in islice(value.items(), 4)]
            text = f"{{{', '.join(map(': '.join, pairs))}{more if len(value) > 4 else ''}}}"
        case _:
            text = type(value).__name__
    return text if len(text) <= QUOTE_LENGTH else text[: QUOTE_LENGTH - 3] + "..."


# --- text -----------------------------------------------------------------------------------------


def storable(text: str) -> str:
    """The text without what UTF-8 or a database cannot hold: lone surrogates and NUL."""
    kept = text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    return kept.replace("\x00", "?")


def printable(text: str) -> str:
    """The text in one line that any page can show: a space in place of what is not printable."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def begun(text: str) -> str:
    """The first words of a text, in one line, by which a note names it."""
    return printable(text[:QUOTE_LENGTH]) + ("…" if len(text) > QUOTE_LENGTH else "")


# --- notes and bounds -----------------------------------------------------------------------------


class Notes(list[Note]):
    """Notes on one answer, in order."""

    def add(self, kind: str, **data: JSON) -> None:
        self.append(Note(kind, data))

    def bounded(self) -> tuple[Note, ...]:
        """At most `NOTES_MAX` of them; the last then counts the rest."""
        if len(self) <= NOTES_MAX:
            return tuple(self)
        return (*self[: NOTES_MAX - 1], Note("and_more", {"count": len(self) - NOTES_MAX + 1}))


@dataclass(frozen=True, slots=True)
class Bound:
    """The least or the most that a number may be, and the note on a number beyond it: its kind and its data beside the
    number. ``strikes``: such a number is struck out, not cut to the bound.
    """

    value: Number
    kind: str
    data: Mapping[str, JSON] = field(default_factory=dict)
    strikes: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a number may be. ``name``: its key in the notes' data.

    NaN is below every least. A number that differs from its bound by less than ``within`` is not noted.
    """

    name: str
    least: Bound | None = None
    most: Bound | None = None
    within: float = 0

    @overload
    def hold(self, number: int, notes: Notes, **data: JSON) -> int | None: ...
    @overload
    def hold(self, number: float, notes: Notes, **data: JSON) -> float | None: ...
    def hold(self, number: Number, notes: Notes, **data: JSON) -> Number | None:
        """The number, or the bound that it is cut to, or None where it is struck out. ``data`` goes into the note."""
        if self.least is not None and not number >= self.least.value:
            bound = self.least
        elif self.most is not None and number > self.most.value:
            bound = self.most
        else:
            return number
        if bound.strikes or not abs(number - bound.value) < self.within:
            notes.add(bound.kind, **data, **{self.name: noted(number)}, **bound.data)
        return None if bound.strikes else bound.value


def noted(number: Number) -> JSON:
    """A number as a note may hold it: at most six decimals; as a text where JSON, or a page, could not read it."""
    if type(number) is int:
        return number
    return round(number, 6) if math.isfinite(number) and abs(number) < 1e12 else f"{number:.6g}"


def affordable(costs: Iterable[int], budget: int) -> int:
    """How many of the parts stay if whole ones are struck from the end until the cost is within the budget."""
    return bisect_right(list(accumulate(costs)), budget)


def cut_in_order(wanted: Iterable[int], budget: int) -> list[int]:
    """What is left of each when a budget is given out in order, to each what it wants as long as it lasts."""
    parts = []
    for amount in wanted:
        parts.append(min(amount, budget))
        budget -= parts[-1]
    return parts


# --- others, and messages to them -----------------------------------------------------------------


def is_other(to: Any, seat: Seat, seats: int) -> bool:
    """Whether this is a seat, and not one's own."""
    return type(to) is int and 0 <= to < seats and to != seat


@dataclass(frozen=True, slots=True)
class Talk:
    """What may be said in a turn: ``most`` messages of at most ``length`` characters, to other seats that exist.

    Notes: no_talk, too_many_messages, message_unstorable, message_too_long; and those of ``readdress``, which gives
    kind and data for a message whose ``to`` had to be put in order, from its ``to`` and the seats that it can go to.
    """

    seats: int
    most: int
    length: int
    readdress: Callable[[Sequence[Any], tuple[Seat, ...]], tuple[str, Mapping[str, JSON]]]

    def schema(self, seat: JSON, **more: JSON) -> JSON:
        """JSON Schema of the messages. ``seat``: that of one receiver; ``more``: further properties of a message."""
        to: JSON = {"anyOf": [{"const": "all"}, {"type": "array", "items": seat}]}
        message = record({"to": to, "text": {"type": "string", "maxLength": self.length}, **more}, ["to", "text"])
        return {"type": "array", "title": "Messages", "maxItems": self.most, "items": message}

    def clean(
        self, seat: Seat, messages: Sequence[Any], notes: Notes, malformed: type[Any] | tuple[()] = ()
    ) -> Iterator[Any]:
        """The first of the messages (dataclasses with ``to``, None for all, and ``text``) that can be sent.

        Those of the type ``malformed`` are struck out with the note of their ``part``.
        """
        if messages and not self.most:
            notes.add("no_talk", count=len(messages))
            return
        sent = 0
        for message in messages:
            if isinstance(message, malformed):
                notes.add(f"unread_{message.part}", what=message.text)
            elif sent == self.most:
                notes.add("too_many_messages", text=begun(message.text), most=self.most)
            elif (legal := self._legal(seat, message, notes)) is not None:
                sent += 1
                yield legal

    def _legal(self, seat: Seat, message: Any, notes: Notes) -> Any | None:
        to, text = message.to, storable(message.text)
        if to is not None:
            to = tuple(sorted({other for other in to if is_other(other, seat, self.seats)}))
            if not to or to != message.to:
                kind, data = self.readdress(message.to, to)
                notes.add(kind, text=begun(message.text), **data)
            if not to:
                return None
        if text != message.text:
            notes.add("message_unstorable", text=begun(text))
        if len(text) > self.length:
            notes.add("message_too_long", text=begun(text), length=len(text), most=self.length)
            text = text[: self.length]
        return message if (to, text) == (message.to, message.text) else replace(message, to=to, text=text)
