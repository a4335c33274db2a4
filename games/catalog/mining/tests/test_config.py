"""Impossible settings are refused in one line that names value, bound and remedy."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import grid
from games.core.answers import first_fault
from games.core.registry import get
from games.lab.scenarios.scenario import load


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"rows": 0}, "rows"),
        ({"cols": 201}, "cols"),
        ({"miners": 0}, "miners"),
        ({"miners": 1001}, "miners"),
        ({"immunity_window": -1}, "immunity_window"),
        ({"adjudication": 1.5}, "adjudication"),
        ({"adjudication": float("nan")}, "adjudication"),
        ({"defence": "wall"}, "defence"),
        ({"colour": "blue"}, "colour"),
        ({"gold_mines": 101}, "gold_mines: 101 on 100 plots"),
        ({"stamina_each": [1, 2]}, "stamina_each: 2 budgets for 10 miners"),
        ({"miners": 1, "stamina_each": [-1]}, "stamina_each: -1"),
        ({"stamina_draw": [9, 3]}, "put the lower budget first"),
        ({"stamina_draw": [9]}, "stamina_draw: 1 numbers"),
        ({"stamina_draw": [1, 2], "miners": 2, "stamina_each": [1, 2]}, "both are given"),
        ({"alpha_map": [[1, 1]]}, "alpha_map: 1 rows on a grid of 10"),
        ({"rows": 1, "alpha_map": [[1, 1]]}, "row 0 has 2 plots"),
        ({"rows": 1, "cols": 1, "alpha_map": [[-1]]}, "alpha_map: -1"),
        ({"rows": 1, "cols": 1, "alpha_map": [[1]], "alpha": 2}, "leave both out"),
    ],
    ids=str,
)
def test_impossible_settings_are_refused(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValidationError) as refused:
        MiningConfig.model_validate(settings)
    message, _ = first_fault(refused.value)
    assert expected in message
    assert "\n" not in message


def test_every_setting_has_a_group_and_a_unit_beside_its_title() -> None:
    for name, described in MiningConfig.model_json_schema()["properties"].items():
        assert described["group"], name
        assert "unit" in described, name


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (7, 1), (3, 5), (200, 200)])
def test_grids_of_any_size_know_their_neighbours(rows: int, cols: int) -> None:
    shape = grid(rows, cols)
    edges = rows * (cols - 1) + cols * (rows - 1)
    assert sum(len(near) for near in shape.neighbours) == 2 * edges
    assert shape.cells[-1] == (rows - 1, cols - 1)
    assert all(shape.plot_of[cell] == plot == cols * cell[0] + cell[1] for plot, cell in enumerate(shape.cells))


@pytest.mark.parametrize("preset", sorted(path.stem for path in (get("mining").folder / "scenarios").glob("*.yaml")))
def test_every_preset_can_be_read_and_is_told_in_both_languages(preset: str) -> None:
    scenario = load(f"mining/{preset}")
    assert scenario.conditions
    for texts in (scenario.title, scenario.about):
        assert set(texts) == {"en", "zh"}
