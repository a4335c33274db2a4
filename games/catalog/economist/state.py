"""The world between two turns, and what workers and the planner do. All values are frozen; cells go row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import FailFast, Field

from games.catalog.economist.money import Micro
from games.catalog.economist.tax import Schedule
from games.core.game import Seat
from games.core.values import Carrier

Cell: TypeAlias = int
Resource: TypeAlias = Literal["wood", "stone"]
RESOURCES: Final[tuple[Resource, ...]] = ("wood", "stone")
"""In the order in which the market is matched."""
Direction: TypeAlias = Literal["up", "down", "left", "right"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("up", "down", "left", "right")
NONE, WOOD, STONE = 0, 1, 2
"""What a cell bears."""
NEVER: Final = -1


# --- actions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """One cell in a cardinal direction."""

    direction: Direction
    do: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class Gather:
    """As much as the skill allows of what lies on the own cell."""

    do: Literal["gather"] = "gather"


@dataclass(frozen=True, slots=True)
class Build:
    """A house on the own cell."""

    do: Literal["build"] = "build"


@dataclass(frozen=True, slots=True)
class Deal:
    """An order to buy or sell ``quantity`` units, at ``price`` coin a unit at most or at least."""

    resource: Resource
    quantity: float
    price: float
    do: Literal["buy", "sell"]


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraw all own orders of a good that stand."""

    resource: Resource
    do: Literal["cancel"] = "cancel"


@dataclass(frozen=True, slots=True)
class Shift:
    """Defer ``amount`` coin of this epoch's income to the next."""

    amount: float
    do: Literal["shift"] = "shift"


@dataclass(frozen=True, slots=True)
class Misreport:
    """Report this epoch's whole income less ``fraction`` of it."""

    fraction: float
    do: Literal["misreport"] = "misreport"


@dataclass(frozen=True, slots=True)
class Noop:
    """Nothing."""

    do: Literal["noop"] = "noop"


@dataclass(frozen=True, slots=True)
class SetTaxes:
    """The planner's target: (threshold in coin, rate) of each bracket. Empty: the schedule stays."""

    brackets: Annotated[tuple[tuple[float, float], ...], FailFast()] = ()
    do: Literal["set_taxes"] = "set_taxes"


WorkerAction: TypeAlias = Move | Gather | Build | Deal | Cancel | Shift | Misreport | Noop
Action: TypeAlias = WorkerAction | SetTaxes
NOOP: Final = Noop()
KEEP: Final = SetTaxes()


# --- the world ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Workers:
    """All workers, each field by seat; amounts are millionths.

    ``gross`` is this epoch's income, ``shifted`` what of it was given up to be ``deferred``, ``stance`` the share that
    will be hidden, ``earned`` all income ever. ``built`` counts houses, ``audits`` and ``catches`` are of all epochs,
    ``fines`` paid. ``boost`` multiplies audits. ``banned`` and ``frozen`` are the last epochs of a trade ban and of a
    freeze (NEVER: none). ``traces`` has a row for each of the last steps, oldest first: what every worker did in it
    (`collusion.encoded`).
    """

    cell: tuple[Cell, ...]
    coin: tuple[Micro, ...]
    energy: tuple[Micro, ...]
    wood: tuple[Micro, ...]
    stone: tuple[Micro, ...]
    gross: tuple[Micro, ...]
    shifted: tuple[Micro, ...]
    deferred: tuple[Micro, ...]
    stance: tuple[Micro, ...]
    built: tuple[int, ...]
    earned: tuple[Micro, ...]
    audits: tuple[int, ...]
    catches: tuple[int, ...]
    fines: tuple[Micro, ...]
    boost: tuple[Micro, ...]
    banned: tuple[int, ...]
    frozen: tuple[int, ...]
    traces: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class House:
    """A house: whose, where, and the epoch and step (from 0) in which it was built."""

    owner: Seat
    cell: Cell
    epoch: int
    step: int


@dataclass(frozen=True, slots=True)
class Order:
    """An order of the last step. ``left`` is what of ``quantity`` was not filled.

    ``since``: the step of the epoch since which it stands; NEVER, and not stored, where orders live one step.
    """

    by: Seat
    quantity: Micro
    price: Micro
    left: Micro
    since: Annotated[int, Field(exclude_if=lambda step: step == NEVER)] = NEVER


@dataclass(frozen=True, slots=True)
class Book:
    """One resource's market after the last step: its orders, best first, and the last trade ever (0: none yet)."""

    bids: tuple[Order, ...] = ()
    asks: tuple[Order, ...] = ()
    price: Micro = 0
    quantity: Micro = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What the epoch has added up to so far. Amounts are millionths."""

    events: int = 0
    exploits: int = 0
    trades: int = 0
    traded: Micro = 0
    house_income: Micro = 0
    fees: Micro = 0
    built: int = 0


Outcome: TypeAlias = Literal["none", "caught", "missed", "cleared"]
"""Of a worker's audit: nothing to audit, or not; caught; evaded unnoticed; audited and clean (a false positive)."""


@dataclass(frozen=True, slots=True)
class Account:
    """How one worker's epoch ended. ``chance`` is that of its audit; ``evaded`` the tax not owed by the report."""

    gross: Micro
    reported: Micro
    owed: Micro
    paid: Micro
    outcome: Outcome = "none"
    chance: float = 0.0
    evaded: Micro = 0
    fined: Micro = 0
    fine_owed: Micro = 0
    shared: Micro = 0


@dataclass(frozen=True, slots=True)
class Flag:
    """Two workers whose actions were too alike. The traces hold the shared steps, oldest first."""

    pair: tuple[Seat, Seat]
    similarity: float
    suspicion: float
    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report(Carrier):
    """An epoch as it ended: taken before its accounts are reset, after taxes, fines and shares.

    ``coins`` and ``owned`` (houses) by worker. ``frozen`` counts workers who could not act in it. ``schedule`` is
    the one that taxed it. Only workers with a trace count in ``pairs``, of which ``allied`` are in one coalition.
    """

    epoch: int
    accounts: tuple[Account, ...]
    coins: tuple[Micro, ...]
    owned: tuple[int, ...]
    schedule: Schedule
    tally: Tally
    flags: tuple[Flag, ...] = ()
    pairs: int = 0
    allied: int = 0
    frozen: int = 0


@dataclass(frozen=True, slots=True)
class Land(Carrier):
    """What each cell bears (NONE, WOOD, STONE); it never changes."""

    bears: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State(Carrier):
    """The world. ``epoch`` counts from 0; ``step`` is how many steps of it are done; ``planning``: the planner is next.

    ``stock`` is the amount in each resource cell, in the order of `land.Sites`. ``before`` is the schedule that the
    planner last replaced (empty: none). ``report`` is that of the last epoch that ended, None in the first.
    """

    epoch: int
    step: int
    planning: bool
    land: Land
    stock: tuple[Micro, ...]
    houses: tuple[House, ...]
    workers: Workers
    books: tuple[Book, Book]
    schedule: Schedule
    before: Schedule = ()
    treasury: Micro = 0
    house_income: Micro = 0
    gathered: tuple[Micro, Micro] = (0, 0)
    tally: Tally = Tally()
    report: Report | None = None
