"""What a step is: who looks, whose turn it is, what happened, and what a seat remembers of it."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar, overload

from games.core.answers import JSON, Note
from games.core.values import swift

Number: TypeAlias = int | float
Seat: TypeAlias = int
Clock: TypeAlias = tuple[tuple[str, int], ...]
"""Labels in the game's own words, outermost first: ``(("round", 2), ("turn", 5))``."""
View: TypeAlias = Mapping[str, Any]
"""Plain JSON, such as a TypedDict (`Game.view_type`)."""

S = TypeVar("S")
A = TypeVar("A")


# --- who looks ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class All:
    """Omniscient eyes: a researcher, or a spectator of a run whose audience is open."""


@dataclass(frozen=True, slots=True)
class Public:
    """Eyes that see what is public to everyone, and no seat's private facts."""


@dataclass(frozen=True, slots=True)
class SeatEyes:
    """What the holder of one seat may see."""

    seat: Seat


Eyes: TypeAlias = All | Public | SeatEyes


# --- what happens ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """A place in a game: its display name and the role that the rules give it ("" where all are alike)."""

    name: str
    role: str = ""


@swift
@dataclass(frozen=True, slots=True)
class Turn:
    """Who decides now, together. All seats: simultaneous; one: sequential; none: the world moves alone.

    ``seats`` is strictly increasing.
    """

    clock: Clock
    stage: str
    seats: tuple[Seat, ...]


@lru_cache(maxsize=64)
def everybody(seats: int) -> tuple[Seat, ...]:
    """All of so many seats, as a turn names them."""
    return tuple(range(seats))


MESSAGES = frozenset({"message_sent", "message_announced"})
"""Event kinds that are words of a seat, in every game: ``by``, ``text``, and ``to`` (seats) where not all hear them."""


PASSED, IDLE = "passed", "idle"
"""Flags of a seat that let its turn go by: on purpose, or in a match that does not wait. No answer that was invalid."""


@swift
@dataclass(frozen=True, slots=True)
class Event:
    """One fact of a resolved step. ``to`` names the seats that may know it; None means everyone."""

    kind: str
    data: Mapping[str, JSON]
    to: tuple[Seat, ...] | None = None

    def visible_to(self, eyes: Eyes) -> bool:
        if self.to is None or isinstance(eyes, All):
            return True
        return isinstance(eyes, SeatEyes) and eyes.seat in self.to


def heard(events: Iterable[Event], seat: Seat) -> Sequence[Event]:
    """What others said, of the events that a seat may know."""
    return [event for event in events if event.kind in MESSAGES and event.data["by"] != seat]


class LazyEvents(Sequence[Event]):
    """Events that are worded only when somebody reads them; ``build`` is pure and called at most once."""

    __slots__ = ("_build", "_events")

    def __init__(self, build: Callable[[], Iterable[Event]]) -> None:
        self._build: Callable[[], Iterable[Event]] | None = build
        self._events: tuple[Event, ...] = ()

    def _told(self) -> tuple[Event, ...]:
        if self._build is not None:
            self._events, self._build = tuple(self._build()), None
        return self._events

    def __len__(self) -> int:
        return len(self._told())

    def __iter__(self) -> Iterator[Event]:
        return iter(self._told())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self._told()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._told() == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class LazyActions(Mapping[Seat, A]):
    """Actions by seat that are made only when somebody reads them; ``build`` is pure and called at most once."""

    __slots__ = ("_actions", "_build", "_seats")

    def __init__(self, seats: tuple[Seat, ...], build: Callable[[], Mapping[Seat, A]]) -> None:
        self._seats, self._build = seats, build
        self._actions: Mapping[Seat, A] | None = None

    def _made(self) -> Mapping[Seat, A]:
        if self._actions is None:
            self._actions = self._build()
        return self._actions

    def __getitem__(self, seat: Seat) -> A:
        return self._made()[seat]

    def items(self) -> ItemsView[Seat, A]:
        return self._made().items()

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)


