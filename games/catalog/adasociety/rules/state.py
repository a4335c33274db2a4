"""What the world is between two steps, and the actions that seats may answer with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from games.catalog.adasociety.rules.graph import SocialGraph
from games.catalog.adasociety.setup.task import Bag, BagFacts, Stack, Task
from games.catalog.adasociety.setup.torus import Cell
from games.core.answers import JSON
from games.core.game import Seat

BLOCK: Final = -2
BLANK: Final = -1
SHOWN_MAX: Final = 40
"""Letters of an answer that a note repeats."""


@dataclass(frozen=True)
class Land:
    """The map: ``terrain`` by cell (an event's number, -1 blank, -2 a block) and the ``stacks`` that lie on it.

    What an agent sees of a cell depends on what it holds, through its access bits. Those views are made once for each
    access that occurs, and carried on with the few cells that changed: dropping no cell is what makes steps fast.
    """

    terrain: tuple[int, ...]
    stacks: tuple[Stack, ...]

    @cached_property
    def layers(self) -> dict[int, list[tuple[int, Stack]]]:
        """By access, what `layer` has made until now."""
        return {}

    def near(self, task: Task) -> list[int]:
        """By cell, bits of everything that lies in the window around it or has lain there since the first map.

        One list serves a map and all that come after it: it only ever gains.
        """
        near: list[int] | None = self.__dict__.get("_near")
        if near is None:
            things = zip(self.terrain, self.stacks, strict=True)
            bits = [task.bits(event, stack) if stack or event >= 0 else 0 for event, stack in things]
            kind = np.int64 if task.everything < 1 << 63 else object
            near = self.__dict__["_near"] = _around(np.array(bits, kind).reshape(-1, task.width), task.config.sight)
        return near

    def layer(self, task: Task, access: int) -> list[tuple[int, Stack]]:
        """What somebody with that access would see of each cell. Not to be changed."""
        layer = self.layers.get(access)
        if layer is None:
            glimpse = task.glimpse
            layer = [glimpse(event, stack, access) for event, stack in zip(self.terrain, self.stacks, strict=True)]
            self.layers[access] = layer
        return layer

    def changed(self, task: Task, stacks: Mapping[Cell, Stack], still_used: frozenset[int] | set[int]) -> Land:
        """The map with other stacks on some cells; views for accesses ``still_used`` are carried on."""
        after = list(self.stacks)
        for cell, stack in stacks.items():
            after[cell] = stack
        land = Land(self.terrain, tuple(after))
        near = land.__dict__["_near"] = self.near(task)
        for cell, stack in stacks.items():
            fresh = task.bits(-1, stack) & ~task.bits(-1, self.stacks[cell])
            for about in task.window_cells[cell] if fresh else ():
                near[about] |= fresh
        layers = land.layers
        for access, layer in self.layers.items():
            if access in still_used:
                carried = layer.copy()
                for cell, stack in stacks.items():
                    carried[cell] = task.glimpse(self.terrain[cell], stack, access)
                layers[access] = carried
        return land


def _around(near: NDArray[Any], sight: int) -> list[int]:
    """By cell, the bits of all cells of its window: down the columns of the torus, then along its rows."""
    for axis in (0, 1):
        within = np.arange(near.shape[axis])[:, None] + np.arange(-sight, sight + 1)
        near = np.bitwise_or.reduce(near.take(within, axis, mode="wrap"), axis + 1)
    whole: list[int] = near.ravel().tolist()
    return whole


T = TypeVar("T")
Pressing: TypeAlias = Annotated[T, Field(exclude_if=lambda value: not value)]
"""Not written where nothing presses, so that states of other runs keep their bytes."""


@dataclass(frozen=True)
class State:
    """The world after ``step`` resolved steps.

    ``cells``    where each seat stands, all different
    ``bags``     what each seat holds
    ``known``    bits of what each seat has seen or held: resources, then events
    ``order``    the turn order of the contract stage (empty elsewhere)
    ``returns``  each seat's reward so far, after sharing, in millionths
    ``made``     executions so far, by event

    Under survival pressure also where ``creatures`` are, the units of each resource that were eaten or spoilt
    (``spent``, empty before), and the reward that hunger and bites took (``lost``, in millionths).
    """

    step: int
    land: Land
    cells: tuple[Cell, ...]
    bags: tuple[Bag, ...]
    known: tuple[int, ...]
    graph: SocialGraph
    order: tuple[Seat, ...]
    returns: tuple[int, ...]
    made: tuple[int, ...]
    creatures: Pressing[tuple[Cell, ...]] = ()
    spent: Pressing[tuple[int, ...]] = ()
    lost: Pressing[int] = 0

    def followed(self, **changed: Any) -> State:
        """The state of the next step, with what has changed. A name with an underscore is a thing remembered: what
        nothing has changed is carried on."""
        after = object.__new__(State)
        made = after.__dict__
        made.update(self.__dict__)
        made.update(changed)
        made["step"] = self.step + 1
        made["_seen"] = made.pop("_observations", None)
        made["_resting"] = True
        if changed:
            made.pop("sights", None)
            learnt, gone = made["known"] is not self.known, made["cells"] is not self.cells
            if learnt:
                made.pop("_kits", None)
            if gone:
                made.pop("_occupants", None)
            # While bags stay as they are, so does what lies on the map.
            if learnt or gone or made["bags"] is not self.bags or made["graph"] is not self.graph:
                del made["_resting"]
        return after

    @property
    def occupants(self) -> list[int]:
        """Who stands on each cell; -1 for nobody. Carried on while nobody goes. Not to be changed."""
        occupants: list[int] | None = self.__dict__.get("_occupants")
        if occupants is None:
            occupants = self.__dict__["_occupants"] = [-1] * len(self.land.terrain)
            for seat, cell in enumerate(self.cells):
                occupants[cell] = seat
        return occupants

    def facts(self, task: Task) -> list[BagFacts]:
        """What each seat's bag means. Carried on from state to state, since few bags change. Not to be changed."""
        kept: tuple[Task, list[BagFacts]] | None = self.__dict__.get("_facts")
        if kept is None or kept[0] is not task:
            kept = self.__dict__["_facts"] = (task, [task.facts(bag) for bag in self.bags])
        return kept[1]

    @cached_property
    def sights(self) -> dict[Seat, Any]:
        """What each seat sees by itself, as far as it has been asked for."""
        return {}


# --- actions --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """One cell up, down, left or right on the torus, or "stay"."""

    direction: str
    do: Literal["move"] = "move"


@dataclass(frozen=True, slots=True)
class Pick:
    """Take one unit from the own cell."""

    resource: str
    do: Literal["pick"] = "pick"


@dataclass(frozen=True, slots=True)
class Dump:
    """Put one unit down on the own cell."""

    resource: str
    do: Literal["dump"] = "dump"


@dataclass(frozen=True, slots=True)
class Synthesize:
    """Carry out the event of the own cell once."""

    do: Literal["synthesize"] = "synthesize"


@dataclass(frozen=True, slots=True)
class Join:
    """Leave the own group and join this one."""

    group: int
    do: Literal["join"] = "join"


@dataclass(frozen=True, slots=True)
class Invite:
    """Ask a seat to bargain. ``share`` in percent, if given, is the first proposal if it asks back."""

    seat: Seat
    share: int | None = None
    do: Literal["invite"] = "invite"


@dataclass(frozen=True, slots=True)
class Propose:
    """Offer the partner to merge; ``share`` in percent is what the own side would get."""

    share: int
    do: Literal["propose"] = "propose"


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the partner's latest proposal."""

    do: Literal["accept"] = "accept"


@dataclass(frozen=True, slots=True)
class End:
    """Leave the bargaining without agreement."""

    do: Literal["end"] = "end"


@dataclass(frozen=True, slots=True)
class Send:
    """Say something to a seat: text for people and models, numbers for learners."""

    seat: Seat
    text: str = ""
    vector: tuple[float, ...] = ()
    do: Literal["send"] = "send"


@dataclass(frozen=True, slots=True)
class ShowMap:
    """Begin to show the own window to a seat, or stop."""

    seat: Seat
    do: Literal["show_map"] = "show_map"


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave every group, and keep from now on what is earned. Open where the configuration says so."""

    do: Literal["leave"] = "leave"


@dataclass(frozen=True, slots=True)
class PassOn:
    """From now on pass ``share`` percent of the own step reward to a seat; 0 ends it. Open where configured."""

    seat: Seat
    share: int
    do: Literal["pass_on"] = "pass_on"


@dataclass(frozen=True, slots=True)
class Weigh:
    """Set the own weight in a group that one is in, in percent of a full one. Open where configured."""

    group: int
    weight: int
    do: Literal["weigh"] = "weigh"


@dataclass(frozen=True, slots=True)
class Ballot:
    """Ask that every member of the own group keeps ``keep`` percent of what it earns. Where groups have a norm."""

    keep: int
    do: Literal["ballot"] = "ballot"


@dataclass(frozen=True, slots=True)
class Trust:
    """Trust a member of the own group to decide for it. Where groups delegate."""

    seat: Seat
    do: Literal["trust"] = "trust"


Physical: TypeAlias = Move | Pick | Dump | Synthesize
Action: TypeAlias = Annotated[
    Move
    | Pick
    | Dump
    | Synthesize
    | Join
    | Invite
    | Propose
    | Accept
    | End
    | Send
    | ShowMap
    | Leave
    | PassOn
    | Weigh
    | Ballot
    | Trust,
    Field(discriminator="do"),
]

MOVES: Final = tuple(Move(direction) for direction in ("up", "down", "left", "right", "stay"))
STAY: Final = MOVES[4]
SYNTHESIZE: Final = Synthesize()
ACCEPT: Final = Accept()
END: Final = End()
LEAVE: Final = Leave()
SHARES: Final = (10, 20, 30, 40, 50, 60, 70, 80, 90)
"""Shares that may be proposed, in percent."""
PASSED_MOST: Final = 100
"""Percent of its own reward that a seat may pass on, over all its edges."""
WEIGHTS: Final = range(1, 101)
"""Weights that a seat may give itself in a group, in percent of what it has who joins."""
KEPT: Final = range(101)
"""Percent of what it earns that a member may ask to keep."""


def shown(value: object) -> JSON:
    """What an answer held, for a note: whole numbers that pages can read, of anything else its first words."""
    if type(value) is str and len(value) <= SHOWN_MAX and value.isprintable():
        return value
    if isinstance(value, int) and abs(value) < 1 << 53:
        return value
    if isinstance(value, int):
        return f"a number of {value.bit_length()} bits"
    text = value if isinstance(value, str) else repr(value)
    begun = "".join(letter if letter.isprintable() else " " for letter in text[:SHOWN_MAX])
    return begun if len(text) <= SHOWN_MAX else f"{begun}…"
