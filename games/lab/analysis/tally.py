"""What statistics want of a run's rounds, gathered step by step: how it was played, and its measures by round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.conduct import Decisions
from games.core.measures import mean
from games.lab.analysis.runs import Conduct

COUNTED: Final = ("decisions", "fallbacks", "cleaned", "substitutes")


@dataclass(slots=True)
class Tally:
    """How a run was played, counted over its steps.

    ``payoffs``  what each seat got in all, the start's among them
    ``decided``  by seat, what was and was not its own; the rest as in `Conduct`
    """

    payoffs: dict[int, float] = field(default_factory=dict)
    decisions: int = 0
    decided: Decisions = field(default_factory=Decisions)
    fallbacks: int = 0
    cleaned: int = 0
    substitutes: int = 0

    def add(
        self,
        step: int,
        payoffs: Iterable[tuple[int, float]],
        seats: Sequence[int],
        cleaned: int,
        flags: Sequence[tuple[int, Sequence[str]]],
    ) -> None:
        """Count one step: who decided, of how many a part was struck out, the flags by seat; none in step 0."""
        got = self.payoffs
        for seat, payoff in payoffs:
            got[seat] = got.get(seat, 0) + payoff
        if step == 0:
            return
        self.decisions += len(seats)
        self.decided.add(seats, flags)
        self.cleaned += cleaned
        for _, raised in flags:
            self.fallbacks += "fallback" in raised
            self.substitutes += "substitute" in raised

    @property
    def by_seat(self) -> list[float]:
        return [self.payoffs[seat] for seat in sorted(self.payoffs)]

    def conduct(self) -> Conduct:
        return conduct_of(self.plain())

    def plain(self) -> dict[str, Any]:
        return {
            "payoffs": self.by_seat,
            "decisions": self.decisions,
            "fallbacks": self.fallbacks,
            "cleaned": self.cleaned,
            "substitutes": self.substitutes,
            **self.decided.plain(),
        }


def conduct_of(told: Mapping[str, Any]) -> Conduct:
    """From a tally as it is stored; of one that is older than ``not_own``, what it counted of that."""
    decisions, fallbacks, cleaned, substitutes = (told.get(name, 0) for name in COUNTED)
    if "conduct" in told and not any(others for _, _, others in told["conduct"]):
        return Conduct(decisions, fallbacks, cleaned, substitutes)
    decided = Decisions.read(told)
    if decided is not None:
        return Conduct(
            decisions, fallbacks, cleaned, substitutes, decided.not_own.total(), decided.worst() or 0.0
        )  # fmt: skip
    not_own = fallbacks + substitutes
    return Conduct(
        decisions, fallbacks, cleaned, substitutes, not_own, not_own / decisions if decisions else 0.0
    )  # fmt: skip


def round_of(step: int, clock: Sequence[Sequence[Any]]) -> int | None:
    """The round of a step: what its outermost clock says, else itself; None of the start, which is in none."""
    return None if step == 0 else int(clock[0][1]) if clock else step


@dataclass(slots=True)
class ByRound:
    """Measures by round: the mean over the round's steps in which each is defined, None where it is in none."""

    names: Sequence[str]
    _found: dict[int, list[tuple[Any, ...]]] = field(default_factory=dict)

    def add(self, step: int, clock: Sequence[tuple[str, int]], metrics: Mapping[str, Any]) -> None:
        """One step's measures."""
        number = round_of(step, clock)
        if number is not None:
            self._found.setdefault(number, []).append(tuple(map(metrics.get, self.names)))

    def means(self) -> dict[str, dict[int, float | None]]:
        steps_of = self._found.values()
        rounds = [steps[0] if len(steps) == 1 else map(_mean, zip(*steps, strict=True)) for steps in steps_of]
        found = zip(*rounds, strict=True) if rounds else ((),) * len(self.names)
        return {
            name: {
                number: None if value is None else value + 0.0  # no negative zero, as `mean` has none
                for number, value in zip(self._found, map(defined, values), strict=True)
            }
            for name, values in zip(self.names, found, strict=True)
        }


def _mean(values: Sequence[Any]) -> float | None:
    """Of those that are defined."""
    return mean([value for value in map(defined, values) if value is not None])


def defined(value: Any) -> float | None:
    """A measure as a number; None where it is undefined, or none: yes and no are no numbers."""
    if value.__class__ is float:
        return value
    return None if isinstance(value, bool) or not isinstance(value, int | float) else float(value)
