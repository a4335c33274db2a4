"""What a move is made of: `Amount`, `Pick`, `Points`, `Text`, `Cell`. Each field knows its schema, its bounds, how an
answer outside them is mended, and which answers there are.

A bound is a number, or the name of a setting, of carried or drawn state, of an earlier field, or of a method.
``limits`` below are the bounds of one seat at one moment, as plain values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field as Bounded

from games.core.answers import JSON, Note
from games.core.rng import Rng
from games.declare.money import CENTS, Exact, exact, hundredths, number, plain

Bound: TypeAlias = int | float | str
Limits: TypeAlias = tuple[Any, ...]
Resolve: TypeAlias = Callable[[Bound], Exact]
"""The value of a bound for one seat, now."""
LISTED_MAX: Final = 101
"""So many answers are listed as options at the most."""
ASKED_MAX: Final = 10**12
"""Numbers beyond this are told as this in notes."""


@dataclass(frozen=True, slots=True)
class Given:
    """Units for one seat."""

    to: int
    units: int


class Move(NamedTuple):
    """A value as its seat may play it, with a note for each part that was changed."""

    value: Any
    notes: tuple[Note, ...] = ()


class Field(ABC):
    """One part of a move. ``kind`` is its widget on a board, "" where the feed alone tells it."""

    kind: ClassVar[str]
    python: Any
    """The type of its value in an action."""
    unit: str
    label: str = ""
    """What it is called beside other fields of its stage; "": by its name."""
    bounds: tuple[Bound, ...]
    """The bounds as they were declared, for the check of their names."""
    is_exact: bool = True
    """Whether a stage gets its values as they stand in an action."""

    @abstractmethod
    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits: ...

    @abstractmethod
    def schema(self, limits: Limits) -> dict[str, JSON]: ...

    @abstractmethod
    def clean(self, name: str, value: Any, limits: Limits) -> Move: ...

    def fits(self, value: Any, limits: Limits) -> bool:
        """Whether a value is sure to be clean, found out fast; where it is not, `clean` says."""
        return False

    @abstractmethod
    def drawn(self, limits: Limits, rng: Rng) -> Any:
        """A legal value by chance, each as likely."""

    def listed(self, limits: Limits) -> tuple[Any, ...] | None:
        """Every legal value, where they are few; else None."""
        return None

    def exactly(self, value: Any) -> Any:
        """The value as a stage gets it."""
        return value

    def answered(self, value: Any, limits: Limits) -> Any:
        """A policy's plain answer as the value of an action."""
        return value

    def slips(self) -> bool:
        """Whether noise can put another value in the place of this one."""
        return False


