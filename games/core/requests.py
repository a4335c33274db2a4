"""What seats are asked and told at a step: made from the last position, as much of it as each may know."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from games.core.agents import Controller, Memory, Plan, Request, carry_on
from games.core.game import A, C, Game, O, Past, S, Seat, Step, Turn
from games.core.rng import Rng


@dataclass(frozen=True, slots=True)
class Position(Generic[S, A]):
    """All that the loop needs to go on: the last step, those before it that `Game.recall` asks for, memories, plans."""

    steps: Sequence[Step[S, A]]
    memories: Mapping[Seat, Memory] = field(default_factory=dict)
    plans: Mapping[Seat, Plan] = field(default_factory=dict)

    @property
    def last(self) -> Step[S, A]:
        return self.steps[-1]


class Requests(Mapping[Seat, Request[O, A]]):
    """What each seat of a turn is asked, in seat order; made when first read, which bulk play seldom does.

    ``controller`` carries standing plans on.
    """

    __slots__ = ("_config", "_controller", "_game", "_kept", "_made", "_position", "_seed", "_turn")

    def __init__(
        self,
        game: Game[C, S, O, A],
        config: C,
        seed: int,
        position: Position[S, A],
        turn: Turn,
        controller: Controller | None = None,
    ) -> None:
        self._game: Game[Any, Any, O, A] = game
        self._controller = controller
        self._config, self._seed, self._position, self._turn = config, seed, position, turn
        self._kept = recalled(game, config, position.steps)
        self._made: dict[Seat, Request[O, A]] | None = None

    def __len__(self) -> int:
        return len(self._turn.seats)

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._turn.seats)

    def __getitem__(self, seat: Seat) -> Request[O, A]:
        return self.made()[seat]

    def items(self) -> ItemsView[Seat, Request[O, A]]:
        return self.made().items()

    def made(self) -> dict[Seat, Request[O, A]]:
        """All of them."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def observations(self, seats: Sequence[Seat]) -> Sequence[O]:
        """What those seats of the turn see, and nothing else of their requests."""
        return self._game.observe_all(self._config, self._position.last.state, seats, self._kept)

    def _make(self) -> dict[Seat, Request[O, A]]:
        game, config, position, turn = self._game, self._config, self._position, self._turn
        state, index, kept = position.last.state, position.last.index + 1, self._kept
        rng = Rng.root(self._seed).step(index)
        made: dict[Seat, Request[O, A]] = {}
        for seat in turn.seats:
            request = Request(
                index,
                turn,
                seat,
                game.observe(config, state, seat, Past(kept, seat)),
                game.actions(config, state, seat),
                position.memories.get(seat),
                position.plans.get(seat),
                rng.at("seat", seat),
            )
            has_plan = self._controller is not None and request.plan is not None
            made[seat] = carry_on(self._controller, request) if self._controller and has_plan else request
        return made


def news(
    game: Game[C, S, O, A], config: C, seed: int, position: Position[S, A], seats: Iterable[Seat]
) -> dict[Seat, Request[O, A]]:
    """What each of the seats sees after the last step, to rewrite its memory from."""
    last = position.last
    rng = Rng.root(seed).step(last.index)
    kept = recalled(game, config, position.steps)
    return {
        seat: Request(
            last.index,
            last.turn,
            seat,
            game.observe(config, last.state, seat, Past(kept, seat)),
            None,
            position.memories.get(seat),
            position.plans.get(seat),
            rng.at("news", seat),
            "reflect",
        )
        for seat in seats
    }


def recalled(game: Game[C, S, O, A], config: C, steps: Sequence[Step[S, A]]) -> Sequence[Step[S, A]]:
    """The latest of the steps, as many as `observe` needs."""
    recall = game.recall(config)
    if recall is None:
        return steps
    return steps[max(0, len(steps) - recall) :] if recall else ()
