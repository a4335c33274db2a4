"""The words in which a game is declared: `setting`, `stage`, `draw`, `deal`, `carried`, `measure`, `example`, `show`,
and how a match ends: `Fixed`, `Geometric`, `When`. Each only notes what was said; `games.declare.declaration` checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from games.declare.fields import Bound, Field

Seen: TypeAlias = str | tuple[str, ...]
"""Who sees something beside who does it: "all" of the group, nobody else ("own"), or the roles named."""
After: TypeAlias = Literal["move", "round", "end"]
"""From when on others see it: at once, when the round is over, when the match is over."""
By: TypeAlias = Literal["seat", "group"]


class BadDeclaration(TypeError):
    """A declaration that cannot be a game: one line that says where, what, and what would do."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What can be set before a match, or a parameter of a policy."""

    default: Any
    least: Any = None
    most: Any = None
    unit: str = ""
    label: str = ""
    help: str = ""
    group: str = "rules"
    choices: tuple[str, ...] = ()


def setting(
    default: Any, least: Any = None, most: Any = None, *, unit: str = "", label: str = "", help: str = "",
    group: str = "rules", choices: Sequence[str] = (),
) -> Any:  # fmt: skip
    """A setting, its default and bounds. Its type is the annotation: int, float, Money, bool, or str with choices."""
    return Setting(default, least, most, unit, label, help, group, tuple(choices))


# --- what happens in a round ----------------------------------------------------------------------

Who: TypeAlias = str
"""Who moves in a stage: "all", "turn" (all, one after the other), a role, or a method that lists places."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a round: who moves, by which fields, who sees it, what silence does, and what is paid."""

    name: str
    fields: Mapping[str, Field]
    silence: Any
    seen: Seen = "all"
    after: After = "move"
    who: Who = "all"
    when: str = ""
    label: str = ""
    verb: str = ""
    ask: str = ""
    event: str = ""
    rules: str = ""
    function: Callable[..., Any] | None = None
    order: int = 0
    """Stages of a lower number come first; those of one number in the order of the class."""
    fill: str = ""
    """A method that gives moves, by place, in the place of those who do not move; "": they have none."""


class _Unsaid:
    """In place of a silence that nobody has named."""

    def __repr__(self) -> str:
        return "UNSAID"


UNSAID = _Unsaid()


def stage(
    move: Field | None = None, /, *, silence: Any = UNSAID, seen: Seen = "all", after: After = "move",
    who: Who = "all", when: str = "", label: str = "", verb: str = "", ask: str = "", event: str = "", **fields: Field,
) -> Callable[[Callable[..., Any]], Any]:  # fmt: skip
    """A stage of a round, in the order of the class. The function under it takes the moves and gives the pays by place.

    ``move``     the one field of the stage, by the stage's name; several have names of their own: ``offer=Amount(…)``
    ``silence``  what no answer plays: a value of the field, or of each field by name
    ``when``     a setting or a method that must be true for the stage to be played
    ``ask``      the question to who moves, ``verb`` the word on the button: "How much do you give?", "Give"
    ``event``    how the feed tells a move: "{by:seat} gives {contribute}"
    """

    def declared(function: Callable[..., Any]) -> Stage:
        name = function.__name__
        named: dict[str, Field] = {name: move} if move is not None else {}
        told = " ".join((function.__doc__ or "").split())
        return Stage(
            name, {**named, **fields}, silence, seen, after, who, when, label, verb, ask, event, told, function,
        )  # fmt: skip

    return declared


@dataclass(frozen=True, slots=True)
class Draw:
    """What chance gives before a round, or before a match: to each seat, or to a group."""

    least: Bound = 0
    most: Bound = 0
    step: float = 1
    of: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    dealt: bool = False
    by: By = "seat"
    seen: Seen = "own"
    after: After = "move"
    each: Literal["round", "match"] = "round"
    unit: str = ""
    label: str = ""
    name: str = ""


def draw(
    least: Bound = 0, most: Bound = 0, *, step: float = 1, of: Sequence[str] = (), weights: Sequence[float] = (),
    by: By = "seat", seen: Seen = "own", after: After = "move", each: Literal["round", "match"] = "round",
    unit: str = "", label: str = "",
) -> Any:  # fmt: skip
    """A draw: a number from ``least`` to ``most``, each as likely, or one ``of`` some words, by their weights."""
    return Draw(least, most, step, tuple(of), tuple(weights), False, by, seen, after, each, unit, label)


