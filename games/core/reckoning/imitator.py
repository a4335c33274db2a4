"""`imitator`: does what whoever earned most did last."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from games.core.agents import Memory, PolicySpec
from games.core.reckoning.company import Company
from games.core.rng import Rng
from games.core.settings import Settings

NAME: Final = "imitator"
SOURCE: Final = "imitate the best: Nowak and May, Evolutionary games and spatial chaos (1992)"
RULE: Final = (
    "Does what the seat that earned most until now did last, as far as it knows; of equals it follows itself, then the "
    "lowest seat."
)


class ImitatorParams(Settings):
    """How well it copies."""

    errs: float = Field(0.0, ge=0, le=1, title="Errs", description="Chance to play the game's default policy instead.")


def imitator(company: Company) -> PolicySpec:
    """The imitator of a game whose deeds are seen and can be done by others."""

    def play(params: Any, seen: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        standing = company.game.standing(seen)
        assert standing is not None
        rng = rng.at("imitator")
        known = [seat for seat in standing.deeds if seat in standing.earned]
        if known and not (params.errs and rng.chance(params.errs, "errs")):
            best = max(known, key=lambda seat: (standing.earned[seat], seat == standing.seat, -seat))
            return standing.deeds[best], None
        usual = company.default_for(getattr(seen, "role", ""))
        return company.bound(usual)(seen, None, rng.at("seat"))[0], None

    return PolicySpec(NAME, RULE, SOURCE, play, ImitatorParams, reckons=True)
