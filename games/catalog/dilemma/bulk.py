"""Many matches at once by tables, equal step for step to play.

Every pair of machine states is one row of a table; a round is two look-ups for all matches together. One truth is kept:
machines, payoffs and draws are those of play, and `Matches.steps` goes through the game's own ``resolve``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from games.catalog.dilemma import draws
from games.catalog.dilemma.answers import COOPERATE, DEFECT
from games.catalog.dilemma.config import DECIMALS, DilemmaConfig, Payoffs
from games.catalog.dilemma.draws import Bits, Codes, Keys
from games.catalog.dilemma.machines import Machine
from games.catalog.dilemma.policies import MACHINES, POLICIES, machine
from games.catalog.dilemma.rounds import exact
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.single import play_single
from games.catalog.dilemma.state import Action, DilemmaState
from games.catalog.dilemma.tables import Tables, tables_of
from games.core.agents import BadPolicy
from games.core.batch import side_by_side
from games.core.engine import replay
from games.core.game import Number, Seat, Step
from games.core.pack import NoBatch, Seated
from games.core.rng import Rng

NONE: Final = 255
"""The code of a round that was not played."""
FEW: Final = 40
"""Fewer matches than this are played one by one: a numpy call costs more than their look-ups."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A policy by name, with its parameters."""

    policy: str
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_machine(self) -> bool:
        """Whether tables can play it. A name that nobody has is left to `machine` to refuse."""
        return self.policy in MACHINES or self.policy not in POLICIES

    def machine(self, payoffs: Payoffs) -> Machine:
        """Raises `BadPolicy` where the name or a parameter is wrong, `NoBatch` where the policy is no machine."""
        if self.policy not in POLICIES:
            raise BadPolicy(f"policy {self.policy!r}: there is none of that name; there are {', '.join(POLICIES)}")
        if not self.is_machine:
            raise NoBatch(f"policy {self.policy}: it looks at the whole match and has no bulk form; play it one by one")
        if not self.params:
            return _standard(self.policy, payoffs)
        return machine(self.policy, POLICIES[self.policy].bind(self.params).params, payoffs)


@lru_cache(maxsize=256)
def _standard(policy: str, payoffs: Payoffs) -> Machine:
    """The policy's machine where no parameter is set."""
    return machine(policy, POLICIES[policy].params(), payoffs)


class Seeded(Protocol):
    """Whatever was played from a seed."""

    @property
    def seed(self) -> int: ...