def deal(
    *cards: str, seen: Seen = "own", after: After = "move", each: Literal["round", "match"] = "match", label: str = ""
) -> Any:
    """Words dealt out among the places of a group, each to one: roles that are drawn, such as a spy among agents."""
    return Draw(of=cards, dealt=True, seen=seen, after=after, each=each, label=label)


@dataclass(frozen=True, slots=True)
class Carried:
    """State that is carried from round to round. A stage changes it by assigning: ``self.stock = …``."""

    start: Bound
    by: By = "group"
    seen: Seen = "all"
    unit: str = ""
    label: str = ""
    name: str = ""


def carried(start: Bound, *, by: By = "group", seen: Seen = "all", unit: str = "", label: str = "") -> Any:
    """Carried state, with the number or the setting it starts from; of a group, or of each seat (a list by place)."""
    return Carried(start, by, seen, unit, label)


# --- how it ends ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fixed:
    """After so many rounds. ``known``: whether those who play are told how many."""

    rounds: Bound = "rounds"
    known: bool = True


@dataclass(frozen=True, slots=True)
class Geometric:
    """After each round with the chance ``stop``; after ``most`` rounds in any case, which nobody is told."""

    stop: Bound = "stop"
    most: Bound = 1000
    known: bool = True


@dataclass(frozen=True, slots=True)
class When:
    """When a method of the game is true for a group after a round. Its docstring is the sentence that players read."""

    condition: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """After one round where the setting ``on`` is off; else by the setting ``ending``: after each round with the chance
    that ``more`` leaves, or after ``rounds`` rounds, which is told ("fixed") or not ("hidden"); never after more."""

    on: str
    ending: str
    more: str
    rounds: str = "rounds"


Ends: TypeAlias = Fixed | Geometric | When | Repeated


@dataclass(frozen=True, slots=True)
class Happening:
    """An event that follows from a stage, for each place that the function lists: a promise that was broken."""

    name: str
    stage: str
    text: str
    function: Callable[[Any], Sequence[int]]


# --- what is said of it ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: moves of one group, by place, and what they pay. A test, and shown to who plays."""

    stage: str
    moves: Any
    pays: Sequence[Any] | None = None
    becomes: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)


def example(
    stage: str, moves: Any, pays: Sequence[Any] | None = None, *, becomes: Mapping[str, Any] | None = None,
    title: str = "", **given: Any,
) -> Example:  # fmt: skip
    """A worked example of one stage under the defaults.

    ``moves``    by place: a list, or those that are no silence: ``{2: {0: 2}}``
    ``becomes``  carried state after it
    ``given``    settings, draws, carried state and earlier moves that it begins with: ``offer=[4, None]``
    """
    return Example(stage, moves, pays, dict(becomes or {}), title, given)


How: TypeAlias = Literal["mean", "sum", "share", "gini", "least", "most"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a round; a run's is the mean over its rounds."""

    of: str
    how: How | Callable[..., Any]
    choice: str = ""
    headline: bool = False
    label: str = ""
    unit: str = ""
    about: str = ""
    is_always: bool = True
    """Whether every round ends with a value, for a function."""

    @property
    def name(self) -> str:
        if not isinstance(self.how, str):
            return self.of
        return f"{self.of}_{self.choice or self.how}"


def measure(
    of: str, how: How | Callable[..., Any] = "mean", *, choice: str = "", headline: bool = False, label: str = "",
    unit: str = "", about: str = "",
) -> Measure:  # fmt: skip
    """A measure of a field or of carried state (``mean``, ``sum``, ``gini`` …; ``share`` of its most, or of a choice).

    With a function it is a measure of that name: ``measure("waste", lambda game: …)``, which gets the game as a stage
    does when the round is over: settings, moves by field, carried state, and ``earned`` in the round by place.
    """
    return Measure(of, how, choice, headline, label, unit, about)


@dataclass(frozen=True, slots=True)
class Show:
    """A part of the board that the game makes itself."""

    kind: str
    seen: Seen
    label: str
    unit: str
    name: str = ""
    function: Callable[..., Any] | None = None


def show(kind: str, *, seen: Literal["all", "none"] = "all", label: str = "", unit: str = "") -> Callable[..., Any]:
    """A part of the board made by a method: ``@show("graph")`` over ``def links(self)``, which gives JSON of that kind.

    ``seen``: "all", or "none", where watchers of everything alone see it.
    """

    def declared(function: Callable[..., Any]) -> Show:
        return replace(Show(kind, seen, label, unit), name=function.__name__, function=function)

    return declared
