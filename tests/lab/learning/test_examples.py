"""The examples of docs/learning.md run as they stand, with libraries that know nothing of Polity."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra polity[rl] is not installed")
BLOCKS = re.findall(r"```py\n(.*?)```", (Path(__file__).parents[3] / "docs" / "learning.md").read_text("utf-8"), re.S)


def run(naming: str) -> dict[str, Any]:
    (code,) = [block for block in BLOCKS if naming in block]
    told: dict[str, Any] = {}
    exec(code, told)  # noqa: S102 - what the page says
    return told


def test_openspiels_q_learner_finds_that_hares_pay_beside_one_who_hunts_alone() -> None:
    pytest.importorskip("open_spiel")
    np.random.seed(1)
    totals = run("open_spiel")["totals"]
    assert sum(totals[-10:]) > sum(totals[:10])
    assert max(totals) == 60


def test_an_evolution_strategy_comes_to_what_tit_for_tat_pays_who_cooperates() -> None:
    pytest.importorskip("cma")
    told = run("import cma")
    assert -told["lost"](told["best"]) >= 600


def test_the_first_example_makes_every_kind_of_environment() -> None:
    told = run("SyncVectorEnv")
    assert told["many"].num_envs == 8
