"""Who sees what: the one place that knows. Observations, views, news and what is private all come from it.

A fact is a field's moves, a draw, carried state or the earnings. Its *owners* are the seats whose part of it some eyes
may see: all of the viewer's group where it is open to them, else the viewer's own. The public sees what all seats see.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, overload

from games.core.game import All, Eyes, Public, Seat, SeatEyes
from games.declare.declaration import Declaration
from games.declare.fields import Text
from games.declare.form import After, Seen
from games.declare.money import number
from games.declare.plan import Plan

EVERYBODY: Final = None
Owners = Collection[int] | None
"""Seats whose part may be seen; None: all of them."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something of the state by its name there. ``first`` is the step of the round that makes it, -1 for a draw."""

    name: str
    seen: Seen
    after: After
    by_group: bool = False
    first: int = -1
    has_past: bool = True
    per_match: bool = False
    is_single: bool = False
    """Whether a seat sees one value of it: its own, or its group's."""
    in_cents: bool = False

    def is_open(self) -> bool:
        """Whether all of the group see it as soon as it is there."""
        return self.seen == "all" and self.after == "move"


EARNINGS: Final = ("total", "gain")
MET: Final = "met"
"""Carried state of reputation: the group in which each played; those of one number met."""


def facts_of(plan: Plan) -> dict[str, Fact]:
    """Every fact of the game, by name, in the order of fields, draws, carried state, earnings."""
    made = plan.made
    first: dict[str, int] = {}
    for step in plan.steps:
        if step.stage is not None:
            first.setdefault(step.stage.name, step.number)
    found = {
        name: Fact(name, stage.seen, stage.after, first=first.get(stage.name, -1), has_past=not isinstance(part, Text))
        for name, stage, part in made.fields()
    }
    for draw in made.draws:
        by_group, per_match = draw.by == "group", draw.each == "match"
        is_single = by_group or draw.seen == "own"
        found[draw.name] = Fact(
            draw.name, draw.seen, draw.after, by_group, has_past=not per_match, per_match=per_match, is_single=is_single
        )
    for kept in made.carried:
        by_group = kept.by == "group"
        is_single = by_group or kept.seen == "own"
        found[kept.name] = Fact(kept.name, kept.seen, "move", by_group, is_single=is_single, in_cents=True)
    rematched = not plan.is_one and plan.matching != "partners"
    for name in EARNINGS:
        # a sum over the rounds would tell a new partner of rounds that it had no part in
        seen: Seen = "own" if rematched and name == "total" else made.earnings
        found[name] = Fact(name, seen, "move", has_past=name == "gain", in_cents=True)
    return found


class Rows(Sequence[Any]):
    """Rounds that are over as one seat may see them, masked when they are read."""

    __slots__ = ("_mask", "_rows")

    def __init__(self, rows: Sequence[Any], mask: Callable[[int, Any], Any]) -> None:
        self._rows, self._mask = rows, mask

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        at = range(len(self._rows))[index]
        return self._mask(at, self._rows[at])

    def __iter__(self) -> Iterator[Any]:
        return map(self._mask, count(), self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(map(repr, self)))


