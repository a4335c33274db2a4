"""The policies beside the paper's rows."""

from __future__ import annotations

import pytest

from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.parity import PAPER, episodes, interval, measured


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_loner_earns_the_noncooperative_optimum_of_the_easy_task(seed: int) -> None:
    """Two carpenters with one hammer of 5 and 38 units of wood and stone between them: 46 of 200."""
    for summary in episodes(preset_config("contract-easy"), "loner", [seed]):
        assert summary["total_reward"] == 46


def test_the_crew_passes_the_loner_by_far_in_both_tasks() -> None:
    for preset in ("contract-easy", "contract-hard"):
        together, alone = (measured(preset, policy, 3).mean for policy in ("crew", "loner"))
        assert together > 3 * alone


def test_an_interval_is_students() -> None:
    mean, half = interval([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert half == pytest.approx(4.302652729749464 / 3**0.5)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("preset", "paper"), [(preset, paper) for preset, policy, paper, _ in PAPER if policy == "random"]
)
def test_random_lies_near_the_papers_random(preset: str, paper: float) -> None:
    """Within a third of the paper's value or its last digit: the whole world, checked at once."""
    row = measured(preset, "random", 40 if preset == "exploration" else 400)
    assert abs(row.mean - paper) < max(paper / 3, 0.0001), row


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("preset", "least"),
    [("contract-easy", 0.91), ("contract-hard", 0.65), ("negotiation-easy", 0.87), ("negotiation-hard", 0.69)],
)
def test_the_crew_reaches_the_papers_best_rows(preset: str, least: float) -> None:
    assert measured(preset, "crew", 40).low > least
