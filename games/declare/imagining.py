"""A world that agrees with what one seat of a declared game sees, made from the declaration alone.

What a seat may not know is drawn as the game draws it: cards from those that are left, moves from those that are legal,
partners from the others; carried state is as it began, and what others earned in rounds out of sight is nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from games.core.game import CannotImagine, Imagined, Seat, Standing
from games.core.rng import Rng
from games.declare.fields import Text
from games.declare.form import Draw, Fixed, Geometric, Repeated
from games.declare.money import hundredths
from games.declare.plan import Plan, Step

if TYPE_CHECKING:
    from games.declare.kernel import Declared


class Imagining:
    """Imagined worlds of one declared game."""

    def __init__(self, game: Declared) -> None:
        self.game = game
        self.endless = lru_cache(maxsize=64)(self._endless)

    def config_of(self, sight: Any) -> Any:
        """The settings as the seat knows them: where the length is not told, the match goes on."""
        return sight.config if self.game.under(sight.config).plan.tells_end else self.endless(sight.config)

    def _endless(self, config: Any) -> Any:
        settings, changed = self.game.made.settings, {}
        for end in self.game.made.ends:
            if isinstance(end, Fixed) and not end.known and isinstance(end.rounds, str):
                changed[end.rounds] = settings[end.rounds].most
            if isinstance(end, Geometric) and not end.known and isinstance(end.stop, str):
                changed[end.stop] = settings[end.stop].least
            if isinstance(end, Repeated):
                changed[end.rounds] = settings[end.rounds].most
        with suppress(ValueError):
            return self.game.config_type.model_validate({**config.model_dump(), **changed})
        return config

    def world(self, sight: Any, rng: Rng) -> Imagined[Any, Any, Any]:
        """Raises `CannotImagine` where the match is over, or nothing that is drawn agrees with the sight."""
        if not sight.stage:
            raise CannotImagine(f"{self.game.slug}: the match is over; nothing comes that could be imagined")
        config = self.config_of(sight)
        under = self.game.under(config)
        told = sight._replace(config=config, rounds=under.sights.rounds)
        for step in under.plan.steps:
            if step.name != sight.stage:
                continue
            state = World(self.game, under, told, step, rng).state()
            if under.sights.one(state, sight.seat) == told:
                return Imagined(config, state, sight.seat)
        raise CannotImagine(
            f"{self.game.slug}: seat {sight.seat}, round {sight.round}: no world agrees with what it sees"
        )

    def standing(self, sight: Any) -> Standing[Any]:
        """Earnings that the seat may know, and the last moves in the stage that comes of seats in its role."""
        earned = {seat: total for seat, total in enumerate(sight.total) if total is not None}
        deeds: dict[Seat, Any] = {}
        fields = self.game.fields_of.get(sight.stage, ())
        if fields and all(not isinstance(part, Text) for _, part in fields):
            rows = [getattr(sight.past, name) for name, _ in fields]
            if all(rows):
                lasts = [row[-1] for row in rows]
                plan = self.game.under(sight.config).plan
                for seat in sight.members:
                    moves = [last[seat] for last in lasts]
                    if plan.roles[seat % plan.players] == sight.role and None not in moves:
                        deeds[seat] = self.game.action_types[sight.stage](*moves)
        return Standing(sight.seat, earned, deeds)


class World:
    """One imagined state, at one step of the round."""

    def __init__(self, game: Declared, under: Any, sight: Any, step: Step, rng: Rng) -> None:
        self.game, self.under, self.sight, self.step, self.rng = game, under, sight, step, rng
        self.plan: Plan = under.plan
        self.played = sight.round - 1
        self.seatings = self._seatings()
        self.values: dict[str, Any] = dict.fromkeys(game.names)
        self.values |= {"played": self.played, "step": step.number, "over": "", "seatings": self.seatings}

    def state(self) -> Any:
        """The state, filled fact by fact: what is seen, and else what is drawn."""
        self._earnings()
        for draw in self.game.made.draws:
            self._draw(draw)
        for kept in self.game.made.carried:
            self._carried(kept)
        for name, stage, part in self.game.made.fields():
            self._moves(name, stage, part)
        return self._so_far()

    def _so_far(self) -> Any:
        return self.game.state_type(**self.values)

    # --- who meets whom -----------------------------------------------------------------------------

    def _seatings(self) -> tuple[tuple[int, ...], ...]:
        plan = self.plan
        if plan.matching == "partners":
            return ()
        if plan.matching == "perfect":
            return tuple(plan.seated(number, self.rng) for number in range(self.played + 1))
        past = [self._met(number) for number in range(self.played)]
        now = dict.fromkeys(self.sight.members, 0)
        return tuple(self._seated(number, groups) for number, groups in enumerate([*past, now]))

    def _met(self, number: int) -> dict[int, int]:
        """The groups of a round that is over, by seat, as far as they are seen."""
        if self.under.seeing.record:
            return {seat: group - 1 for seat, group in enumerate(self.sight.past.met[number]) if group}
        rows = (part[number] for part in self.sight.past if len(part) > number)
        seats = {seat for row in rows if len(row) == self.plan.n for seat, value in enumerate(row) if value is not None}
        return dict.fromkeys([self.sight.seat, *sorted(seats - {self.sight.seat})], 0)

    def _seated(self, number: int, groups: dict[int, int]) -> tuple[int, ...]:
        """A seating with these groups; the rest by chance."""
        plan, roles = self.plan, self.game.made.roles
        at: list[int] = [-1] * plan.n
        for seat, group in sorted(groups.items()):
            slots = range(group * plan.players, (group + 1) * plan.players)
            at[next(slot for slot in slots if at[slot] < 0 and (not roles or (slot - seat) % plan.players == 0))] = seat
        left = [seat for seat in plan.seats if seat not in groups]
        pools = [iter(self.rng.shuffled(left, "seating", number))]
        if roles:
            columns = [[seat for seat in left if seat % plan.players == place] for place in plan.places]
            pools = [iter(self.rng.shuffled(one, "seating", number, place)) for place, one in enumerate(columns)]
        return tuple(next(pools[slot % len(pools)]) if seat < 0 else seat for slot, seat in enumerate(at))

    def _seating(self, row: int | None) -> Sequence[int]:
        """Who sits where in a round by number from 0; None: now."""
        return self.plan.seating(self.seatings[: row + 1] if row is not None and self.seatings else self.seatings)

    # --- facts --------------------------------------------------------------------------------------

    def _earnings(self) -> None:
        sight, cents = self.sight, lambda value: 0 if value is None else hundredths(value)
        gain = tuple(map(cents, sight.gain))
        rows = tuple(tuple(map(cents, row)) for row in sight.past.gain)
        now = gain if self.step.number > self.plan.first_step else (0,) * self.plan.n
        sums = [sum(row[seat] for row in rows) + now[seat] for seat in self.plan.seats]
        total = tuple(sums[seat] if seen is None else hundredths(seen) for seat, seen in enumerate(sight.total))
        self.values |= {"gain": gain, "past_gain": rows, "total": total}

    def _filled(self, seen: Any, drawn: Sequence[Any], by_group: bool, row: int | None, in_cents: bool = False) -> Any:
        """What is seen, over what is drawn."""
        to = hundredths if in_cents else lambda value: value
        if not isinstance(seen, tuple | list):
            at = self.plan.group_of(self._seating(row), self.sight.seat) if by_group else self.sight.seat
            seen = [seen if one == at else None for one in range(len(drawn))]
        return tuple(other if value is None else to(value) for value, other in zip(seen, drawn, strict=True))

    def _past(self, name: str) -> Sequence[Any]:
        return getattr(self.sight.past, name, ())

    def _draw(self, draw: Draw) -> None:
        by_group = draw.by == "group"
        self.values[draw.name] = self._dealt(draw, getattr(self.sight, draw.name), by_group, None)
        if draw.each == "round":
            rows = enumerate(self._past(draw.name))
            self.values[f"past_{draw.name}"] = tuple(self._dealt(draw, row, by_group, at) for at, row in rows)

    def _dealt(self, draw: Draw, seen: Any, by_group: bool, row: int | None) -> tuple[Any, ...]:
        """The values of a draw; cards that are dealt are dealt from those that are left."""
        key, seating = self.rng.at("drawn", -1 if row is None else row), self._seating(row)
        drawn = self.under.round._drawn(draw, seating, key)
        if not draw.dealt:
            return self._filled(seen, drawn, by_group, row)  # type: ignore[no-any-return]
        known = self._filled(seen, [None] * self.plan.n, False, row)
        dealt = list(known)
        for group in range(self.plan.groups):
            members = self.plan.members(seating, group)
            left = list(draw.of)
            for seat in members:
                if known[seat] in left:
                    left.remove(known[seat])
            cards = iter(key.shuffled(left, draw.name, group))
            for seat in members:
                dealt[seat] = next(cards) if known[seat] is None else known[seat]
        return tuple(dealt)

    def _carried(self, kept: Any) -> None:
        by_group = kept.by == "group"
        start = [hundredths(self.plan.value(kept.start))] * (self.plan.groups if by_group else self.plan.n)
        self.values[kept.name] = self._filled(getattr(self.sight, kept.name), start, by_group, None, True)
        rows = enumerate(self._past(kept.name))
        self.values[f"past_{kept.name}"] = tuple(self._filled(row, start, by_group, at, True) for at, row in rows)

    # --- moves --------------------------------------------------------------------------------------

    def _moves(self, name: str, stage: Any, part: Any) -> None:
        """This round's moves, those out of sight drawn among the legal ones, and those of earlier rounds."""
        own = [step for step in self.plan.steps if step.stage is not None and step.stage.name == stage.name]
        if not isinstance(part, Text):
            rows = self._past(name)
            self.values[f"past_{name}"] = tuple(self._row(part, own, row, at) for at, row in enumerate(rows))
        before = [step for step in own if step.number < self.step.number]
        seen = getattr(self.sight, name)
        if not before:
            return
        moved = set().union(*(self.under.round.movers(step, self._so_far()) for step in before))
        if not moved and seen is None:
            return
        self.values[name] = self._row(part, before, seen or (None,) * self.plan.n, -1, moved)

    def _row(
        self, part: Any, steps: Sequence[Step], seen: Sequence[Any], at: int, moved: Any = None
    ) -> tuple[Any, ...]:
        """The moves of a stage: what is seen, and what others did out of sight."""
        made = list(seen)
        for seat, step in self._out_of_sight(steps, made, moved):
            with suppress(Exception):  # a bound that rests on what this world lacks: the move stays unknown
                limit = self.plan.limits(part, self._so_far(), seat, step.number)
                made[seat] = part.drawn(limit, self.rng.at("move", step.number, at, seat))
        return tuple(made)

    def _out_of_sight(self, steps: Sequence[Step], made: Sequence[Any], moved: Any) -> Iterator[tuple[Seat, Step]]:
        for step in steps:
            fixed = self.under.round._all[step.number]
            for seat in fixed if fixed is not None else (moved or ()):
                if made[seat] is None:
                    yield seat, step
