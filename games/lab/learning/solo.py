"""One seat of any game as a field to learn in: policies of the game play the others, each world a run by the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.core.agents import Decider, Decision, Request
from games.core.game import Game, Seat, Step
from games.lab.learning.field import Part, Sizes
from games.lab.learning.outside import Outside

Score: TypeAlias = Callable[[Any, Step[Any, Any], Step[Any, Any]], float]
"""``(config, step before, step)``: what a step is worth."""


@dataclass(frozen=True, slots=True)
class Look:
    """A request for a learner: ``row`` in whole numbers from -255 to 255, 1 in the ``mask`` for each action that is
    open, and the decision that an action's number means.
    """

    row: Sequence[int] | NDArray[np.int16]
    mask: Sequence[int]
    decision: Callable[[int], Decision[Any]]


class Lens(Protocol):
    """Requests as a learner sees them. The same request gives the same."""

    features: int
    actions: int

    def look(self, request: Request[Any, Any]) -> Look: ...


class Solo:
    """So many worlds in which one seat learns. ``horizon`` is the most decisions that a run asks of it: a run that is
    over earlier waits for the others. ``best`` is what earnings are told as parts of, ``unit`` what rewards are;
    ``score`` is what a step is worth to the seat, its payoff where none is given.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any, Any],
        config: Any,
        others: Mapping[Seat, Decider],
        lens: Lens,
        worlds: int,
        horizon: int,
        best: float = 1.0,
        score: Score | None = None,
        unit: float = 1.0,
    ) -> None:
        self.lens, self.worlds, self.best, self._unit = lens, worlds, best, unit
        self.sizes = Sizes(1, lens.features, lens.actions, horizon, Part(0, (0, 0, 0)), Part(0, (0, 0)))
        self._runs = [_Run(game, config, others, lens, score) for _ in range(worlds)]
        self._earned = np.zeros(worlds)

    def begin(self, seeds: Sequence[int]) -> None:
        self._earned[:] = 0
        for run, seed in zip(self._runs, seeds, strict=True):
            run.begin(seed)

    def see(self) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        rows = np.zeros((self.worlds, 1, self.lens.features), np.int16)
        mask = np.zeros((self.worlds, 1, self.lens.actions), np.int8)
        mask[..., 0] = 1
        for world, run in enumerate(self._runs):
            if run.look is not None:
                rows[world, 0], mask[world, 0] = run.look.row, run.look.mask
        return rows, mask

    def act(self, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        gained = np.array([run.act(int(number)) for run, number in zip(self._runs, actions[:, 0], strict=True)])
        self._earned += gained
        return gained[:, None] / self._unit

    def totals(self) -> NDArray[np.float64]:
        return self._earned / self.best


class _Run(Outside):
    """One world, whose only seat from outside is the one that learns. ``look`` is its open request, if any."""

    def __init__(self, game: Any, config: Any, others: Mapping[Seat, Decider], lens: Lens, score: Score | None) -> None:
        super().__init__(game, config, others, self._hear)
        self._lens, self._score = lens, score
        (self._own,) = [seat for seat in range(self.seats) if seat not in others]
        self._before: Step[Any, Any] | None = None
        self._gained = 0.0
        self.look: Look | None = None

    def _hear(self, step: Step[Any, Any]) -> None:
        if self._score is None:
            self._gained += float(step.payoffs.get(self._own, 0))
        elif self._before is not None:
            self._gained += self._score(self.config, self._before, step)
        self._before = step

    def _looked(self) -> None:
        request = self.asked.get(self._own)
        self.look = None if request is None else self._lens.look(request)

    def begin(self, seed: int) -> None:
        self._before = None
        super().begin(seed)
        self._looked()

    def act(self, number: int) -> float:
        """What the seat gains until it is asked again, or the run is over."""
        if self.look is None:
            return 0.0
        self._gained = 0.0
        self.answer({self._own: self.look.decision(number)})
        self._looked()
        return self._gained
