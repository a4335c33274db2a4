"""Populations of policies of a game, with mechanisms around it or without: what each line-up earns, who meets whom, and
what becomes of shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from games.core.agents import deciding
from games.core.engine import play
from games.core.pack import NoBatch, Pack
from games.core.rng import Rng
from games.declare.batch import MatrixBatch
from games.declare.kernel import Declared
from games.errors.faults import Refused, among
from games.lab.analysis.lineups import LINEUPS_MAX, Against, LineUps, read
from games.lab.analysis.populations import imitated, lattice, moran, replicator, small_world

Meeting = Literal["strangers", "partners", "reputation"]
DYNAMICS: Final = ("replicator", "moran", "imitation", "small-world")
NEAREST: Final = 8
"""Neighbours on a ring, as many as a cell of the torus has."""


def chosen(pack: Pack, names: Sequence[str]) -> list[str]:
    """The policies of these names; all but `random` and those that reckon by playing on, where none is named."""
    for name in names:
        if name not in pack.policies:
            raise Refused(f"policy {name!r}: there is none of that name; {among(name, pack.policies)}")
    if len(set(names)) < len(names):
        raise Refused("a policy is named twice; name each once")
    left_out = {"random", "lookahead", "adaptive", "imitator"}
    return list(names) or [name for name in pack.policies if name not in left_out]


def lineups(
    pack: Pack,
    config: Any,
    policies: Sequence[str],
    seeds: Sequence[int],
    tell: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """What every line-up of policies earns a round, a match for each seed: what `polity rate` reads.

    They sit where all of them can; in other seats the defaults of their roles.
    """
    roles = [spec.role for spec in pack.game.seats(config)]
    open_to = [seat for seat, role in enumerate(roles) if all(pack.policies[name].can_play(role) for name in policies)]
    others = {seat: pack.policies[pack.default_for(role)] for seat, role in enumerate(roles) if seat not in open_to}
    seats = len(open_to)
    if not seats:
        raise Refused(f"{', '.join(policies)}: no seat of {pack.slug} is for all of them; name policies of one role")
    rows = list(combinations_with_replacement(range(len(policies)), seats))
    if len(rows) > LINEUPS_MAX:
        raise Refused(f"{len(rows):,} line-ups; {LINEUPS_MAX:,} at most. Take fewer policies, or smaller groups")
    profiles = []
    for done, lineup in enumerate(rows):
        if tell is not None:
            tell(done, len(rows))
        payoffs = []
        for seed in seeds:
            line = {seat: pack.policies[policies[one]] for seat, one in zip(open_to, lineup, strict=True)}
            seated = {seat: deciding(one.bind()) for seat, one in sorted((others | line).items())}
            earned, rounds = np.zeros(seats), 0
            for step in play(pack.game, config, seed, seated):
                earned += [step.payoffs.get(seat, 0) for seat in open_to]
                rounds += step.index > 0 and pack.game.ends_round(config, step)
            payoffs.append([float(one) / max(1, rounds) for one in earned])
        profiles.append({"agents": list(lineup), "payoffs": payoffs})
    return {"agents": list(policies), "seats": seats, "profiles": profiles}


def matrix_of(told: Mapping[str, Any]) -> NDArray[np.float64]:
    """What each earns against each, of line-ups of two. Raises `Refused` of more seats."""
    found: LineUps = read(told)
    if found.seats != 2:
        raise Refused(f"{found.seats} seats; pairs are needed: this dynamics takes games of two")
    found.check_whole("a matrix")
    against = Against.of(found)
    order = [against.others.index((agent,)) for agent in range(len(found.agents))]
    return np.asarray(against.payoffs(found.table())[0][:, order])


def shares(
    payoffs: NDArray[np.float64],
    dynamics: str,
    size: int,
    generations: int,
    seed: int,
    mutation: float = 0.0,
    rewired: float = 0.1,
) -> Iterator[list[float]]:
    """The shares of each policy, at the start and after each generation, from even ones.

    ``replicator`` a population without end; ``moran`` of ``size``, as many births a generation; ``imitation`` on a
    square torus of about that size, where each copies the best of its neighbours; ``small-world`` the same on a ring of
    eight neighbours each, that share of whose ties leads anywhere. Raises `Refused` for a ring that is too small.
    """
    many = len(payoffs)
    rng = Rng.root(seed)
    if dynamics == "replicator":
        for number, row in enumerate(replicator(payoffs, np.full(many, 1 / many), generations * 100)):
            if number % 100 == 0:
                yield [float(one) for one in row]
        return
    counts = [size // many + (one < size % many) for one in range(many)]
    if dynamics == "moran":
        above = payoffs - min(0.0, float(payoffs.min())) + (1.0 if payoffs.min() <= 0 else 0.0)
        last = list(counts)
        for number, born in enumerate(moran(above, counts, rng, generations * size, mutation=mutation)):
            last = [int(one) for one in born]
            if number % size == 0:
                yield [one / size for one in last]
        yield [one / size for one in last]
        return
    if dynamics == "small-world":
        if size <= NEAREST + 1:
            raise Refused(f"{size} members; a ring of {NEAREST} neighbours each takes {NEAREST + 2} or more")
        known = small_world(size, NEAREST, rewired, rng)
    else:
        side = max(3, round(size**0.5))
        known = lattice(side, side)
    start = [rng.below(many, "start", one) for one in range(len(known))]
    for members in imitated(payoffs, known, start, generations):
        yield [members.count(one) / len(members) for one in range(many)]


# --- who meets whom -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Met:
    """A population that met in pairs: by round the share of each choice, and what a member of each policy earned a
    round; ``meetings`` are the pairs of the last round."""

    choices: tuple[str, ...]
    played: NDArray[np.float64]
    earned: dict[str, float]
    meetings: NDArray[np.int64]


def meet(
    pack: Pack, config: Any, counts: Mapping[str, int], rounds: int, seed: int, meeting: Meeting = "strangers"
) -> Met:
    """Members of policies that recall one round, in pairs of a matrix game, all at once.

    ``strangers``   pairs are drawn each round; one goes by what one did and met in the round before
    ``reputation``  pairs are drawn each round; one goes by what one did and the other did, with whomever
    ``partners``    pairs stay
    Raises `Refused` for a game or a policy that is no table, and for an odd number.
    """
    game = pack.game
    if pack.batch is None or not isinstance(game, Declared):
        raise Refused(f"{pack.slug}: no matrix game of two by itself; take line-ups and their dynamics instead")
    batch = MatrixBatch(game.made, game)
    size = sum(counts.values())
    if size < 2 or size % 2:
        raise Refused(f"{size} members; an even number of at least 2 is expected, so that all meet")
    try:
        tables = [batch.memory(config, pack.policies[name].bind(), 0) for name in counts]
    except NoBatch as why:
        raise Refused(str(why)) from None
    many = len(batch.keys)
    pays = batch.pays(config).reshape(many, many, 2) / 100
    if (pays[:, :, 0] != pays[:, :, 1].T).any():
        raise Refused(f"{pack.slug}: its two seats are paid by different tables; take line-ups, which are over both")
    after = np.array([one.after for one in tables], dtype=np.int64).reshape(-1)
    kinds = np.repeat(np.arange(len(tables)), list(counts.values()))
    now = np.array([one.first for one in tables], dtype=np.int64)[kinds]
    base, totals = kinds * many * many, np.zeros(size)
    draws = np.random.Generator(np.random.PCG64(Rng.root(seed).bits("meetings")))
    partner = _paired(draws.permutation(size))
    played = np.empty((rounds, many))
    for number in range(rounds):
        if number:
            seen = now[partner]
            if meeting != "partners":
                partner = _paired(draws.permutation(size))
            now = after[base + now * many + (now[partner] if meeting == "reputation" else seen)]
        totals += pays[now, now[partner], 0]
        played[number] = np.bincount(now, minlength=many) / size
    earned = {name: float(totals[kinds == at].mean()) / rounds for at, name in enumerate(counts) if counts[name]}
    pairs = np.stack([np.arange(size), partner], axis=1)
    return Met(tuple(batch.keys), played, earned, pairs[pairs[:, 0] < pairs[:, 1]])


def _paired(order: NDArray[np.int64]) -> NDArray[np.int64]:
    """By member, whom it meets, where neighbours in an order meet."""
    partner = np.empty_like(order)
    partner[order[::2]], partner[order[1::2]] = order[1::2], order[::2]
    return partner