def _whole(value: Exact, up: bool = False) -> int:
    return -(-value.numerator // value.denominator) if up else value.numerator // value.denominator


class Amount(Field):
    """A number from ``least`` to ``most``, in steps of ``step`` (1, or hundredths such as 0.5)."""

    kind = "bars"

    def __init__(self, least: Bound, most: Bound, step: float = 1, unit: str = "") -> None:
        self.least, self.most, self.step, self.unit = least, most, hundredths(step), unit
        if self.step < 1:
            raise ValueError(f"Amount: step {step}; at least 0.01")
        self.bounds = least, most
        self.is_whole = self.is_exact = self.step % CENTS == 0
        self.python = int if self.is_whole else int | Annotated[float, Bounded(allow_inf_nan=False)]

    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits:
        """Least and most as they stand on the grid of steps, in hundredths."""
        low, high = resolve(self.least), resolve(self.most)
        step = Fraction(self.step, CENTS)
        first, last = _whole(Fraction(low) / step, up=True), _whole(Fraction(high) / step)
        return first * self.step, max(first, last) * self.step

    def schema(self, limits: Limits) -> dict[str, JSON]:
        low, high = limits
        told: dict[str, JSON] = {"type": "integer" if self.is_whole else "number"}
        told |= {"minimum": number(low), "maximum": number(high)}
        if self.step != CENTS:
            told["multipleOf"] = number(self.step)
        return told | ({"x-unit": self.unit} if self.unit else {"x-money": True})

    def clean(self, name: str, value: Any, limits: Limits) -> Move:
        low, high = limits
        if not isinstance(value, int | float) or isinstance(value, bool):
            return Move(number(low), (Note("no_number", {"field": name, "given": number(low)}),))
        asked = min(max(value, -ASKED_MAX), ASKED_MAX)
        cents = hundredths(asked)
        within = min(max(cents, low), high)
        kept = number(within - (within - low) % self.step)
        if hundredths(kept) == cents:
            return Move(kept)
        data = {"field": name, "asked": plain(asked), "least": number(low), "most": number(high), "given": kept}
        if within == cents:
            return Move(kept, (Note("between_steps", data | {"step": number(self.step)}),))
        return Move(kept, (Note("outside_bounds", data),))

    def fits(self, value: Any, limits: Limits) -> bool:
        return type(value) is int and self.step == CENTS and limits[0] <= value * CENTS <= limits[1]

    def drawn(self, limits: Limits, rng: Rng) -> Any:
        low, high = limits
        return number(low + self.step * rng.below((high - low) // self.step + 1, "amount"))

    def listed(self, limits: Limits) -> tuple[Any, ...] | None:
        low, high = limits
        if (high - low) // self.step >= LISTED_MAX:
            return None
        return tuple(number(cents) for cents in range(low, high + 1, self.step))

    def exactly(self, value: Any) -> Any:
        return value if type(value) is int else exact(value)

    def answered(self, value: Any, limits: Limits) -> Any:
        """Down to the step: a policy may reckon with parts of a unit."""
        if type(value) is int and self.is_whole:
            return value
        cents = hundredths(value)
        return number(cents - cents % self.step)

    def slips(self) -> bool:
        return True


class Pick(Field):
    """One of some choices, by key: ``Pick("C", "D")``, ``Pick(C="Cooperate", D="Defect")``; or a seat:
    ``Pick(to="others")``. ``by``: the keys that each place of a game with roles may choose from, where they differ;
    ``label``: what it is called beside other fields of its stage."""

    kind = "pick"
    is_sure = False
    """Whether no hand slips in it: what is for good is not done by a slip."""

    def __init__(
        self, *keys: str | Mapping[str, str], to: Literal["", "others", "all"] = "", unit: str = "",
        by: Sequence[Sequence[str]] = (), label: str = "", **words: str,
    ) -> None:  # fmt: skip
        self.label = label
        self.choices: dict[str, str] = {}
        for key in keys:
            self.choices |= {key: key.replace("_", " ")} if isinstance(key, str) else key
        self.choices |= words
        self.to, self.unit, self.bounds, self.by = to, unit, (), tuple(map(tuple, by))
        if bool(self.choices) == bool(to) or (self.choices and len(self.choices) < 2):
            raise ValueError("Pick: name two choices at least, or to='others' for a seat")
        self.python = int if to else Literal[tuple(self.choices)]

    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits:
        if not self.to:
            return self.choices_of(seat)
        return others if self.to == "others" else tuple(sorted((*others, seat)))

    def schema(self, limits: Limits) -> dict[str, JSON]:
        if self.to:
            others: dict[str, JSON] = {"x-others": True} if self.to == "others" else {}
            return {"type": "integer", "enum": list(limits), "x-seat": True, **others}
        return {"type": "string", "enum": list(limits), "x-choices": {key: self.choices[key] for key in limits}}

    def choices_of(self, seat: int) -> tuple[str, ...]:
        """The keys that a seat may choose from: roles keep their place in each group."""
        return self.by[seat % len(self.by)] if self.by else tuple(self.choices)

    def clean(self, name: str, value: Any, limits: Limits) -> Move:
        if value in limits and not isinstance(value, bool):
            return Move(value)
        return Move(limits[0], (Note("no_choice", {"field": name, "given": limits[0]}),))

    def fits(self, value: Any, limits: Limits) -> bool:
        return type(value) is str and value in limits

    def drawn(self, limits: Limits, rng: Rng) -> Any:
        return limits[rng.below(len(limits), "pick")]

    def listed(self, limits: Limits) -> tuple[Any, ...] | None:
        return limits

    def slips(self) -> bool:
        return not self.to and not self.is_sure


class Points(Field):
    """Whole units to give to other seats, ``most`` together. ``cost``: the price of one, for the form to show."""

    kind = "matrix"
    python = tuple[Given, ...]

    def __init__(
        self, to: Literal["others"] = "others", most: Bound = 10, cost: Bound = 0, unit: str = "points"
    ) -> None:
        if to != "others":
            raise ValueError(f"Points: to {to!r}; 'others'")
        self.most, self.cost, self.unit = most, cost, unit
        self.bounds = (most, cost) if cost else (most,)

    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits:
        return max(0, _whole(resolve(self.most))), others, plain(resolve(self.cost)) if self.cost else 0

    def schema(self, limits: Limits) -> dict[str, JSON]:
        budget, others, cost = limits
        to: dict[str, JSON] = {"type": "integer", "enum": list(others), "x-seat": True, "x-others": True}
        units: dict[str, JSON] = {"type": "integer", "minimum": 1, "maximum": max(1, budget)}
        told: dict[str, JSON] = {
            "type": "array",
            "items": {"type": "object", "properties": {"to": to, "units": units}, "required": ["to", "units"]},
            "x-points": True,
            "x-budget": budget,
            "x-others": True,
            "x-unit": self.unit,
        }
        return told | ({"x-cost": cost} if cost else {})

    def clean(self, name: str, value: Any, limits: Limits) -> Move:
        """In the order given: what is for nobody else, or beyond the budget, is struck out."""
        budget, others, _ = limits
        given: dict[int, int] = {}
        left, stray, over = budget, 0, 0
        for one in value if isinstance(value, tuple | list) else ():
            if one.to not in others or one.units < 1:
                stray += 1
                continue
            units = min(one.units, left)
            over += min(one.units, ASKED_MAX) - units
            left -= units
            if units:
                given[one.to] = given.get(one.to, 0) + units
        kept = tuple(Given(to, given[to]) for to in sorted(given))
        notes = []
        if stray:
            notes.append(Note("not_for_others", {"field": name, "n": stray}))
        if over:
            data = {"field": name, "asked": budget - left + min(over, ASKED_MAX), "most": budget}
            notes.append(Note("over_budget", data))
        return Move(kept, tuple(notes))

    def fits(self, value: Any, limits: Limits) -> bool:
        return bool(value == ())

    def drawn(self, limits: Limits, rng: Rng) -> Any:
        budget, others, _ = limits
        return self.answered({others[rng.below(len(others), "to")]: rng.below(budget + 1, "units")}, limits)

    def answered(self, value: Any, limits: Limits) -> Any:
        """Units by seat, seats in their order; those who get none are left out."""
        if isinstance(value, Mapping):
            return tuple(Given(to, int(value[to])) for to in sorted(value) if value[to])
        return value


class Text(Field):
    """Words, ``most`` characters at the most."""

    kind = ""
    python = str
    unit = ""

    def __init__(self, most: Bound = 200) -> None:
        self.most, self.bounds = most, (most,)

    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits:
        return (_whole(resolve(self.most)),)

    def schema(self, limits: Limits) -> dict[str, JSON]:
        return {"type": "string", "maxLength": limits[0], "x-text": True}

    def clean(self, name: str, value: Any, limits: Limits) -> Move:
        text = value if isinstance(value, str) else ""
        notes = []
        if not text.isprintable():
            text = "".join(letter if letter.isprintable() else " " for letter in text)
            notes.append(Note("unprintable", {"field": name}))
        if len(text) > limits[0]:
            notes.append(Note("too_long", {"field": name, "length": len(text), "most": limits[0]}))
            text = text[: limits[0]]
        return Move(text, tuple(notes))

    def drawn(self, limits: Limits, rng: Rng) -> Any:
        return ""


class Cell(Field):
    """A cell of a grid of ``rows`` by ``cols``, as (row, column) from 0."""

    kind = "grid"
    python = tuple[int, int]
    unit = ""

    def __init__(self, rows: Bound, cols: Bound) -> None:
        self.rows, self.cols, self.bounds = rows, cols, (rows, cols)

    def limits(self, resolve: Resolve, others: tuple[int, ...], seat: int) -> Limits:
        return max(1, _whole(resolve(self.rows))), max(1, _whole(resolve(self.cols)))

    def schema(self, limits: Limits) -> dict[str, JSON]:
        at: dict[str, JSON] = {"type": "integer", "minimum": 0}
        return {
            "type": "array", "minItems": 2, "maxItems": 2, "x-cell": list(limits),
            "prefixItems": [{**at, "maximum": limits[0] - 1}, {**at, "maximum": limits[1] - 1}],
        }  # fmt: skip

    def clean(self, name: str, value: Any, limits: Limits) -> Move:
        pair = tuple(value) if isinstance(value, tuple | list) and len(value) == 2 else (0, 0)
        kept = tuple(min(max(at, 0), most - 1) for at, most in zip(pair, limits, strict=True))
        if kept == value:
            return Move(kept)
        return Move(kept, (Note("outside_grid", {"field": name, "given": list(kept)}),))

    def drawn(self, limits: Limits, rng: Rng) -> Any:
        return rng.below(limits[0], "row"), rng.below(limits[1], "column")

    def listed(self, limits: Limits) -> tuple[Any, ...] | None:
        rows, cols = limits
        return tuple((row, col) for row in range(rows) for col in range(cols)) if rows * cols < LISTED_MAX else None

    def answered(self, value: Any, limits: Limits) -> Any:
        return tuple(value)


class Table:
    """The points of a group, as a stage gets them: who gives how many to whom, by place."""

    __slots__ = ("_rows",)

    def __init__(self, rows: Sequence[Mapping[int, int]]) -> None:
        self._rows = rows

    def __getitem__(self, place: int) -> Mapping[int, int]:
        """What a place gives, by receiver; those who get none are left out."""
        return self._rows[place]

    def by(self, place: int) -> int:
        """All that a place gives."""
        return sum(self._rows[place].values())

    def to(self, place: int) -> int:
        """All that a place is given."""
        return sum(row.get(place, 0) for row in self._rows)
