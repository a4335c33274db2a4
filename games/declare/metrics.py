"""The measures of a declared game, each taken when a round is over."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import gini, mean
from games.declare.declaration import Declaration
from games.declare.fields import Given, Pick
from games.declare.form import Measure
from games.declare.kernel import Declared
from games.declare.money import plain
from games.declare.plan import Plan
from games.declare.theory import EFFICIENCY, Theory
from games.declare.wording import shared

DECIMALS: Final = 9
REDUCE: Final[Mapping[str, Callable[[Sequence[float]], float | None]]] = {
    "mean": mean,
    "sum": math.fsum,
    "least": min,
    "most": max,
}


class Measures:
    """Measures as the class declares them, and those of every game: what is earned, and how unequally, and where it
    says equilibria and what is efficient, how much of the way from one to the other is earned."""

    def __init__(self, made: Declaration, game: Declared) -> None:
        self.made, self.game = made, game
        own = tuple(one.name for one in made.measures)
        self.headline = next((one for one in made.measures if one.headline), None)
        self.theory = Theory(made, game, self._headline)
        self.shared = ((EFFICIENCY,) if EFFICIENCY not in own and self.theory.has_efficiency() else ()) + (
            "earned",
            "gini",
        )
        self.names = (*own, *self.shared)

    def _headline(self, plan: Plan, state: Any) -> float | None:
        return self._one(plan, self.headline, state) if self.headline is not None else None

    def measure(self, config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, JSON]:
        state = step.state
        if state.played == before.played:
            return dict.fromkeys(self.names)
        under = self.game.under(config)
        found: dict[str, Any] = {one.name: self._one(under.plan, one, state) for one in self.made.measures}
        found["earned"] = mean([cents / 100 for cents in state.gain])
        found["gini"] = gini([max(0, cents) for cents in state.total])
        if EFFICIENCY in self.shared:
            found[EFFICIENCY] = self.theory.efficiency(config, state)
        return {name: _rounded(value) for name, value in found.items()}

    def _one(self, plan: Plan, one: Measure, state: Any) -> float | None:
        if not isinstance(one.how, str):
            values = [one.how(plan.scene(state, group, played=state.played - 1)) for group in range(plan.groups)]
            return mean([plain(value) for value in values if value is not None])
        for kept in self.made.carried:
            if kept.name == one.of:
                return _reduced(one.how, [cents / 100 for cents in getattr(state, one.of)])
        if one.of == "earned":
            return _reduced(one.how, [cents / 100 for cents in state.gain])
        part = next((part for name, _, part in self.made.fields() if name == one.of), None)
        values = [value for value in getattr(state, one.of) or () if value is not None]
        if isinstance(part, Pick):
            return values.count(one.choice) / len(values) if values else None
        numbers = [_number(value) for value in values]
        if one.how == "share":
            most = getattr(part, "most", None)
            whole = len(numbers) * float(plan.value(most)) if most is not None else 0
            return math.fsum(numbers) / whole if whole else None
        return _reduced(one.how, numbers)

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        """The mean over rounds; of the Gini coefficient the last."""
        told: dict[str, Any] = {}
        for name in self.names:
            values = [row[name] for row in series if row[name] is not None]
            told[name] = _rounded(values[-1] if name == "gini" and values else mean(values))
        return told

    def about(self) -> Mapping[str, str]:
        words = shared("en")
        told = {}
        for one in self.made.measures:
            kind = "own" if not isinstance(one.how, str) else "choice" if one.choice else one.how
            told[one.name] = one.about or words["how"][kind]["about"]
        return told | {name: words["metrics"][name]["about"] for name in self.shared}

    def cadences(self) -> dict[str, str]:
        """Measures that every round ends with."""
        always = {name for name, stage, _ in self.made.fields() if not stage.when}
        always |= {one.of for one in self.made.measures if not isinstance(one.how, str) and one.is_always}
        always |= {"earned", *(kept.name for kept in self.made.carried)}
        named = {one.name: "round" for one in self.made.measures if one.of in always or one.how == "sum"}
        return {**named, "earned": "round", "gini": "round"}


def _number(value: Any) -> float:
    """A move as a number: points by their sum."""
    if isinstance(value, tuple):
        return sum(one.units for one in value if isinstance(one, Given))
    return value if isinstance(value, int | float) else 0


def _reduced(how: str, values: Sequence[float]) -> float | None:
    if how == "gini":
        return gini(values)
    if not values:
        return 0.0 if how == "sum" else None
    return REDUCE[how](values)


def _rounded(value: float | None) -> float | None:
    return None if value is None else plain(round(value, DECIMALS))
