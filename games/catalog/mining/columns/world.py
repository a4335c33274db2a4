"""Many worlds as columns: rows are worlds, then plots or seats. What all seats see of them is gathered once a round.

A seat's *line* is ``world * miners + seat``: what goes by seat stands in arrays of lines. Plots are int64 throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import NOBODY, Message, MiningState
from games.core.batch import beside
from games.core.draws import Flags, Ints, in_order
from games.core.game import Seat

CLAIM, RAID, DEFEND, MINE = range(4)
"""Kinds of items, in the order of `KINDS`."""
FAR: Final = 1 << 30
VISIBLE: Final = 1 << 30
"""Rounds that are visible where all are."""
COLUMNS: Final = tuple(MiningState.__slots__)[1:-1]
"""What of a state stands by world, beside its round and its record."""


class Contests(NamedTuple):
    """Claims or raids of a round, ordered by world, plot. ``seats`` are those who take part, contest by contest in
    seat order; contest ``i`` has ``counts[i]`` of them from ``starts[i]`` on. ``winner`` is NOBODY where nobody won.

    Of raids also: ``owner`` when they came, and ``repelled`` (what is neither taken nor repelled is void).
    """

    world: Ints
    plot: Ints
    winner: Ints
    starts: Ints
    counts: Ints
    seats: Ints
    owner: Ints
    repelled: Flags

    def each(self) -> tuple[Ints, Ints]:
        """Who takes part: the contest and the seat of each."""
        return np.repeat(np.arange(len(self.plot)), self.counts), self.seats


class Mined(NamedTuple):
    """Orders to mine, in the order of lines and items: gold is 0 and ``held`` False where the plot was lost before."""

    line: Ints
    plot: Ints
    gold: Ints
    held: Flags


class Settlement(NamedTuple):
    """What a round did, beside the worlds that it left. ``met`` are the owners as raids met them.

    By world: ``share`` for each, ``output``. By line: ``attempts`` taxed, ``captures`` fined, gold ``due`` and
    ``paid``. ``judged`` are the numbers of the raids with a verdict, ``restored`` says which.
    """

    claims: Contests
    raids: Contests
    defended: Flags
    met: Ints
    mined: Mined
    attempts: Ints
    captures: Ints
    due: Ints
    paid: Ints
    share: Ints
    gains: Ints
    output: Ints
    judged: Ints
    restored: Flags


class Terms(NamedTuple):
    """What worlds that are stepped together may each have of their own, by world: settings by their names."""

    cap: Ints
    window: Ints
    visible: Ints
    per_point: Flags
    tax: Ints
    fine: Ints
    shares: Flags
    adjudication: NDArray[np.float64]

    @classmethod
    def of(cls, configs: Sequence[MiningConfig]) -> Terms:
        rows = [
            (
                one.mine_cap, one.immunity_window, VISIBLE if one.history_rounds is None else one.history_rounds,
                one.defence == "per_point", one.raid_tax, one.capture_fine, one.share_out, one.adjudication,
            )
            for one in configs
        ]  # fmt: skip
        return cls(*map(np.array, zip(*rows, strict=True)))


class Orders(NamedTuple):
    """Items in the order of lines, and of priority."""

    line: Ints
    kind: Ints
    plot: Ints
    s: Ints


@dataclass
class Plans:
    """All seats' items of a round: lines by place in the plan, -1 for none. ``offers``: what those say who offer peace.

    An item is a number of its kind, plot and stamina (``put``), the last in 0 to ``stamina``.
    """

    items: Ints
    plots: int
    stamina: int
    offers: dict[Seat, tuple[Message, ...]]

    @classmethod
    def blank(cls, worlds: Worlds) -> Plans:
        items = np.full((worlds.many * worlds.miners, max(1, int(worlds.stamina.max()))), -1, np.int64)
        return cls(items, worlds.plots, int(worlds.terms.cap.max()), {})

    def put(self, line: Ints, place: Ints, kind: int, plot: Ints, s: Ints | int = 1) -> None:
        """Items of one kind into plans that have none there yet."""
        self.items[line, place] = (kind * self.plots + plot) * (self.stamina + 1) + s

    @cached_property
    def orders(self) -> Orders:
        """All items. To be read when all are put."""
        flat = self.items.reshape(-1)
        at = np.flatnonzero(flat >= 0)
        what, s = np.divmod(flat[at], self.stamina + 1)
        kind, plot = np.divmod(what, self.plots)
        return Orders(at // self.items.shape[1], kind, plot, s)


@dataclass
class Worlds:
    """`MiningState` by its names, of all worlds; ``last`` is None before the first round, ``offers`` who then offered
    peace. Neither is changed once made. ``configs`` and ``terms`` are by world; `config` is the first one, for what is
    the same of all. ``rows`` and ``events`` are told from the rest when they are asked for, by world."""

    configs: Sequence[MiningConfig]
    terms: Terms
    round: int
    owners: Ints
    since: Ints
    first: Ints
    immune_until: Ints
    alpha: Ints
    stamina: Ints
    gold: Ints
    challenged: Ints
    treasury: Ints
    last: Settlement | None = None
    offers: Sequence[int] = ()
    rows: Sequence[tuple[Sequence[Any], Sequence[Any]]] = ()
    events: Sequence[str] = ()

    @classmethod
    def of(cls, configs: Sequence[MiningConfig], states: Sequence[MiningState]) -> Worlds:
        columns: dict[str, Any] = {
            name: np.array([getattr(state, name) for state in states], np.int64) for name in COLUMNS
        }
        return cls(configs, Terms.of(configs), states[0].round, **columns)

    @cached_property
    def fixed(self) -> Sequence[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Productivity by plot and stamina by seat of each world: no round changes them."""
        rows = zip(self.alpha.tolist(), self.stamina.tolist(), strict=True)
        return [(tuple(alpha), tuple(stamina)) for alpha, stamina in rows]

    @classmethod
    def beside(cls, rounds: Sequence[Worlds]) -> Worlds:
        """The worlds of several rounds as if all stood beside each other, round after round. ``round`` is the first's,
        and ``last`` left out where one has none."""
        columns: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in rounds]) for name in COLUMNS}
        last = [one.last for one in rounds if one.last is not None]
        if len(last) == len(rounds):
            worlds, raids = [one.many for one in rounds], [one.raids for one in last]
            of_contests = ([one.claims for one in last], raids)
            claims, taken = (beside(of, world=worlds, starts=[len(one.seats) for one in of]) for of in of_contests)
            mined = beside([one.mined for one in last], line=[one.gold.size for one in rounds])
            made = {"claims": claims, "raids": taken, "mined": mined}
            columns["last"] = beside(last, made, judged=[len(one.plot) for one in raids])
        configs = [config for one in rounds for config in one.configs]
        return cls(configs, beside([one.terms for one in rounds]), rounds[0].round, **columns)

    # --- sizes and shape ---

    def __post_init__(self) -> None:
        self.config, self.many = self.configs[0], len(self.owners)
        self.plots, self.miners = self.config.plots, self.config.miners

    @cached_property
    def neighbours(self) -> Ints:
        """The owners of each plot's four neighbours, -2 beyond the map: 4 by worlds by plots."""
        rows, cols = self.config.rows, self.config.cols
        framed = np.full((self.many, rows + 2, cols + 2), -2, np.int64)
        framed[:, 1:-1, 1:-1] = self.owners.reshape(-1, rows, cols)
        around = (framed[:, :-2, 1:-1], framed[:, 1:-1, :-2], framed[:, 1:-1, 2:], framed[:, 2:, 1:-1])
        return np.stack([side.reshape(self.many, -1) for side in around])

    # --- what everybody sees ---

    @cached_property
    def holdings(self) -> Holdings:
        """Plots by their owners' lines, row by row."""
        return Holdings.of(self, self.owners != NOBODY)

    @cached_property
    def targets(self) -> Holdings:
        """The border plots of each line that may be raided this round, row by row."""
        is_border = ((self.neighbours != self.owners) & (self.neighbours != -2)).any(axis=0)
        return Holdings.of(self, self.raidable & is_border & (self.owners != NOBODY))

    @cached_property
    def open_holdings(self) -> Holdings:
        """The plots of each line that may be raided this round, row by row."""
        return Holdings.of(self, self.raidable & (self.owners != NOBODY))

    @cached_property
    def core_first(self) -> Ints:
        """The plots of `holdings`, most central first: own neighbours descending, then since, then plot."""
        held = self.holdings
        kin = (self.neighbours == self.owners).sum(axis=0).reshape(-1)
        at = held.line // self.miners * self.plots + held.plot
        rank = ((held.line * 5 - kin[at]) * (self.round + 1) + self.since.reshape(-1)[at]) * self.plots + held.plot
        core: Ints = held.plot[rank.argsort()]
        return core

    @cached_property
    def free(self) -> tuple[Ints, Ints, Ints]:
        """Unowned plots, row by row, world by world; where each world's begin, and how many they are."""
        world, plot = np.nonzero(self.owners == NOBODY)
        counts = np.bincount(world, minlength=self.many)
        return plot, np.cumsum(counts) - counts, counts

    @cached_property
    def raidable(self) -> Flags:
        """Worlds by plots: what may be raided this round by any but its owner."""
        free_too = self.terms.window[:, None] == 0
        found: Flags = (self.immune_until <= self.round) & ((self.owners != NOBODY) | free_too)
        return found

    @cached_property
    def raidables(self) -> Ints:
        """How many plots may be raided, by world."""
        many: Ints = self.raidable.sum(axis=1)
        return many

    @cached_property
    def provoked(self) -> Flags:
        """By line: whether a raid on one of its plots is in the visible rounds."""
        found: Flags = self.challenged > np.maximum(0, self.round - self.terms.visible)[:, None]
        return found.reshape(-1)

    @cached_property
    def guarded(self) -> Flags:
        """Worlds by plots: what was defended in the last round."""
        return np.zeros_like(self.owners, np.bool_) if self.last is None else self.last.defended

    def raid_counts(self) -> tuple[Ints, Ints]:
        """How many raids of the last round, each contender counted, and how many captures, by world."""
        if self.last is None:
            return np.zeros(self.many, np.int64), np.zeros(self.many, np.int64)
        raids = self.last.raids
        tried = np.bincount(raids.world, raids.counts, self.many).astype(np.int64)
        return tried, np.bincount(raids.world[raids.winner != NOBODY], minlength=self.many)

    def largest_but(self, line: Ints, spared: Flags | None = None) -> Ints:
        """For each of those lines the line with the most plots among the others of its world, the lowest of several;
        -1 where no other owns any. ``spared`` (by place in ``line`` and seat) are left out."""
        world, seat = np.divmod(line, self.miners)
        sizes = self.holdings.counts.reshape(-1, self.miners)[world]
        sizes[np.arange(len(line)), seat] = 0
        if spared is not None:
            sizes[spared] = 0
        most = sizes.argmax(axis=1)
        return np.where(sizes[np.arange(len(line)), most] > 0, world * self.miners + most, -1)

    def nearest(self, world: Ints, starts: tuple[Ints, Ints], most: int) -> Ints:
        """Up to ``most`` unowned plots of each world of the list, by their steps from the nearest start, then number.

        ``starts`` are (place in the list, plot). Past a world's last unowned plot stands anything.
        """
        rows, cols = self.config.rows, self.config.cols
        steps = np.full((len(world), self.plots), FAR, np.int32)
        steps[starts] = 0
        field = steps.reshape(-1, rows, cols)
        down, right = np.arange(rows, dtype=np.int32)[:, None], np.arange(cols, dtype=np.int32)
        for axis, along in ((1, down), (2, right)):
            behind = np.minimum.accumulate(field - along, axis) + along
            ahead = np.flip(np.minimum.accumulate(np.flip(field + along, axis), axis), axis) - along
            field = np.minimum(behind, ahead)
        key = field.reshape(len(world), -1).astype(np.int64) * self.plots + np.arange(self.plots)
        key[self.owners[world] != NOBODY] = FAR * self.plots
        if most < self.plots // 2:
            key = np.partition(key, most, axis=1)[:, : most + 1]
        return np.sort(key, axis=1)[:, :most] % self.plots


@dataclass(frozen=True, slots=True)
class Holdings:
    """Some owned plots by their owners' lines: line ``i`` has ``counts[i]`` of them from ``starts[i]`` on."""

    line: Ints
    plot: Ints
    starts: Ints
    counts: Ints

    @classmethod
    def of(cls, worlds: Worlds, which: Flags) -> Holdings:
        world, plot = np.nonzero(which)
        line = world * worlds.miners + worlds.owners[which]
        lines = worlds.many * worlds.miners
        order, counts = in_order(line, lines), np.bincount(line, minlength=lines)
        return cls(line[order], plot[order], counts.cumsum() - counts, counts)
