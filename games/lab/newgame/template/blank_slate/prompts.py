"""What a model is told: the rules in force and what its seat sees, from the files of ``prompts/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.core.agents import Request
from games.core.answers import JSON
from games.core.prompts import GamePrompts, PromptContext, PromptFiles

from .config import BlankSlateConfig
from .state import Action, Offer, Sight

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")


class Prompts(GamePrompts):
    """Two stages, each with a text of its own, answered in JSON."""

    stages = frozenset({"offer", "reply"})
    personas = FILES.personas()

    def render(self, config: BlankSlateConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen: Sight = telling.observation
        role = FILES.text(telling.language, seen.role).format(partner=seen.partner, reserve=seen.highest_reserve)
        system = FILES.text(telling.language, "system").format(
            seat=seen.seat, role=role, persona=telling.persona, pie=seen.pie, rounds=seen.rounds
        )
        user = FILES.text(telling.language, telling.request.turn.stage).format(
            round=seen.round, offer=seen.offer, reserve=seen.reserve, gained=_gains(seen), memory=telling.memory
        )
        return {"system": system, "user": user}

    def excess(self, config: BlankSlateConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        """More than the pie holds; cleaning cuts it."""
        return {"units": config.pie + 1} if isinstance(action, Offer) else None


def _gains(seen: Sight) -> str:
    return ", ".join(f"{seat}: {units}" for seat, units in enumerate(seen.gained))
