"""What a model is told: the rules in force and what its seat sees, from the files of ``prompts/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.core.agents import Request
from games.core.answers import JSON
from games.core.prompts import GamePrompts, PromptContext, PromptFiles

from .config import OrchardConfig
from .state import Pick, Sight

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")


class OrchardPrompts(GamePrompts):
    """One stage, answered in JSON."""

    stages = frozenset({"pick"})
    personas = FILES.personas()

    def render(self, config: OrchardConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen: Sight = telling.observation
        facts = config.model_dump(include={"basket", "growth", "room", "frost", "rounds"})
        last = seen.seats - 1
        system = FILES.text(telling.language, "system").format(
            seat=seen.seat, last=last, persona=telling.persona, **facts
        )
        picked = ", ".join(f"{seat}: {apples}" for seat, apples in enumerate(seen.picked))
        user = FILES.text(telling.language, "round").format(apples=seen.apples, picked=picked, memory=telling.memory)
        return {"system": system, "user": user}

    def excess(self, config: OrchardConfig, request: Request[Any, Any], action: Pick, /) -> JSON:
        """More than the basket holds; cleaning cuts it."""
        return {"apples": config.basket + 1}
