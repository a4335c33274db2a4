"""The authority that a treatment may add: taxes on raids, fines on captures, adjudication, and sharing out.

Source: "treatments_and_ablation_parameters". Taxes and fines are taken after mining, in seat order of the raiders, from
what the raider then has: gold never falls below 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import Raid, Verdict
from games.core.game import Seat
from games.core.rng import Rng


@dataclass(frozen=True, slots=True)
class Levy:
    """What the seat ``by`` owed and paid in a round: ``raids`` taxed, ``captures`` fined, in gold."""

    by: Seat
    raids: int
    captures: int
    due: int
    paid: int


def levy(config: MiningConfig, raids: Sequence[Raid], gold: list[int]) -> list[Levy]:
    """Take taxes and fines out of ``gold``; one levy for each seat that owes any, in seat order."""
    if not config.raid_tax and not config.capture_fine:
        return []
    attempts = Counter(seat for raid in raids for seat in raid.raiders)
    captures = Counter(raid.winner for raid in raids if raid.outcome == "taken")
    levies: list[Levy] = []
    for seat in range(len(gold)):
        due = attempts[seat] * config.raid_tax + captures[seat] * config.capture_fine
        if due:
            paid = min(due, gold[seat])
            gold[seat] -= paid
            levies.append(Levy(seat, attempts[seat], captures[seat], due, paid))
    return levies


def share_out(config: MiningConfig, treasury: int, gold: list[int]) -> tuple[int, int]:
    """Add an equal whole share of the treasury to everybody's gold; the share and what is left of the treasury."""
    if not config.share_out:
        return 0, treasury
    share, rest = divmod(treasury, len(gold))
    for seat in range(len(gold)):
        gold[seat] += share
    return share, rest


def adjudicate(config: MiningConfig, raids: Sequence[Raid], first: Sequence[Seat], rng: Rng) -> list[Verdict]:
    """A verdict on each plot captured this round, each by its own draw; none where the captor possessed it first."""
    if not config.adjudication:
        return []
    return [
        Verdict(raid.plot, raid.winner, first[raid.plot], rng.chance(config.adjudication, "adjudicate", raid.plot))
        for raid in raids
        if raid.outcome == "taken" and first[raid.plot] != raid.winner
    ]
