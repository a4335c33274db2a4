"""What an agent is called where there is room for a word or two."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.registry import packs
from games.lab.scenarios.naming import agent_label

RAIDER = {"talk": True, "language": "en", "force": 6}


@pytest.mark.parametrize(
    ("changed", "label"),
    [
        ({}, "raider"),
        ({"force": 9}, "raider (force 9)"),
        ({"talk": False, "language": "zh"}, "raider (language zh, talk false)"),
        ({"whim": 0.5}, "raider (whim 0.5)"),
    ],
)
def test_a_policy_is_called_by_what_it_plays_by_where_that_is_not_as_usual(changed: dict[str, Any], label: str) -> None:
    agent = {"kind": "policy", "policy": "raider", "params": {**RAIDER, **changed}}
    assert agent_label(packs()["nations"], None, agent) == label


def test_of_a_policy_that_no_game_has_everything_is_told() -> None:
    agent = {"kind": "policy", "policy": "raider", "params": RAIDER}
    assert agent_label(None, None, agent) == "raider (force 6, language en, talk true)"
