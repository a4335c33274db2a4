"""What a planner who learns sees and may do, and what an epoch is worth to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from games.catalog.economist.metrics import closed, epoch_metrics
from games.catalog.economist.money import decimal
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.planners import aiming
from games.catalog.economist.state import KEEP
from games.core.agents import Decision, Request
from games.core.game import Step
from games.lab.learning.solo import Look

MOVE: Final = 0.1
"""By so much a rate is moved."""
USUAL: Final = 20.0
"""About what an epoch is worth: rewards are parts of it."""


class Rates:
    """The planner's sight as whole numbers: the schedule, and the statistics of the epoch that ended. Its actions: keep
    the schedule, raise or lower one rate, or all.
    """

    def __init__(self, brackets: int) -> None:
        self._brackets = brackets
        self.features, self.actions = brackets + 7, 3 + 2 * brackets

    def look(self, request: Request[Any, Any]) -> Look:
        return Look(self._row(request.observation), [1] * self.actions, lambda number: self._moved(request, number))

    def _row(self, seen: PlannerSeen) -> Sequence[int]:
        config, told = seen.shared.config, seen.statistics
        return [
            *(round(40 * decimal(rate)) for _, rate in seen.shared.schedule),
            round(16 * seen.shared.epoch / config.epochs),
            round(40 * told.gini),
            min(255, round(40 * told.total_tax_revenue / max(told.total_income, 1e-9))),
            *(min(255, round(8 * math.log1p(max(0.0, of)))) for of in (told.mean_income, told.mean_coin)),
            min(255, told.total_houses),
            min(255, seen.catches),
        ]

    def _moved(self, request: Request[Any, Any], number: int) -> Decision[Any]:
        if number == 0:
            return Decision(KEEP)
        which, up = divmod(number - 1, 2)
        shared, by = request.observation.shared, MOVE if up else -MOVE
        rates = [
            decimal(rate) + by * (which in (place, self._brackets)) for place, (_, rate) in enumerate(shared.schedule)
        ]
        return Decision(aiming(shared.schedule, rates, shared.config.taxation.allow_non_monotone))


def ends(config: Any, before: Step[Any, Any], step: Step[Any, Any]) -> bool:
    """Whether an epoch ends with this step: its report is there, and the planner's turn is still to come."""
    was, now = before.state, step.state
    return now.planning or (closed(config, was, now) is not None and not was.planning)


def welfare(config: Any, before: Step[Any, Any], step: Step[Any, Any]) -> float:
    """Equality times production of the epoch that ends with this step; 0 where none does."""
    if not ends(config, before, step):
        return 0.0
    return float(epoch_metrics(config, step.state.report)["welfare_eq_prod"])  # type: ignore[arg-type]
