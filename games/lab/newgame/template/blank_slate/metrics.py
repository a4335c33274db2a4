"""What is measured, at each step and over a run. Undefined is None, never 0.

Offers and replies are measured once a round, at its last step: they are in `Pack.cadences`, and None at other steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.answers import JSON
from games.core.game import Step
from games.core.measures import gini

from .config import BlankSlateConfig
from .state import Action, BlankSlateState, Reply


class Measures:
    def measure(
        self, config: BlankSlateConfig, before: BlankSlateState, step: Step[BlankSlateState, Action]
    ) -> Mapping[str, JSON]:
        replies = [action.accepts for action in step.actions.values() if isinstance(action, Reply)]
        return {
            "gain": sum(step.payoffs.values()),
            "gini": gini(step.state.gained),
            "mean_offer": sum(before.offers) / config.pairs if replies else None,
            "accepted": sum(replies) / config.pairs if replies else None,
        }

    def summarise(self, config: BlankSlateConfig, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        rounds = [row for row in series if row["accepted"] is not None]
        if not rounds:
            return dict.fromkeys(self.about())
        return {
            "total_gain": sum(row["gain"] for row in series),
            "mean_offer": round(sum(row["mean_offer"] for row in rounds) / len(rounds), 9),
            "accepted": round(sum(row["accepted"] for row in rounds) / len(rounds), 9),
            "gini": rounds[-1]["gini"],
        }

    def about(self) -> Mapping[str, str]:
        return {
            "total_gain": "Units gained by all, whole run; 0 to pairs x rounds x pie. None without a round.",
            "mean_offer": "Mean offer, of the round or the run; 0 to pie, higher is more generous. None without one.",
            "accepted": "Offers accepted / offers made, of the round or the run; 0 to 1. None without one.",
            "gini": "Gini coefficient of units gained so far; 0 equal, to 1 - 1/n. None without a round.",
        }
