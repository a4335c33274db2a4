"""A declared game under one config: its steps in a round, who sits where, and the scene in which a group plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from games.core.rng import Rng
from games.declare.declaration import DEAL, Declaration
from games.declare.fields import Bound, Limits, Pick, Points, Table
from games.declare.form import Fixed, Repeated, Stage
from games.declare.money import CENTS, Exact, exact

WIDE: Final = 1_000_000
CHANCE: Final = "chance"
HIDDEN: Final = "hidden"
ENDINGS: Final = (CHANCE, "fixed", HIDDEN)
"""How a repeated match ends; see `Repeated`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a round. ``place`` is who moves where places take turns; ``is_last``: of its stage."""

    name: str
    number: int
    stage: Stage | None = None
    place: int | None = None
    is_last: bool = True


class Plan:
    """What a config makes of a declaration; made once and kept.

    ``fixed``   the settings as stages get them, exact
    ``steps``   of a round, in order; the first is ``DEAL`` where something is drawn before each round but the first
    """

    def __init__(self, made: Declaration, config: Any) -> None:
        self.made, self.config = made, config
        self.fixed: dict[str, Any] = {name: _exact(getattr(config, name), made.kinds[name]) for name in made.settings}
        self.players = made.players if isinstance(made.players, int) else int(self.fixed[made.players])
        self.groups = int(self.fixed.get("groups", 1))
        self.n = self.players * self.groups
        self.places = range(self.players)
        self.seats = tuple(range(self.n))
        self.fixed["seats"] = self.places
        self.noise = float(self.fixed.get("noise", 0))
        self.matching = self.fixed.get("matching", "partners") if self.groups > 1 else "partners"
        self.is_one = self.groups == 1
        self.roles = tuple(self.role(place) for place in self.places)
        self.others = (
            tuple(tuple(one for one in self.seats if one != seat) for seat in self.seats) if self.is_one else ()
        )
        self.steps = tuple(self._steps())
        self.stages = {step.stage.name: step.stage for step in self.steps if step.stage is not None}
        self.first_step = 1 if self.steps[0].name == DEAL else 0
        self.number_of = {step.stage.name: step.number for step in self.steps if step.stage and step.is_last}

    def role(self, place: int) -> str:
        """The role of a place; the last one named is that of all further places."""
        roles = self.made.roles
        return roles[min(place, len(roles) - 1)] if roles else ""

    def _steps(self) -> list[Step]:
        steps: list[Step] = []
        talk = self.made.talking()
        redraws = self.matching != "partners" or any(draw.each == "round" for draw in self.made.draws)
        if redraws and self.rounds != 1:
            steps.append(Step(DEAL, 0))
        for stage in (*((talk,) if talk else ()), *self.made.stages):
            if stage.when in self.made.settings and not self.fixed[stage.when]:
                continue
            if stage.who == "turn":
                for place in self.places:
                    steps.append(Step(stage.name, len(steps), stage, place, place == self.players - 1))
            else:
                steps.append(Step(stage.name, len(steps), stage))
        return steps

    @property
    def rounds(self) -> int | None:
        """The number of the last round, where it is fixed from the start."""
        for end in self.made.ends:
            if isinstance(end, Fixed):
                return int(self.value(end.rounds))
            if isinstance(end, Repeated):
                if not self.fixed[end.on]:
                    return 1
                return int(self.value(end.rounds)) if self.fixed[end.ending] != CHANCE else None
        return None

    @property
    def tells_end(self) -> bool:
        """Whether those who play are told how long a match lasts."""
        return all(
            self.fixed[end.ending] != HIDDEN if isinstance(end, Repeated) else getattr(end, "known", True)
            for end in self.made.ends
        )

    def value(self, bound: Bound) -> Exact:
        """A number, or the setting of that name."""
        found: Exact = self.fixed[bound] if isinstance(bound, str) else exact(bound)
        return found

    # --- who sits where ---------------------------------------------------------------------------

    def seating(self, seatings: Sequence[Sequence[int]]) -> Sequence[int]:
        """The seat at each place, group by group, of the round in play."""
        return seatings[-1] if seatings else self.seats

    def seated(self, number: int, rng: Rng) -> tuple[int, ...]:
        """The seating of a round, by number from 0: each place keeps its role, and is dealt anew among the groups.

        "perfect": nobody meets anybody twice, as long as `perfect_rounds` says; seats of place p move on by p groups.
        """
        groups, players = self.groups, self.players
        if self.matching == "perfect":
            return tuple((g - number * p) % groups * players + p for g in range(groups) for p in self.places)
        if not self.made.roles:
            return tuple(rng.shuffled(self.seats, "seating"))
        columns = [rng.shuffled([g * players + p for g in range(groups)], "seating", p) for p in self.places]
        return tuple(columns[p][g] for g in range(groups) for p in self.places)

    def members(self, seating: Sequence[int], group: int) -> Sequence[int]:
        """The seats of a group, by place."""
        return seating[group * self.players : (group + 1) * self.players]

    def group_of(self, seating: Sequence[int], seat: int) -> int:
        return 0 if self.is_one else list(seating).index(seat) // self.players

    def mates(self, seating: Sequence[int], seat: int) -> Sequence[int]:
        """The seats of a seat's group, by place."""
        return self.members(seating, self.group_of(seating, seat))

    # --- the scene --------------------------------------------------------------------------------

    def scene(
        self, state: Any, group: int, rng: Rng | None = None, until: int | None = None, played: int | None = None
    ) -> Any:
        """The game as a group's stage finds it. Settings are there at once; draws, carried state and the moves of
        earlier stages when they are asked for (`Game.__getattr__`).

        ``until``: the step before which moves count; by default all do. ``played``: how many rounds were over before
        the one that it is of; by default those that are over now, so that of a round's last state it is the next.
        """
        scene: Any = object.__new__(self.made.cls)
        scene.__dict__ = {
            **self.fixed,
            "round": (state.played if played is None else played) + 1,
            "group": group,
            "_in": (self, state, group, rng, until),
        }
        return scene

    def found(self, name: str, state: Any, group: int, rng: Rng | None, until: int | None) -> Any:
        """A draw, carried state or moves of a group by name; AttributeError where it is none of them."""
        made, members = self.made, self.members(self.seating(state.seatings), group)
        if name == "rng" and rng is not None:
            return rng.at("stage", state.step, group)
        if name == "earned":
            return [_money(state.gain[seat]) for seat in members]
        for draw in made.draws:
            if draw.name == name:
                drawn = getattr(state, name)
                return tuple([_drawn(drawn[s]) for s in members]) if draw.by == "seat" else _drawn(drawn[group])
        for kept in made.carried:
            if kept.name == name:
                held = getattr(state, name)
                return [_money(held[s]) for s in members] if kept.by == "seat" else _money(held[group])
        for field, stage, part in made.fields():
            if field == name:
                at = self.number_of.get(stage.name)
                values = getattr(state, name) if at is not None and (until is None or at < until) else None
                return None if values is None else self.by_place(part, values, members)
        raise AttributeError(f"{made.cls.__name__} has no {name!r}")

    @staticmethod
    def by_place(part: Any, values: Sequence[Any], members: Sequence[int]) -> Any:
        """A field's moves of a group as its stage gets them."""
        if isinstance(part, Points):
            return table(values, members)
        if isinstance(part, Pick) and part.to:
            return [None if values[seat] is None else members.index(values[seat]) for seat in members]
        if part.is_exact:
            return members_of(values, members)
        exactly = part.exactly
        return [None if values[seat] is None else exactly(values[seat]) for seat in members]

    def limits(self, field: Any, state: Any, seat: int, until: int | None = None) -> Limits:
        """A field's bounds for a seat, now."""
        seating = self.seating(state.seatings)
        group, members = self.group_of(seating, seat), self.mates(seating, seat)
        others = self.others[seat] if self.is_one else tuple(sorted(one for one in members if one != seat))
        scenes: list[Any] = []

        def resolve(bound: Bound) -> Exact:
            if not isinstance(bound, str):
                return exact(bound)
            if bound in self.made.settings:
                found: Exact = self.fixed[bound]
                return found
            if not scenes:
                scenes.append(self.scene(state, group, until=until))
            value = getattr(scenes[0], bound)
            value = value() if callable(value) else value
            if isinstance(value, list | tuple):
                value = value[list(members).index(seat)]
            return exact(value or 0)

        return field.limits(resolve, others, seat)  # type: ignore[no-any-return]