class Seeing:
    """What eyes may see under one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.facts = plan, facts_of(plan)
        self.is_open = plan.is_one and all(one.is_open() for one in self.facts.values())
        """Whether everybody sees everything, as soon as it is there."""
        is_known = bool(plan.fixed.get("reputation")) and not plan.is_one and plan.matching != "partners"
        self.record = int(plan.fixed["record"]) if is_known else 0
        """So many rounds before, one sees the moves of those whom one meets; 0: of none."""
        self._known: tuple[Any, dict[Seat, set[tuple[int, int]]]] = (None, {})

    # --- owners -----------------------------------------------------------------------------------

    def owners(self, fact: Fact, state: Any, eyes: Eyes) -> Owners:
        """Of a fact's latest values, the seats whose part these eyes may see."""
        if isinstance(eyes, All):
            return EVERYBODY
        if fact.name == MET:  # the next partners' would tell at once where each was
            return (eyes.seat,) if isinstance(eyes, SeatEyes) else ()
        return self._owners(fact, eyes, self._is_out(fact, state), self.plan.seating(state.seatings))

    def past_owners(self, fact: Fact, state: Any, eyes: Eyes, row: int) -> Owners:
        """The same of a round that is over, by its number from 0."""
        if isinstance(eyes, All):
            return EVERYBODY
        seating = state.seatings[row] if state.seatings else self.plan.seats
        owners = self._owners(fact, eyes, fact.after != "end" or bool(state.over), seating)
        is_told = fact.name == MET or (fact.seen == "all" and fact.after == "move" and fact.first >= 0)
        if isinstance(eyes, SeatEyes) and is_told and state.played - self.record <= row and owners is not EVERYBODY:
            return (*owners, *(seat for at, seat in self.known(state, eyes.seat) if at == row))
        return owners

    def known(self, state: Any, seat: Seat) -> set[tuple[int, int]]:
        """What a seat learns of others by reputation: rounds that are over, by number from 0, with whose move.

        Of those whom it meets now the rounds of the record; to the second order also what those whom they met then did
        in each of these and before it, and so on.
        """
        if self._known[0] is not state:
            self._known = state, {}
        if seat not in self._known[1]:
            found, plan = set[tuple[int, int]](), self.plan
            now = plan.seating(state.seatings)
            edge = {(one, state.played) for one in plan.mates(now, seat)}
            for order in range(int(plan.fixed["depth"]), 0, -1):
                rows = {(at, one) for one, end in edge for at in range(max(0, state.played - self.record), end)}
                met = {(at, other) for at, one in rows for other in self._group(state, at, one)} if order > 1 else set()
                found |= rows | met
                edge = {(other, at) for at, other in met}
            self._known[1][seat] = found
        return self._known[1][seat]

    def _group(self, state: Any, row: int, seat: Seat) -> Sequence[int]:
        """Those who met in a round that is over."""
        return self.plan.mates(state.seatings[row], seat)

    def _is_out(self, fact: Fact, state: Any) -> bool:
        """Whether the moment has come from which on others may see it."""
        if fact.after == "move" or state.over:
            return True
        if fact.after == "end" or fact.per_match:
            return False
        if fact.first < 0:  # a draw: of the round that is over until the next is dealt
            return bool(state.step < self.plan.first_step)
        return bool(state.step <= fact.first)

    def _owners(self, fact: Fact, eyes: Eyes, is_out: bool, seating: Sequence[int]) -> Owners:
        is_open = is_out and (fact.seen == "all" or (fact.seen == "none" and fact.after != "move"))
        if isinstance(eyes, Public):
            return EVERYBODY if is_open and self.plan.is_one else ()
        assert isinstance(eyes, SeatEyes)
        own = () if fact.seen == "none" and not is_open else (eyes.seat,)
        if not is_open and fact.seen not in ("all", "own", "none"):
            roles = (fact.seen,) if isinstance(fact.seen, str) else fact.seen
            place = list(seating).index(eyes.seat) % self.plan.players
            is_open = is_out and self.plan.roles[place] in roles
            if fact.by_group and not is_open:  # nobody's own: it is known to those roles alone
                return ()
        if not is_open:
            return own
        if self.plan.is_one:
            return EVERYBODY
        return self.plan.mates(seating, eyes.seat)

    # --- values -----------------------------------------------------------------------------------

    def value(self, fact: Fact, state: Any, eyes: Eyes) -> Any:
        """The latest values as these eyes may see them: by seat with None for what is hidden, or by group."""
        return self._masked(fact, getattr(state, fact.name), self.owners(fact, state, eyes), state.seatings, -1)

    def past(self, fact: Fact, state: Any, eyes: Eyes) -> Sequence[Any]:
        """The values of rounds that are over, oldest first."""
        rows = getattr(state, f"past_{fact.name}")
        if not fact.in_cents and (isinstance(eyes, All) or (self.plan.is_one and fact.is_open())):
            return rows  # type: ignore[no-any-return]

        steady = self.past_owners(fact, state, eyes, 0) if self.plan.is_one else EVERYBODY

        def mask(at: int, row: Any) -> Any:
            owners = steady if self.plan.is_one else self.past_owners(fact, state, eyes, at)
            return self._masked(fact, row, owners, state.seatings, at)

        return Rows(rows, mask)

    def _masked(self, fact: Fact, values: Any, owners: Owners, seatings: Sequence[Sequence[int]], at: int) -> Any:
        """The values as numbers to show, None where they are not the owners'."""
        if values is None:
            return None
        if owners is EVERYBODY:
            return tuple(map(number, values)) if fact.in_cents else values
        places: Iterable[int] = owners
        if fact.by_group:
            seating = seatings[at] if seatings else self.plan.seats
            places = {self.plan.group_of(seating, seat) for seat in owners}
        seen: list[Any] = [None] * len(values)
        for place in places:
            seen[place] = number(values[place]) if fact.in_cents else values[place]
        return tuple(seen)

    # --- news -------------------------------------------------------------------------------------

    def hearers(self, fact: Fact, owner: Seat, seating: Sequence[int]) -> tuple[Seat, ...] | None:
        """The seats that hear at once of what a seat did or got; None: everyone."""
        if fact.is_open():
            if self.plan.is_one:
                return None
            return tuple(sorted(self.plan.mates(seating, owner)))
        if fact.after == "move" and fact.seen not in ("own", "none"):
            roles = (fact.seen,) if isinstance(fact.seen, str) else fact.seen
            members = self.plan.mates(seating, owner)
            own = () if fact.by_group else (owner,)
            return tuple(sorted({*own, *(s for place, s in enumerate(members) if self.plan.roles[place] in roles)}))
        return () if fact.seen == "none" else (owner,)


