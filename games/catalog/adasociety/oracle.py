"""What the crew could earn at most, by integer programming: one pooled agent with every role's best values.

Time, distance and capacity are left out. An event needs what it requires to be there or made at least once; a natural
input needs what its picking requires, and so does what lies on the map and is counted (alpha in 5a and 5d).
Source: AdaSociety paper, appendix A.5 ("oracle"); the model follows the authors' script. Solved by HiGHS through
`scipy.optimize.milp`; what the presets ask stands here solved, so that they are measured without a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import MICRO, Recipe, task_of
from games.core.codec import digest

FROZEN: Final[tuple[Mapping[str, int], ...]] = (
    {
        "hammer_craft": 165, "torch_craft": 1, "steel_making": 80, "potting": 19, "shovel_craft": 1,
        "pickaxe_craft": 16, "cutter_craft": 10, "gem_cutting": 20, "totem_making": 10,
    },
    {
        "hammer_craft": 140, "torch_craft": 1, "steel_making": 80, "potting": 19, "shovel_craft": 3,
        "pickaxe_craft": 8, "cutter_craft": 20, "gem_cutting": 20, "totem_making": 10,
    },
)  # fmt: skip
"""Executions that count as the optimum where several tie (shovel, pickaxe and hammer replace each other), so that
completion rates have one denominator: exploration with the cutter kept, and with the cutter consumed."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """``total`` in the paper's unit; ``executions`` by event name."""

    total: float
    executions: Mapping[str, int]


OPTIMA: Final[Mapping[str, Oracle]] = {
    "0fb34bbd30726a0cfbb3cc2226742d7b": Oracle(940.0, {"hammer_craft": 20, "torch_craft": 20}),
    "0fd0d69f0866dd19f4c8b7d9a62124bd": Oracle(413.0, {"hammer_craft": 8, "rope_making": 12}),
    "3ffd7a409216c0e419bcf73fc0c047dd": Oracle(12785.0, FROZEN[1]),
    "6c815e6e83d7254e175383f583cc2c35": Oracle(399.0, {"hammer_craft": 11, "torch_craft": 9}),
    "8d8b11e77917e013ba02eca3568bc2c6": Oracle(14878.0, FROZEN[0]),
    "94398c62045c6b6d7e1317ebc38fe9e0": Oracle(432.0, {"hammer_craft": 28, "torch_craft": 12}),
    "bc22a78706023ba00fbb00f1d9296909": Oracle(1229.0, {"hammer_craft": 30, "torch_craft": 25}),
    "c12860802dd11de5f29eab678206eb49": Oracle(1000.0, {"hammer_craft": 40, "torch_craft": 20}),
    "c9de54fc9eff64ed13c82fdf84bf4ff7": Oracle(200.0, {"hammer_craft": 20}),
}
"""By `question`, for every condition of the presets; a test solves each of them again."""


class NoOracle(RuntimeError):
    """The integer program was not solved; the solver's own words."""


Asked: TypeAlias = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[tuple[int, int], ...], ...], tuple[Recipe, ...]
]
"""By resource: most worth to anybody, units in all, units on the map, what picking requires; then the recipes."""


def oracle(config: AdaSocietyConfig) -> Oracle:
    """The optimum of a configuration. One that no preset asks for needs scipy, and is solved once."""
    return _known(asked(config))


def asked(config: AdaSocietyConfig) -> Asked:
    """What the optimum of a configuration follows from."""
    task = task_of(config)
    # What is a burden to everybody is left lying.
    best = tuple(max(0, *(values[r] for values in task.values)) for r in range(len(task.resources)))
    return best, tuple(task.stock()), tuple(task.lying()), task.requires, task.recipes


def question(of: Asked) -> str:
    """The name under which `OPTIMA` holds the optimum."""
    *units, recipes = of
    return digest([*units, [(each.name, each.inputs, each.outputs, each.requires) for each in recipes]])


@lru_cache(maxsize=64)
def _known(of: Asked) -> Oracle:
    return OPTIMA.get(question(of)) or solved(of)