class Match(NamedTuple):
    """One match to play: who sits in A and in B, and the seed of its run."""

    a: Entrant
    b: Entrant
    seed: int


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches that were played. Arrays are rounds by matches; codes have bit 2 for A's D (or slip) and bit 1 for B's.

    ``outcomes``  what was carried out; 255 after the end
    ``slips``     whose hand slipped
    ``lengths``   rounds of each match
    """

    config: DilemmaConfig
    played: Sequence[Seeded]
    outcomes: Codes
    slips: Codes
    lengths: NDArray[np.int64]

    def counts(self) -> NDArray[np.int64]:
        """Rounds of each match that ended CC, CD, DC, DD: matches by 4."""
        if len(self.played) == 1:
            return np.array([self._tally()], dtype=np.int64)
        return np.stack([np.count_nonzero(self.outcomes == code, axis=0) for code in range(4)], axis=1)

    def _tally(self) -> list[int]:
        """`counts` of the only match."""
        codes = self.outcomes.tobytes()
        return [codes.count(code) for code in range(4)]

    def totals(self) -> tuple[list[Number], list[Number]]:
        """Points of A and of B in each match."""
        t, r, p, s = self.config.payoffs
        if len(self.played) == 1:
            cc, cd, dc, dd = self._tally()
            return [exact(cc * r + cd * s + dc * t + dd * p)], [exact(cc * r + cd * t + dc * s + dd * p)]
        counts = self.counts()
        return _points(counts, (r, s, t, p)), _points(counts, (r, t, s, p))

    def moves(self, match: int) -> tuple[str, str]:
        """What A and B carried out, a letter a round."""
        codes = self.outcomes[: self.lengths[match], match].tolist()
        return "".join("CCDD"[code] for code in codes), "".join("CDCD"[code] for code in codes)

    def steps(self, match: int) -> Iterator[Step[DilemmaState, Action]]:
        """The steps of one match, start first, as `games.core.engine.play` gives them."""
        meant = (self.outcomes[: self.lengths[match], match] ^ self.slips[: self.lengths[match], match]).tolist()
        choices: list[dict[int, Action]] = [
            {0: DEFECT if code & 2 else COOPERATE, 1: DEFECT if code & 1 else COOPERATE} for code in meant
        ]
        return replay(Dilemma(), self.config, self.played[match].seed, choices)


def _points(counts: NDArray[np.int64], pays: Sequence[Number]) -> list[Number]:
    if all(isinstance(paid, int) for paid in pays):
        return [int(total) for total in counts @ np.array(pays, dtype=np.int64)]
    totals = np.round(counts @ np.array(pays, dtype=np.float64), DECIMALS).tolist()
    return [int(total) if total == int(total) else total for total in totals]


def play_matches(config: DilemmaConfig, matches: Sequence[Match]) -> Matches:
    """Plays them all under one config. Raises `BadPolicy`, or `NoBatch` where there is a talk stage."""
    if config.talk:
        raise NoBatch("talk: matches with a talk stage have no bulk form; set talk: false or play them one by one")
    if len(matches) == 1:
        return _alone(config, matches[0])
    tables, seated = _seated(config, matches)
    firsts = np.array(tables.first, dtype=np.int64)[seated]
    starts = 4 * (firsts[:, 0] * tables.states + firsts[:, 1])
    mixes = np.array(tables.mixes, dtype=np.bool_)[seated]
    keys = draws.roots([match.seed for match in matches])
    lengths = draws.lengths(config, keys)
    longest = int(lengths.max(initial=0))
    outcomes = np.full((longest, len(matches)), NONE, dtype=np.uint8)
    slips = np.zeros((longest, len(matches)), dtype=np.uint8)
    for mix_a, mix_b in ((False, False), (True, False), (False, True), (True, True)):
        group = np.flatnonzero((mixes[:, 0] == mix_a) & (mixes[:, 1] == mix_b))
        group = group[np.argsort(-lengths[group], kind="stable")]
        party = _Party(config, tables, keys[group], starts[group], lengths[group], (mix_a, mix_b))
        if 0 < len(group) < FEW:
            for column, match in enumerate(group.tolist()):
                length = int(party.lengths[column])
                start, key = int(party.starts[column]), int(party.keys[column])
                played = play_single(config, tables, start, key, length, (mix_a, mix_b))
                for target, codes in zip((outcomes, slips), played, strict=True):
                    target[:length, match] = np.frombuffer(codes, dtype=np.uint8)
        elif len(group):
            party.play_all(outcomes, slips, group)
    return Matches(config, tuple(matches), outcomes, slips, lengths)


def _alone(config: DilemmaConfig, match: Match) -> Matches:
    """A single match, without the arrangements that pay only for many."""
    payoffs = config.payoffs
    machines = match.a.machine(payoffs), match.b.machine(payoffs)
    a, b = (0, 0) if machines[0] == machines[1] else (0, 1)
    tables = tables_of(machines[: b + 1])
    key = Rng.root(match.seed).key
    length = config.rounds if config.horizon == "fixed" else int(draws.lengths(config, draws.roots([match.seed]))[0])
    mixes = tables.mixes[a], tables.mixes[b]
    played = play_single(config, tables, tables.start(a, b), key, length, mixes)
    outcomes, slips = (np.ndarray((length, 1), np.uint8, codes) for codes in played)
    return Matches(config, (match,), outcomes, slips, np.array([length], dtype=np.int64))


def _seated(config: DilemmaConfig, matches: Sequence[Match]) -> tuple[Tables, NDArray[np.int64]]:
    """The tables of all machines that play, and the numbers of each match's two machines."""
    number: dict[Machine, int] = {}
    known: dict[int, int] = {}
    for match in matches:
        for entrant in (match.a, match.b):
            if id(entrant) not in known:
                known[id(entrant)] = number.setdefault(entrant.machine(config.payoffs), len(number))
    seated = [(known[id(match.a)], known[id(match.b)]) for match in matches]
    return tables_of(tuple(number)), np.array(seated, dtype=np.int64).reshape(len(matches), 2)


