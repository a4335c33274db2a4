"""Many worlds of one config stepped together as columns, each the very run that `engine.play` would give.

A game that has a batch form keeps its worlds in arrays whose first axis are the worlds, and steps them by its rules
over columns. Its policies have such a form by registration; worlds in which another plays are played one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, islice, zip_longest
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, overload

import numpy as np

from games.core.agents import BoundPolicy, PolicySpec
from games.core.answers import JSON
from games.core.draws import Draws, Ints
from games.core.engine import start
from games.core.game import Game, Seat, Step
from games.core.pack import NoBatch, Seated
from games.core.written import Written

W = TypeVar("W")
P = TypeVar("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Side:
    """The seats that one policy plays in all worlds. ``seats`` ascend; ``play`` is the policy's form over columns."""

    play: Callable[..., None]
    params: Any
    seats: Ints


class Played(NamedTuple, Generic[W, P]):
    """A round: the worlds before it, what all seats did, the worlds after it."""

    before: W
    actions: P
    after: W


class Columns(Protocol[W, P]):
    """A game's batch form. ``W`` are its worlds as columns, ``P`` all seats' actions of a round as columns.

    The worlds of one config stand at the same turn of all seats, and end together. ``policies`` are the forms over
    columns by the policies' names: ``(params, worlds, seats, draws, actions)``, where ``draws`` are the keys of those
    seats, worlds by seats; each fills in the actions of its seats, all of which are legal as they are.
    """

    policies: Mapping[str, Callable[..., None]]

    def check(self, config: Any) -> None:
        """Raises `NoBatch` for a config that it does not cover."""

    def alike(self, config: Any) -> Hashable:
        """What must be the same of configs whose worlds are stepped together."""
        return str(config.model_dump_json())

    def gather(self, configs: Sequence[Any], states: Sequence[Any]) -> W:
        """The first states as columns, each with its config."""

    def is_over(self, worlds: W) -> bool: ...

    def blank(self, worlds: W) -> P:
        """Actions of nobody yet."""

    def resolve(self, worlds: W, actions: P, draws: Draws, /) -> W:
        """A round. ``draws`` are the step's keys by world."""

    def step(self, before: W, actions: P, after: W, index: int, world: int, /) -> Step[Any, Any]:
        """One world's step as `play` gives it."""

    def measures(self, rounds: Sequence[Played[W, P]]) -> Sequence[Mapping[str, JSON]] | None:
        """Round by round, and in each by world, what the game's `Metrics.measure` gives of the step; None where no
        column tells it."""
        return None

    def written(self, rounds: Sequence[Played[W, P]], index: int) -> Sequence[Written] | None:
        """In the same order the steps as they are kept, from that index on; None where they are made first."""
        return None

    def states(self, played: Played[W, P]) -> Sequence[Any] | None:
        """By world the state after a round as `codec.dump` gives it, as JSON (`codec.as_it_stands`); None where it is
        made first."""
        return None


def by_party(party: Callable[..., T], *plays: Callable[[Any, T], None]) -> Mapping[str, Callable[..., None]]:
    """Policies over those whom they play, by the names of their functions, as `Columns` has them."""

    def form(play: Callable[[Any, T], None]) -> Callable[..., None]:
        return lambda params, *of: play(params, party(*of))

    return {play.__name__.removeprefix("at_").replace("_", "-"): form(play) for play in plays}


class Round(Sequence[Step[Any, Any]]):
    """The worlds' steps of one round, each made when it is read.

    ``measures``, ``written`` and ``states`` give what `Columns` says under these names, without a step being made.
    """

    __slots__ = ("_make", "_worlds", "measures", "states", "written")

    def __init__(
        self,
        worlds: int,
        make: Callable[[int], Step[Any, Any]],
        measures: Callable[[], Sequence[Mapping[str, JSON]] | None],
        written: Callable[[], Sequence[Written] | None],
        states: Callable[[], Sequence[Any] | None],
    ) -> None:
        self._worlds, self._make, self.measures, self.written, self.states = worlds, make, measures, written, states

    def __len__(self) -> int:
        return self._worlds

    @overload
    def __getitem__(self, world: int) -> Step[Any, Any]: ...
    @overload
    def __getitem__(self, world: slice) -> Sequence[Step[Any, Any]]: ...
    def __getitem__(self, world: int | slice) -> Step[Any, Any] | Sequence[Step[Any, Any]]:
        if isinstance(world, slice):
            return [self._make(one) for one in range(self._worlds)[world]]
        return self._make(range(self._worlds)[world])


def beside(rounds: Sequence[Any], made: Mapping[str, Any] = MappingProxyType({}), **sizes: Sequence[int]) -> Any:
    """The columns of several rounds, one after the other; some are ``made`` already. Those with ``sizes`` count what
    each round has so many of."""
    columns = dict(zip(rounds[0]._fields, zip(*rounds, strict=True), strict=True))
    for name, of in sizes.items():
        columns[name] = [at + before for at, before in zip(columns[name], accumulate(of, initial=0), strict=False)]
    parts = {name: np.concatenate(column) for name, column in columns.items() if name not in made}
    return rounds[0]._replace(**parts, **made)


