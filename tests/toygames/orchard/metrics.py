"""What is measured, each round and over a run. Undefined is None, never 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import gini

from .config import OrchardConfig
from .state import OrchardState, Pick


class OrchardMetrics:
    def measure(
        self, config: OrchardConfig, before: OrchardState, step: Step[OrchardState, Pick]
    ) -> Mapping[str, JSON]:
        return {
            "apples": step.state.apples,
            "harvest": sum(step.payoffs.values()),
            "gini": gini(step.state.picked),
        }

    def summarise(self, config: OrchardConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        if not series:
            return dict.fromkeys(self.about())
        return {
            "harvest": sum(row["harvest"] for row in series),
            "apples_left": series[-1]["apples"],
            "gini": series[-1]["gini"],
            "rounds_lasted": len(series),
        }

    def about(self) -> Mapping[str, str]:
        return {
            "harvest": "Apples picked by all, whole run; 0 or more, higher is richer. None without a round.",
            "apples_left": "Apples on the trees at the end; 0 to room. None without a round.",
            "gini": "Gini coefficient of apples picked so far; 0 equal, to 1 - 1/n. None without a round.",
            "rounds_lasted": "Rounds until the trees were empty or the run was over; 1 to rounds. None without one.",
        }
