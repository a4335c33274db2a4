"""How a round of a declared game goes: who moves, what is played, what it pays, what is carried on, when it ends."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, Final

from games.core.game import LazyEvents, Resolution, Seat, Turn
from games.core.rng import Rng
from games.declare.declaration import DEAL
from games.declare.fields import Amount, Cell, Limits, Pick, Points, Text
from games.declare.form import Draw, Fixed, Geometric, Repeated, Stage, When
from games.declare.money import exact, hundredths, number
from games.declare.news import News
from games.declare.plan import CHANCE, Plan, Step, is_static
from games.declare.seeing import Seeing

SLIP: Final = "slip"
MATRIX: Final = "choose"
"""The field of a game that is a table of pays."""
STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class Played:
    """What a step came to, for its news: who moved, and whose hand slipped."""

    stage: Stage
    movers: Sequence[Seat]
    slipped: Sequence[Seat]


class Round:
    """The rules of a round under one plan."""

    def __init__(self, plan: Plan, seeing: Seeing, game: Any) -> None:
        self.plan, self.made, self.game = plan, plan.made, game
        self.at = {name: index for index, name in enumerate(game.names)}
        self.news = News(plan, seeing)
        self.parts = [(name, stage, part) for name, stage, part in plan.made.fields() if stage.name in plan.stages]
        self.kept = [name for name, _, part in self.parts if not isinstance(part, Text)]
        self.kept += [draw.name for draw in plan.made.draws if draw.each == "round"]
        self.calls = {stage.name: _call(stage) for stage in plan.stages.values()}
        only = self.made.ends[0] if len(self.made.ends) == 1 else None
        self._fixed = plan.value(only.rounds) if isinstance(only, Fixed) else None
        self._limits: dict[tuple[int, Seat], tuple[Limits, ...] | None] = {}
        tables = [getattr(stage.function, "table", {}) for stage in plan.stages.values() if MATRIX in stage.fields]
        table: Mapping[Any, Any] = tables[0] if tables and plan.is_one else {}
        self._table = {moves: [hundredths(plan.value(pay)) for pay in pays] for moves, pays in table.items()}
        """What a table of pays says, in hundredths, where one group plays it."""
        self._recent: tuple[Any, dict[tuple[int, Seat], tuple[Limits, ...]]] = (None, {})
        self._all = {step.number: self._static_movers(step) for step in plan.steps}
        self.is_table = bool(self._table) and self.kept == [MATRIX] and seeing.is_open and not self.made.carried
        """Whether nothing is kept of a round but what all chose, which says what was paid."""

    # --- the start --------------------------------------------------------------------------------

    def start(self, rng: Rng) -> Resolution[Any]:
        plan = self.plan
        values: dict[str, Any] = dict.fromkeys(self.game.names)
        values |= {name: () for name in self.game.names if name.startswith("past_")}
        values |= {"played": 0, "step": plan.first_step, "over": "", "total": (0,) * plan.n, "gain": (0,) * plan.n}
        values["seatings"] = () if plan.matching == "partners" else (plan.seated(0, rng),)
        for draw in self.made.draws:
            values[draw.name] = self._drawn(draw, plan.seating(values["seatings"]), rng)
        for kept in self.made.carried:
            many = plan.n if kept.by == "seat" else plan.groups
            values[kept.name] = (hundredths(plan.value(kept.start)),) * many
        state = self._following(list(values.values()), rng)
        return Resolution(state, LazyEvents(lambda: self.news.dealt(state, self.made.draws)))

    def _drawn(self, draw: Draw, seating: Sequence[Seat], rng: Rng) -> tuple[Any, ...]:
        """The values of a draw, by seat or by group."""
        plan = self.plan
        if draw.dealt:
            cards = [rng.shuffled(draw.of, draw.name, group) for group in range(plan.groups)]
            dealt = {seating[g * plan.players + p]: card for g in range(plan.groups) for p, card in enumerate(cards[g])}
            return tuple(dealt[seat] for seat in plan.seats)
        many = plan.n if draw.by == "seat" else plan.groups
        if not draw.of:
            field = Amount(draw.least, draw.most, draw.step)
            low, high = field.limits(plan.value, (), 0)
            return tuple(
                number(low + field.step * rng.below((high - low) // field.step + 1, draw.name, one))
                for one in range(many)
            )
        if not draw.weights:
            return tuple(rng.choice(draw.of, draw.name, one) for one in range(many))
        return tuple(_weighted(draw, rng.unit(draw.name, one)) for one in range(many))

    # --- who moves --------------------------------------------------------------------------------

    def _static_movers(self, step: Step) -> tuple[Seat, ...] | None:
        """The seats of a step where they are always the same; None where they are found anew each time."""
        plan, stage = self.plan, step.stage
        if stage is None:
            return ()
        if stage.when in self.made.methods or stage.who in self.made.methods:
            return None
        if stage.who == "all":
            return plan.seats
        if step.place is not None and plan.matching == "strangers" and not self.made.roles:
            return None
        return tuple(seat for seat in plan.seats if self._is_on(step, seat % plan.players))

    def _is_on(self, step: Step, place: int) -> bool:
        stage = step.stage
        assert stage is not None
        if step.place is not None:
            return step.place == place
        return stage.who == "all" or self.plan.roles[place] == stage.who

    def movers(self, step: Step, state: Any) -> tuple[Seat, ...]:
        """Who moves in a step, in seat order."""
        found = self._all[step.number]
        if found is not None:
            return found
        plan, stage = self.plan, step.stage
        assert stage is not None
        seating, seats = plan.seating(state.seatings), []
        for group in range(plan.groups):
            scene = plan.scene(state, group, until=step.number)
            if stage.when in self.made.methods and not getattr(scene, stage.when)():
                continue
            dynamic = stage.who in self.made.methods
            places = getattr(scene, stage.who)() if dynamic else [p for p in plan.places if self._is_on(step, p)]
            seats += [plan.members(seating, group)[place] for place in places]
        return tuple(sorted(seats))

    def turn(self, state: Any) -> Turn:
        step = self.plan.steps[state.step]
        clock: tuple[tuple[str, int], ...] = (("round", state.played + 1),)
        if step.place is not None:
            clock = (*clock, ("turn", step.place + 1))
        return Turn(clock, step.name, self.movers(step, state))

    # --- what may be played -----------------------------------------------------------------------

    def limits(self, step: Step, state: Any, seat: Seat) -> tuple[Limits, ...]:
        """The limits of each field of a step, for a seat."""
        key = step.number, seat
        found = self._limits.get(key)
        if found is None:
            asked, recent = self._recent
            if asked is state and key in recent:
                return recent[key]
            stage, plan = step.stage, self.plan
            assert stage is not None
            parts = stage.fields.values()
            found = tuple(plan.limits(part, state, seat, step.number) for part in parts)
            if all(is_static(self.made, part) for part in parts) and (plan.is_one or not any(map(_names_seats, parts))):
                self._limits[key] = found
            elif asked is state:
                recent[key] = found
            else:
                self._recent = state, {key: found}
        return found

    def asked(self, state: Any, seat: Seat) -> tuple[Limits, ...]:
        """The limits of what is asked now; () where nothing is."""
        if state.over:
            return ()
        found = self._limits.get((state.step, seat))
        if found is None:
            step = self.plan.steps[state.step]
            found = () if step.stage is None else self.limits(step, state, seat)
        return found

    def silent(self, stage: Stage, name: str, part: Any, limit: Limits, state: Any, seat: Seat) -> Any:
        """What a field is without an answer."""
        silence = stage.silence[name] if len(stage.fields) > 1 else stage.silence
        if isinstance(part, Pick) and isinstance(silence, tuple):
            silence = silence[seat % len(silence)]
        if isinstance(part, Pick) and part.to:
            mates = self.plan.mates(self.plan.seating(state.seatings), seat)
            silence = mates[silence] if silence in self.plan.places else silence
        if isinstance(silence, str) and silence in self.made.settings:
            silence = number(hundredths(self.plan.value(silence)))
        return part.clean(name, part.answered(silence, limit), limit).value

    # --- what is played ---------------------------------------------------------------------------

    def resolve(self, state: Any, actions: Mapping[Seat, Any], rng: Rng) -> Resolution[Any]:
        plan, at = self.plan, self.at
        step = plan.steps[state.step]
        values = list(self.game.values(state))
        if step.stage is None:
            return self._deal(values, rng)
        stage = step.stage
        if state.step == 0:
            self._clear(values)
        movers = plan.seats if len(actions) == plan.n else sorted(actions)
        slipped = self._carry_out(step, state, actions, movers, values, rng)
        paid = self.pays(step, state, values, rng) if step.is_last else None
        payoffs: dict[Seat, Any] = {}
        if paid is not None:
            values[at["total"]] = tuple(map(add, values[at["total"]], paid))
            values[at["gain"]] = tuple(map(add, values[at["gain"]], paid))
            payoffs = {seat: cents // 100 if cents % 100 == 0 else cents / 100 for seat, cents in enumerate(paid)}
        values[at["step"]] += 1
        after = self._following(values, rng)
        events = LazyEvents(lambda: self.news.played(state, after, Played(stage, movers, slipped)))
        return Resolution(after, events, payoffs)

    def _clear(self, values: list[Any]) -> None:
        """What was played in the round before is no longer shown."""
        for name, _, _ in self.parts:
            values[self.at[name]] = None
        values[self.at["gain"]] = (0,) * self.plan.n

    def _carry_out(
        self, step: Step, state: Any, actions: Mapping[Seat, Any], movers: Sequence[Seat], values: list[Any], rng: Rng
    ) -> list[Seat]:
        """Fill in the moves of those on turn; the seats whose hand slipped are given back."""
        stage, plan = step.stage, self.plan
        assert stage is not None
        slipped: list[Seat] = []
        if plan.noise and any(part.slips() for part in stage.fields.values()):
            slipped = [seat for seat in movers if rng.chance(plan.noise, SLIP, seat)]
        for number_of, (name, part) in enumerate(stage.fields.items()):
            made: list[Any]
            if len(movers) == plan.n:
                made = [getattr(actions[seat], name) for seat in movers]
            else:
                made = list(values[self.at[name]] or [None] * plan.n)
                for seat in movers:
                    made[seat] = getattr(actions[seat], name)
            for seat in slipped if part.slips() else ():
                limit = self.limits(step, state, seat)[number_of]
                made[seat] = _another(part, limit, made[seat], rng.at("slipped", number_of, seat))
            values[self.at[name]] = tuple(made)
        if stage.fill and step.is_last:
            self._fill(step, state, values, rng)
        return slipped

    def _fill(self, step: Step, state: Any, values: list[Any], rng: Rng) -> None:
        """Give those who do not move the moves that the stage's method says, by place; None leaves one without."""
        plan, stage = self.plan, step.stage
        assert stage is not None
        name = next(iter(stage.fields))
        made, seating = list(values[self.at[name]]), plan.seating(state.seatings)
        for group in range(plan.groups):
            filled = getattr(plan.scene(state, group, rng, step.number), stage.fill)()
            for seat, move in zip(plan.members(seating, group), filled, strict=True):
                made[seat] = move if made[seat] is None else made[seat]
        values[self.at[name]] = tuple(made)

    def pays(
        self, step: Step, state: Any, values: list[Any], rng: Rng, groups: Iterable[int] | None = None
    ) -> list[int] | None:
        """What the stage pays each seat of the groups (all) in hundredths, and what it carries on; None where it pays
        nothing."""
        plan, stage = self.plan, step.stage
        assert stage is not None
        function, own, more = self.calls[stage.name]
        if self._table and own == [MATRIX]:
            return list(self._table[values[self.at[MATRIX]]])
        if function is None:
            return None
        seating, paid, is_paid = plan.seating(state.seatings), [0] * plan.n, False
        for group in range(plan.groups) if groups is None else groups:
            members = plan.members(seating, group)
            is_all = plan.is_one or self._all[step.number] is not None
            if not is_all and all(values[self.at[own[0]]][seat] is None for seat in members):
                continue  # the stage was not played in this group
            scene = plan.scene(state, group, rng, step.number)
            moves = [plan.by_place(part, values[self.at[name]], members) for name, part in stage.fields.items()]
            pays = function(scene, *moves, **{name: getattr(scene, name) for name in more})
            if self.made.carried:
                self._keep(scene, group, members, values)
            if pays is not None:
                is_paid = True
                for seat, cents in zip(members, self._cents(stage, pays), strict=True):
                    paid[seat] = cents
        return paid if is_paid else None

    def _cents(self, stage: Stage, pays: Any) -> list[int]:
        if isinstance(pays, Mapping):
            pays = [pays.get(place, 0) for place in self.plan.places]
        pays = list(pays)
        if len(pays) != self.plan.players:
            raise self.made.refuse(
                f"stage {stage.name}: {len(pays)} pays for {self.plan.players} players; one for each"
            )
        return [hundredths(pay) for pay in pays]

    def _keep(self, scene: Any, group: int, members: Sequence[Seat], values: list[Any]) -> None:
        """Carried state that the stage has read or set, in hundredths."""
        for kept in self.made.carried:
            if kept.name not in scene.__dict__:
                continue
            held, now = list(values[self.at[kept.name]]), scene.__dict__[kept.name]
            if kept.by == "group":
                held[group] = hundredths(now)
            else:
                for place, seat in enumerate(members):
                    held[seat] = hundredths(now[place])
            values[self.at[kept.name]] = tuple(held)

    # --- what comes next --------------------------------------------------------------------------

    def _deal(self, values: list[Any], rng: Rng) -> Resolution[Any]:
        """Before a round but the first: who meets whom, and what chance gives."""
        plan, at = self.plan, self.at
        self._clear(values)
        if plan.matching != "partners":
            values[at["seatings"]] = (*values[at["seatings"]], plan.seated(values[at["played"]], rng))
        draws = [draw for draw in self.made.draws if draw.each == "round"]
        for draw in draws:
            values[at[draw.name]] = self._drawn(draw, plan.seating(values[at["seatings"]]), rng)
        values[at["step"]] += 1
        after = self._following(values, rng)
        return Resolution(after, LazyEvents(lambda: self.news.dealt(after, draws)))

    def _following(self, values: list[Any], rng: Rng) -> Any:
        """The state with the next step in which somebody moves, or the match over."""
        plan, at = self.plan, self.at
        number_of = values[at["step"]]
        if number_of < len(plan.steps) and self._all[number_of] is not None:
            return self.game.state_type(*values)
        idle = 0
        while True:
            number_of = values[at["step"]]
            if number_of == len(plan.steps):
                self._end_round(values, rng)
                idle += 1
                if values[at["over"]] or idle > 1:
                    break
                continue
            step = plan.steps[number_of]
            is_filled = step.stage is not None and step.stage.fill
            if self._all[number_of] is not None or is_filled or self.movers(step, self.game.state_type(*values)):
                return self.game.state_type(*values)
            if number_of == 0:
                self._clear(values)
            values[at["step"]] += 1
        values[at["over"]] = values[at["over"]] or "idle"
        values[at["step"]] = 0
        return self.game.state_type(*values)

    def _end_round(self, values: list[Any], rng: Rng) -> None:
        plan, at = self.plan, self.at
        for name in self.kept:
            row = values[at[name]]
            values[at[f"past_{name}"]] += (row if row is not None else (None,) * plan.n,)
        for kept in self.made.carried:
            values[at[f"past_{kept.name}"]] += (values[at[kept.name]],)
        values[at["past_gain"]] += (values[at["gain"]],)
        values[at["played"]] += 1
        values[at["step"]] = 0
        values[at["over"]] = self._over(values, rng)

    def _over(self, values: list[Any], rng: Rng) -> str:
        """Why the match is over after a round; "" where it goes on."""
        plan, played = self.plan, values[self.at["played"]]
        if self._fixed is not None:
            return "length" if played >= self._fixed else ""
        for end in self.made.ends:
            match end:
                case Fixed(rounds) if played >= self.plan.value(rounds):
                    return "length"
                case Geometric(stop, most):
                    if rng.chance(float(self.plan.value(stop)), STOP):
                        return "chance"
                    if played >= self.plan.value(most):
                        return "cut"
                case Repeated(on, ending, more, rounds):
                    if not plan.fixed[on]:
                        return "length"
                    if plan.fixed[ending] == CHANCE and not rng.chance(float(plan.value(more)), STOP):
                        return CHANCE
                    if played >= plan.value(rounds):
                        return "cut" if plan.fixed[ending] == CHANCE else "length"
                case When(condition):
                    state = self.game.state_type(*values)
                    scenes = (self.plan.scene(state, group, rng) for group in range(self.plan.groups))
                    if all(getattr(scene, condition)() for scene in scenes):
                        return condition
        return ""


def _call(stage: Stage) -> tuple[Any, list[str], list[str]]:
    """A stage's function, the names of its own fields, and of what else it asks for by name."""
    if stage.function is None:
        return None, list(stage.fields), []
    asked = list(inspect.signature(stage.function).parameters)[1:]
    return stage.function, list(stage.fields), asked[len(stage.fields) :]


def _names_seats(part: Any) -> bool:
    return isinstance(part, Points) or (isinstance(part, Pick) and bool(part.to))


def _another(part: Any, limit: Limits, value: Any, rng: Rng) -> Any:
    """Another value than the one that was meant, each as likely, where they are few; else any."""
    listed = part.listed(limit)
    if listed is None:
        return part.drawn(limit, rng)
    others = [one for one in listed if one != value]
    return others[rng.below(len(others), "another")] if others else value


def _weighted(draw: Draw, unit: float) -> str:
    whole, sum_so_far = sum(map(exact, draw.weights)), exact(0)
    for word, weight in zip(draw.of, draw.weights, strict=True):
        sum_so_far += exact(weight)
        if unit * whole < sum_so_far:
            return word
    return draw.of[-1]


__all__ = ["DEAL", "Cell", "Played", "Round"]
