"""Bargains as people do: asks for more than is fair, gives way step by step, and breaks off where the other does not.

Free agents meet each other in turn, as in a tournament, so that two of them ask each other in the same step; nobody
asks again who broke off with it. On the map it works as the crew does in a group, and as the loner does alone.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from games.catalog.adasociety.play import solo_policy, team_policy
from games.catalog.adasociety.play.field import FieldMemory
from games.catalog.adasociety.rules import negotiation
from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.observe import Observation
from games.catalog.adasociety.rules.state import ACCEPT, END, STAY, Action, Invite, Propose
from games.core.agents import Memory, NoParams, PolicySpec
from games.core.rng import Rng
from games.core.settings import Settings


class HaggleParams(Settings):
    """In percent of what both sides get together."""

    greed: int = Field(20, ge=0, le=40, title="Greed", description="What it asks above a share by size.")
    yields: int = Field(10, ge=0, le=20, title="Yields", description="What it gives up with each further offer.")
    patience: int = Field(4, ge=1, le=9, title="Patience", description="Offers before it breaks off.")


def play(params: HaggleParams, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
    if observation.stage == "negotiation":
        field = FieldMemory.read(memory)
        return bargain(params, observation, field.notes), field.write()
    grouped = observation.graph.group_of(observation.seat) is not None
    acts = team_policy.play if grouped or observation.stage == "contract" else solo_policy.play
    return acts(NoParams(), observation, memory, rng)


def bargain(params: HaggleParams, observation: Observation, notes: dict[str, Any]) -> Action:
    """``notes``: with whom it bargained last, how often it offered, and who is not to be asked again."""
    graph, seat = observation.graph, observation.seat
    refused: list[int] = notes.setdefault("refused", [])
    partner = graph.partner.get(seat)
    before = notes.get("with")
    if before is not None and partner != before:
        if not graph.are_together(before, seat):
            refused.append(before)
        notes["with"] = None
    if partner is None:
        asked = counterpart(graph, seat, observation.step)
        return STAY if asked is None or asked in refused else Invite(asked)
    if before != partner:
        notes.update({"with": partner, "offers": 0})
    if graph.bond(seat, partner).parity != observation.step % 2:
        return STAY
    ask = wanted(params, graph, seat, partner, notes["offers"])
    offered = graph.bond(partner, seat).proposal
    if offered is not None and 100 - offered >= ask:
        return ACCEPT
    if notes["offers"] >= params.patience and (offered is not None or graph.bond(seat, partner).proposal is not None):
        return END
    notes["offers"] += 1
    return Propose(ask)


def wanted(params: HaggleParams, graph: SocialGraph, seat: int, partner: int, offers: int) -> int:
    """The share to ask for, in tens: by size, and greed on top, less with each offer."""
    ours, theirs = graph.size_of(seat), graph.size_of(partner)
    share = 100 * ours / (ours + theirs) + params.greed - params.yields * offers
    return min(max(round(share / 10) * 10, 10), 90)


def counterpart(graph: SocialGraph, seat: int, step: int) -> int | None:
    """Whom the step pairs one with: those who speak for a group, or for themselves, meet each other in turn."""
    speakers = negotiation.speakers(graph)
    if seat not in speakers:
        return None
    rounds = len(speakers) - 1 + len(speakers) % 2
    place, last = speakers.index(seat), rounds
    if place == last:  # the one who stands still meets whoever would meet itself
        paired = next((i for i in range(rounds) if 2 * i % rounds == step % rounds), last)
    else:
        paired = (step - place) % rounds
        paired = last if paired == place else paired
    if paired >= len(speakers) or paired == place:
        return None
    other = speakers[paired]
    return other if other in negotiation.invitable(graph, seat) else None


HAGGLER = PolicySpec(
    "haggler",
    "Asks for more than its share by size, gives way offer by offer, breaks off where no agreement comes; then works "
    "as the crew in a group, as the loner alone.",
    "AdaSociety paper, section 4, negotiation: propose, accept or end",
    play,
    params=HaggleParams,
)
