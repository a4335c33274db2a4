"""Who plays with whom in each round of a play step: pure, and the same for the same seed.

A silo is so many places, numbered from 0, that are matched among themselves alone. Each rule gives the groups of
a round as lists of places; the order in a group is the order of the seats that people take.

Source of the rules' names: oTree's and z-Tree's matchings. Perfect strangers of two are the circle method of round
robins; those of more are transversals (place ``(g, j)`` of ``m`` groups goes to group ``(g + r*j) mod m`` in round r).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal, TypeAlias

from games.core.rng import Rng

Rule: TypeAlias = Literal["partner", "random", "stranger", "perfect"]
Groups: TypeAlias = list[list[int]]
TRIES: Final = 64
"""Shuffles among which strangers are looked for."""


def matched(rule: Rule, silo: int, size: int, number: int, seed: int, past: Sequence[Groups] = ()) -> Groups:
    """The groups of round ``number`` (from 0) in a silo; ``past`` are those of the rounds before it.

    ``silo`` is a multiple of ``size``. Raises ValueError where perfect strangers are not to be had (`perfect_rounds`).
    """
    rng = Rng.root(seed).at("studies.matching", silo, size)
    match rule:
        case "partner":
            return _cut(rng.shuffled(range(silo), "partner"), size)
        case "random":
            return _cut(rng.shuffled(range(silo), "random", number), size)
        case "stranger":
            return _strangers(rng, silo, size, number, past)
        case "perfect":
            return _perfect(rng, silo, size, number)


def matched_now(
    rule: Rule, present: Sequence[int], size: int, number: int, seed: int, past: Sequence[Groups] = ()
) -> tuple[Groups, list[int]]:
    """The full groups of round ``number`` among those places that are there now, and who is left over.

    ``past`` are the groups of the rounds before it, some of them with places that are gone. Left over are those who
    have played most, so that it is somebody else each time. Partners stay together where all of them are there.
    Raises ValueError for perfect strangers, who are to be had only where it is known how many come.
    """
    if rule == "perfect":
        raise ValueError("perfect strangers among whoever comes are not to be had")
    rng = Rng.root(seed).at("studies.matching.now", number)
    played = Counter(place for groups in past for group in groups for place in group)
    kept = [group for group in (past[-1] if past else []) if set(group) <= set(present)] if rule == "partner" else []
    kept = [group for group in kept if len(group) == size]
    free = rng.shuffled([one for one in present if not any(one in group for group in kept)], "left over")
    least_first = sorted(free, key=played.__getitem__)
    over = len(free) % size
    playing, left = sorted(least_first[: len(free) - over]), least_first[len(free) - over :]
    tries = TRIES if rule == "stranger" else 1
    tried = [_cut(rng.shuffled(playing, "groups", attempt), size) for attempt in range(tries)]
    return [*kept, *_met_least(tried, past)], left


def perfect_rounds(silo: int, size: int) -> int:
    """Rounds in which nobody of a silo needs to meet anybody twice, as far as `matched` knows how."""
    if size == 1:
        return 1_000_000
    if silo == size:
        return 1
    if size == 2:
        return silo - 1
    groups = silo // size
    rounds = 1
    while rounds < groups and all(rounds * apart % groups for apart in range(1, size)):
        rounds += 1
    return rounds


def _cut(places: Sequence[int], size: int) -> Groups:
    return [list(places[start : start + size]) for start in range(0, len(places), size)]


def _strangers(rng: Rng, silo: int, size: int, number: int, past: Sequence[Groups]) -> Groups:
    tried = [_cut(rng.shuffled(range(silo), "stranger", number, attempt), size) for attempt in range(TRIES)]
    return _met_least(tried, past)


def _met_least(tried: Sequence[Groups], past: Sequence[Groups]) -> Groups:
    """The shuffle in which the fewest have met before; the first of several."""
    met = Counter(pair for groups in past for pair in _pairs(groups))
    return min(tried, key=lambda groups: sum(met[pair] for pair in _pairs(groups)))


def _pairs(groups: Groups) -> list[tuple[int, int]]:
    return [pair for group in groups for pair in combinations(sorted(group), 2)]


def _perfect(rng: Rng, silo: int, size: int, number: int) -> Groups:
    most = perfect_rounds(silo, size)
    if number >= most:
        raise ValueError(f"{silo} places in groups of {size}: {most} rounds of perfect strangers, no more")
    names = rng.shuffled(range(silo), "perfect")
    if size == 1 or silo == size:
        return _cut(names, size)
    if size == 2:
        ring = [(number + turn) % (silo - 1) for turn in range(silo - 1)]
        pairs = [(silo - 1, ring[0]), *((ring[turn], ring[-turn]) for turn in range(1, silo // 2))]
        # Who sits first changes with the round, so that roles go round too.
        return [
            [names[one], names[other]][:: -1 if (number + turn) % 2 else 1] for turn, (one, other) in enumerate(pairs)
        ]
    groups = silo // size
    found: Groups = [[] for _ in range(groups)]
    for column in range(size):
        for start in range(groups):
            found[(start + number * column) % groups].append(names[column * groups + start])
    return [group[number % size :] + group[: number % size] for group in found]