# --- observations ---------------------------------------------------------------------------------


class Sights:
    """Observations under one plan: named tuples whose fields are the game's own names."""

    def __init__(self, seeing: Seeing, kinds: tuple[type, type], limits: Callable[[Any, Seat], Any]) -> None:
        self.seeing, self.plan, self.limits = seeing, seeing.plan, limits
        self.sight, self.past = kinds
        self.shown = [fact for fact in seeing.facts.values() if fact.name not in EARNINGS]
        self.rows = [fact for fact in seeing.facts.values() if fact.has_past and fact.name in self.past._fields]  # type: ignore[attr-defined]
        self.rounds = self.plan.rounds if self.plan.tells_end else None
        self.group = dict.fromkeys(self.plan.seats, self.plan.seats)
        self.role = {seat: self.plan.roles[seat % self.plan.players] for seat in self.plan.seats}
        self.names = tuple(step.name for step in self.plan.steps)
        facts = [*(seeing.facts[name] for name in EARNINGS), *self.shown]
        self._own = [
            (at, fact.is_single, fact.by_group) for at, fact in enumerate(facts) if fact.is_single or not fact.is_open()
        ]
        self._masked = [
            (at, [_own_mask(fact, seat) for seat in self.plan.seats])
            for at, fact in enumerate(self.rows)
            if fact.in_cents or not fact.is_open()
        ]
        self._is_fast = self.plan.is_one and all(fact.is_open() or fact.seen == "own" for fact in facts)
        steps = range(len(self.plan.steps))
        self._made = [[not 0 <= fact.first >= step for fact in self.shown] for step in steps]

    def all(self, state: Any, seats: Sequence[Seat]) -> list[Any]:
        """What each of the seats sees."""
        if not self._is_fast:
            return [self.one(state, seat) for seat in seats]
        values, rows = self._bare(state)
        if not self.seeing.is_open:
            return [self._sight(state, seat, self._told(state, seat, values, rows)) for seat in seats]
        same = self._told(state, seats[0], values, rows)
        return [self._sight(state, seat, same) for seat in seats]

    def _bare(self, state: Any) -> tuple[list[Any], list[Any]]:
        """All values of a moment, as nobody hides them: earnings, then what is shown; and the rounds that are over."""
        over, step = state.over, state.step
        values: list[Any] = [
            tuple([cents // 100 if cents % 100 == 0 else cents / 100 for cents in state.total]),
            tuple([cents // 100 if cents % 100 == 0 else cents / 100 for cents in state.gain]),
        ]
        for fact, is_made in zip(self.shown, self._made[step], strict=True):
            value = getattr(state, fact.name) if is_made or over else None
            values.append(tuple(map(number, value)) if fact.in_cents and value is not None else value)
        return values, [getattr(state, f"past_{fact.name}") for fact in self.rows]

    def _told(self, state: Any, seat: Seat, values: list[Any], rows: list[Any]) -> list[Any]:
        """What a seat is told where each fact is open to all of the one group, or its own: from the round on."""
        over, past = state.over, rows.copy()
        told = [state.played + (not over), self.rounds, "" if over else self.names[state.step], self.plan.config]
        told += values
        for at, is_single, by_group in self._own:
            value = values[at]
            if value is None:
                continue
            if is_single:
                told[4 + at] = value[0 if by_group else seat]
                continue
            own: list[Any] = [None] * self.plan.n
            own[seat] = value[seat]
            told[4 + at] = tuple(own)
        for at, masks in self._masked:
            past[at] = Rows(rows[at], masks[seat])
        told.append(tuple.__new__(self.past, past))
        return told

    def _sight(self, state: Any, seat: Seat, told: list[Any]) -> Any:
        """The observation of a seat of the one group, from the values after ``limits``."""
        return tuple.__new__(self.sight, (seat, self.role[seat], self.plan.seats, self.limits(state, seat), *told))

    def one(self, state: Any, seat: Seat) -> Any:
        if self._is_fast:
            return self._sight(state, seat, self._told(state, seat, *self._bare(state)))
        if self.plan.is_one:
            group: Sequence[int] = self.plan.seats
        else:
            seating = self.plan.seating(state.seatings)
            group = tuple(sorted(self.plan.mates(seating, seat)))
        return self.sight(seat, self.role[seat], group, self.limits(state, seat), *self._rest(state, SeatEyes(seat)))

    def _rest(self, state: Any, eyes: Eyes) -> list[Any]:
        seeing, step, over = self.seeing, state.step, state.over
        value = seeing.value
        rest = [
            state.played + (0 if over else 1),
            self.rounds,
            "" if over else self.names[step],
            self.plan.config,
            *(value(seeing.facts[name], state, eyes) for name in EARNINGS),
        ]
        for fact in self.shown:
            if fact.first >= 0 and step <= fact.first and not over:
                rest.append(None)
            else:
                rest.append(_own(fact, value(fact, state, eyes), eyes))
        rest.append(self.past._make([seeing.past(fact, state, eyes) for fact in self.rows]))  # type: ignore[attr-defined]
        return rest


def _own_mask(fact: Fact, seat: Seat) -> Callable[[int, Any], Any]:
    """A round that is over as a seat sees it: all of what is open, else its own part."""
    show: Callable[[Any], Any] = number if fact.in_cents else lambda value: value
    if fact.is_open():
        return lambda at, row: tuple(map(show, row))
    return lambda at, row: tuple([show(value) if one == seat else None for one, value in enumerate(row)])


def _own(fact: Fact, values: Any, eyes: Eyes) -> Any:
    """One value in place of a list where a seat sees its own alone, or its group's."""
    if values is None or not fact.is_single:
        return values
    if fact.by_group:
        return next((value for value in values if value is not None), None)
    return values[eyes.seat] if isinstance(eyes, SeatEyes) else None


def sight_types(made: Declaration) -> tuple[type, type]:
    """The named tuples of an observation: `Sight`, and the rounds that are over inside it."""
    facts = [*(name for name, _, _ in made.fields()), *made.held()]
    texts = {name for name, _, part in made.fields() if isinstance(part, Text)}
    texts |= {draw.name for draw in made.draws if draw.each == "match"}
    base = ("seat", "role", "members", "limits", "round", "rounds", "stage", "config")
    sight = namedtuple("Sight", (*base, *EARNINGS, *facts, "past"))  # type: ignore[misc]
    past = namedtuple("Past", (*(name for name in facts if name not in texts), "gain"))  # type: ignore[misc]
    return sight, past


def private(made: Declaration, seeing: Seeing, state: Any, seat: Seat) -> Iterator[tuple[Fact, int]]:
    """The facts of others that a seat may not know now, each with whose it is (a seat, or a group)."""
    for fact in seeing.facts.values():
        values = getattr(state, fact.name)
        if values is None:
            continue
        shown = seeing.value(fact, state, SeatEyes(seat))
        for at, (value, one) in enumerate(zip(values, shown, strict=True)):
            if value is not None and one is None:
                yield fact, at
