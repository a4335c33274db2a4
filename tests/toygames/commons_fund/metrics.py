"""What is measured. Undefined is None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import gini

from .config import CommonsFundConfig
from .state import CommonsFundState, Give


class Measures:
    def measure(self, config: CommonsFundConfig, before: CommonsFundState, step: Step[Any, Any]) -> Mapping[str, JSON]:
        gifts = [action.units for action in step.actions.values() if isinstance(action, Give)]
        return {
            "gain": round(sum(step.payoffs.values()), 9),
            "gini": gini(step.state.gained),
            "gift": round(sum(gifts) / config.players, 9) if gifts else None,
        }

    def summarise(self, config: CommonsFundConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        gifts = [row["gift"] for row in series if row["gift"] is not None]
        if not gifts:
            return dict.fromkeys(self.about())
        return {
            "total_gain": round(sum(row["gain"] for row in series), 9),
            "gift": round(sum(gifts) / len(gifts), 9),
            "gini": series[-1]["gini"],
        }

    def about(self) -> Mapping[str, str]:
        return {
            "total_gain": "Units gained by all, whole run. None without a round.",
            "gift": "Mean gift, of the step or the run; 0 to endowment, higher is more generous. None without one.",
            "gini": "Gini coefficient of units gained so far; 0 equal, to 1 - 1/n. None without a round.",
        }
