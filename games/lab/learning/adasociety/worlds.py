"""Many worlds of one configuration side by side, as arrays: the rules once more, for whoever learns from millions of
steps.

`rules` is the reference: a law compares every array, reward and mask of every step with it. Worlds go in lockstep,
since all runs of a configuration are equally long. What the map is takes no loop over worlds; the social state takes
none in the contract stage and where groups are forced, elsewhere each world has its `SocialGraph`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.tensors import STAYS, offset
from games.catalog.adasociety.rules.state import BLOCK, State
from games.catalog.adasociety.rules.world import first_state
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import MICRO, task_of
from games.core.rng import Rng, fold_array, label_word
from games.lab.learning.adasociety import compiled, start
from games.lab.learning.adasociety.society import Society, society_of

Ints = NDArray[np.int64]
NEVER: Final = 30_000
"""More units than any bag holds."""
_CONTEST: Final = np.uint64(label_word("contest"))


class Worlds:
    """``count`` worlds; ``seeds`` are those of the runs that they are in, ``step`` the steps that are resolved.

    What `see` returns are the same arrays each time, filled anew. ``kernels`` says whether the hot loop is compiled
    (`compiled.kernels`); nothing but speed depends on it.
    """

    def __init__(self, config: AdaSocietyConfig, count: int, kernels: str | None = None) -> None:
        if count < 1:
            raise ValueError(f"worlds: {count}; at least 1")
        self.config, self.count = config, count
        self._fast = compiled.kernels(kernels)
        self.task = task = task_of(config)
        self.layout = shape = layout(config)
        self.horizon, self.step = task.horizon, task.horizon
        self.seeds: list[int] = []
        worlds, seats, resources = count, shape.seats, shape.resources
        events = len(task.recipes)
        self._blank, self._block = events, events + 1
        self._change = np.zeros((events + 2, resources), np.int16)
        self._needs = np.full((events + 2, resources), NEVER, np.int16)
        self._requires = np.zeros((resources + events, resources), np.int16)
        for number, recipe in enumerate(task.recipes):
            self._change[number] = recipe.change
            self._needs[number] = 0
            for resource, units in recipe.needs:
                self._needs[number, resource] = min(units, NEVER)
            for resource, units in recipe.requires:
                self._requires[resources + number, resource] = units
        for resource, required in enumerate(task.requires):
            for needed, units in required:
                self._requires[resource, needed] = units
        self._made = np.maximum(self._change, 0)
        things, kinds = np.nonzero(self._requires)
        self._kinds = np.ascontiguousarray(kinds)
        self._starts = np.searchsorted(things, np.arange(resources + events + 1))
        self._units = self._requires[things, kinds]
        self._gated_piles = bool(self._requires[:resources].any())
        self._gated_events = bool(self._requires[resources:].any())
        self._capacity = np.array(task.capacities, np.int16)
        self._values = np.array(task.values, np.int64)
        self._ahead = np.array(task.ahead, np.int64)
        self._window = np.array(task.window_cells, np.int64)
        self._seat = np.arange(seats)
        self._base = (np.arange(worlds) * task.cells)[:, None]
        self._row = np.arange(worlds * seats)
        # what stands and lies on each cell, by channel as in `tensors`; units and people are changed in place
        self._table = np.zeros((worlds * task.cells, shape.channels), np.int16)
        self._terrain = np.full(worlds * task.cells, self._blank, np.int8)
        self._holder = np.full(worlds * task.cells, -1, np.int64)
        self._claims = np.full(worlds * task.cells, -1, np.int64)
        self._keys = np.zeros(worlds, np.uint64)
        self.bags = np.zeros((worlds, seats, resources), np.int16)
        self.at = np.zeros((worlds, seats), np.int64)
        self.order = np.zeros((worlds, 0), np.int64)
        self.returns = np.zeros((worlds, seats), np.int64)
        self.society: Society = society_of(config, shape, count, self._fast)
        self._windows = np.zeros((worlds, seats, shape.window, shape.window, shape.channels), np.int16)
        self._mask = np.zeros((worlds, seats, len(shape.actions)), np.int8)
        self._stack = np.zeros((worlds, seats, shape.channels), np.int16)
        self._here = np.zeros((worlds, seats), np.int8)
        if shape.shown:
            self._shown = np.zeros((worlds, seats, seats, *self._windows.shape[2:]), np.int16)
            self._offsets = np.zeros((worlds, seats, seats, 2), np.int16)
            self._were_shown = np.zeros((worlds, seats, seats), np.bool_)
        self._time = np.zeros((worlds, 1), np.float32)
        self._views: dict[str, NDArray[Any]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_views": None}

    # --- beginning --------------------------------------------------------------------------------

    def begin(self, seeds: Sequence[int]) -> None:
        """Every world in the first state of its seed's run."""
        if len(seeds) != self.count:
            raise ValueError(f"seeds: {len(seeds)}; one for each of {self.count} worlds")
        if not start.covers(self.config):
            self.load([first_state(self.config, Rng.root(seed).step(0)) for seed in seeds], seeds)
            return
        self._seed(seeds, 0)
        made = start.first_maps(self.config, self.task, seeds)
        self.bags[:] = self.task.start_bags
        self.order = made.order
        self._lay(made.terrain, made.units, made.cells)
        self.society.begin()
        self.returns[:] = (self.bags * self._values).sum(axis=2)

    def load(self, states: Sequence[State], seeds: Sequence[int]) -> None:
        """The worlds as these states of the rules, which are equally far; ``seeds`` are those of their runs."""
        task, resources = self.task, self.layout.resources
        self._seed(seeds, states[0].step)
        units = np.zeros((self.count, task.cells, resources), np.int16)
        for world, state in enumerate(states):
            for cell, stack in enumerate(state.land.stacks):
                for resource, number in stack:
                    units[world, cell, resource] = number
        self.bags[:] = [state.bags for state in states]
        self.order = np.array([state.order for state in states], np.int64)
        terrain = np.array([state.land.terrain for state in states], np.int8)
        self._lay(terrain, units, np.array([state.cells for state in states]))
        self.society.load([state.graph for state in states])
        self.returns[:] = [state.returns for state in states]

    def _seed(self, seeds: Sequence[int], step: int) -> None:
        self.seeds, self.step = list(seeds), step
        self._keys = fold_array(np.uint64(label_word("polity")), np.array(self.seeds, np.uint64))

    def _lay(self, terrain: NDArray[np.int8], units: NDArray[np.int16], cells: Ints) -> None:
        resources, table = self.layout.resources, self._table
        flat = terrain.reshape(-1)
        self._terrain[:] = np.where(flat == BLOCK, self._block, np.where(flat < 0, self._blank, flat))
        table[:, 0] = 0
        table[:, 1] = flat == BLOCK
        table[:, 2 : 2 + resources] = self._change[self._terrain]
        table[:, 2 + resources :] = units.reshape(-1, resources)
        self.at[:] = cells + self._base
        self._holder[:] = -1
        self._holder[self.at.ravel()] = self._row
        table[self.at.ravel(), 0] = 1

    # --- seeing -----------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        return self.task.stages[self.step] if self.step < self.horizon else "over"

    def see(self) -> dict[str, NDArray[Any]]:
        """What all seats know and may do, by the names of `tensors.encode_all`.

        Arrays begin with (worlds, seats), and those that all seats of a world know alike with (worlds) alone.
        """
        shape, stage = self.layout, self.stage
        self._look(stage)
        self.society.allow(self._mask, stage, self.step, self.order)
        self._time[:] = self.step / self.horizon
        common = self.society.see(stage, self.step, self.order)
        if shape.shown:
            self._show(common["links"])
        if self._views is None:
            self._views = self._viewed(common)
        return self._views.copy()

    def _viewed(self, common: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        shape = self.layout
        seen: dict[str, NDArray[Any]] = {"map": np.moveaxis(self._windows, -1, 2)}
        if shape.shown:
            seen |= {"shown": np.moveaxis(self._shown, -1, 3), "offsets": self._offsets}
        return {
            **seen,
            "bag": self.bags,
            "capacity": np.broadcast_to(self._capacity, self.bags.shape),
            **common,
            "offers": common["proposals"].transpose(0, 2, 1),
            "messages": self.society.messages,
            "identity": np.broadcast_to(np.eye(shape.seats, dtype=np.int8), (self.count, shape.seats, shape.seats)),
            "time": self._time,
            "action_mask": self._mask,
        }

    def _look(self, stage: str) -> None:
        """Windows, and what is open on the map."""
        on_map = stage not in ("contract", "negotiation", "over")
        if self._fast is None:
            self._see_windows()
            self._allow(on_map)
            return
        windows = self._windows.reshape(self.count, self.layout.seats, -1, self.layout.channels)
        self._fast.look(
            self.task.cells, self._window, self.at, self._table, self._terrain, self.bags,
            self._starts, self._kinds, self._units, self._capacity, self._needs, self._made,
            windows, self._mask, on_map,
        )  # fmt: skip

    def _show(self, links: NDArray[np.float32]) -> None:
        """Windows of those who show theirs."""
        if self._fast is not None:
            rows = (*self._were_shown.shape, -1)
            self._fast.show(
                self.task.height, self.task.width, self.at, links, self._windows.reshape(*rows[:2], -1),
                self._shown.reshape(rows), self._offsets, self._were_shown,
            )  # fmt: skip
            return
        open_ = links.transpose(0, 2, 1).astype(np.int16)
        np.multiply(self._windows[:, None], open_[..., None, None, None], out=self._shown)
        cells = self.at - self._base
        ways = offset(self.task.height, self.task.width, cells[:, :, None], cells[:, None, :])
        for axis, way in enumerate(ways):
            np.multiply(way, open_, out=self._offsets[..., axis], casting="same_kind")

    def _see_windows(self) -> None:
        resources, channels = self.layout.resources, self.layout.channels
        cells = self._window.take(self.at - self._base, axis=0)
        cells += self._base[:, :, None]
        flat = cells.reshape(-1)
        rows = self._windows.reshape(-1, channels)
        self._table.take(flat, axis=0, out=rows, mode="clip")
        windows = self._windows.reshape(*cells.shape, channels)
        if self._gated_piles or self._gated_events:
            access: NDArray[np.bool_] = np.asarray((self.bags[:, :, None, :] >= self._requires).all(axis=3))
            if self._gated_piles:
                windows[..., 2 + resources :] *= access[:, :, None, :resources]
            if self._gated_events:
                opened = np.ones((*self.at.shape, len(self._change)), np.bool_)
                opened[..., : len(self._change) - 2] = access[..., resources:]
                kinds = self._terrain.take(flat).reshape(len(self._row), -1).astype(np.int64)
                kinds += (self._row * len(self._change))[:, None]
                seen = opened.reshape(-1).take(kinds).reshape(cells.shape)
                windows[..., 2 : 2 + resources] *= seen[..., None]
        self._stack = windows[:, :, cells.shape[2] // 2, :]
        here = self._terrain.take(self.at)
        if self._gated_events:
            hidden = ~np.take_along_axis(opened, here[..., None].astype(np.int64), axis=2)[..., 0]
            here[hidden] = self._blank
        self._here = here

    def _allow(self, on_map: bool) -> None:
        mask, resources, bags = self._mask, self.layout.resources, self.bags
        if not on_map:
            mask[:] = 0
            mask[..., STAYS] = 1
            return
        here = self._here
        mask[..., :5] = 1
        full = bags >= self._capacity
        mask[..., 5] = (bags >= self._needs[here]).all(axis=2)
        made = self._made[here]
        mask[..., 5] &= ((made == 0) | (bags + made.astype(np.int32) <= self._capacity)).all(axis=2)
        mask[..., 6 : 6 + resources] = (self._stack[..., 2 + resources :] > 0) & ~full
        mask[..., 6 + resources : 6 + 2 * resources] = bags > 0
        mask[..., 6 + 2 * resources :] = 0

    # --- acting -----------------------------------------------------------------------------------

    def act(self, actions: Ints) -> NDArray[np.float64]:
        """One step of every world; each seat's reward, (worlds, seats). ``actions`` are numbers, (worlds, seats).

        What the mask forbids is played as the rules do: as staying, and by who is on turn to join as joining its own
        group (one's first is that of one's own number).
        `see` must have been called since the last step. Raises ValueError for a number that is no action.
        """
        stage = self.stage
        actions = self._checked(actions, stage != "contract")
        if stage == "over":
            raise ValueError("the runs are over: begin others")
        self.society.act(actions, stage, self.step, self.order)
        shared = None if stage in ("contract", "negotiation") else self._act_on_map(actions)
        self.step += 1
        self.society.follow(self.step)
        if shared is None:
            return np.zeros(self.at.shape)
        self.returns += shared
        return shared / MICRO

    def _checked(self, actions: Any, masked: bool) -> Ints:
        """The actions as whole numbers, with staying in place of those that the mask shuts if ``masked``."""
        given = np.asarray(actions)
        most = len(self.layout.actions)
        if given.shape != self.at.shape:
            raise ValueError(f"actions: of shape {given.shape}; {self.at.shape} is needed (worlds, seats)")
        whole = np.ascontiguousarray(given, np.int64)
        if self._fast is not None and given.dtype.kind in "iu":
            chosen = np.empty_like(whole)
            if self._fast.checked(whole, self._mask, masked, chosen) < 0:
                return chosen
        wrong = (whole != given) | (whole < 0) | (whole >= most)
        if wrong.any():
            world, seat = np.argwhere(wrong)[0]
            name = self.task.names[seat]
            raise ValueError(f"world {world}, {name}: action {given[world, seat]}; a whole number from 0 to {most - 1}")
        if not masked:
            return whole
        allowed = self._mask.reshape(len(self._row), -1)[self._row, whole.ravel()].reshape(whole.shape)
        return np.where(allowed, whole, STAYS)

    def _act_on_map(self, actions: Ints) -> Ints | None:
        """What is done on the own cells, then all steps together; what is paid, None where nothing was gained."""
        if self._fast is not None:
            paid = np.empty(actions.shape, np.int64)
            gained = self._fast.act(
                self.task.cells, self._block, actions, self._keys, self.step + 1, _CONTEST, self._ahead, self.at,
                self._table, self._terrain, self._holder, self.bags, self._change, self._values, paid, self._claims,
            )  # fmt: skip
            return self.society.share(paid) if gained else None
        resources, table = self.layout.resources, self._table
        flat, at = actions.ravel(), self.at.ravel()
        bags = self.bags.reshape(-1, resources)
        gains: Ints | None = None
        does = np.flatnonzero((flat >= 5) & (flat < 6 + 2 * resources))
        if does.size:
            gains = np.zeros(flat.shape, np.int64)
            what, seat = flat[does], does % self.layout.seats
            made = does[what == 5]
            if made.size:
                change = self._change[self._terrain[at[made]]]
                bags[made] += change
                gains[made] = (change * self._values[made % self.layout.seats]).sum(axis=1)
            moved = does[what > 5]
            if moved.size:
                number = flat[moved] - 6
                by = np.where(number < resources, 1, -1).astype(np.int16)
                kind = number % resources
                bags[moved, kind] += by
                table[at[moved], 2 + resources + kind] -= by
                gains[moved] = by * self._values[seat[what > 5], kind]
        self._go(flat, at)
        if gains is None or not gains.any():
            return None
        return self.society.share(gains.reshape(actions.shape))

    def _go(self, flat: Ints, at: Ints) -> None:
        """All steps together, as `rules.moves` settles them."""
        movers = np.flatnonzero(flat < STAYS)
        if not movers.size:
            return
        bases = movers // self.layout.seats * self.task.cells
        target = self._ahead[flat[movers], at[movers] - bases] + bases
        free = self._terrain[target] != self._block
        movers, target = movers[free], target[free]
        goal = np.full(flat.shape, -1, np.int64)
        goal[movers] = target
        self._claims[target] = movers
        if (self._claims[target] != movers).any():
            self._contest(movers, target, goal)
        holder = self._holder
        goers = movers[goal[movers] >= 0]
        while True:
            stands = holder[goal[goers]]
            held = (stands >= 0) & (goal[stands] < 0)
            if not held.any():
                break
            goal[goers[held]] = -1
            goers = goers[~held]
        old, new = at[goers], goal[goers]
        holder[old] = -1
        holder[new] = goers
        self._table[old, 0] = 0
        self._table[new, 0] = 1
        at[goers] = new

    def _contest(self, movers: Ints, target: Ints, goal: Ints) -> None:
        """Where several want one cell, all but the one that is drawn stay."""
        wanted: dict[int, list[int]] = {}
        for mover, cell in zip(movers.tolist(), target.tolist(), strict=True):
            wanted.setdefault(cell, []).append(mover)
        for cell, rivals in wanted.items():
            if len(rivals) > 1:
                world, here = divmod(cell, self.task.cells)
                winner = Rng.root(self.seeds[world]).step(self.step + 1).choice(rivals, "contest", here)
                for rival in rivals:
                    if rival != winner:
                        goal[rival] = -1
