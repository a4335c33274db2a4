"""The vocabulary of every game. Read this first, then `games.core.steps`, whose names are here too.

A game is a value with pure methods. The engine asks it whose turn it is, what each seat may know and do,
repairs what was answered, and lets it resolve the round. Nothing here does I/O, reads a clock or draws
unkeyed chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from games.core.answers import ActionSpec, Note
from games.core.rng import Rng
from games.core.steps import (
    IDLE,
    MESSAGES,
    PASSED,
    All,
    Clock,
    Event,
    Eyes,
    LazyActions,
    LazyEvents,
    Number,
    Past,
    Public,
    Remembered,
    Resolution,
    Seat,
    SeatEyes,
    SeatSpec,
    Seen,
    Step,
    Turn,
    View,
)

__all__ = [
    "IDLE",
    "MESSAGES",
    "PASSED",
    "All",
    "CannotImagine",
    "Clock",
    "Event",
    "Eyes",
    "Game",
    "Imagined",
    "Invariant",
    "LazyActions",
    "LazyEvents",
    "Number",
    "Past",
    "Public",
    "Remembered",
    "Resolution",
    "Seat",
    "SeatEyes",
    "SeatSpec",
    "Seen",
    "Standing",
    "Step",
    "Turn",
    "View",
    "cleaning",
]

C = TypeVar("C", bound=BaseModel)
S = TypeVar("S")
O = TypeVar("O")  # noqa: E741 - O for observation, beside C, S and A
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Invariant:
    """A conservation law as seen in one state: what it says, whether it holds, and the numbers."""

    name: str
    holds: bool
    detail: str = ""


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
