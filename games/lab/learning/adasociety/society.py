"""The social state of many worlds: as arrays where agents join groups of equals, speak and show their maps; else as a
graph for each world.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.layout import Layout
from games.catalog.adasociety.arrays.tensors import STAYS, social
from games.catalog.adasociety.rules import exploration, negotiation
from games.catalog.adasociety.rules import graph as graphs
from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.rules.sharing import shared_rewards
from games.catalog.adasociety.rules.world import groups_in_schedule
from games.catalog.adasociety.setup.config import AdaSocietyConfig, structure_at
from games.lab.learning.adasociety.compiled import Kernels

Ints = NDArray[np.int64]
Mask = NDArray[np.int8]
Arrays = dict[str, NDArray[Any]]


def society_of(config: AdaSocietyConfig, shape: Layout, worlds: int, fast: Kernels | None = None) -> Society:
    """The form that serves a configuration best; ``fast`` are the compiled loops, if any are to be used."""
    if config.mini_game == "contract":
        return Joined(config, shape, worlds, fast)
    if config.mini_game == "exploration" and not config.schedule and not config.social_actions:
        return Crowd(config, shape, worlds, fast)
    return Graphs(config, shape, worlds)


class Society(ABC):
    """``messages`` are (worlds, seats, seats, 1 + numbers), by listener and speaker. ``changes`` counts what may have
    changed in what `see` gives, but for who decides."""

    messages: NDArray[np.float32]
    changes: int = 0

    @abstractmethod
    def begin(self) -> None:
        """As runs begin where no groups are forced."""

    @abstractmethod
    def load(self, given: Sequence[SocialGraph]) -> None:
        """As these graphs, one for each world."""

    @abstractmethod
    def see(self, stage: str, step: int, order: Ints) -> Arrays:
        """`tensors.social` of each world."""

    @abstractmethod
    def allow(self, mask: Mask, stage: str, step: int, order: Ints) -> None:
        """Mark the social actions that are open; who is on turn in a social stage may not stay."""

    @abstractmethod
    def act(self, actions: Ints, stage: str, step: int, order: Ints) -> None:
        """What is done socially; staying and what is done on the map are passed over."""

    @abstractmethod
    def follow(self, step: int) -> None:
        """What comes by itself once so many steps are resolved."""

    @abstractmethod
    def share(self, gains: Ints) -> Ints:
        """`shared_rewards` of each world, in millionths."""


class Joined(Society):
    """Each seat in one group of layer 1 at most, all weights alike: the contract stage, and groups that are forced."""

    def __init__(self, config: AdaSocietyConfig, shape: Layout, worlds: int, fast: Kernels | None = None) -> None:
        self._fast = fast
        self._groups, self._first = config.group_count, 6 + 2 * shape.resources
        self._rows, self._seats = np.arange(worlds), shape.seats
        self._group = np.full((worlds, shape.seats), -1, np.int64)
        pairs = np.zeros((worlds, shape.seats, shape.seats), np.float32)
        pairs.flags.writeable = False
        self._arrays: Arrays = {
            "links": pairs,
            "members": np.zeros((worlds, shape.seats, shape.groups), np.float32),
            "free": np.ones((worlds, shape.seats), np.float32),
            "decides": np.zeros((worlds, shape.seats), np.float32),
            "bargains": pairs,
            "proposals": pairs,
            "reward_shares": pairs,
            "order": np.zeros((worlds, shape.seats), np.float32),
        }
        self.messages = np.zeros((worlds, shape.seats, shape.seats, 1 + shape.message), np.float32)
        self._size = np.zeros((worlds, shape.groups), np.int64)
        self._rank = np.zeros_like(self._group)
        self._fresh = True

    def begin(self) -> None:
        self._group[:] = -1
        self._count()
        self._fresh = True

    def load(self, given: Sequence[SocialGraph]) -> None:
        self._group[:] = [
            [-1 if group is None else group[1] for group in map(graph.group_of, range(self._seats))] for graph in given
        ]
        self._count()
        self._fresh = True

    def _count(self) -> None:
        """Sizes of groups, the places of members in theirs, and their shares."""
        self.changes += 1
        group = self._group
        inside = group[..., None] == np.arange(self._size.shape[1])
        self._size = inside.sum(axis=1)
        self._rank = (np.cumsum(inside, axis=1) * inside).sum(axis=2) - 1
        np.divide(inside, np.maximum(self._size, 1)[:, None, :], out=self._arrays["members"], casting="same_kind")

    def see(self, stage: str, step: int, order: Ints) -> Arrays:
        decides = self._arrays["decides"]
        decides[:] = stage not in ("contract", "over")
        if stage == "contract":
            decides[self._rows, order[:, step % order.shape[1]]] = 1
        if self._fresh and order.size:
            places = 1 - np.arange(self._seats) / self._seats
            np.put_along_axis(self._arrays["order"], order, np.broadcast_to(places, order.shape), axis=1)
            self._fresh = False
        return self._arrays

    def allow(self, mask: Mask, stage: str, step: int, order: Ints) -> None:
        if stage == "contract":
            on_turn = order[:, step % order.shape[1]]
            mask[self._rows, on_turn] = 0
            mask[self._rows, on_turn, self._first :] = 1

    def act(self, actions: Ints, stage: str, step: int, order: Ints) -> None:
        if stage != "contract":
            return
        seat = order[:, step % order.shape[1]]
        before, asked = self._group[self._rows, seat], actions[self._rows, seat]
        own = np.where((before >= 0) | (asked == STAYS), before, seat % self._groups)
        self._group[self._rows, seat] = np.where(asked >= self._first, asked - self._first, own)
        self._count()

    def follow(self, step: int) -> None:
        pass

    def share(self, gains: Ints) -> Ints:
        """Pots are split into equal parts; what is left over goes to the lower seats (`sharing.split`)."""
        if self._fast is not None:
            paid = np.empty_like(gains)
            self._fast.pots(gains, self._group, self._size, self._rank, paid)
            return paid
        group, rows = self._group, self._rows[:, None]
        inside = group >= 0
        pots = np.zeros_like(self._size)
        np.add.at(pots, (np.broadcast_to(rows, group.shape)[inside], group[inside]), gains[inside])
        part, left = np.divmod(pots, np.maximum(self._size, 1))
        got = part[rows, group] + (self._rank < left[rows, group])
        return np.where(inside, got, gains)


class Crowd(Joined):
    """Whoever explores: one group at most for each seat, messages, and maps that are shown."""

    def __init__(self, config: AdaSocietyConfig, shape: Layout, worlds: int, fast: Kernels | None = None) -> None:
        super().__init__(config, shape, worlds, fast)
        self._links = self._arrays["links"] = np.zeros((worlds, shape.seats, shape.seats), np.float32)
        self._spoken = False

    def begin(self) -> None:
        super().begin()
        self._links[:] = 0
        self.messages[:] = 0

    def load(self, given: Sequence[SocialGraph]) -> None:
        super().load(given)
        self._links[:] = 0
        self.messages[:] = 0
        for world, graph in enumerate(given):
            for seat, tails in graph.shown_to.items():
                self._links[world, list(tails), seat] = 1
            self._spoken |= _heard(graph, self.messages[world])

    def allow(self, mask: Mask, stage: str, step: int, order: Ints) -> None:
        if stage == "exploration":
            _open_exploration(mask, self._first, self._seats)

    def act(self, actions: Ints, stage: str, step: int, order: Ints) -> None:
        if self._spoken:
            self.messages[:] = 0
            self._spoken = False
        if stage != "exploration":
            return
        self.changes += 1
        if self._fast is not None:
            self._fast.join(
                actions, self._first, self._group, self._arrays["members"], self._size, self._rank, self._links,
                self.messages,
            )  # fmt: skip
            return
        world, seat = np.nonzero(actions >= self._first)
        if not world.size:
            return
        number, seats = actions[world, seat] - self._first, self._seats
        said = number < seats
        if said.any():
            self.messages[world[said], number[said], seat[said], 0] = 1
            self._spoken = True
        joins = number >= 2 * seats
        if joins.any():
            self._group[world[joins], seat[joins]] = number[joins] - 2 * seats
            self._count()
        shows = ~(said | joins)
        place = world[shows], seat[shows], number[shows] - seats
        self._links[place] = 1 - self._links[place]


class Graphs(Society):
    """A graph for each world, changed by the rules themselves."""

    def __init__(self, config: AdaSocietyConfig, shape: Layout, worlds: int) -> None:
        self._config, self._shape, self._worlds = config, shape, worlds
        self._graphs: list[SocialGraph] = []
        self._told: list[tuple[Any, ...] | None] = [None] * worlds
        blank = social(shape, graphs.empty(shape.seats, 0), "over", 0, ())
        self._arrays = {name: np.zeros((worlds, *array.shape), np.float32) for name, array in blank.items()}
        self.messages = np.zeros((worlds, shape.seats, shape.seats, 1 + shape.message), np.float32)
        self._numbers = {action: number for number, action in enumerate(shape.actions)}
        self._first, self._further = 6 + 2 * shape.resources, shape.further

    def begin(self) -> None:
        config, seats = self._config, self._shape.seats
        nodes = config.group_count if config.mini_game == "exploration" else 0
        structure = structure_at(config, 0)
        first = (
            graphs.empty(seats, nodes)
            if structure is None
            else graphs.of_structure(structure, seats, max(nodes, groups_in_schedule(config)))
        )
        self.load([first] * self._worlds)

    def load(self, given: Sequence[SocialGraph]) -> None:
        self._graphs = list(given)

    def see(self, stage: str, step: int, order: Ints) -> Arrays:
        for world, graph in enumerate(self._graphs):
            asked = step if stage == "negotiation" else None
            told = self._told[world]
            if told is not None and told[0] is graph and told[1:] == (stage, asked):
                continue
            self._told[world] = (graph, stage, asked)
            self.changes += 1
            for name, array in social(self._shape, graph, stage, step, ()).items():
                self._arrays[name][world] = array
            self.messages[world] = 0
            _heard(graph, self.messages[world])
        return self._arrays

    def allow(self, mask: Mask, stage: str, step: int, order: Ints) -> None:
        if stage == "exploration":
            _open_exploration(mask, self._first, self._shape.seats)
            if self._further < mask.shape[2]:
                self._open_further(mask)
            return
        if stage != "negotiation":
            return
        numbers = self._numbers
        for world, graph in enumerate(self._graphs):
            for seat in negotiation.asked(graph, step):
                mask[world, seat] = 0
                mask[world, seat, [numbers[action] for action in negotiation.options(graph, seat, step)]] = 1

    def _open_further(self, mask: Mask) -> None:
        """What the configuration opens, where it would change something."""
        mask[..., self._further :] = 0
        for world, graph in enumerate(self._graphs):
            for seat in range(self._shape.seats):
                open_ = exploration.opened(graph, seat, self._config.social_actions)
                mask[world, seat, [self._numbers[action] for action in open_]] = 1

    def act(self, actions: Ints, stage: str, step: int, order: Ints) -> None:
        if stage not in ("exploration", "negotiation"):
            return
        named = self._shape.actions
        last = step + 1 == self._config.social_steps
        social_ = actions >= self._first
        for world in range(self._worlds):
            chosen = {seat: named[actions[world, seat]] for seat in np.flatnonzero(social_[world]).tolist()}
            graph = self._graphs[world]
            if stage == "exploration":
                if chosen or graph.inbox:
                    self._graphs[world] = exploration.act(graph, chosen)[0]
                continue
            if chosen:
                graph = negotiation.bargain(graph, chosen, step)[0]
            self._graphs[world] = negotiation.lapse(graph, []) if last else graph

    def follow(self, step: int) -> None:
        structure = structure_at(self._config, step) if self._config.schedule else None
        if structure is not None:
            after = graphs.of_structure(structure, self._shape.seats, groups_in_schedule(self._config))
            self._graphs = [after] * self._worlds

    def share(self, gains: Ints) -> Ints:
        got = gains.copy()
        for world in np.flatnonzero(gains.any(axis=1)).tolist():
            got[world] = shared_rewards(gains[world].tolist(), self._graphs[world])
        return got


def _heard(graph: SocialGraph, messages: NDArray[np.float32]) -> bool:
    """Write what is said in a world, by listener and speaker; whether anything is."""
    for seat, letters in graph.inbox.items():
        for sender, message in letters:
            messages[seat, sender, 0] = 1
            messages[seat, sender, 1 : 1 + len(message.vector)] = message.vector
    return bool(graph.inbox)


def _open_exploration(mask: Mask, first: int, seats: int) -> None:
    """Speak to anybody, show the map to any other, join any group."""
    mask[..., first:] = 1
    everyone = np.arange(seats)
    mask[:, everyone, first + seats + everyone] = 0
