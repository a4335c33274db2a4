"""Who can play without a model. Each says its rule in one sentence, where it comes from and which roles it can play."""

from __future__ import annotations

from pydantic import Field

from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng
from games.core.settings import Settings

from .state import Action, Offer, Reply, Sight


class ShareParams(Settings):
    """How much is offered."""

    share: float = Field(0.2, ge=0, le=1, title="Share", description="The part of the pie that is offered.")


def even(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return Offer(sight.pie // 2), None


def share(params: ShareParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return Offer(int(sight.pie * params.share)), None


def sensible(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return Reply((sight.offer or 0) >= (sight.reserve or 0)), None


def agreeable(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return Reply(True), None


def random(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if sight.role == "proposer":
        return Offer(rng.below(sight.pie + 1, "offer")), None
    return Reply(rng.chance(0.5, "reply")), None


PROPOSER, RESPONDER = ("proposer",), ("responder",)
OWN = "written for this game"
POLICIES = (
    PolicySpec("even", "Offers half of the pie, rounded down.", OWN, even, roles=PROPOSER),
    PolicySpec("share", "Offers a fixed part of the pie, rounded down.", OWN, share, ShareParams, roles=PROPOSER),
    PolicySpec("sensible", "Accepts what is no less than its reserve.", OWN, sensible, roles=RESPONDER),
    PolicySpec("agreeable", "Accepts everything.", OWN, agreeable, roles=RESPONDER),
    PolicySpec("random", "Offers 0 to the pie, each as likely; accepts every other time.", OWN, random),
)