AHEAD: Final = 800
"""Worlds times rounds that are played before the first of these is given: they are measured and written together."""


class _Block(Generic[W, P]):
    """Rounds that are measured and written together, once, if anybody asks."""

    def __init__(self, form: Columns[W, P], rounds: Sequence[Played[W, P]], index: int, worlds: int) -> None:
        self.form, self.rounds, self.index, self.worlds = form, rounds, index, worlds

    def __iter__(self) -> Iterator[Round]:
        for place, played in enumerate(self.rounds):
            make = partial(self.form.step, *played, self.index + place)
            gathered = (partial(self._of, "_measures", place), partial(self._of, "_written", place))
            yield Round(self.worlds, make, *gathered, partial(self.form.states, played))

    def _of(self, name: str, place: int) -> Any:
        found = getattr(self, name)
        return None if found is None else found[place * self.worlds : (place + 1) * self.worlds]

    @cached_property
    def _measures(self) -> Sequence[Mapping[str, JSON]] | None:
        return self.form.measures(self.rounds)

    @cached_property
    def _written(self) -> Sequence[Written] | None:
        return self.form.written(self.rounds, self.index)


@dataclass(frozen=True, slots=True)
class Batch(Generic[W, P]):
    """`Pack.batch` of a game whose worlds are columns."""

    game: Game[Any, Any, Any, Any]
    columns: Columns[W, P]
    policies: Mapping[str, PolicySpec]

    def __call__(
        self, config: Any, seeds: Sequence[int], seated: Mapping[Seat, Seated]
    ) -> Iterator[Sequence[Step[Any, Any]]]:
        return self.together([config] * len(seeds), seeds, seated)

    def together(
        self, configs: Sequence[Any], seeds: Sequence[int], seated: Mapping[Seat, Seated]
    ) -> Iterator[Sequence[Step[Any, Any]]]:
        """Of worlds with a config each; what `Columns.alike` tells of these is the same."""
        for config in configs:
            self.columns.check(config)
        return self._rounds(configs, seeds, self._sides(seated))

    def _sides(self, seated: Mapping[Seat, Seated]) -> list[Side]:
        found: list[tuple[BoundPolicy, list[Seat]]] = []
        for seat, one in sorted(seated.items()):
            if one.policy not in self.columns.policies:
                raise NoBatch(f"policy {one.policy}: it has no form over columns; its worlds are played one by one")
            bound = self.policies[one.policy].bind(one.params)
            mates = next((s for known, s in found if known.spec is bound.spec and known.params == bound.params), None)
            if mates is None:
                found.append((bound, mates := []))
            mates.append(seat)
        return [Side(self.columns.policies[bound.spec.name], bound.params, np.array(seats)) for bound, seats in found]

    def _rounds(
        self, configs: Sequence[Any], seeds: Sequence[int], sides: Sequence[Side]
    ) -> Iterator[Sequence[Step[Any, Any]]]:
        form, at_once = self.columns, max(1, AHEAD // max(1, len(seeds)))
        starts = [start(self.game, config, seed) for config, seed in zip(configs, seeds, strict=True)]
        yield starts
        worlds = form.gather(configs, [step.state for step in starts])
        played = self._played(len(self.game.seats(configs[0])), Draws.roots(seeds), sides, worlds)
        index = 1
        error: Exception | None = None
        while error is None:
            rounds: list[Played[W, P]] = []
            try:
                rounds.extend(islice(played, at_once))
            except Exception as raised:  # what was played before it is given first
                error = raised
            yield from _Block(form, rounds, index, len(seeds))
            index += len(rounds)
            if error is None and len(rounds) < at_once:
                return
        raise error

    def _played(self, seats: int, roots: Draws, sides: Sequence[Side], worlds: W) -> Iterator[Played[W, P]]:
        form, index = self.columns, 0
        while not form.is_over(worlds):
            index += 1
            draws, actions = roots.step(index), form.blank(worlds)
            own = draws[:, None].at("seat", np.arange(seats))
            for side in sides:
                side.play(side.params, worlds, side.seats, own[:, side.seats], actions)
            after = form.resolve(worlds, actions, draws)
            yield Played(worlds, actions, after)
            worlds = after


def alike(batch: Callable[..., Any] | None, config: Any) -> Hashable:
    """What is the same of configs whose worlds a batch form steps together. Raises `NoBatch`."""
    if not isinstance(batch, Batch):
        return str(config.model_dump_json())
    batch.columns.check(config)
    return batch.columns.alike(config)


def together(
    batch: Callable[..., Any], configs: Sequence[Any], seeds: Sequence[int], seated: Mapping[Seat, Seated]
) -> Iterator[Sequence[Step[Any, Any] | None]]:
    """The rounds of worlds whose configs are `alike`. Raises `NoBatch`."""
    rounds: Iterator[Sequence[Step[Any, Any] | None]] = (
        batch.together(configs, seeds, seated) if isinstance(batch, Batch) else batch(configs[0], seeds, seated)
    )
    return rounds


def side_by_side(runs: Iterable[Iterator[Step[Any, Any]]]) -> Iterator[Sequence[Step[Any, Any] | None]]:
    """Runs that are at hand one by one, as a batch form gives them: None where a run is over before others."""
    return zip_longest(*runs)
