"""A case and what a peer plays beside it, by turns, in processor time, the best of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from games.core.answers import JSON
from games.lab.folders.benching import REPEATS, Case, player_of
from games.lab.speed.peers import Peer
from games.lab.speed.works import Work

OWN: Final = ("before", "polity")
"""Peers of this house, which play the case itself where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What came of it: rounds a second here, steps a second there, and how many times as many that is."""

    game: str
    case: str
    policy: str
    seats: int
    rounds_per_s: float
    peer: str
    theirs: Mapping[str, JSON]
    peer_steps_per_s: float
    times: float

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def works_of(cases: Iterable[Case]) -> list[Work]:
    """The cases that a peer stands beside, as work."""
    return [_work(case) for case in cases if case.beside]


def _work(case: Case) -> Work:
    work = Work(case.pack.slug, case.name, case.policy, len(case.agents), player_of(case), case.beside)
    same: dict[str, JSON] = {
        "game": case.pack.slug,
        "config": case.config.model_dump(mode="json", exclude_unset=True),
        "policies": [agent.policy for agent in case.agents],
        "events": case.events,
    }
    return replace(
        work, beside={peer: {**same, **theirs} if peer in OWN else theirs for peer, theirs in case.beside.items()}
    )


def measure_beside(work: Work, peer: Peer, budget_s: float = 0.5, repeats: int = REPEATS) -> Pair:
    """The best of so many turns of each, after a warm-up. Raises `Refused` where the peer fails."""
    ours, theirs = by_turns(work, peer, budget_s, repeats)
    assert theirs is not None
    case = work.beside[peer.name]
    return Pair(work.game, work.name, work.policy, work.seats, ours, peer.name, case, theirs, ours / theirs)


def by_turns(work: Work, peer: Peer | None, budget_s: float, repeats: int) -> tuple[float, float | None]:
    """Rounds a second here and steps a second of the peer, if there is one."""
    players = [work.play]
    if peer is not None:
        players.append(partial(peer.play, work.beside[peer.name]))
    best = [0.0 for _ in players]
    for play in players:
        play(min(budget_s, 0.1))
    for _ in range(repeats):
        for place, play in enumerate(players):
            done, seconds = play(budget_s)
            best[place] = max(best[place], done / seconds)
    return best[0], best[1] if peer is not None else None