def solved(of: Asked) -> Oracle:
    """The optimum by the solver. Raises `NoOracle`, and ModuleNotFoundError where scipy is not installed."""
    best, stock, _, requires, recipes = of
    total, executions = _maximum(*of)
    for frozen in FROZEN:
        tied = [frozen.get(recipe.name, 0) for recipe in recipes]
        same = set(frozen) == {recipe.name for recipe in recipes}
        if same and feasible(tied, stock, requires, recipes) and value(tied, best, stock, recipes) == total:
            executions = tied
    return Oracle(total / MICRO, {recipe.name: times for recipe, times in zip(recipes, executions, strict=True)})


def value(executions: Sequence[int], best: Sequence[int], stock: Sequence[int], recipes: Sequence[Any]) -> int:
    """What remains after so many executions, at the best value of each resource, in millionths."""
    return sum(units * worth for units, worth in zip(_left(executions, stock, recipes), best, strict=True))


def _left(executions: Sequence[int], stock: Sequence[int], recipes: Sequence[Any]) -> list[int]:
    done = list(zip(recipes, executions, strict=True))
    return [units + sum(recipe.change[r] * times for recipe, times in done) for r, units in enumerate(stock)]


def feasible(
    executions: Sequence[int],
    stock: Sequence[int],
    requires: Sequence[Sequence[tuple[int, int]]],
    recipes: Sequence[Any],
) -> bool:
    """Whether nothing runs out, and everything required is there or made at least in the number required."""
    ever = list(stock)
    for recipe, times in zip(recipes, executions, strict=True):
        for resource, units in recipe.outputs:
            ever[resource] += units * times
    needed = [
        each
        for recipe, times in zip(recipes, executions, strict=True)
        if times
        for each in (*recipe.requires, *(need for resource, _ in recipe.inputs for need in requires[resource]))
    ]
    return min(_left(executions, stock, recipes)) >= 0 and all(ever[resource] >= units for resource, units in needed)


def _maximum(
    best: Sequence[int],
    stock: Sequence[int],
    lying: Sequence[int],
    requires: Sequence[Sequence[tuple[int, int]]],
    recipes: Sequence[Any],
) -> tuple[int, list[int]]:
    """Most value and the executions that give it. Every event also has a 0-1 variable "done at all", and every resource
    that lies there and is to be seen by who holds something, one "can be picked"."""
    gated = [r for r in range(len(stock)) if lying[r] and requires[r]]
    if not recipes:
        lost = sum(lying[r] * best[r] for r in gated if any(stock[need] < units for need, units in requires[r]))
        return value([], best, stock, recipes) - lost, []
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        needs = "the optimum of a map, tree or crew that is no preset's needs scipy: pip install 'polity-lab[report]'"
        raise ModuleNotFoundError(needs, name=error.name) from None

    events, most = len(recipes), 2 * sum(stock) + 1
    switches = [0.0] * (events + len(gated))
    rows = [[recipe.change[resource] for recipe in recipes] + switches for resource in range(len(stock))]
    lower = [-units for units in stock]

    def need(switch: int, needed: Iterable[tuple[int, int]]) -> None:
        """What is made less the units that are needed, where a 0-1 variable is on."""
        for resource, units in needed:
            made = [float(sum(count for r, count in other.outputs if r == resource)) for other in recipes]
            rows.append([*made, *switches[:switch], -units, *switches[switch + 1 :]])
            lower.append(-stock[resource])

    for e, recipe in enumerate(recipes):
        rows.append([-float(other == e) for other in range(events)] + switches)
        rows[-1][events + e] = most
        lower.append(0)
        inputs = (pair for resource, _ in recipe.inputs for pair in requires[resource])
        need(e, sorted({*recipe.requires, *inputs}))
    for place, resource in enumerate(gated):
        need(events + place, requires[resource])
    found = [lying[r] * best[r] / MICRO for r in gated]
    gain = [sum(change * worth for change, worth in zip(r.change, best, strict=True)) / MICRO for r in recipes]
    solved = milp(
        c=-np.array(gain + [0.0] * events + found),
        constraints=LinearConstraint(np.array(rows), np.array(lower), np.inf),
        integrality=np.ones(2 * events + len(gated)),
        bounds=Bounds(0, np.array([float(most)] * events + [1.0] * (events + len(gated)))),
    )
    if not solved.success:
        raise NoOracle(f"oracle: {solved.message}")
    executions = [round(x) for x in solved.x[:events]]
    lost = sum(lying[r] * best[r] for place, r in enumerate(gated) if not round(solved.x[2 * events + place]))
    return value(executions, best, stock, recipes) - lost, executions
