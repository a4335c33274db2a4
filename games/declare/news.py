"""The events of a declared game, each to those who may know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from games.core.game import Event, Seat
from games.declare.declaration import MESSAGE, TALK, Declaration
from games.declare.fields import Points
from games.declare.form import Draw, Stage
from games.declare.money import number
from games.declare.plan import Plan
from games.declare.seeing import Seeing

if TYPE_CHECKING:
    from games.declare.play import Played


def made_event(stage: Stage) -> str:
    """The kind of event that tells a move of a stage."""
    return "message_sent" if stage.name == TALK else f"{stage.name}_made"


def shown_event(stage: Stage) -> str:
    """The kind that tells a move when it is shown to others later."""
    return f"{stage.name}_shown"


def kinds(made: Declaration) -> dict[str, str]:
    """Every kind of event that a game can have, with what it is of: a stage, field, draw or carried state, or ""."""
    found: dict[str, str] = {"paid": "", "lost": "", "match_ended": ""}
    if "noise" in made.settings:
        found["hand_slipped"] = ""
    if "groups" in made.settings:
        found["group_drawn"] = ""
    for name, stage, part in made.fields():
        if isinstance(part, Points):
            found[f"{name}_given"] = name
        else:
            found[made_event(stage)] = stage.name
        if stage.after == "round":
            found[shown_event(stage)] = stage.name
    found |= {f"{draw.name}_drawn": draw.name for draw in made.draws}
    found |= {one.name: one.stage for one in made.happenings}
    return found | {f"{kept.name}_changed": kept.name for kept in made.carried if kept.by == "group"}


class News:
    """What is told under one plan."""

    def __init__(self, plan: Plan, seeing: Seeing) -> None:
        self.plan, self.seeing, self.made = plan, seeing, plan.made

    def dealt(self, state: Any, draws: Sequence[Draw]) -> Iterator[Event]:
        """Who meets whom, and what chance gives, before a round."""
        plan, facts = self.plan, self.seeing.facts
        seating = plan.seating(state.seatings)
        if state.seatings:
            for group in range(plan.groups):
                members = tuple(sorted(plan.members(seating, group)))
                yield Event("group_drawn", {"seats": list(members)}, members)
        for draw in draws:
            kind, fact, drawn = f"{draw.name}_drawn", facts[draw.name], getattr(state, draw.name)
            for at, value in enumerate(drawn):
                owner = at if draw.by == "seat" else plan.members(seating, at)[0]
                to = self.seeing.hearers(fact, owner, seating)
                if to != ():
                    yield Event(kind, ({"seat": at} if draw.by == "seat" else {}) | {draw.name: value}, to)

    def played(self, before: Any, after: Any, played: Played) -> Iterator[Event]:
        """The moves and slips of a step, what they changed, what a round has come to, and the end."""
        seating = self.plan.seating(before.seatings)
        yield from self._moves(played.stage, played.movers, after, seating, made_event(played.stage))
        for seat in played.slipped:
            yield Event("hand_slipped", {"by": seat, "stage": played.stage.name}, (seat,))
        if len(played.movers) or played.stage.fill:
            yield from self._happenings(played.stage, before, after, seating)
        for kept in self.made.carried:
            was, now = getattr(before, kept.name), getattr(after, kept.name)
            if kept.by == "group" and was != now:
                yield from self._changed(kept.name, was, now, seating)
        if after.played > before.played:
            yield from self._revealed(after, seating)
            yield from self._paid(after.gain, seating)
        if after.over:
            yield Event("match_ended", {"rounds": after.played, "why": after.over})

    def _moves(
        self, stage: Stage, movers: Sequence[Seat], state: Any, seating: Sequence[Seat], kind: str
    ) -> Iterator[Event]:
        fact = self.seeing.facts[next(iter(stage.fields))]
        plain = [name for name, part in stage.fields.items() if not isinstance(part, Points)]
        for seat in movers:
            to = self.seeing.hearers(fact, seat, seating)
            values = {name: getattr(state, name)[seat] for name in plain}
            if stage.name == TALK:
                if values[MESSAGE]:
                    yield Event(kind, {"by": seat, "text": values[MESSAGE]}, to)
            elif plain:
                yield Event(
                    kind, {"by": seat} | {n: list(v) if isinstance(v, tuple) else v for n, v in values.items()}, to
                )
            for name, part in stage.fields.items():
                for one in getattr(state, name)[seat] if isinstance(part, Points) else ():
                    yield Event(f"{name}_given", {"by": seat, "to": one.to, "units": one.units}, to)

    def _happenings(self, stage: Stage, before: Any, after: Any, seating: Sequence[Seat]) -> Iterator[Event]:
        """What follows from a stage that is over, each to those who see its moves."""
        step = self.plan.steps[before.step]
        if not step.is_last:
            return
        fact = self.seeing.facts[next(iter(stage.fields))]
        for one in self.made.happenings:
            for group in range(self.plan.groups) if one.stage == stage.name else ():
                members = self.plan.members(seating, group)
                for place in one.function(self.plan.scene(after, group, played=before.played)):
                    yield Event(one.name, {"by": members[place]}, self.seeing.hearers(fact, members[place], seating))

    def _paid(self, gain: Sequence[int], seating: Sequence[Seat]) -> Iterator[Event]:
        fact = self.seeing.facts["gain"]
        """What each seat has earned in a round that is over."""
        for seat, cents in enumerate(gain):
            if cents:
                kind = "paid" if cents > 0 else "lost"
                yield Event(
                    kind, {"seat": seat, "amount": number(abs(cents))}, self.seeing.hearers(fact, seat, seating)
                )

    def _changed(self, name: str, was: Sequence[int], now: Sequence[int], seating: Sequence[Seat]) -> Iterator[Event]:
        fact = self.seeing.facts[name]
        for group, (old, new) in enumerate(zip(was, now, strict=True)):
            if old != new:
                to = self.seeing.hearers(fact, self.plan.members(seating, group)[0], seating)
                yield Event(f"{name}_changed", {name: number(new)}, to)

    def _revealed(self, after: Any, seating: Sequence[Seat]) -> Iterator[Event]:
        """The moves that others see when the round is over."""
        for stage in self.plan.stages.values():
            if stage.after == "round" and stage.seen == "all":
                made = getattr(after, next(iter(stage.fields)))
                movers = [seat for seat, value in enumerate(made or ()) if value is not None]
                for event in self._moves(stage, movers, after, seating, shown_event(stage)):
                    group = self.plan.group_of(seating, int(str(event.data["by"])))
                    to = None if self.plan.is_one else tuple(sorted(self.plan.members(seating, group)))
                    yield Event(event.kind, event.data, to)
