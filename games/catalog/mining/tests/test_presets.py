"""The presets do what they are for."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.mining import PACK
from games.catalog.mining.tests.builder import GAME, played
from games.core.agents import deciding
from games.core.engine import play
from games.lab.scenarios.scenario import load


@pytest.mark.parametrize(("preset", "each"), [("baseline", 4), ("baseline-20", 4), ("scarce-land", 5)])
def test_guided_miners_alone_come_to_equal_shares_and_to_rest(preset: str, each: int) -> None:
    config, steps, rows = played(preset, 60)
    assert [steps[-1].state.owners.count(seat) for seat in range(config.miners)] == [each] * config.miners
    assert all(row["raids"] == row["turnovers"] == row["idle_rate"] == 0 for row in rows[-20:])
    assert rows[-1]["efficiency_reachable"] == 1


def test_at_the_baseline_output_cannot_exceed_what_stamina_mines() -> None:
    _, _, rows = played("baseline", 60)
    assert rows[-1]["output"] == 100
    assert rows[-1]["efficiency"] == pytest.approx(1 / 3)


def test_the_mixed_match_is_never_quiet_for_long() -> None:
    _, _, rows = played("mixed", 200)
    for name, most_quiet in (("raids", 3), ("captures", 6), ("defences", 2)):
        quiet = longest = 0
        for row in rows:
            quiet = 0 if row[name] else quiet + 1
            longest = max(longest, quiet)
        assert longest <= most_quiet, name
    assert sum(row["claims"] for row in rows[40:80]) > 10
    assert all(sum(row["defences_triggered"] for row in rows[at : at + 25]) > 5 for at in range(0, 200, 25))


def moves(target: str, condition: str, rounds: int, **settings: Any) -> list[list[Any]]:
    """What every miner of a condition does, round by round."""
    one = next(one for one in load(target).conditions if one.name == condition)
    config = one.config.model_copy(update={"rounds": rounds, **settings})
    seats = {seat: deciding(PACK.policies[agent.policy].bind(agent.params)) for seat, agent in enumerate(one.seats)}
    return [[plan.items for plan in step.actions.values()] for step in play(GAME, config, 1, seats)]


def test_the_miners_of_the_talk_preset_act_upon_what_is_said() -> None:
    assert moves("mining/talk", "base", 20) != moves("mining/talk", "base", 20, messages=0)


ARMS = [one.name for one in load("mining/treatments").conditions if one.name != "baseline"]


@pytest.mark.parametrize("arm", [arm for arm in ARMS if not arm.startswith("horizon")])
def test_no_treatment_is_the_baseline_over_again(arm: str) -> None:
    """But for the horizon, which nobody here reckons with until it is near: it ends where it says."""
    assert moves("mining/treatments", "baseline", 20) != moves("mining/treatments", arm, 20)


@pytest.mark.parametrize(
    ("preset", "kind"),
    [("raid-tax", "levy_paid"), ("raid-tax", "treasury_shared"), ("raid-fine", "levy_paid"),
     ("adjudication", "plot_restored"), ("adjudication", "capture_upheld"), ("gold-mines", "plot_taken"),
     ("per-point-defence", "raid_repelled"), ("history-last", "raid_repelled")],
)  # fmt: skip
def test_a_treatment_shows_in_its_preset(preset: str, kind: str) -> None:
    _, steps, _ = played(preset, 60)
    assert any(event.kind == kind for step in steps for event in step.events)
