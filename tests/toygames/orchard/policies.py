"""Who can play without a model. Each says its rule in one sentence and where it comes from."""

from __future__ import annotations

from pydantic import Field

from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng
from games.core.settings import Settings

from .state import Pick, Sight


class GreedyParams(Settings):
    """How greedy."""

    share: float = Field(1.0, ge=0, le=1, title="Share", description="The part of the basket that is asked for.")


def sustain(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Pick, Memory]:
    return Pick(min(sight.apples * sight.growth // 100 // sight.seats, sight.basket)), None


def greedy(params: GreedyParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Pick, Memory]:
    return Pick(int(sight.basket * params.share)), None


def random(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Pick, Memory]:
    return Pick(rng.below(sight.basket + 1, "pick")), None


POLICIES = (
    PolicySpec("sustain", "Asks for an equal share of what will grow back.", "written for this game", sustain),
    PolicySpec("greedy", "Asks for a full basket, or a share of one.", "written for this game", greedy, GreedyParams),
    PolicySpec("random", "Asks for 0 to a full basket, each as likely.", "written for this game", random),
)
