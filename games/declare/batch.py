"""Many matches of a matrix game of two at once, equal step for step to play.

A policy that recalls one round (``@policy(…, recall=1)``) is a table: what it does first, and after each pair of
choices. A round of all pairs is then one look-up. One truth is kept: the table is asked of the policy itself, which
sees nothing else, and the steps go through the game's own ``resolve``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.core.agents import BoundPolicy
from games.core.batch import side_by_side
from games.core.engine import replay
from games.core.game import Seat, Step
from games.core.pack import NoBatch, Seated
from games.declare.declaration import Declaration
from games.declare.form import Fixed
from games.declare.kernel import Declared
from games.declare.money import hundredths
from games.declare.play import MATRIX as FIELD

Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Memory:
    """A policy that goes by the round before: its first choice, and its next by what it and the other chose."""

    first: int
    after: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Matches that were played: choices as codes, rounds by matches by the two seats, and totals in hundredths."""

    codes: Codes
    totals: NDArray[np.int64]


class MatrixBatch:
    """The batch form of one matrix game."""

    def __init__(self, made: Declaration, game: Declared) -> None:
        self.made, self.game = made, game
        self.keys = list(next(part.choices for name, _, part in made.fields() if name == FIELD))  # type: ignore[attr-defined]

    def pays(self, config: Any) -> NDArray[np.int64]:
        """What each pair of choices pays under the settings, in hundredths: pairs by the two seats."""
        table, value = self.made.cls.matrix, self.game.under(config).plan.value  # type: ignore[attr-defined]
        cents = [[hundredths(value(pay)) for pay in table[a, b]] for a in self.keys for b in self.keys]
        return np.array(cents, dtype=np.int64)

    def __call__(
        self, config: Any, seeds: Sequence[int], seated: Mapping[Seat, Seated]
    ) -> Iterator[Sequence[Step[Any, Any] | None]]:
        """The steps of a match for each seed, as `play` gives them. Raises `NoBatch` for what a table cannot say."""
        self.check(config)
        bound = [self.made.policies[seated[seat].policy].bind(seated[seat].params) for seat in (0, 1)]
        a, b = (self.memory(config, policy, seat) for seat, policy in enumerate(bound))
        played = self.play(config, [(a, b)])
        kind = self.game.action_types[FIELD]
        moves = [{0: kind(self.keys[own]), 1: kind(self.keys[other])} for own, other in played.codes[:, 0].tolist()]
        return side_by_side(replay(self.game, config, seed, moves) for seed in seeds)

    def check(self, config: Any) -> None:
        plan = self.game.under(config).plan
        if not (plan.is_one and plan.players == 2):
            raise NoBatch("groups: several groups have no batch form; set groups: 1 or play them one by one")
        if plan.noise or getattr(config, "talk", False):
            raise NoBatch("noise, talk: a table knows neither; set noise: 0 and talk: false")
        if not all(isinstance(end, Fixed) for end in self.made.ends):
            raise NoBatch("ends: matches of a length that is drawn have no batch form")

    def memory(self, config: Any, policy: BoundPolicy, seat: Seat) -> Memory:
        """The policy of a seat as a table. Raises `NoBatch` where it recalls more than a round, or draws."""
        if self.made.recalls.get(policy.spec.name) != 1:
            raise NoBatch(f"policy {policy.spec.name}: a table knows the round before alone; declare it with recall=1")
        many = range(len(self.keys))
        after = tuple(tuple(self._asked(config, policy, seat, (own, other)) for other in many) for own in many)
        return Memory(self._asked(config, policy, seat, None), after)

    def _asked(self, config: Any, policy: BoundPolicy, seat: Seat, last: tuple[int, int] | None) -> int:
        """What the policy does in a seat after a round, its own choice first; None: in the first round."""
        under = self.game.under(config)
        values = dict(zip(self.game.names, self.game.values(under.round.start(_NO_DRAWS).state), strict=True))
        if last is not None:
            own, other = (self.keys[code] for code in last)
            row = (own, other) if seat == 0 else (other, own)
            values |= {"played": 1, FIELD: row, f"past_{FIELD}": (row,), "past_gain": ((0, 0),)}
        sight = under.sights.one(self.game.state_type(**values), seat)
        try:
            action, _ = policy(sight, None, _NO_DRAWS)
        except _Drawn:
            raise NoBatch(f"policy {policy.spec.name}: it draws; play it one by one") from None
        return self.keys.index(getattr(action, FIELD))

    def play(self, config: Any, pairs: Sequence[tuple[Memory, Memory]]) -> Pairs:
        """All pairs together, round by round."""
        many, rounds = len(self.keys), int(config.rounds)
        after = np.array([[m.after for m in pair] for pair in pairs], dtype=np.uint8).reshape(
            len(pairs), 2, many * many
        )
        mine = np.ascontiguousarray(after[:, 0]).reshape(-1)
        theirs = np.ascontiguousarray(after[:, 1].reshape(-1, many, many).transpose(0, 2, 1)).reshape(-1)
        base = np.arange(len(pairs), dtype=np.int64) * many * many
        now = np.array([[m.first for m in pair] for pair in pairs], dtype=np.int64)
        a, b = now[:, 0], now[:, 1]
        joint = (many * mine.astype(np.int64) + theirs).astype(np.uint8)
        codes = np.empty((rounds, len(pairs)), dtype=np.uint8)
        state = (many * a + b).astype(np.int64)
        for number in range(rounds):
            codes[number] = state
            state = joint.take(base + state).astype(np.int64)
        counts = np.stack([np.count_nonzero(codes == code, axis=0) for code in range(many * many)], axis=1)
        totals = counts @ self.pays(config)
        both = np.stack(np.divmod(codes, many), axis=-1)
        return Pairs(both, totals)


class _Drawn(Exception):
    """A policy that is asked for its table draws."""


class _NoDraws:
    """In the place of a key to draw under, for a policy that is to be a table."""

    def __getattr__(self, name: str) -> Any:
        raise _Drawn


_NO_DRAWS: Any = _NoDraws()