@swift
@dataclass(frozen=True, slots=True)
class Resolution(Generic[S]):
    """What ``initial`` and ``resolve`` give back. ``payoffs`` holds this step's gain of each seat that has one."""

    state: S
    events: Sequence[Event] = ()
    payoffs: Mapping[Seat, Number] = field(default_factory=dict)


@swift
@dataclass(frozen=True, slots=True)
class Step(Generic[S, A]):
    """One resolved step, as the log keeps it. Step 0 is the start; its number is the frame's address.

    ``actions``  what was carried out, after cleaning, in seat order
    ``notes``    why parts of an answer were struck out or changed, by seat; only seats that have any
    ``flags``    how an answer came about where it was not a plain one (``no_answer``, ``timeout``,
                 ``fallback``, ``substitute`` …), by seat; only seats with a flag
    ``state``    the world after the step
    """

    index: int
    turn: Turn
    actions: Mapping[Seat, A]
    notes: Mapping[Seat, tuple[Note, ...]]
    flags: Mapping[Seat, tuple[str, ...]]
    events: Sequence[Event]
    payoffs: Mapping[Seat, Number]
    state: S

    def events_for(self, eyes: Eyes) -> Sequence[Event]:
        """The events of this step that those eyes may see, in order."""
        if isinstance(eyes, All):
            return self.events
        return tuple(event for event in self.events if event.visible_to(eyes))


@swift
@dataclass(frozen=True, slots=True)
class Seen(Generic[A]):
    """An earlier step as one seat may remember it: its own action, notes and payoff, and what it could see."""

    index: int
    turn: Turn
    action: A | None
    notes: tuple[Note, ...]
    payoff: Number | None
    events: Sequence[Event]


class Past(Sequence[Seen[A]]):
    """The last steps through one seat's eyes, oldest first. Filtered here, and only when read: events for themselves.

    Its length is fixed when it is made: steps that the log gains later stay out of it.
    """

    __slots__ = ("_count", "_eyes", "_seat", "_steps")

    def __init__(self, steps: Sequence[Step[Any, A]], seat: Seat) -> None:
        self._steps, self._seat, self._eyes, self._count = steps, seat, SeatEyes(seat), len(steps)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Seen[A]]:
        return map(self._seen, islice(self._steps, self._count))

    def _seen(self, step: Step[Any, A]) -> Seen[A]:
        return Seen(
            step.index,
            step.turn,
            step.actions.get(self._seat),
            step.notes.get(self._seat, ()),
            step.payoffs.get(self._seat),
            LazyEvents(lambda: step.events_for(self._eyes)),
        )

    @overload
    def __getitem__(self, index: int) -> Seen[A]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Seen[A]]: ...
    def __getitem__(self, index: int | slice) -> Seen[A] | Sequence[Seen[A]]:
        if isinstance(index, slice):
            return tuple(self._seen(self._steps[i]) for i in range(self._count)[index])
        return self._seen(self._steps[range(self._count)[index]])


class Remembered(Sequence[Step[Any, A]]):
    """What one seat remembers, as steps of an imagined world: its own deeds, and the events that it could see."""

    __slots__ = ("_past", "_seat", "_state")

    def __init__(self, past: Sequence[Seen[A]], seat: Seat, state: Any) -> None:
        self._past, self._seat, self._state = past, seat, state

    def __len__(self) -> int:
        return len(self._past)

    def _step(self, seen: Seen[A]) -> Step[Any, A]:
        seat = self._seat
        actions = {} if seen.action is None else {seat: seen.action}
        payoffs = {} if seen.payoff is None else {seat: seen.payoff}
        notes = {seat: seen.notes} if seen.notes else {}
        return Step(seen.index, seen.turn, actions, notes, {}, seen.events, payoffs, self._state)

    @overload
    def __getitem__(self, index: int) -> Step[Any, A]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step[Any, A]]: ...
    def __getitem__(self, index: int | slice) -> Step[Any, A] | Sequence[Step[Any, A]]:
        if isinstance(index, slice):
            return [self._step(seen) for seen in self._past[index]]
        return self._step(self._past[index])
