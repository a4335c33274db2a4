"""What a law is put to: one preset of one game, and the run that its policies play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, NamedTuple

from games.core import codec
from games.core.agents import Decider, Decision, deciding
from games.core.engine import Ask, drive, hosted, play
from games.core.game import All, Eyes, Game, Public, Seat, SeatEyes, Step
from games.core.pack import Pack, Seated

LONG: Final = 60
"""A run is followed for this many steps; games that take longer are cut, those that must end are asked for it."""
EYES_MAX: Final = 6
"""So many seats' eyes are looked through."""


class Played(NamedTuple):
    """A run's first steps, with every seat's memory and plan after each."""

    steps: list[Step[Any, Any]]
    memories: list[dict[Seat, Any]]
    plans: list[dict[Seat, Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """One preset of one game: its validated config and who sits where. Seats that are not named play the default.

    ``origin`` is where another process finds the pack, as `games.laws.origins` writes it; "": where its folder lies.
    ``kept`` holds what laws share, made once: a copy with another config begins with an empty one.
    """

    pack: Pack
    preset: str
    config: Any
    seated: Mapping[Seat, Seated] = field(default_factory=dict)
    seed: int = 7
    steps: int = LONG
    origin: str = ""
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def game(self) -> Game[Any, Any, Any, Any]:
        return self.pack.game

    @property
    def seats(self) -> range:
        return range(len(self.game.seats(self.config)))

    def deciders(self) -> dict[Seat, Decider]:
        policies = self.pack.policies
        own = {role: deciding(policies[self.pack.default_for(role)].bind()) for role in set(self.roles())}
        named = {seat: deciding(policies[one.policy].bind(one.params)) for seat, one in self.seated.items()}
        return {seat: named.get(seat, own[role]) for seat, role in enumerate(self.roles())}

    def roles(self) -> list[str]:
        """Each seat's role, in seat order."""
        return [spec.role for spec in self.game.seats(self.config)]

    def run(self, deciders: Mapping[Seat, Decider] | None = None) -> list[Step[Any, Any]]:
        """The first `steps` steps after the start, played anew."""
        told: list[Step[Any, Any]] = []
        for step in play(self.game, self.config, self.seed, self.deciders() if deciders is None else deciders):
            told.append(step)
            if step.index >= self.steps:
                break
        return told

    def played(self) -> Played:
        """The same run, with what its seats carried on; played once and kept for all laws."""
        if "run" not in self.kept:
            self.kept["run"] = self._played()
        found: Played = self.kept["run"]
        return found

    def _played(self) -> Played:
        steps: list[Step[Any, Any]] = []
        memories: list[dict[Seat, Any]] = []
        plans: list[dict[Seat, Any]] = []
        held: dict[Seat, Any] = {}
        planned: dict[Seat, Any] = {}
        deciders = self.deciders()

        def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
            given = {seat: deciders[seat](request) for seat, request in turn.requests.items()}
            held.update({seat: decision.memory for seat, decision in given.items()})
            planned.update({seat: decision.plan for seat, decision in given.items()})
            return given

        for step in hosted(drive(self.game, self.config, self.seed), ask):
            steps.append(step)
            memories.append(dict(held))
            plans.append(dict(planned))
            if step.index >= self.steps:
                break
        return Played(steps, memories, plans)

    def hashes(self, steps: Sequence[Step[Any, Any]]) -> list[str]:
        previous, hashes = codec.GENESIS, []
        for step in steps:
            previous = codec.chain(self.game, previous, step)
            hashes.append(previous)
        return hashes

    def eyes(self) -> list[Eyes]:
        return [All(), Public(), *(SeatEyes(seat) for seat in self.seats[:EYES_MAX])]


def of_own_presets(law: Callable[[Sequence[Case]], Any]) -> Callable[[Sequence[Case]], Any]:
    """A law of what all presets of a game show together: its own are held to it, not the few that mechanisms among its
    settings make of it."""

    @wraps(law)
    def put(cases: Sequence[Case]) -> Any:
        return None if cases[0].pack.switches else law(cases)

    return put


def check_invariants(case: Case, step: Step[Any, Any]) -> None:
    """AssertionError with the numbers where one of the game's own laws is broken in the state after the step."""
    for law in case.game.invariants(case.config, step.state):
        assert law.holds, f"step {step.index}: {law.name}: {law.detail}"


# --- a case as JSON -------------------------------------------------------------------------------


class Policy(NamedTuple):
    """A policy in a seat, as a file or another process names it."""

    policy: str
    params: Mapping[str, Any]


def case_as_json(case: Case) -> dict[str, Any]:
    """What another process needs to make the same case of the same pack."""
    return {
        "preset": case.preset,
        "config": case.config.model_dump(mode="json"),
        "seated": {seat: [one.policy, dict(one.params)] for seat, one in case.seated.items()},
        "seed": case.seed,
        "steps": case.steps,
        "origin": case.origin,
    }


def case_from_json(pack: Pack, stored: Mapping[str, Any]) -> Case:
    """The case again; pydantic's ValidationError where the game no longer takes the config."""
    seated = {int(seat): Policy(*one) for seat, one in stored["seated"].items()}
    config = pack.game.config_type.model_validate(stored["config"])
    return Case(pack, stored["preset"], config, seated, stored["seed"], stored["steps"], stored["origin"])
