"""What is to be learnt: algorithm, hyperparameters, lessons, steps, seeds. Nothing of a library for learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

from games.errors.faults import Refused, among
from games.lab.learning.field import Lesson

Algorithm = Literal["ppo", "rppo", "mappo", "rainbow", "curriculum"]
ALGORITHMS: Final[tuple[Algorithm, ...]] = ("ppo", "rppo", "mappo", "rainbow", "curriculum")
Body = Literal["small", "paper"]
"""What reads a seat's row: two dense layers, or convolutions over grid and social graph (`nets`)."""
HELD_OUT: Final = 1_000_000_000
"""The first seed of the runs that a policy is judged by; those that it learns from lie below."""
SEEDS_APART: Final = 10_000_000
"""Seeds of runs that one training may play; the next begins after them."""
LEVELS: Final = 10
"""Steps in which a lesson's setting falls."""


@dataclass(frozen=True, slots=True)
class PPOSettings:
    """``stretch`` is the most steps between two updates; rewards are multiplied by ``reward_scale``. The weight of the
    entropy falls evenly from ``entropy`` to ``entropy_last`` over the first lesson: who has found what pays together
    would lose it again by trying at random.
    """

    learning_rate: float = 1e-3
    epochs: int = 3
    minibatches: int = 8
    stretch: int = 32
    discount: float = 0.99
    gae_lambda: float = 0.99
    clip: float = 0.2
    entropy: float = 0.1
    entropy_last: float = 0.01
    value: float = 0.5
    gradient_norm: float = 0.5
    reward_scale: float = 0.25
    width: int = 64
    body: Body = "small"


@dataclass(frozen=True, slots=True)
class CurriculumSettings(PPOSettings):
    """``together`` and ``mixed`` are the shares of all steps that the first two lessons have, ``forced_last`` the
    probability with which one is forced into the common group at the end of the second: at 0 it has been learnt what to
    do for whom in any group, so that it does not pay to leave. The learning rate falls evenly over all steps to the
    part ``rate_last`` of it. In the third lesson every ``recall``-th run is one of the end of the second (0: none):
    who is always among all others forgets what to do for whom, and then it pays to leave. All seats of a world that
    have a choice at a step together count as much as one that has it alone: else few would learn from turns, of which
    there are few.
    """

    together: float = 0.45
    mixed: float = 0.25
    forced_last: float = 0.0
    rate_last: float = 0.03
    recall: int = 2


@dataclass(frozen=True, slots=True)
class RainbowSettings:
    """Hyperparameters. ``memory`` counts seats' steps; ``updates`` are made after each step of the worlds, once
    ``warm`` seats' steps are remembered; ``correction`` rises evenly to 1 over the first lesson. Returns are reckoned
    from ``lowest`` to ``highest``, where 10 is a seat's even part of what all can earn at most.
    """

    learning_rate: float = 5e-4
    batch: int = 256
    updates: int = 2
    memory: int = 100_000
    warm: int = 20_000
    follow: int = 500
    steps_ahead: int = 3
    discount: float = 0.99
    atoms: int = 51
    lowest: float = -1.0
    highest: float = 15.0
    priority: float = 0.5
    correction: float = 0.4
    noise: float = 0.5
    gradient_norm: float = 10.0
    width: int = 64
    body: Body = "small"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be learnt, how and from what. ``steps`` are steps of worlds, all of them together; ``changed`` are
    hyperparameters that are not the algorithm's own.
    """

    game: str
    preset: str
    algorithm: Algorithm
    seed: int
    steps: int
    worlds: int = 32
    held_out: int = 64
    changed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.preset}-{self.algorithm}-{self.seed}"

    @property
    def settings(self) -> PPOSettings | RainbowSettings:
        """The algorithm's hyperparameters; raises `Refused` for one that it has not."""
        kinds: Mapping[str, type[PPOSettings | RainbowSettings]] = {
            "rainbow": RainbowSettings, "curriculum": CurriculumSettings
        }  # fmt: skip
        own = kinds.get(self.algorithm, PPOSettings)()
        known = {one.name: getattr(own, one.name) for one in fields(own)}
        for name, value in self.changed.items():
            if name not in known:
                raise Refused(f"{name}: {self.algorithm} has no such hyperparameter; {among(name, known)}")
            if not isinstance(value, type(known[name])) and not (type(known[name]) is float and type(value) is int):
                raise Refused(f"{name}: {value!r}; {type(known[name]).__name__} is needed, such as {known[name]!r}")
        return replace(own, **self.changed)


@dataclass(frozen=True, slots=True)
class Part:
    """Runs of all worlds under the same settings."""

    lesson: str
    settings: dict[str, Any]
    until: int
    """The steps of worlds after which the next part begins."""
    recalled: tuple[int, dict[str, Any]] | None = None


def parts(plan: Plan, lessons: Sequence[Lesson]) -> Iterator[Part]:
    """The lessons one after another, those that have a falling setting in `LEVELS` parts."""
    done = 0.0
    for lesson in lessons:
        levels = LEVELS if lesson.falling else 1
        for level in range(levels):
            settings = dict(lesson.settings)
            if lesson.falling:
                name, first, last = lesson.falling
                settings[name] = round(first + (last - first) * level / (levels - 1), 6)
            done += lesson.share / levels
            yield Part(lesson.name, settings, round(min(done, 1.0) * plan.steps), lesson.recalled)
