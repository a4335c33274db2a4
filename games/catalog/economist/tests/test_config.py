"""Settings that are unknown, dead in the public code, or do not fit together are refused with their path."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from games.catalog.economist.config import EconomistConfig


@pytest.mark.parametrize(
    "path",
    [
        "taxation.schedule_family", "taxation.update_interval_epochs", "misreporting.reputation_penalty_per_catch",
        "collusion.min_coalition_size", "collusion.max_coalition_size", "collusion.response_stake_increase",
        "gaming.bunching_detection_enabled", "planner.objective", "planner.planner_type", "map.size", "seed",
    ],
)  # fmt: skip
def test_a_setting_that_does_nothing_is_refused_with_its_path(path: str) -> None:
    """The reference read these and never used them (defect 12)."""
    inner: Any = 1
    for key in reversed(path.split(".")):
        inner = {key: inner}
    with pytest.raises(ValidationError) as caught:
        EconomistConfig.model_validate(inner)
    assert [".".join(map(str, error["loc"])) for error in caught.value.errors()] == [path]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"workers": 3, "coalitions": ["a"]}, "coalitions: 1 entries for 3 workers"),
        ({"market": {"price_floor": 5, "price_ceiling": 2}}, "not above price_ceiling"),
        ({"map": {"wood_density": 0.7, "stone_density": 0.6}}, "together at most 1"),
        ({"taxation": {"brackets": [[5, 0.1]]}}, "the first threshold is 5"),
        ({"taxation": {"brackets": [[0, 1.1]]}}, "rate 1.1; 0 to 1"),
        ({"taxation": {"brackets": [[0, 0.4], [10, 0.1]]}}, "set allow_non_monotone"),
    ],
)
def test_settings_that_do_not_fit_are_refused_with_value_bound_and_remedy(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said.replace("(", r"\(")):
        EconomistConfig.model_validate(given)
