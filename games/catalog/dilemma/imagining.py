"""What a seat can imagine of its match: everything but the other's coming moves is public, so the world is the true one
but for a length that it is not told. Whoever imagines sits in seat 0."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from games.catalog.dilemma.answers import COOPERATE, DEFECT
from games.catalog.dilemma.config import LONGEST, DilemmaConfig
from games.catalog.dilemma.rounds import exact
from games.catalog.dilemma.state import Action, DilemmaState, Observation
from games.core.game import CannotImagine, Imagined, Number, Standing

DEEDS: Final = {"C": COOPERATE, "D": DEFECT}


@lru_cache(maxsize=256)
def _config(known: tuple[tuple[str, Any], ...]) -> DilemmaConfig:
    """The settings that a seat knows; a length that is hidden is the longest."""
    return DilemmaConfig.model_validate({"declared_not_a_dilemma": True, **dict(known)})


def config_of(seen: Observation) -> DilemmaConfig:
    known: dict[str, Any] = seen.payoffs._asdict()
    known |= {"noise_a": seen.noise[0], "noise_b": seen.noise[1], "history_window": seen.window, "labels": seen.labels}
    known |= {"show_totals": seen.totals is not None, "known_length": seen.horizon is not None}
    known |= {"horizon": seen.horizon or "fixed", "rounds": seen.rounds or LONGEST, "talk": seen.talk_limit is not None}
    if seen.stop_prob is not None:
        known["stop_prob"] = seen.stop_prob
    if seen.talk_limit is not None:
        known["talk_limit"] = seen.talk_limit
    return _config(tuple(known.items()))


def imagine(seen: Observation) -> Imagined[DilemmaConfig, DilemmaState, Action]:
    """The match as seat 0 would see it so."""
    if seen.rounds is not None and seen.round > seen.rounds:
        raise CannotImagine("dilemma: the match is over; nothing comes that could be imagined")
    state = DilemmaState((seen.mine, seen.theirs), earned(seen), seen.stage, seen.said)
    return Imagined(config_of(seen), state, 0)


def earned(seen: Observation) -> tuple[Number, Number]:
    """Points of oneself and of the other, which the moves tell also where totals are hidden."""
    if seen.totals is not None:
        return seen.totals
    own = sum(seen.payoffs.of(mine, theirs) for mine, theirs in seen.rounds_played())
    other = sum(seen.payoffs.of(theirs, mine) for mine, theirs in seen.rounds_played())
    return exact(own), exact(other)


def standing(seen: Observation) -> Standing[Action]:
    """Points and last moves."""
    mine, theirs = earned(seen)
    deeds: dict[int, Action] = {}
    if seen.mine and seen.stage == "choose":
        deeds = {0: DEEDS[seen.mine[-1]], 1: DEEDS[seen.theirs[-1]]}
    return Standing(0, {0: mine, 1: theirs}, deeds)
