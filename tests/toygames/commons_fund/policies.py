"""Who can play without a model."""

from __future__ import annotations

from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng

from .state import Action, Fine, Give, Punish, Sight


def free_rider(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    return (Punish() if _fines_now(sight) else Give(0)), None


def punisher(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if not _fines_now(sight):
        return Give(sight.endowment), None
    least = min(sight.gifts)
    meanest = [seat for seat, gift in enumerate(sight.gifts) if gift == least < max(sight.gifts) and seat != sight.seat]
    return Punish(tuple(Fine(seat, 1) for seat in meanest[: sight.budget])), None


def random(params: NoParams, sight: Sight, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if not _fines_now(sight):
        return Give(rng.below(sight.endowment + 1, "gift")), None
    other = (sight.seat + 1 + rng.below(sight.players - 1, "whom")) % sight.players
    return Punish((Fine(other, 1 + rng.below(min(2, sight.budget), "points")),)), None


def _fines_now(sight: Sight) -> bool:
    """Whether the gifts of this round are made: all seats have had their share, and nobody has been fined since."""
    return bool(sight.gifts) and not sight.given and sight.budget > 0


SOURCE = "E. Fehr and S. Gächter (2000)"
POLICIES = (
    PolicySpec("free_rider", "Gives nothing and fines nobody.", SOURCE, free_rider),
    PolicySpec("punisher", "Gives all, and a point to each who gave least.", SOURCE, punisher),
    PolicySpec("random", "Gives anything, and one or two points to anybody.", "written for this game", random),
)
