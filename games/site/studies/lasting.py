"""How long a study can take where every clock runs out."""

from __future__ import annotations

from collections.abc import Mapping

from games.site.studies.form import Step
from games.site.studies.playing import scenario_of


def longest_s(steps: Mapping[str, Step]) -> tuple[float, list[str]]:
    """Seconds of the steps that have a bound, and the names of those that have none: pages without a limit, matches
    without a clock or an end that is known.
    """
    seconds, unbound = 0.0, []
    for name, step in steps.items():
        found = _play_s(step) if step.is_play else step.limit_s
        if found is None:
            unbound.append(name)
        else:
            seconds += found
    return seconds, unbound


def _play_s(step: Step) -> float | None:
    scenario = scenario_of(step)
    condition = scenario.conditions[0]
    terms, horizon = condition.people, scenario.pack.game.horizon(condition.config)
    if terms.turn_s is None or horizon is None:
        return None
    longest = max(terms.turn_s, *terms.stages.values()) if terms.stages else terms.turn_s
    return step.gather.wait_s + step.repeat * horizon * longest
