"""What was declared before the runs: comparisons and families, what is left out, what is timed, who meets whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from games.lab.analysis.delivery import Arrival
from games.lab.analysis.families import Correction
from games.lab.analysis.power import ALPHA
from games.lab.analysis.ranking import Robin
from games.lab.analysis.runs import Fault
from games.lab.analysis.sensitivity import Design
from games.lab.analysis.sequential import Stopping
from games.lab.analysis.testing import Direction

Kind: TypeAlias = Literal["contrast", "halves"]
"""A weighted sum of conditions, or the second half of the rounds less the first within each run of one condition."""
Test: TypeAlias = Literal["t", "permutation", "rank", "proportion", "mixed", "clustered", "log_rank"]
Unit: TypeAlias = Literal["run", "seat"]
"""What a value is of. Seats of one run are not independent: they are compared by models that know it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One declared test.

    ``hypothesis``  the name under which it was declared; one hypothesis may ask the same of several conditions
    ``weights``     by condition; of halves, the one condition with weight 1
    ``written``     when it was written, as the file says it (ISO 8601); None where it does not say
    ``interest``    the smallest difference that matters, in the measure's unit; None where it was not declared
    ``over``        of proportions, the value above which a run counts
    ``place``       where the game's source claims it; "" where it does not
    """

    hypothesis: str
    kind: Kind
    metric: str
    weights: Mapping[str, float]
    direction: Direction = "differs"
    test: Test = "t"
    family: str = "main"
    written: str | None = None
    text: Mapping[str, str] = field(default_factory=dict)
    interest: float | None = None
    over: float | None = None
    unit: Unit = "run"
    place: str = ""

    def __post_init__(self) -> None:
        for value, kinds in ((self.direction, Direction), (self.test, Test), (self.kind, Kind), (self.unit, Unit)):
            if value not in get_args(kinds):
                raise ValueError(f"{self.hypothesis}: {value!r}; one of {', '.join(get_args(kinds))}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A number that the game's source prints, and the measure of a condition that is held against it.

    ``place``         where it stands there
    ``spread``        what is printed after plus-minus; None where nothing is
    ``incomparable``  by language, why the two cannot be held against each other; empty where they can
    """

    name: str
    place: str
    metric: str
    condition: str
    theirs: float
    spread: float | None = None
    incomparable: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Family:
    """Comparisons that are corrected together; ``across``: with those of the other experiments on the same question."""

    correction: Correction = "holm"
    alpha: float = ALPHA
    across: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """All that was declared.

    ``control``    the condition that the others are drawn beside
    ``is_paired``  whether replicate r of every condition has the same seed, so that it is compared with its like
    ``metrics``    the run's measures that are told; () tells all
    ``trends``     measures of a round that are followed over the rounds
    ``times``      measures that are times until something happens, None where it did not, with the measure (or
                   ``steps``) at which such a run is censored
    ``leave_out``  by fault, the share of decisions beyond which a run does not count; of ``not_own`` 0.2 where nothing
                   is said, 1 counts every run
    ``delivered``  by condition, what shows that its treatment arrived
    ``stopping``   when it is looked at, and by which rule it stops
    ``bootstrap``  whether means have a bootstrap interval beside Student's
    ``sensitivity``  points over the ranges of settings, of which measures are asked what they depend on
    ``planes``     pairs of measures that are drawn one against the other
    ``maps``       measures that are drawn over the two factors of ``levels``, which has them by condition
    ``multiverse``   hypotheses that are asked again under every defensible choice, with other measures of the same
    """

    conditions: tuple[str, ...]
    control: str | None = None
    is_paired: bool = True
    comparisons: tuple[Comparison, ...] = ()
    families: Mapping[str, Family] = field(default_factory=dict)
    metrics: tuple[str, ...] = ()
    trends: tuple[str, ...] = ()
    times: Mapping[str, str] = field(default_factory=dict)
    leave_out: Mapping[Fault, float] = field(default_factory=dict)
    bootstrap: bool = False
    robin: Robin | None = None
    delivered: Mapping[str, tuple[Arrival, ...]] = field(default_factory=dict)
    stopping: Stopping = field(default_factory=Stopping)
    references: tuple[Reference, ...] = ()
    sensitivity: Design | None = None
    multiverse: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    planes: tuple[tuple[str, str], ...] = ()
    maps: tuple[str, ...] = ()
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def family(self, name: str) -> Family:
        """By name; Holm at 5% where nothing else was declared."""
        return self.families.get(name, Family())

    def round_metrics(self) -> tuple[str, ...]:
        """The measures of a round that are needed, each once."""
        halved = (one.metric for one in self.comparisons if one.kind == "halves")
        return tuple(dict.fromkeys((*self.trends, *halved)))

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Plan:
        """From the plain form that a run folder's manifest keeps; raises KeyError, TypeError or ValueError."""
        robin = told.get("robin")
        return cls(
            tuple(told["conditions"]),
            told.get("control"),
            told.get("pairing", "common") == "common",
            tuple(Comparison(**one) for one in told.get("comparisons", ())),
            {name: Family(**one) for name, one in told.get("families", {}).items()},
            tuple(told.get("metrics", ())),
            tuple(told.get("trends", ())),
            dict(told.get("times", {})),
            dict(told.get("leave_out", {})),
            bool(told.get("bootstrap", False)),
            None
            if robin is None
            else Robin(
                tuple(robin["entrants"]),
                {name: tuple(seats) for name, seats in robin["seated"].items()},
                robin.get("self_play") == "scored",
            ),
            {name: tuple(Arrival(**one) for one in found) for name, found in told.get("delivered", {}).items()},
            _stopping(told.get("stopping")),
            tuple(Reference(**one) for one in told.get("references", ())),
            None if told.get("sensitivity") is None else Design.read(told["sensitivity"]),
            {name: tuple(metrics) for name, metrics in told.get("multiverse", {}).items()},
            tuple((x, y) for x, y in told.get("planes", ())),
            tuple(told.get("maps", ())),
            dict(told.get("levels", {})),
        )


def _stopping(told: Mapping[str, Any] | None) -> Stopping:
    if told is None:
        return Stopping()
    return Stopping(told["rule"], tuple(told.get("looks", ())), told["planned"], tuple(told.get("on", ())))
