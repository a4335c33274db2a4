"""The conditions that a design makes: cells of factors, named treatments, and the meetings of a round robin.

A condition is a stack of layers over the base, one for each level, so that a fault names the level that it stands in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from agents_app.profile import Profile
from games.core.answers import Note
from games.core.pack import Pack
from games.errors.faults import Fault, Refused, faults_of, fields_at, no_such, shown
from games.lab.scenarios.design import CONTROL, EACH, ExperimentForm, FactorForm, RobinForm, SensitivityForm
from games.lab.scenarios.form import CONDITIONS_MAX, AgentForm, ConditionForm, ConfigPart, SeatForms, check_names
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.sampling import points


@dataclass(frozen=True, slots=True)
class Treatment:
    """A condition before it has met the game. ``levels`` says where each factor stands; empty for named conditions.

    ``point``  of a sensitivity design: its settings
    ``dealt``  of a meeting: the seats that are dealt, with the numbers of the entrants who take them
    """

    name: str
    layers: tuple[Layer, ...] = ()
    title: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=dict)
    point: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor, as the layer that it lays over the base."""

    name: str
    layer: Layer


class PatchForm(BaseModel):
    """A level of a factor that is no single setting."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    config: ConfigPart = {}
    seats: SeatForms = {}
    profile: ConfigPart = {}


class _Design:
    """Reads one file's design; what is wrong with it goes to ``faults``."""

    def __init__(self, form: ExperimentForm, source: str, folder: Path | None, pack: Pack, faults: list[Fault]) -> None:
        self.form, self.source, self.folder, self.pack, self.faults = form, source, folder, pack, faults

    def fault(self, at: str, note: Note) -> None:
        self.faults.append(Fault.of(self.source, at, note))

    def levels(self) -> dict[str, list[Level]]:
        """Every factor's levels, the control first."""
        found: dict[str, list[Level]] = {}
        fields: dict[tuple[str, str], str] = {}
        for name, factor in self.form.factors.items():
            at = f"factors.{name}"
            if not self._stands_for_something(factor, at):
                continue
            for kind, path in (("field", factor.field), ("profile", factor.profile)):
                if path is not None and fields.setdefault((kind, path), name) != name:
                    self.fault(f"{at}.{kind}", Note("factor_twice", {"field": path, "other": fields[kind, path]}))
            named = self._named(name, factor, at)
            if len(named) < 2:
                self.fault(f"{at}.levels", Note("too_few_levels", {"given": len(named)}))
            found[name] = [
                level
                for number, (label, value) in enumerate(named.items())
                if (level := self._level(factor, label, value, f"{at}.levels.{label}", number == 0)) is not None
            ]
        return found

    def _stands_for_something(self, factor: FactorForm, at: str) -> bool:
        """Whether the field is one of the config or of a profile."""
        kinds = (("field", factor.field, self.pack.game.config_type), ("profile", factor.profile, Profile))
        for kind, path, model in kinds:
            if path is None:
                continue
            parts = path.split(".")
            known = fields_at(model, parts[:-1])
            if parts[-1] not in known and (known or len(parts) == 1):
                self.fault(f"{at}.{kind}", no_such(path, [".".join([*parts[:-1], one]) for one in known]))
                return False
        return True

    def _named(self, factor: str, form: FactorForm, at: str) -> dict[str, Any]:
        """The levels by name; a value of a list is called by its factor and itself."""
        if isinstance(form.levels, Mapping):
            return {str(name): value for name, value in form.levels.items()}
        named: dict[str, Any] = {}
        for value in form.levels:
            plain = re.sub(r"[^A-Za-z0-9._-]+", "-", str(value).lower()).rstrip("-.")
            name = f"{factor}-{plain}"
            if name in named:
                self.fault(f"{at}.levels", Note("level_twice", {"value": shown(value)}))
            named[name] = value
        return named

    def _level(self, factor: FactorForm, name: str, value: Any, at: str, is_control: bool) -> Level | None:
        bare = Layer(self.source, config_at=at, seats_at=at, folder=self.folder, profile_at=at)
        if value is None or (value == {} and not (is_control and self._is_patch(factor))):
            self.fault(at, Note("empty_level"))
            return None
        if factor.field is not None:
            return Level(name, replace(bare, config=_nested(factor.field, value)))
        if factor.profile is not None:
            return Level(name, replace(bare, profile=_nested(factor.profile, value)))
        if factor.seats is not None:
            agent = self._read(AgentForm, value, at)
            return None if agent is None else Level(name, replace(bare, seats=dict.fromkeys(factor.seats, agent)))
        patch = self._read(PatchForm, value, at)
        if patch is None:
            return None
        layer = Layer(
            self.source,
            patch.config,
            patch.seats,
            f"{at}.config",
            f"{at}.seats",
            self.folder,
            profile=patch.profile,
            profile_at=f"{at}.profile",
        )
        return Level(name, layer)

    @staticmethod
    def _is_patch(factor: FactorForm) -> bool:
        return factor.field is None and factor.profile is None and factor.seats is None

    def _read(self, kind: type[Any], value: Any, at: str) -> Any:
        try:
            return kind.model_validate(value)
        except ValidationError as error:
            for path, note in faults_of(error, kind):
                self.fault(".".join((at, *path)), note)
            return None

    def cells(self) -> Iterator[Treatment]:
        """The chosen combinations of levels, the control first where it is among them."""
        known = len(self.faults)
        levels = self.levels()
        if len(self.faults) > known or not levels:
            return
        control = {factor: found[0] for factor, found in levels.items()}
        if isinstance(self.form.cells, Mapping):
            for name, chosen in self.form.cells.items():
                if (cell := self._chosen(name, chosen, levels)) is not None:
                    yield _cell(name, {**control, **cell})
        elif self.form.cells == EACH:
            yield _cell(self.form.control or CONTROL, control)
            for factor, found in levels.items():
                for level in found[1:]:
                    yield _cell(level.name, {**control, factor: level})
        else:
            if math.prod(len(found) for found in levels.values()) > CONDITIONS_MAX:
                sizes = [len(found) for found in levels.values()]
                self.fault("factors", Note("too_many_cells", {"sizes": sizes, "most": CONDITIONS_MAX}))
                return
            for combination in product(*levels.values()):
                chosen_levels = dict(zip(levels, combination, strict=True))
                yield _cell("_".join(level.name for level in combination), chosen_levels)

    def _chosen(
        self, name: str, chosen: Mapping[str, str], levels: Mapping[str, Sequence[Level]]
    ) -> dict[str, Level] | None:
        found: dict[str, Level] = {}
        for factor, wanted in chosen.items():
            if factor not in levels:
                self.fault(f"cells.{name}.{factor}", no_such(factor, levels))
                return None
            by_label = {level.name: level for level in levels[factor]}
            if wanted not in by_label:
                self.fault(f"cells.{name}.{factor}", no_such(wanted, by_label))
                return None
            found[factor] = by_label[wanted]
        return found

    def named(self) -> Iterator[Treatment]:
        """The conditions that the file names itself."""
        for name, form in self.form.conditions.items():
            yield Treatment(name, (self._layer(name, form),), form.title, form.about)

    def _layer(self, name: str, form: ConditionForm) -> Layer:
        at = f"conditions.{name}"
        places = f"{at}.config", f"{at}.seats", self.folder
        return Layer(
            self.source, form.config, form.seats, *places, form.people, f"{at}.people", form.profile, f"{at}.profile"
        )

    def points(self, asked: SensitivityForm) -> Iterator[Treatment]:
        """A condition for each point of the design; points that fall together are one."""
        at = "sensitivity.settings"
        for path in asked.settings:
            parts = path.split(".")
            known = fields_at(self.pack.game.config_type, parts[:-1])
            if parts[-1] not in known:
                self.fault(f"{at}.{path}", no_such(path, [".".join([*parts[:-1], one]) for one in known]))
                return
        try:
            found = points(asked.method, asked.settings, asked.samples, asked.seed)
        except Refused as error:
            self.faults.append(Fault(self.source, "sensitivity", str(error)))
            return
        distinct = [dict(one) for one in dict.fromkeys(tuple(point.items()) for point in found)]
        if len(distinct) > CONDITIONS_MAX:
            self.fault(
                "sensitivity.samples", Note("too_many_cells", {"sizes": [len(distinct)], "most": CONDITIONS_MAX})
            )
            return
        for number, point in enumerate(distinct, 1):
            layers = tuple(
                Layer(self.source, _nested(path, value), config_at=f"{at}.{path}", folder=self.folder)
                for path, value in point.items()
            )
            levels = {path: f"{value:.6g}" for path, value in point.items()}
            yield Treatment(f"point-{number:0{len(str(len(distinct)))}d}", layers, levels=levels, point=point)

    def meetings(self, robin: RobinForm, seats: Sequence[str]) -> Iterator[Treatment]:
        """Every table of entrants, dealt to the seats in turn, in every rotation."""
        taken = robin.seats or tuple(seats)
        if len(seats) < 2 or len(taken) < robin.table:
            self.fault("round_robin", Note("too_few_seats", {"seats": len(taken), "table": robin.table}))
            return
        names = list(robin.entrants)
        tables = list(combinations(range(len(names)), robin.table))
        for table in tables:
            for turn in range(robin.table if robin.rotate else 1):
                yield self._meeting(robin, names, (*table[turn:], *table[:turn]), taken)
        if robin.self_play != "none":
            for one in range(len(names)):
                yield self._meeting(robin, names, (one, one), taken)

    def _meeting(self, robin: RobinForm, names: Sequence[str], order: Sequence[int], taken: Sequence[str]) -> Treatment:
        dealt = {seat: order[place % len(order)] for place, seat in enumerate(taken)}
        layers = tuple(
            Layer(
                self.source,
                seats={seat: robin.entrants[names[one]] for seat, holder in dealt.items() if holder == one},
                seats_at=f"round_robin.entrants.{names[one]}",
                folder=self.folder,
            )
            for one in sorted(set(order))
        )
        return Treatment("_vs_".join(names[one] for one in order), layers, dealt=dealt)


def treatments_of(
    form: ExperimentForm, source: str, folder: Path | None, pack: Pack, seats: Sequence[str], faults: list[Fault]
) -> list[Treatment]:
    """Every condition that a file makes, in order; one without a name where it makes none.

    ``seats`` are the names of the base's seats, for meetings.
    """
    design = _Design(form, source, folder, pack, faults)
    if form.sensitivity is not None:
        found = list(design.points(form.sensitivity))
    elif form.round_robin is not None:
        found = list(design.meetings(form.round_robin, seats))
    else:
        found = [*design.cells(), *design.named()]
    seen: set[str] = set()
    for one in found:
        if one.name in seen:
            design.fault("cells", Note("condition_twice", {"name": one.name}))
        seen.add(one.name)
    try:
        check_names(seen)
    except ValueError as error:
        faults.append(Fault(source, "cells", str(error)))
    return found


def _cell(name: str, levels: Mapping[str, Level]) -> Treatment:
    return Treatment(
        name,
        tuple(level.layer for level in levels.values()),
        levels={factor: level.name for factor, level in levels.items()},
    )


def _nested(path: str, value: Any) -> dict[str, Any]:
    """``{"a": {"b": value}}`` of ``a.b``."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return dict(value)
