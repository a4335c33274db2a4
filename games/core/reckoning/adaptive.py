"""`adaptive`: learns which of the game's policies earns it most, by what it regrets."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from games.core.agents import Memory, PolicySpec
from games.core.reckoning.company import Company
from games.core.rng import Rng
from games.core.settings import Settings

NAME: Final = "adaptive"
SOURCE: Final = "Hart and Mas-Colell, A reinforcement procedure leading to correlated equilibrium (2001)"
RULE: Final = (
    "Plays the game's policies in turn, each for some decisions; then moves to those that earned more than what it "
    "plays now, the more so the more they did."
)


class AdaptiveParams(Settings):
    """What it learns by."""

    spell: int = Field(5, ge=1, le=1000, title="Spell", description="Decisions for which it keeps to a policy.")
    tries: float = Field(0.05, ge=0, le=1, title="Tries", description="Chance, each spell, to try any policy.")
    recency: float = Field(
        0.2, gt=0, le=1, title="Recency", description="How much of what it knows of a policy is its last spell."
    )


def adaptive(company: Company) -> PolicySpec:
    """The learner of a game that tells its seats how they stand.

    Its memory: by policy what a decision earned (``worth``), which plays (``stance``) for how many more (``left``),
    what was ``earned`` when it began, and what the policies remember (``held``).
    """

    def play(params: Any, seen: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        standing = company.game.standing(seen)
        assert standing is not None
        rng = rng.at("adaptive")
        known: dict[str, Any] = dict(memory) if isinstance(memory, dict) else {}
        earned = float(standing.earned.get(standing.seat, 0))
        stances = _stances(company, seen, known, rng)
        worth, held = dict(known.get("worth", {})), dict(known.get("held", {}))
        stance, left = known.get("stance"), int(known.get("left", 0))
        if stance is not None and left <= 0:
            gain = (earned - known["earned"]) / params.spell
            before = worth.get(stance)
            worth[stance] = gain if before is None else before + params.recency * (gain - before)
        if stance is None or left <= 0:
            stance, left, began = _chosen(params, stances, stance, worth, rng), params.spell, earned
        else:
            began = known["earned"]
        action, kept = company.bound(stance)(seen, held.get(stance), rng.at("seat"))
        held = {name: one for name, one in {**held, stance: kept}.items() if one is not None}
        return action, {
            "worth": worth, "stance": stance, "left": left - 1, "earned": began, "held": held, "order": stances,
        }  # fmt: skip

    return PolicySpec(NAME, RULE, SOURCE, play, AdaptiveParams, reckons=True)


def _stances(company: Company, seen: Any, known: dict[str, Any], rng: Rng) -> list[str]:
    """The policies in the order in which they are first tried: the default, then drawn."""
    if "order" in known:
        return list(known["order"])
    usual, *rest = company.stances(getattr(seen, "role", ""))
    return [usual, *rng.shuffled(rest, "order")]


def _chosen(params: Any, stances: list[str], now: str | None, worth: dict[str, float], rng: Rng) -> str:
    """The policy of the next spell."""
    untried = [name for name in stances if name not in worth]
    if now is None or untried:
        return untried[0]
    if rng.chance(params.tries, "tries"):
        return rng.choice(stances, "any")
    regrets = [max(0.0, worth[name] - worth[now]) for name in stances]
    whole = sum(regrets)
    if whole <= 0:
        return now
    at = rng.unit("regret") * 2 * whole  # with a chance of one half it stays
    for name, regret in zip(stances, regrets, strict=True):
        if at < regret:
            return name
        at -= regret
    return now
