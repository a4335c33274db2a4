"""What a model is told: the rules in force and what its seat sees, from the files of ``prompts/``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from games.core.prompts import GamePrompts, PromptContext, PromptFiles

from .config import CommonsFundConfig
from .state import Sight

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")


class Prompts(GamePrompts):
    """Two stages, answered in JSON."""

    stages = frozenset({"contribute", "punish"})

    def render(self, config: CommonsFundConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen: Sight = telling.observation
        system = FILES.text(telling.language, "system").format(
            seat=seen.seat,
            last=seen.players - 1,
            players=seen.players,
            rounds=seen.rounds,
            endowment=seen.endowment,
            multiplier=f"{seen.multiplier:g}",
            budget=seen.budget,
            fine=seen.fine,
        )
        user = FILES.text(telling.language, telling.request.turn.stage).format(
            round=seen.round, gained=_listed([units / 100 for units in seen.gained]), gifts=_listed(seen.gifts)
        )
        return {"system": system, "user": f"{user}{telling.memory}"}


def _listed(values: object) -> str:
    assert isinstance(values, list | tuple)
    return ", ".join(f"{seat}: {value:g}" for seat, value in enumerate(values)) or "-"
