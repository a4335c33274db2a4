"""Who earned what in which line-up, and the symmetrised game that it comes to: what `polity rate` rates.

An agent's payoff against given others is its mean over all seats and matches in which it met them, whatever their
order, each match counted once; a game with roles is thus rated over its roles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.errors.faults import Refused, among

Floats: TypeAlias = NDArray[np.float64]
LineUp: TypeAlias = tuple[int, ...]
"""The agents of a match by number, in ascending order, each as often as it sits there."""

AGENTS_MAX: Final = 500
SEATS_MAX: Final = 16
LINEUPS_MAX: Final = 20_000
"""Line-ups of a whole game, which replicator, deviation and alpha-rank need."""
KEYS: Final = ("agents", "seats", "profiles", "discount")


@dataclass(frozen=True, slots=True)
class Matches:
    """All matches of one line-up: ``payoffs`` has a row for each, a column for each seat, seats by agent."""

    lineup: LineUp
    payoffs: Floats


@dataclass(frozen=True)
class LineUps:
    """Agents by name, seats of a match, and the matches by line-up, line-ups in ascending order."""

    agents: tuple[str, ...]
    seats: int
    matches: tuple[Matches, ...]

    @cached_property
    def own(self) -> tuple[tuple[tuple[int, Floats], ...], ...]:
        """By line-up, of each agent in it: what it earned a seat, by match."""
        found = []
        for one in self.matches:
            places = {agent: [at for at, who in enumerate(one.lineup) if who == agent] for agent in one.lineup}
            found.append(tuple((agent, one.payoffs[:, at].mean(axis=1)) for agent, at in places.items()))
        return tuple(found)

    def missing(self) -> Iterator[LineUp]:
        """Line-ups that nobody has played."""
        there = {one.lineup for one in self.matches}
        return (one for one in combinations_with_replacement(range(len(self.agents)), self.seats) if one not in there)

    def check_whole(self, method: str) -> None:
        """Raises `Refused` where a line-up is missing, or where there are too many."""
        many = math.comb(len(self.agents) + self.seats - 1, self.seats)
        if many > LINEUPS_MAX:
            raise Refused(
                f"{many:,} line-ups; {method} takes {LINEUPS_MAX:,} at most. Leave agents out, or rate by mean"
            )
        lacking = next(self.missing(), None)
        if lacking is not None:
            names = ", ".join(self.agents[one] for one in lacking)
            raise Refused(
                f"no match of {names}: {method} needs each of the {many:,} line-ups, those of an agent beside itself "
                f"among them; {len(self.matches):,} are there. Play it, or rate by mean or bradley-terry"
            )

    def table(self, weights: Sequence[Floats] | None = None) -> Floats:
        """What each agent earns a seat, by line-up and agent; NaN where it is not in a line-up.

        ``weights``: of each line-up's matches; (resamples, matches) gives a table for each resample.
        """
        if weights is None:
            weights = [np.ones((1, len(one.payoffs))) for one in self.matches]
        found = np.full((len(weights[0]), len(self.matches), len(self.agents)), np.nan)
        for at, (own, weight) in enumerate(zip(self.own, weights, strict=True)):
            for agent, earned in own:
                found[:, at, agent] = weight @ earned / weight.sum(axis=1)
        return found


@dataclass(frozen=True)
class Against:
    """The symmetrised game by agent and by whom it meets: ``others`` are the line-ups of one seat less.

    ``at[i, o]``   the line-up that agent i makes with others o, -1 where nobody has played it
    ``counts``     of others o, how often each agent is among them
    ``orders``     in how many orders others o can sit
    """

    others: tuple[LineUp, ...]
    at: NDArray[np.int64]
    counts: NDArray[np.int64]
    orders: Floats

    @classmethod
    def of(cls, lineups: LineUps) -> Against:
        where = {one.lineup: at for at, one in enumerate(lineups.matches)}
        agents = range(len(lineups.agents))
        others: dict[LineUp, None] = {}
        for lineup in where:
            others |= dict.fromkeys(lineup[:at] + lineup[at + 1 :] for at in range(len(lineup)))
        rows = tuple(sorted(others))
        at = [[where.get(tuple(sorted((agent, *row))), -1) for row in rows] for agent in agents]
        counts = np.array([[row.count(agent) for agent in agents] for row in rows], dtype=np.int64)
        whole = math.factorial(lineups.seats - 1)
        orders = [whole / math.prod(math.factorial(many) for many in row) for row in counts.tolist()]
        return cls(rows, np.array(at, dtype=np.int64), counts, np.array(orders))

    def payoffs(self, table: Floats) -> Floats:
        """By resample, agent and others, from `LineUps.table`; NaN where they did not meet."""
        agents = np.arange(len(self.at))[:, None]
        found: Floats = np.where(self.at < 0, np.nan, table[:, self.at, agents])
        return found

    def chances(self, shares: Floats) -> Floats:
        """How likely others o are, by resample, where each is drawn by the agents' shares."""
        with np.errstate(divide="ignore"):
            return np.asarray(self.orders * np.prod(shares[:, None, :] ** self.counts, axis=2))


# --- the file --------------------------------------------------------------------------------------


