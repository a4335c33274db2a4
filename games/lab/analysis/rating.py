"""Ratings of agents by what they earned against each other, each with an interval over resampled matches.

Matches are drawn anew within their line-up, whole: what one match came to stays together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any, Final, TypeAlias

import numpy as np

from games.core.rng import Rng
from games.errors.faults import Refused
from games.lab.analysis.lineups import Against, Floats, LineUps

RESAMPLES: Final[Mapping[str, int]] = {
    "mean": 2000, "replicator": 200, "deviation": 100, "bradley-terry": 500, "alpha-rank": 200,
}  # fmt: skip
METHODS: Final = tuple(RESAMPLES)
LEVEL: Final = 95.0
STEPS: Final = 1000
ETA: Final = 0.1
BETTER: Final = 1e-6
"""The replicator stops when no agent earns more than this above the mean."""
DRAWS_EACH: Final = 0.01
"""Where wins alone have no finite strengths: so many games that are drawn, added between each two agents."""
STATES_MAX: Final = 4096


@dataclass(frozen=True)
class Rated:
    """Ratings in the agents' order, and what belongs to them by name (``shares``, ``fitness`` …).

    ``intervals``  of each rating, 95% percentiles over resamples; None where no line-up was played twice
    """

    method: str
    ratings: tuple[float, ...]
    more: Mapping[str, Any] = field(default_factory=dict)
    intervals: tuple[tuple[float, float], ...] | None = None
    resamples: int = 0


Method: TypeAlias = Callable[[LineUps, Sequence[Floats] | None], tuple[Floats, dict[str, Any]]]
"""Ratings by resample and agent under weights of the matches, and what is told beside them of the first."""


def rated(
    lineups: LineUps, method: str, resamples: int | None = None, seed: int = 1, *, eta: float = ETA,
    steps: int = STEPS, alpha: float = 100.0, population: int = 50,
) -> Rated:  # fmt: skip
    """The ratings of a method by name. Raises `Refused` where the line-ups do not allow it."""
    by: dict[str, Method] = {
        "mean": mean_payoff,
        "replicator": lambda of, by: replicated(of, by, eta, steps),
        "deviation": deviation,
        "bradley-terry": bradley_terry,
        "alpha-rank": lambda of, by: alpha_rank(of, by, alpha, population),
    }
    ratings, more = by[method](lineups, None)
    found = Rated(method, tuple(map(float, ratings[0])), more)
    many = RESAMPLES[method] if resamples is None else resamples
    if not many or all(len(one.payoffs) == 1 for one in lineups.matches):
        return found
    drawn, told = by[method](lineups, drawn_again(lineups, many, seed))
    low, high = np.percentile(drawn, [(100 - LEVEL) / 2, (100 + LEVEL) / 2], axis=0)
    if "drawn_games" in told:
        more = {**more, "resamples_with_drawn_games": told["drawn_games"]}
    spans = tuple((float(a), float(b)) for a, b in zip(low, high, strict=True))
    return replace(found, more=more, intervals=spans, resamples=many)


def drawn_again(lineups: LineUps, resamples: int, seed: int) -> list[Floats]:
    """By line-up, how often each of its matches is in each resample: (resamples, matches)."""
    draws = np.random.Generator(np.random.PCG64(Rng.root(seed).bits("matches")))
    found = []
    for one in lineups.matches:
        many = len(one.payoffs)
        found.append(draws.multinomial(many, np.full(many, 1 / many), size=resamples).astype(float))
    return found


def mean_payoff(lineups: LineUps, by: Sequence[Floats] | None) -> tuple[Floats, dict[str, Any]]:
    """What an agent earns against others that are drawn evenly, among those whom it met."""
    against = Against.of(lineups)
    payoffs = against.payoffs(lineups.table(by))
    chances = np.where(against.at < 0, 0.0, against.orders)
    return np.nansum(payoffs * chances, axis=2) / chances.sum(axis=1), {}


# --- who is left when earners multiply --------------------------------------------------------------


def replicated(
    lineups: LineUps, by: Sequence[Floats] | None, eta: float = ETA, steps: int = STEPS
) -> tuple[Floats, dict[str, Any]]:
    """What each agent earns against the population that is left: shares grow by exp(eta (own less mean)) from even
    ones, until none earns more than the mean by over 1e-6, ``steps`` times at most.

    Source: Taylor and Jonker, "Evolutionary stable strategies and game dynamics" (1978), in discrete time.
    """
    lineups.check_whole("replicator")
    against = Against.of(lineups)
    payoffs = against.payoffs(lineups.table(by))
    shares = np.full((len(payoffs), len(lineups.agents)), 1 / len(lineups.agents))
    taken = 0

    def fitness() -> Floats:
        return np.asarray(np.einsum("rao,ro->ra", payoffs, against.chances(shares)))

    earned = fitness()
    for taken in range(steps + 1):
        apart = earned - (shares * earned).sum(axis=1, keepdims=True)
        moving = (apart > BETTER).any(axis=1)
        if not moving.any() or taken == steps:
            break
        grown = np.log(shares, where=shares > 0, out=np.full_like(shares, -np.inf)) + eta * apart
        grown = np.exp(grown - grown.max(axis=1, keepdims=True))
        shares = np.where(moving[:, None], grown / grown.sum(axis=1, keepdims=True), shares)
        earned = fitness()
    more = {"shares": shares[0].tolist(), "fitness": earned[0].tolist(), "steps": taken, "settled": bool(not moving[0])}
    return earned, more


# --- what an agent could still gain -----------------------------------------------------------------


def deviation(lineups: LineUps, by: Sequence[Floats] | None) -> tuple[Floats, dict[str, Any]]:
    """What is gained by who plays as this agent instead, under the line-ups' distribution that makes the greatest such
    gain least, then the next: 0 where it could as well be, below where it should not. A clone changes no other rating.

    Source: Marris and others, "Deviation Ratings: a general, clone invariant rating method" (2025), of the
    symmetrised game, in which distributions over line-ups without order do.
    """
    lineups.check_whole("deviation")
    against = Against.of(lineups)
    where = {others: at for at, others in enumerate(against.others)}
    tables = lineups.table(by)
    rows = [
        [(agent, where[lineup[:at] + lineup[at + 1 :]]) for at, agent in enumerate(lineup)]
        for lineup in (one.lineup for one in lineups.matches)
    ]
    leaves = np.array([[agent for agent, _ in row] for row in rows])
    meets = np.array([[others for _, others in row] for row in rows])
    found = []
    for payoffs in against.payoffs(tables):
        # by agent, line-up and seat: what it would earn there, less what the one who sits there earns
        gains = payoffs[:, meets] - payoffs[leaves, meets]
        found.append(_least_gains(gains.mean(axis=2)))
    return np.array(found), {}


def _least_gains(gains: Floats) -> Floats:
    """By agent (rows; columns are line-ups), its gain where the greatest is least, then the next, and so on."""
    from scipy.optimize import linprog  # type: ignore[import-untyped]

    scale = float(np.abs(gains).max()) or 1.0
    gains = gains / scale
    many, lineups = gains.shape
    fixed: dict[int, float] = {}
    while len(fixed) < many:
        free = [agent for agent in range(many) if agent not in fixed]
        below = np.hstack([gains, np.array([[-1.0 * (agent not in fixed)] for agent in range(many)])])
        most = [fixed.get(agent, 0.0) for agent in range(many)]
        solved = linprog(
            np.r_[np.zeros(lineups), 1.0], A_ub=below, b_ub=most, A_eq=[np.r_[np.ones(lineups), 0.0]], b_eq=[1.0],
            bounds=[(0, None)] * lineups + [(None, None)], method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )  # fmt: skip
        if solved.status != 0:
            raise ArithmeticError(f"deviation rating: the linear program came to no end: {solved.message}")
        # what has a price binds in every solution; prices of the free ones sum to 1
        prices = -solved.ineqlin.marginals
        binding = [agent for agent in free if prices[agent] > 1e-7] or [max(free, key=lambda one: prices[one])]
        fixed |= dict.fromkeys(binding, float(solved.x[-1]))
    return np.array([fixed[agent] for agent in range(many)]) * scale


# --- who beats whom ---------------------------------------------------------------------------------


def bradley_terry(lineups: LineUps, by: Sequence[Floats] | None) -> tuple[Floats, dict[str, Any]]:
    """Strengths in logs with mean 0: the chance that i earns more than j in a match is 1 / (1 + exp(j - i)). A match of
    many seats is all its pairs of different agents, a draw half a win of each.

    Where some agent never loses to, or never wins against, a set of others, no strengths are the likeliest: a hundredth
    of a drawn game is then added between each two agents, and it is said so.
    Source: Bradley and Terry (1952); by Newton's method.
    """
    wins, many, rows, added = _wins(lineups), len(lineups.agents), [], 0
    for one in range(1 if by is None else len(by[0])):
        won = np.zeros((many, many))
        for at, own in enumerate(wins):
            won += (own.sum(axis=0) if by is None else by[at][one] @ own).reshape(many, many)
        if not _is_strong(won):
            won, added = won + DRAWS_EACH / 2 * (1 - np.eye(many)), added + 1
        rows.append(_strengths(won))
    return np.array(rows), {"drawn_games": added}


def _wins(lineups: LineUps) -> list[Floats]:
    """By line-up and match, how often agent i earned more than j, as a row of i by j; a draw is half."""
    many = len(lineups.agents)
    found = []
    for one in lineups.matches:
        won = np.zeros((len(one.payoffs), many, many))
        for a, b in combinations(range(lineups.seats), 2):
            i, j = one.lineup[a], one.lineup[b]
            if i != j:
                score = (np.sign(one.payoffs[:, a] - one.payoffs[:, b]) + 1) / 2
                won[:, i, j] += score
                won[:, j, i] += 1 - score
        found.append(won.reshape(len(one.payoffs), -1))
    return found


def _is_strong(won: Floats) -> bool:
    """Whether everybody beats everybody by way of others: only then strengths are finite (Ford, 1957)."""
    many = len(won)
    reach = (won > 0) | np.eye(many, dtype=bool)
    for _ in range(max(1, many.bit_length())):
        reach = reach.astype(float) @ reach.astype(float) > 0
    return bool(reach.all())


def _strengths(won: Floats) -> Floats:
    played, strength = won + won.T, np.zeros(len(won))
    for _ in range(100):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = won.sum(axis=1) - (played * chance).sum(axis=1)
        curve = played * chance * (1 - chance)
        curve = np.diag(curve.sum(axis=1)) - curve + 1 / len(won)  # the mean stays 0
        step = np.linalg.solve(curve, slope)
        strength = strength + step * min(1.0, 2.0 / max(2.0, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(strength - strength.mean())


# --- where a population rests -----------------------------------------------------------------------


def alpha_rank(
    lineups: LineUps, by: Sequence[Floats] | None, alpha: float = 100.0, population: int = 50
) -> tuple[Floats, dict[str, Any]]:
    """The share of time that a population spends as each agent where rare mutants take over by what they earn.

    With two seats one population meets itself; with more each seat has its own, and the shares are their mean.
    Source: Omidshafiei and others, "alpha-Rank: Multi-Agent Evaluation by Evolution" (2019), as OpenSpiel has it.
    """
    lineups.check_whole("alpha-rank")
    many, seats = len(lineups.agents), lineups.seats
    if seats > 2 and many**seats > STATES_MAX:
        raise Refused(
            f"{many}^{seats} states; alpha-rank takes {STATES_MAX:,} at most. Leave agents out, or take another"
        )
    against = Against.of(lineups)
    where = {others: at for at, others in enumerate(against.others)}
    rows = []
    for payoffs in against.payoffs(lineups.table(by)):
        if many == 1:
            rows.append(np.ones(1))
        elif seats == 2:
            met = np.array([where[(agent,)] for agent in range(many)])
            game = payoffs[:, met]
            moves = {(s, r): game[r, s] - game[s, r] for s in range(many) for r in range(many) if s != r}
            rows.append(_resting(many, moves, alpha, population))
        else:
            states = list(product(range(many), repeat=seats))
            at = {state: number for number, state in enumerate(states)}
            moves = {}
            for state in states:
                for seat, mutant in product(range(seats), range(many)):
                    if mutant == state[seat]:
                        continue
                    others = where[tuple(sorted(state[:seat] + state[seat + 1 :]))]
                    new = (*state[:seat], mutant, *state[seat + 1 :])
                    moves[at[state], at[new]] = payoffs[mutant, others] - payoffs[state[seat], others]
            rest = _resting(len(states), moves, alpha, population)
            rows.append(
                np.array([sum(x * s.count(a) for s, x in zip(states, rest, strict=True)) for a in range(many)]) / seats
            )
    return np.array(rows), {"alpha": alpha, "population": population}


def _resting(many: int, moves: Mapping[tuple[int, int], float], alpha: float, population: int) -> Floats:
    """The stationary distribution of a chain that moves by how likely a mutant with that advantage takes over.

    States are left out one after the other (Grassmann, Taksar and Heyman, 1985), with chances as logs, so that none
    is too small to be told.
    """
    logs = np.full((many, many), -np.inf)
    for (old, new), advantage in moves.items():
        logs[old, new] = _log_fixation(alpha * advantage, population)
    for last in range(many - 1, 0, -1):
        leaves = np.logaddexp.reduce(logs[last, :last])
        logs[:last, last] -= leaves
        through = logs[:last, last][:, None] + logs[last, :last][None, :]
        logs[:last, :last] = np.logaddexp(logs[:last, :last], through)
        np.fill_diagonal(logs, -np.inf)
    rest = np.full(many, -np.inf)
    rest[0] = 0.0
    for state in range(1, many):
        rest[state] = np.logaddexp.reduce(rest[:state] + logs[:state, state])
    rest = np.exp(rest - rest.max())
    return np.asarray(rest / rest.sum())


def _log_fixation(u: float, size: int) -> float:
    """The log of (1 - e^-u) / (1 - e^-mu), the chance that a mutant of advantage u takes over a population of m."""
    if abs(u) < 1e-14:
        return -float(np.log(size))
    if u > 0:
        return float(np.log(-np.expm1(-u)) - np.log(-np.expm1(-size * u)))
    return float((size - 1) * u + np.log(-np.expm1(u)) - np.log(-np.expm1(size * u)))
