"""A run some of whose seats are played from outside, step by step; policies play the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.agents import Decider, Decision, Request, teams_of
from games.core.engine import Ask, Drive, answered, drive
from games.core.game import Game, Seat, Step
from games.core.rng import Rng


class Outside:
    """One run after another. ``others`` play the seats that are not asked from outside; ``heard`` gets every step.

    ``asked`` are the open requests of seats from outside, none when the run is over; ``paid`` is what each seat has
    got since it was last looked at.
    """

    def __init__(
        self,
        game: Game[Any, Any, Any, Any],
        config: Any,
        others: Mapping[Seat, Decider],
        heard: Callable[[Step[Any, Any]], None] | None = None,
    ) -> None:
        self.game, self.config, self._others, self._heard = game, config, others, heard
        self.seats = len(game.seats(config))
        self.asked: Mapping[Seat, Request[Any, Any]] = {}
        self.paid = [0.0] * self.seats
        self._loop: Drive | None = None

    def begin(self, seed: int) -> None:
        """The run of a seed, up to the first turn of a seat from outside."""
        self.paid = [0.0] * self.seats
        self._teams = teams_of(self._others, Rng.root(seed))
        self._loop = drive(self.game, self.config, seed)
        self._on(None)

    def answer(self, decisions: Mapping[Seat, Decision[Any]]) -> None:
        """What the seats from outside do; one that is missing plays the game's default. Then on to their next turn."""
        inside = {
            seat: self._others[seat](request) for seat, request in self._ask.requests.items() if seat in self._others
        }
        self._on({**decisions, **inside})

    def _on(self, answers: Any) -> None:
        assert self._loop is not None
        self.asked = {}
        try:
            while True:
                told = self._loop.send(answers)
                answers = None
                if isinstance(told, Step):
                    for seat, amount in told.payoffs.items():
                        self.paid[seat] += float(amount)
                    if self._heard is not None:
                        self._heard(told)
                elif isinstance(told, Ask):
                    if all(seat in self._others for seat in told.turn.seats):
                        answers = answered(told, self._others, self._teams)
                        continue
                    self._ask = told
                    self.asked = {seat: one for seat, one in told.requests.items() if seat not in self._others}
                    return
        except StopIteration:
            return
