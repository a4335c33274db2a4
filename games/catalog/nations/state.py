"""The world between two turns, and the orders that change it. All values are frozen.

Inside, money is whole hundredths and territories count from 0. In orders and events both stand as people write them:
amounts with up to two decimals, territories from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.catalog.nations.money import Cents
from games.catalog.nations.settings import Resource
from games.core.game import Number, Seat
from games.core.values import Carrier, swift

PromiseKind: TypeAlias = Literal["peace", "grant", "cede"]
PROMISES: Final[tuple[PromiseKind, ...]] = ("peace", "grant", "cede")


# --- orders ---------------------------------------------------------------------------------------


@swift
@dataclass(frozen=True, slots=True)
class Attack:
    on: Seat
    mils: int


@swift
@dataclass(frozen=True, slots=True)
class Cession:
    territory: int
    to: Seat


@swift
@dataclass(frozen=True, slots=True)
class Grant:
    to: Seat
    amount: Number


@swift
@dataclass(frozen=True, slots=True)
class ResourceGrant:
    to: Seat
    resource: Resource
    amount: int


@swift
@dataclass(frozen=True, slots=True)
class Promise:
    """What the sender of a message marks as promised to each who gets it, for the next ``turns`` turns.

    peace: not to attack. grant: to grant at least ``amount`` in one of them. cede: to cede territory ``amount``.
    """

    kind: PromiseKind
    amount: Number = 0
    turns: int = 1


@swift
@dataclass(frozen=True, slots=True)
class Message:
    """``to`` None means everyone."""

    to: tuple[Seat, ...] | None
    text: str
    promise: Promise | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A part of an answer that cannot be read: the field that it stood in, and what stood there, in short."""

    field: str
    text: str


@swift
@dataclass(frozen=True, slots=True)
class Orders:
    """A nation's answer. Lists are in order of execution. ``unread`` are parts that no order can be made of."""

    buy: int = 0
    attacks: tuple[Attack, ...] = ()
    cede: tuple[Cession, ...] = ()
    grants: tuple[Grant, ...] = ()
    resources: tuple[ResourceGrant, ...] = ()
    disband: int = 0
    messages: tuple[Message, ...] = ()
    unread: tuple[Malformed, ...] = ()


NOTHING: Final = Orders()


# --- what a turn leaves behind --------------------------------------------------------------------


@swift
@dataclass(frozen=True, slots=True)
class Battle:
    """One executed attack. ``mils`` sent, ``lost`` of them; ``damage`` in hundredths, this force's part of it."""

    by: Seat
    on: Seat
    mils: int
    lost: int
    damage: Cents


@swift
@dataclass(frozen=True, slots=True)
class Payment:
    """One grant: ``wanted``, ``paid`` of it and ``arrived`` as welfare, in hundredths."""

    by: Seat
    to: Seat
    wanted: Cents
    paid: Cents
    arrived: Cents


class Ceded(NamedTuple):
    """A territory that changed hands."""

    by: Seat
    territory: int
    to: Seat


@swift
@dataclass(frozen=True, slots=True)
class Account:
    """One nation's turn. Money in hundredths, deducted in this order:

    ``gross`` income of ``territories``, ``damage``, ``penalty``, ``upkeep``, ``spent`` on ``bought`` of ``wanted``
    mils, ``granted``; what is ``left`` becomes welfare, and so does ``received``. Mils: ``army`` at the start,
    ``lost`` in attacks, ``deserted`` for want of upkeep, ``disbanded`` by order.
    """

    territories: int
    gross: Cents
    damage: Cents
    penalty: Cents
    upkeep: Cents
    wanted: int
    bought: int
    spent: Cents
    granted: Cents
    left: Cents
    received: Cents
    army: int
    lost: int
    deserted: int
    disbanded: int

    @property
    def welfare(self) -> int:
        """What the turn adds to the people's welfare."""
        return self.left + self.received


@swift
@dataclass(frozen=True, slots=True)
class Vow:
    """A promise that stands: ``by`` to ``to``, until after turn ``until``."""

    by: Seat
    to: Seat
    kind: PromiseKind
    amount: Number
    until: int


@swift
@dataclass(frozen=True, slots=True)
class TurnRecord:
    """What the last turn was. ``kept`` and ``broken`` are promises that ended in it."""

    accounts: tuple[Account, ...] = ()
    battles: tuple[Battle, ...] = ()
    payments: tuple[Payment, ...] = ()
    cessions: tuple[Ceded, ...] = ()
    kept: tuple[Vow, ...] = ()
    broken: tuple[Vow, ...] = ()


# --- the world ------------------------------------------------------------------------------------


class _Recorded(Carrier):
    """Room for how the record of a state is made when that is read; made once, no part of the value."""

    __slots__ = ("record",)
    record: Callable[[], TurnRecord]

    def tell_later(self, record: Callable[[], TurnRecord]) -> None:
        """Make ``last`` only when it is read."""
        object.__setattr__(self, "record", record)
        object.__delattr__(self, "last")

    def __getattr__(self, name: str) -> Any:
        if name != "last":
            raise AttributeError(name)
        record = self.record()
        object.__setattr__(self, "last", record)
        return record


@swift
@dataclass(frozen=True, slots=True)
class NationsState(_Recorded):
    """The world after ``turn`` turns of round ``round`` (from 1; turn 0: the round's start).

    ``owners`` by territory, ``first`` its owner at the round's start. By seat: ``army``; ``welfare`` of this round and
    ``banked`` of earlier rounds, in hundredths; ``held`` the resources to produce with in the coming turn (() without
    the option). ``harm`` has, by attacker and target, the damage done in this round. ``vows`` are promises that stand.
    """

    round: int
    turn: int
    owners: tuple[Seat, ...]
    first: tuple[Seat, ...]
    army: tuple[int, ...]
    welfare: tuple[int, ...]
    banked: tuple[int, ...]
    held: tuple[tuple[int, ...], ...] = ()
    harm: tuple[tuple[Seat, Seat, int], ...] = ()
    vows: tuple[Vow, ...] = ()
    last: TurnRecord = TurnRecord()
