"""The vocabulary of every game. Read this first.

A game is a value with pure methods. The engine asks it whose turn it is, what each seat may know and do,
repairs what was answered, and lets it resolve the round. Nothing here does I/O, reads a clock or draws
unkeyed chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, overload

from pydantic import BaseModel

from games.core.answers import JSON, ActionSpec, Note
from games.core.rng import Rng
from games.core.values import swift

Number: TypeAlias = int | float
Seat: TypeAlias = int
Clock: TypeAlias = tuple[tuple[str, int], ...]
"""Labels in the game's own words, outermost first: ``(("round", 2), ("turn", 5))``."""
View: TypeAlias = Mapping[str, Any]
"""Plain JSON, such as a TypedDict (`Game.view_type`)."""

C = TypeVar("C", bound=BaseModel)
S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - O for observation, beside C, S and A
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


@dataclass(frozen=True, slots=True)
class Turn:
    """Who decides now, together. All seats: simultaneous; one: sequential; none: the world moves alone.

    ``seats`` is strictly increasing.
    """

    clock: Clock
    stage: str
    seats: tuple[Seat, ...]


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
    """The last steps through one seat's eyes, oldest first. Filtered here, once, and only when read.

    Its length is fixed when it is made: steps that the log gains later stay out of it.
    """

    __slots__ = ("_count", "_eyes", "_seat", "_steps")

    def __init__(self, steps: Sequence[Step[Any, A]], seat: Seat) -> None:
        self._steps, self._seat, self._eyes, self._count = steps, seat, SeatEyes(seat), len(steps)

    def __len__(self) -> int:
        return self._count

    def _seen(self, step: Step[Any, A]) -> Seen[A]:
        return Seen(
            step.index,
            step.turn,
            step.actions.get(self._seat),
            step.notes.get(self._seat, ()),
            step.payoffs.get(self._seat),
            step.events_for(self._eyes),
        )

    @overload
    def __getitem__(self, index: int) -> Seen[A]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Seen[A]]: ...
    def __getitem__(self, index: int | slice) -> Seen[A] | Sequence[Seen[A]]:
        if isinstance(index, slice):
            return tuple(self._seen(self._steps[i]) for i in range(self._count)[index])
        return self._seen(self._steps[range(self._count)[index]])


@dataclass(frozen=True, slots=True)
class Invariant:
    """A conservation law as seen in one state: what it says, whether it holds, and the numbers."""

    name: str
    holds: bool
    detail: str = ""


# --- what a seat can imagine ----------------------------------------------------------------------


class CannotImagine(ValueError):
    """Raised by `Game.imagine` where no world agrees with what a seat sees; one line that says why."""


@dataclass(frozen=True, slots=True)
class Imagined(Generic[C, S, A]):
    """A world that agrees with all that one seat knows: it could be the true one, and need not be.

    ``seat`` is the place in it of whoever imagines; ``steps`` are earlier steps as that seat remembers them.
    """

    config: C
    state: S
    seat: Seat
    steps: Sequence[Step[S, A]] = ()


@dataclass(frozen=True, slots=True)
class Standing(Generic[A]):
    """How everybody stands, as far as one seat knows: what was earned until now, and done at last, by seat."""

    seat: Seat
    earned: Mapping[Seat, Number]
    deeds: Mapping[Seat, A] = field(default_factory=dict)


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


# --- the game -------------------------------------------------------------------------------------


def cleaning(rng: Rng, seat: Seat) -> Rng:
    """The key that `Game.clean` draws with for a seat; ``rng`` is the step's."""
    return rng.at("clean", seat)


