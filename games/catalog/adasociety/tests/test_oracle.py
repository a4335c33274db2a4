"""The optimum by integer programming, and the executions that completion is measured by."""

from __future__ import annotations

import sys

import pytest

from games.catalog.adasociety.metrics import share
from games.catalog.adasociety.oracle import OPTIMA, _known, _maximum, asked, feasible, oracle, question, solved, value
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import MICRO, task_of
from games.core.registry import Registry
from games.lab.learning.adasociety import preset_config
from games.lab.scenarios.scenario import load_preset

TOTALS = [
    ("contract-easy", 200, {"hammer_craft": 20}),
    ("negotiation-easy", 200, {"hammer_craft": 20}),
    ("contract-hard", 940, {"hammer_craft": 20, "torch_craft": 20}),
    ("negotiation-hard", 940, {"hammer_craft": 20, "torch_craft": 20}),
    ("social-structure-hard", 1000, {"hammer_craft": 40, "torch_craft": 20}),
    (
        "exploration",
        14_878,
        {
            "hammer_craft": 165, "torch_craft": 1, "steel_making": 80, "potting": 19, "shovel_craft": 1,
            "pickaxe_craft": 16, "cutter_craft": 10, "gem_cutting": 20, "totem_making": 10,
        },
    ),
    (
        "exploration-cutter-consumed",
        12_785,
        {
            "hammer_craft": 140, "torch_craft": 1, "steel_making": 80, "potting": 19, "shovel_craft": 3,
            "pickaxe_craft": 8, "cutter_craft": 20, "gem_cutting": 20, "totem_making": 10,
        },
    ),
]  # fmt: skip


def preset(name: str) -> AdaSocietyConfig:
    config = preset_config(name)
    assert isinstance(config, AdaSocietyConfig)
    return config


@pytest.mark.parametrize(("name", "total", "executions"), TOTALS, ids=[row[0] for row in TOTALS])
def test_the_oracle_earns_what_two_other_solvers_found(name: str, total: int, executions: dict[str, int]) -> None:
    config = preset(name)
    best = oracle(config)
    assert best.total == total
    assert dict(best.executions) == executions


@pytest.mark.parametrize(("name", "total", "executions"), TOTALS, ids=[row[0] for row in TOTALS])
def test_the_executions_are_feasible_attain_the_total_and_the_solver_finds_no_more(
    name: str, total: int, executions: dict[str, int]
) -> None:
    config = preset(name)
    task = task_of(config)
    stock = tuple(task.stock())
    best = tuple(max(values[r] for values in task.values) for r in range(len(task.resources)))
    times = [executions[event] for event in task.events]
    assert feasible(times, stock, task.requires, task.recipes)
    assert value(times, best, stock, task.recipes) == total * MICRO
    assert _maximum(best, stock, tuple(task.lying()), task.requires, task.recipes)[0] == total * MICRO


def test_what_stands_solved_is_what_the_presets_ask_and_what_the_solver_finds() -> None:
    presets = [load_preset(f"adasociety/{name}") for name in Registry().get("adasociety").files.scenarios()]
    configs = [condition.config for preset in presets for condition in preset.conditions]
    questions = {question(asked(config)): asked(config) for config in configs}  # type: ignore[arg-type]
    assert {name: solved(of) for name, of in questions.items()} == OPTIMA


def test_without_a_solver_presets_are_measured_and_any_other_map_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    _known.cache_clear()
    assert oracle(preset("exploration")).total == 14_878
    richer = preset("contract-easy").model_copy(update={"piles": ({"resource": "wood", "count": 4, "units": 6},)})
    with pytest.raises(ModuleNotFoundError, match=r"needs scipy: pip install 'polity-lab\[report\]'"):
        oracle(AdaSocietyConfig.model_validate(richer.model_dump(warnings=False)))


def test_a_resource_whose_tool_cannot_be_had_is_left_where_it_is() -> None:
    """Wood, coal and the torch event, but no hammer anywhere: nobody sees coal, so it counts nothing."""
    config = AdaSocietyConfig.model_validate(
        {
            "mini_game": "exploration",
            "resources": ["wood", "hammer", "coal", "torch"],
            "piles": [{"resource": "wood", "count": 2, "units": 5}, {"resource": "coal", "count": 2, "units": 5}],
            "events": [{"event": "torch_craft", "count": 3}],
            "roles": {"explorer": {}},
            "agents": [{"role": "explorer"}],
        }
    )
    best = oracle(config)
    assert best.executions == {"torch_craft": 0}
    assert best.total == 10 * 1


def test_what_is_a_burden_to_everybody_is_worth_nothing_to_the_oracle() -> None:
    hated = preset("contract-easy").model_dump()
    for role in hated["roles"].values():
        role["preferences"] = {"stone": -2}
    with_burden = oracle(AdaSocietyConfig.model_validate(hated))
    assert with_burden.executions == {"hammer_craft": 20}
    for role in hated["roles"].values():
        role["preferences"] = {"stone": -2, "hammer": -1}
    assert oracle(AdaSocietyConfig.model_validate(hated)).total == 20  # the wood, and no hammer is made


def test_what_nobody_can_ever_see_is_not_counted() -> None:
    """Iron is seen by who holds a torch (paper, equations 5a and 5d): without a way to one it is worth nothing here."""
    easy = AdaSocietyConfig().model_dump()
    iron = {"resource": "iron", "count": 5, "units": 2}
    kinds = {"resources": ["wood", "stone", "hammer", "coal", "torch", "iron"], "piles": [*easy["piles"], iron]}
    blind = AdaSocietyConfig.model_validate(easy | kinds)
    assert oracle(blind).total == oracle(AdaSocietyConfig()).total == 200
    torch = {"carpenter": {"capacity": {"hammer": 1}, "inventory": {"torch": 1}}, "miner": easy["roles"]["miner"]}
    worth = task_of(blind).values[0][task_of(blind).resource_index["iron"]] / MICRO
    lit = oracle(AdaSocietyConfig.model_validate(easy | kinds | {"roles": torch})).total
    assert lit >= 200 + 10 * worth


def test_no_completion_is_above_one() -> None:
    """The optimum makes one torch; whoever makes 25 has completed what there was to complete, and no more."""
    assert share(25, 1) == 1
    assert share(1, 4) == 0.25
    assert share(3, 0) is None
