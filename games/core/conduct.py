"""Who decided, and how much of a run its seats did not decide themselves.

*Not their own* is a decision that the clock, the game's default, a substitute or a fallback made in a seat's place.
What a plan of one's own does while it stands is own. None of those others begins a plan: their decisions hold none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

Stand: TypeAlias = Literal["substitute", "fallback", "clock", "default"]
"""substitute: a policy for a person who is away. fallback: a model gave no usable answer. clock: time ran out, or a
match that does not wait went on. default: nothing came, or what came could not begin. In the last three the game's
default is played.
"""
SUBSTITUTE: Final[Stand] = "substitute"
STANDS: Final[tuple[Stand, ...]] = (SUBSTITUTE, "fallback", "clock", "default")
FLAGS: Final[Mapping[str, Stand]] = {
    "substitute": "substitute",
    "fallback": "fallback",
    "timed_out": "clock",
    "timeout": "clock",
    "idle": "clock",
    "agent_error": "default",
    "impossible_plan": "default",
    "no_answer": "default",
}
"""The flags of a decision that is not its seat's own; with several, the first of `STANDS` decided."""
PLAN: Final = "plan"
UNSOUND: Final = 0.2
"""A run, or a seat, of whose decisions more than this share was not its own is unsound: it is shown as such first, left
out of measures, and not ranked.
"""


def stand_in(flags: Collection[str]) -> Stand | None:
    """What decided in the seat's place; None where the decision is its own."""
    found = {FLAGS[flag] for flag in flags if flag in FLAGS} if flags else ()
    return next((one for one in STANDS if one in found), None) if found else None


def decided_by(kind: str, flags: Collection[str], *, is_plans: bool = False) -> str:
    """Who made a decision: a `Stand`, ``plan`` (one's own, under way), or the kind of agent in the seat."""
    return stand_in(flags) or (PLAN if is_plans else kind)


@dataclass(slots=True)
class Decisions:
    """How often each seat decided and how often that was not its own, gathered step by step.

    ``decisions``, ``not_own``  by seat
    ``by``                      how often each `Stand` decided, over all seats
    """

    decisions: Counter[int] = field(default_factory=Counter)
    not_own: Counter[int] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)

    def add(self, seats: Iterable[int], flags: Iterable[tuple[int, Sequence[str]]]) -> None:
        """One step: who decided, and the flags of those that have any."""
        for seat in seats:
            self.decisions[seat] += 1
        for seat, raised in flags:
            decider = stand_in(raised)
            if decider is not None:
                self.not_own[seat] += 1
                self.by[decider] += 1

    def share(self) -> float | None:
        """Of all decisions; None where there were none."""
        return _share(self.not_own.total(), self.decisions.total())

    def of(self, seat: int) -> float | None:
        """Of one seat's decisions."""
        return _share(self.not_own[seat], self.decisions[seat])

    def worst(self) -> float | None:
        """The share of the run, or that of the seat that has the highest: what is held against the threshold."""
        shares = [self.share(), *(self.of(seat) for seat in self.decisions)]
        return max((share for share in shares if share is not None), default=None)

    def is_unsound(self, most: float = UNSOUND) -> bool:
        return (self.worst() or 0.0) > most

    def plain(self) -> dict[str, Any]:
        """As JSON: what is added to a run's tally."""
        return {
            "not_own": self.not_own.total(),
            "stood_in": {name: self.by[name] for name in STANDS},
            "conduct": [[seat, self.decisions[seat], self.not_own[seat]] for seat in sorted(self.decisions)],
        }

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Decisions | None:
        """From a run's tally; None where it was stored before this was counted."""
        if "conduct" not in told:
            return None
        rows = told["conduct"]
        return cls(
            Counter({seat: asked for seat, asked, _ in rows}),
            Counter({seat: others for seat, _, others in rows}),
            Counter(told["stood_in"]),
        )


def _share(part: int, all_: int) -> float | None:
    return part / all_ if all_ else None
