"""Worked examples: checked when a game is declared, and worked again under the settings of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.rng import Rng
from games.declare.declaration import Declaration
from games.declare.fields import Points
from games.declare.form import Example, Stage
from games.declare.kernel import Declared
from games.declare.money import exact, hundredths, number
from games.declare.plan import Plan


class Worker:
    """Plays one stage of one group from what an example gives."""

    def __init__(self, made: Declaration, game: Declared) -> None:
        self.made, self.game = made, game

    def check(self) -> None:
        """Raises `BadDeclaration` where an example does not come out."""
        for one in self.made.examples:
            at = f"example {one.stage} {one.moves!r}"
            if one.stage not in {stage.name for stage in self.made.stages}:
                raise self.made.refuse(
                    f"{at}: no stage of that name; there are {', '.join(s.name for s in self.made.stages)}"
                )
            settings = {name: value for name, value in one.given.items() if name in self.made.settings}
            unknown = set(one.given) - {*settings, *(f for f, _, _ in self.made.fields()), *self.made.held()}
            if unknown:
                raise self.made.refuse(f"{at}: {sorted(unknown)[0]!r} is no setting, field, draw or carried state")
            plan = self.game.under(self.game.config_type(**settings)).plan
            worked = self.worked(plan, one, fits=False)
            if worked is None:
                raise self.made.refuse(f"{at}: its stage is not played under these settings")
            self._compare(at, one, worked[2], plan)

    def _compare(self, at: str, one: Example, pays: Sequence[int] | None, plan: Plan) -> None:
        expected = None if one.pays is None else [hundredths(exact(pay)) for pay in one.pays]
        if expected is not None and list(pays or [0] * plan.players) != expected:
            got = [number(cents) for cents in pays or [0] * plan.players]
            raise self.made.refuse(
                f"{at}: pays {got}; {list(one.pays or ())} is expected. Mend the stage or the example"
            )
        if one.becomes:
            after = self._after(plan, one)
            for name, value in one.becomes.items():
                if after.get(name) != value:
                    raise self.made.refuse(f"{at}: {name} becomes {after.get(name)}; {value} is expected")

    def worked(
        self, plan: Plan, one: Example, fits: bool = True
    ) -> tuple[Stage, list[list[Any]], list[int] | None] | None:
        """The stage, its moves by field and place, and the pays in hundredths; None where it does not apply.

        ``fits``: moves are cut, and gone through again, for as many players as there are.
        """
        found = self._stepped(plan, one)
        if found is None:
            return None
        stage, values, rng = found
        step = next(step for step in plan.steps if step.name == stage.name and step.is_last)
        state = self.game.state_type(*values)
        changed = list(values)
        moves = self._moves(plan, one, stage, state, step, fits)
        under = self.game.under(plan.config).round
        for (name, _), row in zip(stage.fields.items(), moves, strict=True):
            changed[under.at[name]] = tuple(row) + (None,) * (plan.n - plan.players)
        pays = under.pays(step, state, changed, rng, (0,))
        return stage, moves, None if pays is None else pays[: plan.players]

    def _after(self, plan: Plan, one: Example) -> dict[str, Any]:
        """Carried state after the stage."""
        found = self._stepped(plan, one)
        assert found is not None
        stage, values, rng = found
        step = next(step for step in plan.steps if step.name == stage.name and step.is_last)
        state, changed, under = self.game.state_type(*values), list(values), self.game.under(plan.config).round
        for (name, _), row in zip(stage.fields.items(), self._moves(plan, one, stage, state, step, False), strict=True):
            changed[under.at[name]] = tuple(row) + (None,) * (plan.n - plan.players)
        under.pays(step, state, changed, rng, (0,))
        told = {}
        for kept in self.made.carried:
            shown = [number(cents) for cents in changed[under.at[kept.name]]]
            told[kept.name] = shown[0] if kept.by == "group" else shown[: plan.players]
        return told

    def _stepped(self, plan: Plan, one: Example) -> tuple[Stage, list[Any], Rng] | None:
        """A state in which the example's stage comes, with what it gives."""
        step = next((step for step in plan.steps if step.name == one.stage and step.is_last), None)
        if step is None or step.stage is None:
            return None
        under = self.game.under(plan.config).round
        rng = Rng.root(0)
        values = list(self.game.values(under.start(rng).state))
        values[under.at["step"]] = step.number
        if values[under.at["seatings"]]:  # an example is of places, whoever is dealt to them
            values[under.at["seatings"]] = (tuple(plan.seats),)
        for name, value in one.given.items():
            if name in self.made.settings:
                continue
            values[under.at[name]] = self._given(plan, name, value)
        return step.stage, values, rng

    def _given(self, plan: Plan, name: str, value: Any) -> tuple[Any, ...]:
        part = next((part for field, _, part in self.made.fields() if field == name), None)
        if part is not None:
            row = [None if one is None else part.answered(one, ()) for one in self._row(plan, value)]
            return tuple(row) + (None,) * (plan.n - plan.players)
        kept = next((kept for kept in self.made.carried if kept.name == name), None)
        by_group = kept.by == "group" if kept else next(d for d in self.made.draws if d.name == name).by == "group"
        values = [value] * plan.groups if by_group else (self._row(plan, value) * plan.groups)
        return tuple(hundredths(exact(one)) for one in values) if kept else tuple(values)

    @staticmethod
    def _row(plan: Plan, value: Sequence[Any]) -> list[Any]:
        return [value[place % len(value)] for place in plan.places]

    def _moves(self, plan: Plan, one: Example, stage: Stage, state: Any, step: Any, fits: bool) -> list[list[Any]]:
        """By field, the moves of the places; who does not move in the stage has None."""
        under = self.game.under(plan.config).round
        rows = []
        for name, part in stage.fields.items():
            raw = one.moves[name] if len(stage.fields) > 1 else one.moves
            silent = stage.silence[name] if len(stage.fields) > 1 else stage.silence
            if isinstance(raw, Mapping):
                raw = [raw.get(place, silent) for place in range(max(plan.players, *raw) if not fits else plan.players)]
            if not fits and len(raw) != plan.players:
                at = f"example {one.stage} {one.moves!r}"
                raise self.made.refuse(f"{at}: {len(raw)} moves for {plan.players} players; one for each place")
            row: list[Any] = []
            for place, value in enumerate(self._row(plan, raw)):
                if value is None:
                    row.append(None)
                    continue
                index = list(stage.fields).index(name)
                limit = under.limits(step, state, place)[index]
                if isinstance(part, Points) and fits:
                    value = {to: units for to, units in dict(value).items() if to in limit[1]}
                cleaned = part.clean(name, part.answered(value, limit), limit)
                if cleaned.notes and not fits:
                    at = f"example {one.stage} {one.moves!r}"
                    raise self.made.refuse(f"{at}: {value!r} at place {place} is not allowed; within {limit}")
                row.append(cleaned.value)
            rows.append(row)
        return rows
