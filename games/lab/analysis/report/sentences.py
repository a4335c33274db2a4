"""A comparison in words: what was held against what, by which test, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from games.lab.analysis.comparing import Compared
from games.lab.analysis.delivery import ANYTHING
from games.lab.analysis.effects import Effect
from games.lab.analysis.plan import Comparison
from games.lab.analysis.report.labels import NOTHING, Labels, plain
from games.lab.analysis.report.tables import contrast_text
from games.lab.analysis.testing import STATISTICS


def contrast(labels: Labels, asked: Comparison) -> str:
    """``talk - baseline``, or that the halves of a condition's runs were compared."""
    if asked.kind == "halves":
        return labels.say("halves_of", condition=next(iter(asked.weights)))
    sides = [{name: one for name, one in asked.weights.items() if sign * one > 0} for sign in (1, -1)]
    if len(asked.weights) > 2 and all(len(set(side.values())) == 1 for side in sides):
        return " − ".join(_cells(labels, list(side)) for side in sides)
    return contrast_text(list(asked.weights.items())).replace(" - ", " − ")


def _cells(labels: Labels, names: Sequence[str]) -> str:
    """A condition; of several, which weigh alike, the levels that they share, else how many they are."""
    if len(names) == 1:
        return names[0]
    told = shared_levels(names)
    return labels.say("cells_shared", levels=told, n=len(names)) if told else labels.say("cells", n=len(names))


def shared_levels(cells: Sequence[str]) -> str:
    """The levels that all of these cells of a design have; "" where there is none."""
    levels = [cell.split("_") for cell in cells]
    return "_".join(level for level in levels[0] if all(level in one for one in levels)) if levels else ""


def tested(labels: Labels, one: Compared) -> str:
    """The test with its statistic: ``t(19) = -4.20``; or why there is none."""
    outcome = one.outcome
    if outcome.reason is not None:
        return labels.say(f"reason_{outcome.reason}")
    return f"{STATISTICS[outcome.method].format(df=outcome.df)} = {plain(outcome.statistic)}"


def method(labels: Labels, one: Compared) -> str:
    """The test by name, with its sides: ``paired t-test, one-sided (lower)``."""
    told = labels.say(f"method_{one.outcome.method}")
    if one.outcome.draws is not None:
        told = f"{told} ({labels.say('drawn', draws=one.outcome.draws)})"
    elif one.outcome.exact is not None:
        told = f"{told} ({labels.say('exact' if one.outcome.exact else 'normal')})"
    return f"{told}, {labels.say(f'direction_{one.comparison.direction}')}"


def verdict(labels: Labels, one: Compared) -> str:
    """What came of it, and whether a difference of that size matters where that was declared."""
    told = labels.say(f"verdict_{one.verdict}")
    return told if one.matters is None else f"{told}; {labels.say(f'matters_{one.matters}')}"


def arrivals(labels: Labels, one: Compared) -> list[str]:
    """What is seen of the arrival of its treatments, a sentence each."""
    told = []
    for seen in one.arrived:
        facts = {"condition": seen.condition, "of": seen.of, "arrived": seen.arrived, "runs": seen.runs}
        if seen.metric == ANYTHING:
            told.append(labels.say("arrival_same", **facts))
        for side, bound in (("over", seen.over), ("under", seen.under)):
            if bound is not None:
                key = f"arrival_{side}_of" if seen.of else f"arrival_{side}"
                told.append(labels.say(key, metric=labels.metric(seen.metric), bound=f"{bound:g}", **facts))
    return told


def difference(labels: Labels, one: Compared) -> str:
    """The difference with its interval."""
    found, metric = one.difference, one.comparison.metric
    if found.estimate is None:
        return NOTHING
    told = labels.number(metric, found.estimate, is_signed=True)
    if found.low is None or found.high is None:
        return told
    return f"{told} ({interval(labels, metric, found.low, found.high)})"


def interval(labels: Labels, metric: str, low: float, high: float) -> str:
    return labels.say("to", low=labels.number(metric, low), high=labels.number(metric, high))


def effect(labels: Labels, found: Effect | None) -> str:
    """A standardised size with its interval."""
    if found is None or found.estimate is None:
        return NOTHING
    told = plain(found.estimate)
    if found.low is None or found.high is None:
        return told
    return f"{told} ({labels.say('to', low=plain(found.low), high=plain(found.high))})"
