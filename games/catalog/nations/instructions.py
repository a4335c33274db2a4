"""What players of the nations game are told: goal and rules in force as a model is told them."""

from __future__ import annotations

from typing import Any

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.observation import Observation
from games.catalog.nations.prompts import TEXTS, rules_in_force
from games.core.agents import Request
from games.core.instructions import Instructions, from_texts


def tell(config: NationsConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen: Observation = request.observation
    told = rules_in_force(config, seen)
    return from_texts(
        TEXTS,
        language,
        told,
        pictures={
            "attack": {"damage": told["damage_per_attack_mil"]},
            "grant": {"trade": told["trade_factor"]},
            "arms": {"price": told["mil_purchase_price"], "upkeep": told["mil_upkeep_price"]},
        },
        facts={"horizon": seen.public.turns, "payoffs": str(seen.public.rules.income), "default": "no orders"},
    )