def perfect_rounds(groups: int, players: int) -> int:
    """Rounds in which nobody meets anybody twice, as `Plan.seated` deals them."""
    rounds = 1
    while rounds < groups and all(rounds * apart % groups for apart in range(1, players)):
        rounds += 1
    return rounds if players > 1 else WIDE


def members_of(values: Sequence[Any], members: Sequence[int]) -> Sequence[Any]:
    return values if len(values) == len(members) else [values[seat] for seat in members]


def table(values: Sequence[Any], members: Sequence[int]) -> Table:
    """The points of a group by place."""
    places = {seat: place for place, seat in enumerate(members)}
    return Table([{places[one.to]: one.units for one in values[seat] or ()} for seat in members])


def is_static(made: Declaration, field: Any) -> bool:
    """Whether a field's bounds are numbers and settings alone."""
    return all(not isinstance(bound, str) or bound in made.settings for bound in field.bounds)


def _exact(value: Any, kind: Any) -> Any:
    """A setting as a stage gets it: a share stays a fraction even where it is whole, so that quotients stay exact."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return Fraction(exact(value)) if kind is float else exact(value)


def _money(cents: int) -> Exact:
    return cents // CENTS if cents % CENTS == 0 else Fraction(cents, CENTS)


def _drawn(value: Any) -> Any:
    return exact(value) if isinstance(value, float) else value