class Game(ABC, Generic[C, S, O, A]):
    """One game's rules. All methods are pure: the same arguments give the same result, on any machine."""

    slug: ClassVar[str]
    rules_version: ClassVar[int]
    config_type: type[C]
    state_type: type[S]
    counted: ClassVar[str] = ""
    """The label of the clock that those who watch count the run in; "": its outermost."""
    tells_end: ClassVar[bool] = False
    """Whether everybody is told from the start when a run ends, its seats too."""
    action_type: Any
    """The type (or union) of all actions, for storage; what a seat may do at a moment is `actions`."""
    view_type: ClassVar[Any] = None
    """The TypedDict that `view` gives, where the game declares it; a board reads it by the same names and types."""
    event_types: ClassVar[Mapping[str, Any]] = {}
    """The TypedDict of an event's data by its kind, for the kinds that a board reads."""
    deeds_are_common: ClassVar[bool] = False
    """Whether `standing` tells deeds that other seats could do too."""
    draws_in_cleaning: ClassVar[bool] = True
    """Whether `clean` draws. Where it does not, `clean_all` gives it the step's rng and makes no key for each seat."""

    @property
    def module(self) -> str:
        """The name of the module that the game's own code stands in, or begins in."""
        return type(self).__module__

    @abstractmethod
    def seats(self, config: C) -> Sequence[SeatSpec]:
        """The places in play, in seat order."""

    @abstractmethod
    def initial(self, config: C, rng: Rng) -> Resolution[S]:
        """The first state and the news before the first turn."""

    @abstractmethod
    def turn(self, config: C, state: S) -> Turn | None:
        """Who decides now; None when the run is over."""

    def horizon(self, config: C) -> int | None:
        """The number of the last step, where it is fixed from the start; None where it is not. For those who watch."""
        return None

    def rounds(self, config: C) -> int | None:
        """The last value of the label that the run is counted in (`counted`), where that is fixed from the start; None
        where it is not. A round may have several steps: `horizon` counts those. For those who watch."""
        return None

    def ends_round(self, config: C, step: Step[S, A]) -> bool:
        """Whether a round is over with this step: the outermost label of the clock moves on, or the run ends."""
        following = self.turn(config, step.state)
        return following is None or following.clock[:1] != step.turn.clock[:1]

    def reflects(self, config: C, step: Step[S, A]) -> Sequence[Seat]:
        """The seats whose agents may rewrite their memory from the news of this step.

        By default all seats when a round is over, which is when the outermost label of the clock moves on; nobody
        before the first round or after the last, since no decision would come of it.
        """
        if not step.turn.clock:
            return ()
        following = self.turn(config, step.state)
        if following is None or following.clock[:1] == step.turn.clock[:1]:
            return ()
        return range(len(self.seats(config)))

    def recall(self, config: C) -> int | None:
        """How many past steps `observe` needs; None means all of them."""
        return 0

    @abstractmethod
    def observe(self, config: C, state: S, seat: Seat, past: Sequence[Seen[A]]) -> O:
        """All that this seat may know now. ``past`` is filtered to this seat already, oldest first."""

    @abstractmethod
    def actions(self, config: C, state: S, seat: Seat) -> ActionSpec[A]:
        """What this seat may do now, by stage, role and knowledge. Called for every request: cache the specs."""

    @abstractmethod
    def clean(self, config: C, state: S, seat: Seat, action: A | None, rng: Rng) -> tuple[A, tuple[Note, ...]]:
        """The action with its illegal parts removed, and a note of each. None gets the game's default.

        ``rng`` is this seat's own. Cleaning a cleaned action changes nothing and leaves no note.
        """

    def imagine(self, observation: O, rng: Rng) -> Imagined[C, S, A]:
        """A world in which a seat would observe just this, with whatever it cannot know drawn under ``rng``.

        Nothing else goes in: the same observation and key give the same world. Who is not told when a run ends
        imagines that it goes on. Raises `CannotImagine`, as games do that offer no such thing.
        """
        raise CannotImagine(f"{self.slug}: this game offers no imagined worlds; see Game.imagine")

    def standing(self, observation: O) -> Standing[A] | None:
        """What this seat knows of everybody's earnings and last deeds, for policies that learn; None: the game does not
        offer it. Deeds are told where `deeds_are_common`: those that another seat could do too."""
        return None

    def observe_all(self, config: C, state: S, seats: Sequence[Seat], kept: Sequence[Step[S, A]]) -> Sequence[O]:
        """`observe` for several seats, in their order; ``kept`` are the steps it recalls. May be overridden with a
        faster form that gives the same."""
        return [self.observe(config, state, seat, Past(kept, seat)) for seat in seats]

    def clean_all(
        self, config: C, state: S, answers: Mapping[Seat, A | None], rng: Rng
    ) -> tuple[dict[Seat, A], dict[Seat, tuple[Note, ...]]]:
        """`clean` for the seats of a turn, which ``answers`` holds in seat order: actions, and the notes of those
        that have any. ``rng`` is the step's. May be overridden with a faster form that gives the same."""
        actions: dict[Seat, A] = {}
        notes: dict[Seat, tuple[Note, ...]] = {}
        draws = self.draws_in_cleaning
        for seat, answer in answers.items():
            own = cleaning(rng, seat) if draws else rng
            actions[seat], made = self.clean(config, state, seat, answer, own)
            if made:
                notes[seat] = made
        return actions, notes

    @abstractmethod
    def resolve(self, config: C, state: S, actions: Mapping[Seat, A], rng: Rng) -> Resolution[S]:
        """The one thing that changes the world. ``actions`` are clean, one for each seat of the turn.

        May depend on seat order and keyed draws, never on the mapping's order.
        """

    @abstractmethod
    def view(self, config: C, state: S, eyes: Eyes) -> View:
        """What those eyes may see drawn, as JSON."""

    def invariants(self, config: C, state: S) -> Iterable[Invariant]:
        """Laws that hold in every state that a run reaches."""
        return ()
