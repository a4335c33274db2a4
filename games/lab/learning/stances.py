"""A seat of any game as a learner's arrays: what it knows as one row (`reading`), and its answers, numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.core.agents import BoundPolicy, Decider, Decision, Request
from games.core.answers import BadAction
from games.core.game import Seat
from games.core.pack import Pack
from games.core.rng import Rng
from games.core.sampling import samples
from games.lab.learning.outside import Outside
from games.lab.learning.reading import row
from games.lab.learning.solo import Look

FEATURES: Final = 256
DRAWN: Final = 16
"""Answers that are drawn from the schema, where they cannot be listed."""
LISTED_MAX: Final = 128
LOOKED: Final = 3
"""Runs in which the listed answers are looked for."""


class Stances:
    """A seat's answers: what each of the game's policies does there; then the answers that are listed at any of its
    turns, or some that its schema allows.
    """

    def __init__(
        self, pack: Pack, config: Any, seat: Seat, others: Mapping[Seat, Decider], steps: int, features: int = FEATURES
    ) -> None:
        role = pack.game.seats(config)[seat].role
        named = {name: spec for name, spec in pack.policies.items() if spec.can_play(role) and not spec.reckons}
        self.policies: dict[str, BoundPolicy] = {name: spec.bind() for name, spec in named.items()}
        self.listed, self.turns = _listed(pack, config, seat, others, steps, [*self.policies.values()])
        self.features = features
        self.actions = len(self.policies) + (len(self.listed) or DRAWN)

    def look(self, request: Request[Any, Any]) -> Look:
        held: Any = request.memory or {}
        found, memory = [], {}
        for number, (name, policy) in enumerate(self.policies.items()):
            action, kept = policy(request.observation, held.get(name), request.rng.at("stance", number))
            found.append(action)
            if kept is not None:
                memory[name] = kept
        found += self._own(request)
        open_ = [int(action is not None) for action in found]
        open_[0] |= not any(open_)
        return Look(
            row(request.observation, self.features), open_, lambda number: Decision(found[number], memory or None)
        )

    def _own(self, request: Request[Any, Any]) -> list[Any]:
        spec = request.actions
        assert spec is not None
        if self.listed:
            now = set() if spec.options is None else {_key(one) for one in spec.options}
            return [action if key in now else None for key, action in self.listed.items()]
        found: list[Any] = []
        for raw in samples(spec.schema, Rng.root(0).step(0), DRAWN):
            try:
                found.append(spec.read(raw))
            except BadAction:
                found.append(None)
        return found


def _key(action: Any) -> str:
    return repr(action)


def _listed(
    pack: Pack, config: Any, seat: Seat, others: Mapping[Seat, Decider], steps: int, policies: Sequence[BoundPolicy]
) -> tuple[dict[str, Any], int]:
    """Answers that are listed at turns of the seat, in order of their names, and the most turns that a run asked."""
    found: dict[str, Any] = {}
    most = 0
    for seed in range(LOOKED):
        run, turns = Outside(pack.game, config, others), 0
        run.begin(seed)
        while seat in run.asked and turns < steps:
            request = run.asked[seat]
            options = request.actions.options if request.actions is not None else None
            found |= {_key(one): one for one in options or ()}
            turns += 1
            action, memory = policies[seed % len(policies)](request.observation, request.memory, request.rng)
            run.answer({seat: Decision(action, memory)})
        most = max(most, turns)
    kept = dict(sorted(found.items())) if len(found) <= LISTED_MAX else {}
    return kept, most
