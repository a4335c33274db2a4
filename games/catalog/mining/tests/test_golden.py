"""A small run, written out: ``tests/golden/NAME.jsonl`` has one line for each step.

With ``POLITY_GOLDEN=1`` in the environment the files are written anew, to be reviewed as a diff.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.policies import POLICIES
from games.catalog.mining.tests.builder import GAME, letters
from games.core import codec
from games.core.agents import deciding
from games.core.engine import play, replay

GOLDEN = Path(__file__).parent / "golden"
SMALL: Mapping[str, Any] = {"miners": 3, "rows": 3, "cols": 3, "stamina": 4, "rounds": 6}
RUNS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "baseline": ({}, ("random", "tit-for-tat-raid", "guided")),
    "window-0": ({"immunity_window": 0, "defence": "per_point"}, ("random", "random", "greedy-mine")),
    "authority": (
        {"raid_tax": 1, "capture_fine": 1, "share_out": True, "adjudication": 0.5, "gold_mines": 1},
        ("random", "random", "defend-then-mine"),
    ),
}


def traced(name: str) -> list[str]:
    settings, policies = RUNS[name]
    config = MiningConfig(**{**SMALL, **settings})
    deciders = {seat: deciding(POLICIES[policy].bind()) for seat, policy in enumerate(policies)}
    lines, hashed = [], codec.GENESIS
    for step in play(GAME, config, 1, deciders):
        record = codec.encode_step(GAME, step)
        hashed = codec.chain(GAME, hashed, step, record)
        record["owners"] = letters(step.state, config.cols)
        record["gold"] = list(step.state.gold)
        record["hash"] = hashed
        lines.append(json.dumps(record))
    return lines


@pytest.mark.parametrize("name", RUNS)
def test_the_run_is_what_it_was(name: str) -> None:
    path = GOLDEN / f"{name}.jsonl"
    if os.environ.get("POLITY_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(line + "\n" for line in traced(name)), "utf-8")
    assert traced(name) == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", RUNS)
def test_the_stored_actions_replay_to_the_stored_owners(name: str) -> None:
    records = [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]
    config = MiningConfig(**{**SMALL, **RUNS[name][0]})
    actions = (codec.decode_actions(GAME, record["actions"]) for record in records[1:])
    owners = [letters(step.state, config.cols) for step in replay(GAME, config, 1, actions)]
    assert owners == [record["owners"] for record in records]
