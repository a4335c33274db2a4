"""Configs that use what no preset uses, for the law that every setting changes something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.core.answers import JSON

SAMPLES: Final[tuple[Mapping[str, JSON], ...]] = (
    {
        "mini_game": "social_structure",
        "schedule": [
            {
                "at": 0,
                "structure": {
                    "sharing": [[0, 1], [1, 2]],
                    "groups": [
                        {"members": [0, 1], "weights": [3, 1]},
                        {"members": [2, 3]},
                        {"layer": 2, "members": [0, 1], "weights": [1, 2]},
                    ],
                    "reward_shares": [{"tail": 2, "head": 0, "share": 0.25}],
                },
            },
            {"at": 6, "structure": {}},
        ],
        "roles": {"carpenter": {"preferences": {"wood": 3}, "capacity": {"hammer": 1}}, "miner": {}},
    },
    {"mini_game": "exploration", "social_actions": ["leave", "pass_on", "weigh"], "groups": 2},
    {"mini_game": "exploration", "group_norm": "vote", "groups": 1},
    {
        "needs": [{"resource": "wood", "every": 4}],
        "decay": {"stone": 5},
        "creatures": 3,
        "bite": 2,
        "height": 5,
        "width": 5,
        "sight": 2,
        "events": [{"event": "hammer_craft", "count": 9}],
    },
    {
        "agents": [
            {"role": "carpenter", "capacity": {"wood": 2}, "inventory": {"wood": 1, "hammer": 1}},
            {"role": "carpenter", "preferences": {"hammer": -1, "stone": 2}},
            {"role": "miner", "count": 2, "inventory": {"hammer": 2}},
        ],
    },
    {"mini_game": "exploration", "social_control": "forced", "forced_probability": 0.5, "groups": 3},
    {
        "agents": [
            {"role": "carpenter", "count": 1, "cells": [[0, 0]]},
            {"role": "carpenter", "count": 2},
            {"role": "miner", "count": 1},
        ],
        "resources": ["wood", "stone", "hammer", "coal"],
    },
)
