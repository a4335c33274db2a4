"""Configs over the defaults that use what no preset uses, for the law that every setting changes something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.core.answers import JSON

_CHANGE: Final[Mapping[str, JSON]] = {
    "turns": 4,
    "holdings": [[1, 2], [3, 4], [5]],
    "armies": [5, 4, 3],
    "money_per_territory": 12,
    "mil_purchase_price": 15,
    "mil_upkeep_price": 1,
    "damage_per_attack_mil": 8,
    "defense_destroy_factor": 2,
    "violence_penalty": 0.5,
    "trade_factor": 1.5,
}
SAMPLES: Final[Sequence[Mapping[str, JSON]]] = (
    {"nations": 3, "territories": 5, "turns": 3, "rounds": 2, "armies": [4, 3, 2], "changes": [{}, _CHANGE]},
    {"nations": 3, "territories": 5, "turns": 4, "changes": [_CHANGE]},
    {"nations": 3, "territories": 5, "turns": 4, "holdings": [[1, 2], [3, 4], [5]]},
    {"nations": 3, "territories": 6, "turns": 6, "armies": [9, 9, 9], "borders": [[1, 3], [2, 5]], "income_at": "end"},
    {"nations": 3, "territories": 6, "turns": 6, "armies": [9, 8, 3], "losses": "shared", "penalty": "flat"},
    {"nations": 3, "territories": 6, "turns": 6, "armies": [9, 8, 3], "cut_off": "in_proportion"},
    {"nations": 3, "territories": 6, "turns": 6, "resources": {"provided": [[9, 1, 2], [4, 4, 4]] * 3}},
    {
        "nations": 4,
        "territories": 8,
        "turns": 6,
        "goals": [
            {"seat": 0, "kind": "heritage", "heritage": [3, 4], "text": "The old lands."},
            {"seat": 1, "kind": "rival", "rival": 0},
            {"seat": 2, "kind": "ideology", "creed": "disarmament", "text": "No arms."},
        ],
    },
)
