"""What players of the mining game are told: the rules in force as a model is told them."""

from __future__ import annotations

from typing import Any

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.prompts import TEXTS, rules_in_force
from games.catalog.mining.shared import Shared
from games.core.agents import Request
from games.core.instructions import Instructions, from_texts


def tell(config: MiningConfig, request: Request[Any, Any], language: str) -> Instructions:
    world: Shared = request.observation.shared
    silence = "nothing" if config.rationalisation == "off" else "drawn"
    return from_texts(
        TEXTS,
        language,
        rules_in_force(config, request.seat, world.stamina, world.alpha),
        pictures={
            "claim": {"safe": config.immunity_window},
            "mine": {"cap": config.mine_cap, "alpha": min(world.alpha)},
            "defend": {"defence": config.defence},
            "raid": {"defence": config.defence},
        },
        facts={"horizon": config.rounds, "payoffs": world.alpha[0], "default": silence},
    )
