"""The game's own policies as whoever reckons uses them: as candidates, and as a model of everybody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.agents import BoundPolicy, Memory, PolicySpec
from games.core.game import Game, Imagined, Past, Seat, Step, cleaning
from games.core.requests import recalled
from games.core.rng import Rng

STEPS_EACH: Final = 32
"""An imagined play has so many steps at most for each decision that it looks ahead."""


@dataclass(frozen=True)
class Company:
    """A game with its own policies, none of which reckons."""

    game: Game[Any, Any, Any, Any]
    policies: Mapping[str, PolicySpec]
    default_for: Callable[[str], str]
    _bound: dict[str, BoundPolicy] = field(default_factory=dict, compare=False, repr=False)

    def bound(self, name: str) -> BoundPolicy:
        """A policy with its parameters as they are by default."""
        if name not in self._bound:
            self._bound[name] = self.policies[name].bind()
        return self._bound[name]

    def stances(self, role: str) -> list[str]:
        """The policies that can play a role, its default first."""
        usual = self.default_for(role)
        return [usual, *(name for name, spec in self.policies.items() if name != usual and spec.can_play(role))]

    def able(self, name: str, role: str) -> str:
        """The policy, where it can play the role; else the role's default."""
        spec = self.policies.get(name)
        return name if spec is not None and spec.can_play(role) else self.default_for(role)

    def roles(self, config: Any) -> list[str]:
        """Each seat's role, in seat order."""
        return [spec.role for spec in self.game.seats(config)]


@dataclass(frozen=True, slots=True)
class Deviation:
    """A way to go on: the first action, and the policy that plays on with its memory."""

    action: Any
    stance: str
    memory: Memory = None


class Play:
    """Imagined play from one world: what a seat would earn there. Chance is the same for all that is compared."""

    def __init__(self, company: Company, world: Imagined[Any, Any, Any], rng: Rng, others: Mapping[Seat, str]) -> None:
        self.company, self.world, self.rng, self.others = company, world, rng, others
        self.first: dict[Seat, Any] = {}
        """What others do in the first step, where that is already known."""
        self.always: Mapping[Seat, Any] = {}
        """What others do whenever the rules let them."""

    def worth(self, way: Deviation, depth: int, discount: float) -> float:
        """What the seat earns until it would decide for the ``depth + 1``-th time; later decisions count less."""
        game, config, seat = self.company.game, self.world.config, self.world.seat
        state, steps = self.world.state, list(recalled(game, config, self.world.steps))
        recall, memories = game.recall(config), {seat: way.memory}
        first = steps[-1].index + 1 if steps else 1
        own, earned, weight = 0, 0.0, 1.0
        for index in range(first, first + STEPS_EACH * depth):
            turn = game.turn(config, state)
            if turn is None:
                break
            rng = self.rng.step(index)
            answers: dict[Seat, Any] = {}
            if seat in turn.seats:
                if own == depth:
                    break
                weight = weight * discount if own else weight
                own += 1
            kept = recalled(game, config, steps)
            asked = [one for one in turn.seats if one != seat or own > 1]
            seen = dict(zip(asked, game.observe_all(config, state, asked, kept) if asked else (), strict=True))
            for one in turn.seats:
                key = rng.at("seat", one)
                if one == seat and own == 1:
                    answers[one] = way.action
                elif index == first and one in self.first:
                    answers[one] = self.first[one]
                else:
                    name = way.stance if one == seat else self.others[one]
                    answers[one], memories[one] = self._answer(config, state, one, name, seen[one], memories, rng, key)
            actions, _ = game.clean_all(config, state, answers, rng)
            resolved = game.resolve(config, state, actions, rng)
            state = resolved.state
            earned += weight * float(resolved.payoffs.get(seat, 0))
            if recall != 0:
                steps.append(Step(index, turn, actions, {}, {}, resolved.events, resolved.payoffs, state))
        return earned

    def _answer(
        self,
        config: Any,
        state: Any,
        seat: Seat,
        name: str,
        seen: Any,
        memories: Mapping[Seat, Memory],
        rng: Rng,
        key: Rng,
    ) -> tuple[Any, Memory]:
        deed = self.always.get(seat) if seat != self.world.seat else None
        if deed is not None:
            action, notes = self.company.game.clean(config, state, seat, deed, cleaning(rng, seat))
            if not notes:
                return action, memories.get(seat)
        return self.company.bound(name)(seen, memories.get(seat), key)

    def observation(self, seat: Seat) -> Any:
        """What a seat would see now in this world."""
        game, config = self.company.game, self.world.config
        kept = recalled(game, config, self.world.steps)
        return game.observe(config, self.world.state, seat, Past(kept, seat))
