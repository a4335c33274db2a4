"""Whether a seat has an advantage: what equal seats earn when every policy has sat in each of them.

The rules alone are held to it by `renaming`, for as long as nothing is drawn; this counts what whole runs pay, with
luck, order of moves and the policies that the game has. Each seed is played once for every turn of the lineup around
its seats, so that each seat has had the same policies and neighbours, and differences are taken within a seed. A policy
takes its draws along, and what the start drew for its seat where the game can say so (`Pack.reseated`): that luck too
is each seat's once, and what remains is what the seat's number does.
"""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

from games.core.agents import Decider, Decision, Request, deciding
from games.core.engine import Position, play, start
from games.core.game import Seat
from games.core.pack import Pack, Seated
from games.core.registry import load_pack
from games.core.rng import Rng
from games.errors.faults import Refused
from games.lab.analysis.intervals import deviation, t_quantile
from games.lab.scenarios.seating import PolicyAgent

MARGIN: Final = 0.02
"""Equal seats earn within this share of their mean."""
LEVEL: Final = 0.95
"""Of all intervals of a game together."""
Verdict: TypeAlias = Literal["even", "uneven", "open"]
"""``even``: the interval lies within the margin; ``uneven``: beyond it; ``open``: more seeds would tell."""
Group: TypeAlias = tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Even:
    """One of several equal seats. ``share``: what it earns beside its group's mean, less 1, ± ``half``; None where that
    mean is not above 0, and nothing is a share of it."""

    seat: Seat
    name: str
    group: Group
    mean: float
    share: float | None
    half: float | None
    verdict: Verdict


def equals(pack: Pack, config: Any) -> list[Group]:
    """Seats that nothing but their number tells apart: of one role, with the same numbers of every setting that lists
    some for each."""
    roles = [spec.role for spec in pack.game.seats(config)]
    each = [told for told in config.model_dump(mode="json").values() if isinstance(told, list) and _numbers(told)]
    groups: dict[str, list[Seat]] = {}
    for seat, role in enumerate(roles):
        at = roles[:seat].count(role)
        own = [told[at] for told in each if len(told) == roles.count(role)]
        groups.setdefault(repr((role, own)), []).append(seat)
    return [tuple(group) for group in groups.values()]


def _numbers(told: Any) -> bool:
    return all(map(_numbers, told)) if isinstance(told, list) else isinstance(told, int | float)


def evened(
    pack: Pack,
    module: str,
    config: Any,
    seated: Mapping[Seat, Seated],
    seeds: Sequence[int],
    jobs: int = 1,
    policies: Sequence[str] = (),
) -> Iterator[list[Even]]:
    """After each seed from the second on, all seats that have equals. Raises `Refused` where no two are equal.

    ``module``  where other processes find the pack
    ``seated``  who plays; {}: the game's own policies that do not reckon, others with each seed
    ``policies``  of these alone; of those that do not go by their seat's number, only chance is left between two turns
    """
    groups = equals(pack, config)
    compared = [group for group in groups if len(group) > 1]
    if not compared:
        raise Refused(f"{pack.slug}: no two seats are equal under these settings; choose a preset in which some are")
    names = [spec.name for spec in pack.game.seats(config)]
    found: list[list[float]] = []
    lineups = [_lineup(pack, config, groups, seated, number, policies) for number in range(len(seeds))]
    one = partial(_earned, module, config.model_dump(mode="json"), groups)
    level = 1 - (1 - LEVEL) / sum(map(len, compared))
    with ExitStack() as stack:
        mapped: Callable[..., Iterable[list[float]]] = map
        if jobs > 1:
            mapped = stack.enter_context(ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))).map
        for earned in mapped(one, lineups, seeds):
            found.append(earned)
            if len(found) > 1:
                yield [_even(seat, names[seat], group, found, level) for group in compared for seat in group]


def _even(seat: Seat, name: str, group: Group, found: Sequence[Sequence[float]], level: float) -> Even:
    means = [math.fsum(earned[one] for one in group) / len(group) for earned in found]
    mean = math.fsum(means) / len(means)
    gaps = [earned[seat] - usual for earned, usual in zip(found, means, strict=True)]
    gap, half = math.fsum(gaps) / len(gaps), t_quantile(len(gaps) - 1, level) * (deviation(gaps) or 0.0)
    half /= math.sqrt(len(gaps))
    if mean <= 0:
        return Even(seat, name, group, mean, None, None, "open")
    share, half = gap / mean, half / mean
    verdict: Verdict = "even" if abs(share) + half <= MARGIN else "uneven" if abs(share) - half > MARGIN else "open"
    return Even(seat, name, group, mean, share, half, verdict)


def _lineup(
    pack: Pack,
    config: Any,
    groups: Sequence[Group],
    seated: Mapping[Seat, Seated],
    number: int,
    policies: Sequence[str] = (),
) -> list[tuple[str, dict[str, Any]]]:
    """Who sits where before anybody moves: as named, or the policies in turn, going on where the last seed ended."""
    roles = [spec.role for spec in pack.game.seats(config)]
    lineup = [(pack.default_for(role), dict[str, Any]()) for role in roles]
    for group in groups:
        able = [name for name, spec in pack.policies.items() if spec.can_play(roles[group[0]]) and not spec.reckons]
        if policies:
            able = [name for name in able if name in policies]
        if len(group) > 1 and not able:
            raise Refused(f"{', '.join(policies)}: none of these plays the role {roles[group[0]]!r} without reckoning")
        for at, seat in enumerate(group) if len(group) > 1 else ():
            lineup[seat] = (able[(number * len(group) + at) % len(able)], {})
    for seat, agent in seated.items():
        if not isinstance(agent, PolicyAgent):
            raise Refused(f"seat {seat} is no policy's; seats are compared by policies, who always move")
        lineup[seat] = (agent.policy, dict(agent.params))
    return lineup


def _turned(groups: Sequence[Group]) -> Iterator[list[Seat]]:
    """Every turn of each group around its seats: by seat, whose place in the lineup it takes."""
    for by in range(math.lcm(*map(len, groups))):
        places = {}
        for group in groups:
            for at, seat in enumerate(group):
                places[seat] = group[(at + by) % len(group)]
        yield [places[seat] for seat in range(len(places))]


def _earned(
    module: str, config: Mapping[str, Any], groups: Sequence[Group], lineup: Sequence[tuple[str, Any]], seed: int
) -> list[float]:
    """What each seat earns in a run of the seed, on average over the turns of the lineup."""
    pack = load_pack(module)
    settings = pack.game.config_type.model_validate(config)
    earned, turns, first = [0.0] * len(lineup), 0, start(pack.game, settings, seed)
    for places in _turned(groups):
        turns += 1
        began = first
        if pack.reseated is not None:
            began = replace(first, state=pack.reseated(first.state, places))
        own = {seat: _taking(pack, lineup[place], seed, place) for seat, place in enumerate(places)}
        for step in (began, *play(pack.game, settings, seed, own, Position((began,)))):
            for seat, paid in step.payoffs.items():
                earned[seat] += float(paid)
    return [paid / turns for paid in earned]


def _taking(pack: Pack, named: tuple[str, Any], seed: int, place: Seat) -> Decider:
    """A policy that draws as in its place of the lineup, wherever it sits."""
    own, root = deciding(pack.policies[named[0]].bind(named[1])), Rng.root(seed)

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        return own(replace(request, rng=root.step(request.index).at("seat", place)))

    return decide
