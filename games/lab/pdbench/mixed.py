"""Matches of any agents: by tables where both are strategies, else round by round through the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from games.catalog.dilemma.bulk import NONE, Entrant, Match, Matches, play_matches
from games.catalog.dilemma.config import DilemmaConfig, Payoffs
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import Choice
from games.core.agents import Decider, deciding
from games.core.engine import play
from games.core.game import Seat


@dataclass(frozen=True, slots=True)
class Guest:
    """An agent that is no strategy of this folder. ``sit`` makes its decider for one match."""

    name: str
    sit: Callable[[], Decider]


Agent: TypeAlias = Entrant | Guest


class Pairing(NamedTuple):
    """One match to play between any agents."""

    a: Agent
    b: Agent
    seed: int


def name_of(agent: Agent, payoffs: Payoffs) -> str:
    """The agent's name, with whatever chance a strategy plays by."""
    return agent.name if isinstance(agent, Guest) else label(agent.policy, agent.params, payoffs)


def play_pairings(config: DilemmaConfig, pairings: Sequence[Pairing]) -> Matches:
    """All of them, in order. A void match counts no round. Raises `BadPolicy`."""
    quick = [
        n
        for n, pairing in enumerate(pairings)
        if not config.talk and all(isinstance(one, Entrant) and one.is_machine for one in (pairing.a, pairing.b))
    ]
    tables = play_matches(config, [Match(*pairings[n]) for n in quick]) if quick else None  # type: ignore[arg-type]
    if tables is not None and len(quick) == len(pairings):
        return tables
    slow = sorted(set(range(len(pairings))) - set(quick))
    matches = {n: _played(config, pairings[n]) for n in slow}
    lengths = np.zeros(len(pairings), dtype=np.int64)
    longest = max([len(codes) for codes, _ in matches.values()] + ([] if tables is None else [len(tables.outcomes)]))
    outcomes = np.full((longest, len(pairings)), NONE, dtype=np.uint8)
    slips = np.zeros((longest, len(pairings)), dtype=np.uint8)
    if tables is not None:
        rows = slice(0, len(tables.outcomes))
        outcomes[rows, quick], slips[rows, quick], lengths[quick] = tables.outcomes, tables.slips, tables.lengths
    for n, (codes, slipped) in matches.items():
        outcomes[: len(codes), n], slips[: len(codes), n], lengths[n] = codes, slipped, len(codes)
    return Matches(config, tuple(pairings), outcomes, slips, lengths)


def _played(config: DilemmaConfig, pairing: Pairing) -> tuple[list[int], list[int]]:
    """Outcomes and slips of one match, round by round; none where it is void."""
    deciders: dict[Seat, Decider] = {0: sit(pairing.a), 1: sit(pairing.b)}
    codes: list[int] = []
    slips: list[int] = []
    for step in play(Dilemma(), config, pairing.seed, deciders):
        if step.state.ending == "void":
            return [], []
        if step.payoffs:
            did, meant = (
                2 * (a == "D") + (b == "D")
                for a, b in (
                    (step.state.moves[0][-1], step.state.moves[1][-1]),
                    (_move(step.actions[0]), _move(step.actions[1])),
                )
            )
            codes.append(did)
            slips.append(did ^ meant)
    return codes, slips


def _move(action: object) -> str:
    return action.move if isinstance(action, Choice) else ""


def sit(agent: Agent) -> Decider:
    """The agent's decider for one match."""
    return agent.sit() if isinstance(agent, Guest) else deciding(POLICIES[agent.policy].bind(agent.params))
