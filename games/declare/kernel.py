"""The kernel's ten methods of a declared game: a `games.core.game.Game` like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from games.core.answers import JSON, ActionSpec, BadAction, Note, first_fault
from games.core.game import (
    Eyes,
    Game,
    Imagined,
    Invariant,
    Resolution,
    Seat,
    SeatSpec,
    Seen,
    Standing,
    Step,
    Turn,
    View,
)
from games.core.rng import Rng
from games.declare.board import view_of
from games.declare.declaration import Declaration
from games.declare.fields import Move
from games.declare.form import Repeated
from games.declare.imagining import Imagining
from games.declare.plan import Plan
from games.declare.play import Round
from games.declare.seeing import Seeing, Sights, private, sight_types
from games.declare.twins import other_value
from games.declare.types import action_type, action_union, config_type, state_type

PLANS_MAX: Final = 64
OPTIONS_MAX: Final = 101


class Under:
    """A declared game under one config: its plan, who sees what, and how a round goes."""

    def __init__(self, game: Declared, config: Any) -> None:
        self.plan = Plan(game.made, config)
        self.seeing = Seeing(self.plan)
        self.round = Round(self.plan, self.seeing, game)
        self.sights = Sights(self.seeing, game.sight_types, self.round.asked)
        self.answers: dict[Any, Any] | None = {} if self.round.is_table else None
        """What policies answered to the rounds that they recall, where these are all that they see."""


class Declared(Game[Any, Any, Any, Any]):
    """A declared game as the kernel plays it."""

    slug: str  # type: ignore[misc]
    rules_version: int  # type: ignore[misc]
    tells_end: bool  # type: ignore[misc]
    deeds_are_common = True

    def __init__(self, made: Declaration) -> None:
        self.made = made
        self.slug, self.rules_version = made.slug, made.version
        self.config_type, self.state_type = config_type(made), state_type(made)
        stages = {one.name: one for _, one, _ in made.fields()}
        self.fields_of = {name: tuple(one.fields.items()) for name, one in stages.items()}
        self.action_types = {name: action_type(one) for name, one in stages.items()}
        self.action_words = {name: _worded(kind, self.fields_of[name]) for name, kind in self.action_types.items()}
        """Of a stage with one choice, each action by its word: made once."""
        self.action_type = action_union(list(self.action_types.values()))
        self.sight_types = sight_types(made)
        self.tells_end = all(getattr(end, "known", not isinstance(end, Repeated)) for end in made.ends)
        self.names = tuple(self.state_type.__dataclass_fields__)
        self.values = attrgetter(*self.names)
        self.imagining = Imagining(self)
        self._under: dict[int, Under] = {}
        self._spec = lru_cache(maxsize=1024)(self._made_spec)
        self._read: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in self.action_types.items()}

    @property
    def module(self) -> str:
        return self.made.cls.__module__

    def under(self, config: Any) -> Under:
        """The game under a config; kept for the config object itself, since hashing one costs more than a step."""
        found = self._under.get(id(config))
        if found is None or found.plan.config is not config:
            if len(self._under) >= PLANS_MAX:
                self._under.clear()
            found = self._under[id(config)] = Under(self, config)
        return found

    # --- who and when -----------------------------------------------------------------------------

    def seats(self, config: Any) -> Sequence[SeatSpec]:
        plan = self.under(config).plan
        roles = [plan.roles[seat % plan.players] for seat in plan.seats]
        return [SeatSpec(name, role) for name, role in zip(_names(roles), roles, strict=True)]

    def initial(self, config: Any, rng: Rng) -> Resolution[Any]:
        return self.under(config).round.start(rng)

    def turn(self, config: Any, state: Any) -> Turn | None:
        return None if state.over else self.under(config).round.turn(state)

    def horizon(self, config: Any) -> int | None:
        """Rounds times steps, where no stage depends on what happens; the first round has no `DEAL`."""
        plan = self.under(config).plan
        if plan.rounds is None or any(one.when in self.made.methods for one in plan.stages.values()):
            return None
        return plan.rounds * len(plan.steps) - plan.first_step

    def rounds(self, config: Any) -> int | None:
        return self.under(config).plan.rounds

    # --- what a seat knows and does ---------------------------------------------------------------

    def observe(self, config: Any, state: Any, seat: Seat, past: Sequence[Seen[Any]]) -> Any:
        return self.under(config).sights.one(state, seat)

    def observe_all(
        self, config: Any, state: Any, seats: Sequence[Seat], kept: Sequence[Step[Any, Any]]
    ) -> Sequence[Any]:
        return self.under(config).sights.all(state, seats)

    def imagine(self, observation: Any, rng: Rng) -> Imagined[Any, Any, Any]:
        return self.imagining.world(observation, rng)

    def standing(self, observation: Any) -> Standing[Any]:
        return self.imagining.standing(observation)

    def limits(self, config: Any, state: Any, seat: Seat) -> tuple[str, tuple[Any, ...]]:
        """The stage that comes, and the limits of its fields for a seat."""
        under = self.under(config)
        return under.plan.steps[state.step].name, under.round.asked(state, seat)

    def actions(self, config: Any, state: Any, seat: Seat) -> ActionSpec[Any]:
        name, limits = self.limits(config, state, seat)
        return self._spec(name if limits else next(iter(self.action_types)), limits or None)

    def _made_spec(self, name: str, limits: tuple[Any, ...] | None) -> ActionSpec[Any]:
        """The spec of a stage under some limits; without any, of a stage that nobody is asked."""
        stage = next(one for _, one, _ in self.made.fields() if one.name == name)
        adapter = self._read[name]

        def read(raw: Any) -> Any:
            try:
                return adapter.validate_python(raw)
            except ValidationError as error:
                raise BadAction(*first_fault(error)) from None

        if limits is None:
            return ActionSpec(adapter.json_schema(), read)
        properties = {
            key: {"title": part.label or key.replace("_", " ").capitalize(), **part.schema(limit)}
            for (key, part), limit in zip(stage.fields.items(), limits, strict=True)
        }
        schema: dict[str, JSON] = {"type": "object", "properties": properties, "required": list(properties)}
        return ActionSpec(schema, read, self._options(name, stage, limits))

    def _options(self, name: str, stage: Any, limits: Sequence[Any]) -> tuple[Any, ...] | None:
        """All moves of a stage where they are few."""
        rows: list[tuple[Any, ...]] = [()]
        for part, limit in zip(stage.fields.values(), limits, strict=True):
            values = part.listed(limit)
            if values is None or len(values) * len(rows) > OPTIONS_MAX:
                return None
            rows = [(*row, value) for row in rows for value in values]
        return tuple(self.action_types[name](*row) for row in rows)

    def clean(self, config: Any, state: Any, seat: Seat, action: Any, rng: Rng) -> tuple[Any, tuple[Note, ...]]:
        under = self.under(config)
        step = under.plan.steps[state.step]
        stage, kind = step.stage, self.action_types[step.name]
        assert stage is not None
        limits = under.round.limits(step, state, seat)
        notes: list[Note] = []
        if action is not None and type(action) is not kind:
            action, notes = None, [Note("other_stage", {"stage": stage.name})]
        values = []
        for (name, part), limit in zip(stage.fields.items(), limits, strict=True):
            if action is None:
                values.append(under.round.silent(stage, name, part, limit, state, seat))
                continue
            move: Move = part.clean(name, getattr(action, name), limit)
            values.append(move.value)
            notes += move.notes
        return kind(*values), tuple(notes)

    def clean_all(
        self, config: Any, state: Any, answers: Mapping[Seat, Any], rng: Rng
    ) -> tuple[dict[Seat, Any], dict[Seat, tuple[Note, ...]]]:
        """`clean` for all, fast where a stage has one field and its answers are clean already."""
        asked = self.under(config).round
        stage = asked.plan.steps[state.step].name
        fields, kind = self.fields_of.get(stage, ()), self.action_types.get(stage)
        if len(fields) != 1:
            return super().clean_all(config, state, answers, rng)
        (name, part), actions, notes = fields[0], {}, {}
        for seat, answer in answers.items():
            if type(answer) is kind and part.fits(getattr(answer, name), asked.asked(state, seat)[0]):
                actions[seat] = answer
                continue
            actions[seat], told = self.clean(config, state, seat, answer, rng)
            if told:
                notes[seat] = told
        return actions, notes

    # --- what happens -----------------------------------------------------------------------------

    def resolve(self, config: Any, state: Any, actions: Mapping[Seat, Any], rng: Rng) -> Resolution[Any]:
        return self.under(config).round.resolve(state, actions, rng)

    def view(self, config: Any, state: Any, eyes: Eyes) -> View:
        return view_of(self.under(config).seeing, state, eyes)

    def invariants(self, config: Any, state: Any) -> Iterable[Invariant]:
        owed = [sum(row) for row in zip(*state.past_gain, strict=True)] or [0] * len(state.total)
        if state.played == len(state.past_gain) and (state.over or state.step <= self.under(config).plan.first_step):
            yield Invariant("totals are the sum of all rounds", owed == list(state.total), f"{owed}, {state.total}")

    def indistinguishable(self, config: Any, state: Any, seat: Seat) -> Iterator[Any]:
        """States that differ from this one in a single fact that the seat may not know."""
        under = self.under(config)
        names = {name: at for at, name in enumerate(self.names)}
        for fact, at in private(self.made, under.seeing, state, seat):
            values = list(getattr(state, fact.name))
            values[at] = other_value(under.plan, self.made, fact, values[at], at)
            changed = list(self.values(state))
            changed[names[fact.name]] = tuple(values)
            if values[at] != getattr(state, fact.name)[at]:
                yield self.state_type(*changed)


def _worded(kind: type, fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    choices = getattr(fields[0][1], "choices", {}) if len(fields) == 1 else {}
    return {word: kind(word) for word in choices}


def _names(roles: Sequence[str]) -> list[str]:
    """Letters, or a role with a number where several seats have it."""
    if not any(roles):
        return [letter(seat) for seat in range(len(roles))]
    names, seen = [], dict.fromkeys(roles, 0)
    for role in roles:
        seen[role] += 1
        names.append(role if roles.count(role) == 1 else f"{role} {seen[role]}")
    return names


def letter(seat: int) -> str:
    """A to Z, then A2, B2 …"""
    letter, turn = chr(ord("A") + seat % 26), seat // 26 + 1
    return letter if turn == 1 else f"{letter}{turn}"
