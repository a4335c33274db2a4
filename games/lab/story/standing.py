"""Who stands where, who led when, and the round that moved the two that end on top furthest apart."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from games.lab.story.log import Log

TIE = 1e-9
"""Amounts that differ by less than this share of the larger are level: sums of decimals in another order."""


@dataclass(frozen=True, slots=True)
class Stint:
    """One seat led alone in the rounds ``first`` to ``last``."""

    seat: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Standing:
    """``order``: seats by what they earned, most first, then by number. ``top``: those that are level at its head."""

    order: tuple[int, ...]
    amounts: dict[int, float]
    top: tuple[int, ...]

    @property
    def second(self) -> tuple[int, ...]:
        """The seats next behind those on top, level with one another; none where all are on top."""
        rest = self.order[len(self.top) :]
        return tuple(seat for seat in rest if is_level(self.amounts[seat], self.amounts[rest[0]]))

    @property
    def margin(self) -> float | None:
        """By how much the first is ahead; None where several are first, or nobody is behind."""
        if len(self.top) != 1 or not self.second:
            return None
        return self.amounts[self.top[0]] - self.amounts[self.second[0]]


def is_level(one: float, other: float) -> bool:
    return abs(one - other) <= TIE * max(1.0, abs(one), abs(other))


def standing(log: Log, ranked: Collection[int]) -> Standing:
    """Of the seats that are ranked; who earned nothing has 0."""
    amounts = {seat: log.totals.get(seat, 0) for seat in sorted(ranked)}
    order = tuple(sorted(amounts, key=lambda seat: (-amounts[seat], seat)))
    top = tuple(seat for seat in order if is_level(amounts[seat], amounts[order[0]]))
    return Standing(order, amounts, top)


def stints(log: Log, ranked: Collection[int]) -> list[Stint]:
    """Who led alone from which round to which; rounds in which nobody did belong to none."""
    sums = dict.fromkeys(ranked, 0.0)
    led: list[Stint] = []
    for number, one in enumerate(log.rounds):
        for seat, amount in one.gained.items():
            if seat in sums:
                sums[seat] += amount
        if number == 0 or len(sums) < 2:
            continue
        best = max(sums.values())
        near = best - 2 * TIE * max(1.0, abs(best))
        ahead = [seat for seat, amount in sums.items() if amount >= near and is_level(amount, best)]
        if len(ahead) != 1:
            continue
        if led and led[-1].seat == ahead[0]:
            led[-1] = Stint(ahead[0], led[-1].first, number)
        else:
            led.append(Stint(ahead[0], number, number))
    return led


def swing(log: Log, seat: int, other: int) -> tuple[int, float] | None:
    """The one round in which ``seat`` gained most over ``other``, and how much more; None where none stands out: where
    another did as much, it was less than a quarter of what parts them, or no more than twice what a round brought.
    """
    gains = [one.gained.get(seat, 0) - one.gained.get(other, 0) for one in log.rounds[1:]]
    best, apart = max(gains, default=0), sum(gains)
    if best <= 0 or best < apart / 4 or best <= 2 * apart / len(gains) or sum(is_level(one, best) for one in gains) > 1:
        return None
    return gains.index(best) + 1, best


def after(log: Log, seat: int, number: int) -> float:
    """What a seat had earned when a round was over."""
    return sum(one.gained.get(seat, 0) for one in log.rounds[: number + 1])
