"""Short matches, written out: ``tests/golden/NAME.jsonl`` has a line a step.

With ``POLITY_GOLDEN=1`` in the environment the files are written anew, to be reviewed as a diff.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core import codec
from games.core.agents import deciding
from games.core.engine import play, replay

GAME = Dilemma()
GOLDEN = Path(__file__).parent / "golden"
RUNS: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
    "classic": ({"rounds": 8}, ("TFT", "ALLD")),
    "noisy": ({"rounds": 14, "noise_a": 0.2, "noise_b": 0.2}, ("GTFT", "WSLS")),
    "geometric": (
        {"horizon": "geometric", "stop_prob": 0.05, "max_rounds": 9, "temptation": 4.5},
        ("RANDOM", "ZDGTFT2"),
    ),
    "talk": ({"rounds": 3, "talk": True}, ("GRIM", "TF2T")),
}


def traced(name: str) -> list[str]:
    settings, policies = RUNS[name]
    config = DilemmaConfig.model_validate(settings)
    deciders = {seat: deciding(POLICIES[policy].bind()) for seat, policy in enumerate(policies)}
    lines, hashed = [], codec.GENESIS
    for step in play(GAME, config, 2, deciders):
        record = codec.encode_step(GAME, step)
        hashed = codec.chain(GAME, hashed, step, record)
        lines.append(json.dumps({**record, "moves": list(step.state.moves), "hash": hashed}))
    return lines


@pytest.mark.parametrize("name", RUNS)
def test_the_match_is_what_it_was(name: str) -> None:
    path = GOLDEN / f"{name}.jsonl"
    if os.environ.get("POLITY_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(line + "\n" for line in traced(name)), "utf-8")
    assert traced(name) == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", RUNS)
def test_the_stored_actions_replay_to_the_stored_moves(name: str) -> None:
    records = [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]
    config = DilemmaConfig.model_validate(RUNS[name][0])
    actions = (codec.decode_actions(GAME, record["actions"]) for record in records[1:])
    moves = [list(step.state.moves) for step in replay(GAME, config, 2, actions)]
    assert moves == [record["moves"] for record in records]