def read(told: Any) -> LineUps:
    """The line-ups of a file's JSON: ``{"agents": [names], "seats": N, "profiles": [{"agents": [numbers],
    "payoffs": [a row a match]}]}``; with ``"discount": d`` a match is a list of rounds, each with a row.

    Raises `Refused` with the place, what stands there, and what would do.
    """
    if not isinstance(told, Mapping):
        raise Refused(f"{_kind(told)} at the top; an object with agents, seats and profiles is expected")
    for key in told:
        if key not in KEYS:
            raise Refused(f"{key}: there is no such key; {among(str(key), KEYS)}")
    agents = _agents(told.get("agents"))
    seats: Any = told.get("seats")
    if not _is_whole(seats) or not 2 <= seats <= SEATS_MAX:
        raise Refused(f"seats: {_shown(seats)}; a whole number from 2 to {SEATS_MAX} is expected")
    discount = told.get("discount")
    if discount is not None and not (_is_number(discount) and 0 <= discount < 1):
        raise Refused(f"discount: {_shown(discount)}; a number of at least 0 and below 1 is expected")
    profiles = told.get("profiles")
    if not isinstance(profiles, list) or not profiles:
        raise Refused(f"profiles: {_shown(profiles)}; a list of line-ups with their payoffs is expected")
    rows: dict[LineUp, list[list[float]]] = {}
    for number, profile in enumerate(profiles):
        lineup, payoffs = _profile(profile, f"profiles[{number}]", len(agents), seats, discount)
        order = sorted(range(seats), key=lambda seat: lineup[seat])
        held = rows.setdefault(tuple(lineup[seat] for seat in order), [])
        held += [[row[seat] for seat in order] for row in payoffs]
    found = LineUps(agents, seats, tuple(Matches(one, np.array(rows[one])) for one in sorted(rows)))
    met = {agent for one in found.matches for agent in one.lineup}
    for number, name in enumerate(agents):
        if number not in met:
            raise Refused(f"agents[{number}]: {name} is in no profile; leave it out or give its matches")
    return found


def _agents(told: Any) -> tuple[str, ...]:
    if not isinstance(told, list) or not 1 <= len(told) <= AGENTS_MAX:
        raise Refused(f"agents: {_shown(told)}; a list of 1 to {AGENTS_MAX} names is expected")
    for number, name in enumerate(told):
        if not isinstance(name, str) or not name:
            raise Refused(f"agents[{number}]: {_shown(name)}; a name is expected")
        if name in told[:number]:
            raise Refused(f"agents[{number}]: {name} is there twice; give each agent a name of its own")
    return tuple(told)


def _profile(
    told: Any, at: str, agents: int, seats: int, discount: float | None
) -> tuple[list[int], list[list[float]]]:
    if not isinstance(told, Mapping) or set(told) != {"agents", "payoffs"}:
        raise Refused(f"{at}: {_shown(told)}; an object with agents and payoffs, and nothing else, is expected")
    lineup, payoffs = told["agents"], told["payoffs"]
    if not isinstance(lineup, list) or len(lineup) != seats:
        raise Refused(f"{at}.agents: {_shown(lineup)}; the numbers of {seats} agents are expected, one for each seat")
    for seat, agent in enumerate(lineup):
        if not _is_whole(agent) or not 0 <= agent < agents:
            raise Refused(
                f"{at}.agents[{seat}]: {_shown(agent)}; the number of an agent, 0 to {agents - 1}, is expected"
            )
    if not isinstance(payoffs, list) or not payoffs:
        raise Refused(f"{at}.payoffs: {_shown(payoffs)}; a list with a row for each match is expected")
    return lineup, [_match(one, f"{at}.payoffs[{number}]", seats, discount) for number, one in enumerate(payoffs)]


def _match(told: Any, at: str, seats: int, discount: float | None) -> list[float]:
    """What the seats earned in a match; of one of many rounds, discounted."""
    if discount is None:
        return _row(told, at, seats)
    if not isinstance(told, list) or not told:
        raise Refused(f"{at}: {_shown(told)}; with a discount a match is a list of rounds, each with a row")
    rows = np.array([_row(row, f"{at}[{number}]", seats) for number, row in enumerate(told)])
    return [float(value) for value in weights(len(rows), discount) @ rows]


def weights(rounds: int, discount: float) -> Floats:
    """What each round of a match counts: the t-th, from 0, (1 - d) d^t, and the last one all the rest."""
    found = (1 - discount) * discount ** np.arange(rounds, dtype=float)
    found[-1] = discount ** (rounds - 1)
    return np.asarray(found)


def _row(told: Any, at: str, seats: int) -> list[float]:
    if not isinstance(told, list) or len(told) != seats:
        raise Refused(f"{at}: {_shown(told)}; {seats} numbers are expected, one for each seat")
    for seat, value in enumerate(told):
        if not _is_number(value):
            raise Refused(f"{at}[{seat}]: {_shown(value)}; a finite number is expected")
    return [float(value) for value in told]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value) and abs(value) <= 1e12
    except OverflowError:
        return False


def _kind(value: Any) -> str:
    return {list: "a list", str: "a text", dict: "an object", type(None): "nothing"}.get(type(value), "a value")


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