# --- play -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Party:
    """Matches that mix alike, longest first."""

    config: DilemmaConfig
    tables: Tables
    keys: Keys
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    mixes: tuple[bool, bool]

    def play_all(self, outcomes: Codes, slips: Codes, columns: NDArray[np.int64]) -> None:
        """Round by round, all matches together; results go into ``columns`` of the arrays."""
        longest, first = int(self.lengths[0]), 1
        pairs = self.starts.copy()
        while first <= longest:
            going = int(np.searchsorted(-self.lengths, -first, side="right"))
            count = min(max(1, draws.ROOM // going), longest - first + 1)
            codes, slipped = self._play_block(pairs[:going], first, count, going)
            last = first - 1 + np.arange(1, count + 1)
            over = last[:, None] > self.lengths[None, :going]
            if over.any():
                codes[over], slipped[over] = NONE, 0
            rows = slice(first - 1, first - 1 + count)
            outcomes[rows, columns[:going]] = codes
            slips[rows, columns[:going]] = slipped
            first += count

    def _play_block(self, pairs: NDArray[np.int64], first: int, count: int, going: int) -> tuple[Codes, Codes]:
        """``count`` rounds of the first ``going`` matches; ``pairs`` moves on in place."""
        meant, after = self.tables.meant, self.tables.after
        reach_a, reach_b = self.tables.reach_a, self.tables.reach_b
        drawn_a, drawn_b, slipped = self._drawn(self.keys[:going], first, count)
        codes = np.zeros((count, going), dtype=np.uint8)
        now = np.empty(going, dtype=np.int64)
        for t in range(count):
            if drawn_a is None and drawn_b is None:
                np.take(meant, pairs, out=now, mode="clip")
            else:
                defects_a = meant.take(pairs) & 2 if drawn_a is None else 2 * (drawn_a[t] >= reach_a.take(pairs))
                defects_b = meant.take(pairs) & 1 if drawn_b is None else drawn_b[t] >= reach_b.take(pairs)
                np.add(defects_a, defects_b, out=now)
            if slipped is not None:
                now ^= slipped[t]
            codes[t] = now
            now += pairs
            np.take(after, now, out=pairs, mode="clip")
        return codes, np.zeros_like(codes) if slipped is None else slipped

    def _drawn(self, keys: Keys, first: int, count: int) -> tuple[Bits | None, Bits | None, Codes | None]:
        """The draws of both seats and the slips, for ``count`` steps; None where nothing is drawn."""
        is_noisy = bool(self.config.noise_a or self.config.noise_b)
        if not (is_noisy or any(self.mixes)):
            return None, None, None
        steps = draws.step_keys(keys, first, count)
        return (
            draws.move_bits(steps, 0) if self.mixes[0] else None,
            draws.move_bits(steps, 1) if self.mixes[1] else None,
            draws.slip_codes(self.config, steps) if is_noisy else None,
        )


def batch(
    config: DilemmaConfig, seeds: Sequence[int], seated: Mapping[Seat, Seated]
) -> Iterator[Sequence[Step[DilemmaState, Action] | None]]:
    """The pack's bulk form: the steps of one match a seed, resolved as they are read."""
    a, b = (Entrant(seated[seat].policy, seated[seat].params) for seat in (0, 1))
    played = play_matches(config, [Match(a, b, seed) for seed in seeds])
    return side_by_side(map(played.steps, range(len(seeds))))
