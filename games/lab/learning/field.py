"""What a learner learns in: many worlds of one preset in lockstep, as arrays.

A game that can be learnt offers a `Field`; the algorithms know nothing else of it. Shapes use W worlds, S seats,
F numbers in a seat's row and A actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from games.lab.learning.plan import CurriculumSettings


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a seat's row and the shape that it had: a grid (channels, height, width), or a table."""

    start: int
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        return self.start + int(np.prod(self.shape))


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a field's arrays. ``grid`` is the part of a row that a convolution reads, ``members`` the part
    that says which seat is in which group, (S, groups), for a convolution over the social graph. ``levels`` by seat:
    those of one level are weighed by themselves, and levels alike; none named, all seats are of one.
    """

    seats: int
    features: int
    actions: int
    horizon: int
    grid: Part
    members: Part
    levels: tuple[int, ...] = ()


class Field(Protocol):
    """Worlds that all begin and all end together."""

    sizes: Sizes
    worlds: int
    best: float
    """What all seats together can earn at most: rewards are told as parts of it."""

    def begin(self, seeds: Sequence[int]) -> None:
        """Every world in the first state of its seed's run."""

    def see(self) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        """What every seat knows, (W, S, F), and which actions are open to it, (W, S, A). Arrays of their own."""

    def act(self, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """One step; each seat's reward (W, S)."""

    def totals(self) -> NDArray[np.float64]:
        """The reward of all seats so far as a part of ``best``, (W,)."""


Played: TypeAlias = Callable[[Field, Sequence[int]], list[float]]
"""What a policy that has learnt comes to in worlds of these seeds, a value a world."""


class Game(Protocol):
    """A game that can be learnt: what its module ``games.lab.learning.SLUG.field`` offers."""

    def field(self, preset: str, worlds: int, settings: Mapping[str, Any] | None = None, mates: bool = False) -> Field:
        """So many worlds of a preset, with ``settings`` over its own; with ``mates``, seats are told whom they share
        with, where the game has groups.
        """

    def lessons(self, preset: str, settings: CurriculumSettings) -> Sequence[Lesson]:
        """The stages of its curriculum, the preset itself last."""

    def about(self, preset: str) -> dict[str, Any] | None:
        """What a learnt network must say of itself for the game to seat it; None where no seat is played by one."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A stage of a curriculum: ``settings`` over the preset's, for a ``share`` of all steps.

    ``falling`` names a setting that falls from its first value to its second in equal steps over the stage. Every
    so many-th run is played under settings of an earlier stage (``recalled``): what is not practised is forgotten.
    """

    name: str
    share: float
    settings: dict[str, Any]
    falling: tuple[str, float, float] | None = None
    recalled: tuple[int, dict[str, Any]] | None = None
