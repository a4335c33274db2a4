"""Policies that every game has which can be imagined: they reckon with its rules, and know nothing of it otherwise.

`lookahead` plays candidates on in imagined worlds (`Game.imagine`); `adaptive` and `imitator` learn from what was
earned (`Game.standing`). A game that offers neither has none of them. The registry seats them beside its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from games.core.game import Game
from games.core.reckoning.adaptive import adaptive
from games.core.reckoning.company import Company
from games.core.reckoning.imitator import imitator
from games.core.reckoning.lookahead import lookahead

if TYPE_CHECKING:
    from games.core.pack import Pack


def can_imagine(game: Game[Any, Any, Any, Any]) -> bool:
    """Whether the game offers imagined worlds."""
    return type(game).imagine is not Game.imagine


def can_stand(game: Game[Any, Any, Any, Any]) -> bool:
    """Whether the game tells its seats how everybody stands."""
    return type(game).standing is not Game.standing


def with_reckoners(pack: Pack) -> Pack:
    """The pack with the reckoners that its game can have. A policy of the game's own keeps its name."""
    company = Company(pack.game, dict(pack.policies), pack.default_for)
    found = []
    if can_imagine(pack.game):
        found.append(lookahead(company))
    if can_stand(pack.game):
        found.append(adaptive(company))
        if pack.game.deeds_are_common:
            found.append(imitator(company))
    added = {spec.name: spec for spec in found if spec.name not in pack.policies}
    if not added:
        return pack
    return replace(pack, policies={**pack.policies, **added}, batch=_unless(pack, set(added)))


def _unless(pack: Pack, names: set[str]) -> Any:
    """The pack's bulk form, which has none of these policies; columns know which they have."""
    from games.core.batch import Batch
    from games.core.pack import NoBatch

    batch = pack.batch
    if batch is None or isinstance(batch, Batch):
        return batch

    def unless(config: Any, seeds: Any, seated: Any) -> Any:
        for one in seated.values():
            if one.policy in names:
                raise NoBatch(f"policy {one.policy}: it reckons step by step and has no bulk form; play it one by one")
        return batch(config, seeds, seated)

    return unless
