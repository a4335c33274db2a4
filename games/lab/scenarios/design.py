"""The written form of an experiment: a scenario file that says what differs, what is expected, and who meets whom.

It is the scenario's form with more keys, so that every scenario is an experiment without any. What the keys mean for a
game stands in `treatments` (conditions) and `hypotheses` (comparisons).
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from games.core.answers import ConfigError
from games.core.conduct import UNSOUND
from games.errors import sentences
from games.errors.faults import Fault
from games.lab.scenarios.form import (
    AgentForm,
    ScenarioForm,
    Texts,
    by_name,
    check_names,
    nothing_given,
    read_what_can_be,
    validated,
)

EACH: Final = "each"
OTHERS: Final = "*"
"""In a hypothesis: every condition but the one that it is held against."""
CONTROL: Final = "baseline"
"""What the cell without any change is called in a design of one change at a time."""
SMALL: Final = 20
"""Seeds a condition up to which independent groups are compared by permutation where no test is declared."""
Test: TypeAlias = Literal["t", "permutation", "rank", "proportion", "mixed", "clustered", "log_rank"]
HALVED: Final = (None, "t", "permutation", "rank")
"""Tests of the halves of a run."""
PAYOFF: Final = "payoff"
"""What is compared of seats."""
Name = Annotated[str, Field(min_length=1, max_length=64)]
Share = Annotated[float, Field(ge=0, le=1)]


def _listed(value: Any) -> Any:
    """One as a list of one."""
    return value if isinstance(value, list | tuple) else [value]


def _pair(value: Any) -> Any:
    """Two finite numbers, whole ones as they are."""
    if isinstance(value, list | tuple) and all(type(one) in (int, float) and abs(one) < 1e300 for one in value):
        return tuple(value)
    raise ConfigError(sentences.said("no_range", value=str(value)))


def _seat_keys(value: Any) -> Any:
    """Seats by number or name as a list of texts."""
    return None if value is None else [str(one) if isinstance(one, int) else one for one in _listed(value)]


def _moment(value: str) -> str:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        raise ConfigError(sentences.said("no_moment", value=value, example=date(2026, 1, 31).isoformat())) from None
    return value


class FactorForm(BaseModel):
    """One thing that differs, and its levels.

    It is a setting (``field``, dotted inside), a part of every model's profile (``profile``: its language, memory,
    persona), who sits in some seats (``seats``), or, with none of these, a patch: each level then gives ``config``,
    ``seats`` or ``profile`` of its own, and an empty one leaves all as it is. Levels are a list of values or a mapping
    of names to values; the first is the control.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Texts = {}
    field: str | None = None
    profile: str | None = None
    seats: Annotated[tuple[str, ...] | None, BeforeValidator(_seat_keys)] = None
    levels: dict[str, Any] | list[Any] = {}

    @model_validator(mode="after")
    def _one_thing(self) -> FactorForm:
        if sum(part is not None for part in (self.field, self.profile, self.seats)) > 1:
            raise ConfigError(sentences.said("factor_kind"))
        return self


class RobinForm(BaseModel):
    """Agents who meet each other: every ``table`` of them, dealt in turn to the seats, in every rotation.

    ``seats``      the seats that they take; left out: all
    ``self_play``  meetings of an agent with itself: not played, shown in the matrix alone, or scored
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    entrants: Annotated[dict[str, AgentForm], BeforeValidator(by_name), BeforeValidator(nothing_given)] = {}
    seats: Annotated[tuple[str, ...] | None, BeforeValidator(_seat_keys)] = None
    table: Annotated[int, Field(ge=2, le=100)] = 2
    rotate: bool = True
    self_play: Literal["none", "shown", "scored"] = "none"

    @model_validator(mode="after")
    def _somebody_to_meet(self) -> RobinForm:
        if len(self.entrants) < self.table:
            raise ConfigError(sentences.said("too_few_entrants", given=len(self.entrants), table=self.table))
        check_names(self.entrants)
        return self


class HypothesisForm(BaseModel):
    """What is expected, written before the runs.

    Compared are conditions (``of`` less ``against``), levels of a factor (``factor``, over all cells that differ in it
    alone), conditions by ``weights`` that sum to 0, or within each run of ``of`` the second half of the rounds less the
    first (``halves``; the metric is then one of a round). Several ``of`` are as many tests. ``place`` says where the
    game's source claims it.

    ``test``      left out: t; permutation where few seeds of each condition's own are compared
    ``interest``  the smallest difference that matters, in the metric's unit; ``direction: equivalent`` expects less
    ``over``      with ``test: proportion``, the value above which a run counts; left out, the metric is 0 or 1
    ``unit``      ``seat``: what each seat got (metric ``payoff``), by a model that knows which seats share a run
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Texts = {}
    metric: str
    direction: Literal["lower", "higher", "differs", "equivalent"] = "differs"
    test: Test | None = None
    interest: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    over: Annotated[float, Field(allow_inf_nan=False)] | None = None
    unit: Literal["run", "seat"] = "run"
    family: Name = "main"
    written: Annotated[str, AfterValidator(_moment)] | None = None
    of: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    against: str | None = None
    place: str = Field("", max_length=200)
    factor: str | None = None
    halves: bool = False
    weights: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = {}

    @model_validator(mode="after")
    def _one_contrast(self) -> HypothesisForm:
        if self.weights:
            if self.of or self.against or self.factor or self.halves:
                raise ConfigError(sentences.said("contrast_twice"))
            if abs(sum(self.weights.values())) > 1e-9 or not any(self.weights.values()):
                raise ConfigError(sentences.said("weights_sum", total=f"{sum(self.weights.values()):g}"))
        elif not self.of:
            raise ConfigError(sentences.said("no_contrast"))
        if self.halves and (self.against or self.factor or self.test not in HALVED):
            raise ConfigError(sentences.said("halves_alone"))
        if self.test == "log_rank" and (self.direction != "differs" or self.weights or self.factor):
            raise ConfigError(sentences.said("log_rank_two_sided"))
        return self

    @model_validator(mode="after")
    def _one_test(self) -> HypothesisForm:
        if self.direction == "equivalent" and self.interest is None:
            raise ConfigError(sentences.said("interest_missing"))
        if self.direction == "equivalent" and self.test not in (None, "t", "permutation"):
            raise ConfigError(sentences.said("equivalent_by", test=str(self.test)))
        if self.over is not None and self.test != "proportion":
            raise ConfigError(sentences.said("over_of_proportions"))
        if self.unit == "seat" and (self.test not in ("mixed", "clustered") or self.metric != PAYOFF):
            raise ConfigError(sentences.said("seats_by_model", metric=PAYOFF))
        return self


class ArrivalForm(BaseModel):
    """What shows that a treatment arrived: a measure of the run above ``over`` and below ``under``, in the runs of the
    condition itself or of another (``of``).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    metric: str
    over: Annotated[float, Field(allow_inf_nan=False)] | None = None
    under: Annotated[float, Field(allow_inf_nan=False)] | None = None
    of: str | None = None

    @model_validator(mode="after")
    def _some_bound(self) -> ArrivalForm:
        if self.over is None and self.under is None:
            raise ConfigError(sentences.said("no_bound", metric=self.metric))
        return self


class StoppingForm(BaseModel):
    """When the experiment may be looked at, and by which rule it then stops.

    ``rule``   ``fixed``: when all is played; ``obrien_fleming`` and ``pocock``: after ``looks`` seeds, the level spent
               late or evenly; ``always_valid``: after every seed, or after ``looks``
    ``looks``  numbers of seeds, rising; left out, five, evenly
    ``on``     the hypotheses all of whose tests must be shown; left out: all
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: Literal["fixed", "obrien_fleming", "pocock", "always_valid"] = "fixed"
    looks: tuple[Annotated[int, Field(ge=3)], ...] = ()
    on: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()

    @model_validator(mode="after")
    def _rising(self) -> StoppingForm:
        if self.rule == "fixed" and self.looks:
            raise ConfigError(sentences.said("fixed_looks"))
        if list(self.looks) != sorted(set(self.looks)):
            raise ConfigError(sentences.said("looks_rise"))
        return self


class ReferenceForm(BaseModel):
    """A number that the game's source prints, beside which a measure of these runs is shown.

    ``place``         where it stands there: "table 2, Contract Easy, PPO"
    ``of``            the condition that is measured; left out: the only one. In a round robin also an entrant, whose
                      ``score`` (payoff a match) or ``rank`` (1 is best) in each replicate is the metric
    ``theirs``        the printed number, and ``spread`` what it prints after plus-minus
    ``incomparable``  why the two cannot be held against each other, where they cannot: a text, or the name of a reason
                      in the game's source.yaml
    ``by_model``      theirs is a language model's: ``incomparable`` holds while a script or a mock sits in a seat here
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    place: str = Field(min_length=1, max_length=200)
    metric: str
    of: str | None = None
    theirs: Annotated[float, Field(allow_inf_nan=False)]
    spread: Annotated[float | None, Field(ge=0, allow_inf_nan=False)] = None
    incomparable: str | dict[str, str] = ""
    by_model: bool = False


class FamilyForm(BaseModel):
    """Hypotheses that are corrected together: Holm's steps or those of Benjamini and Hochberg, at a level.

    ``across``  together also with the tests of the family of that name in every experiment on the same question: those
                that were cloned from it, and that it was cloned from
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    correction: Literal["holm", "bh"] = "holm"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    across: bool = False


class SensitivityForm(BaseModel):
    """Points over the ranges of settings, each a condition, by which measures are asked what they depend on.

    ``settings``  by name (dotted inside), the least and the largest value; two whole numbers give whole numbers
    ``samples``   levels of each setting (one_at_a_time), points (latin_hypercube), trajectories (morris), base of 2
                  (sobol)
    ``metrics``   measures that are asked; left out: those of the report
    ``seed``      of the points; the runs have their own
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    method: Literal["one_at_a_time", "latin_hypercube", "morris", "sobol"] = "morris"
    settings: dict[str, Annotated[tuple[int | float, int | float], BeforeValidator(_pair)]]
    samples: Annotated[int, Field(ge=2, le=1024)] = 8
    metrics: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1


class ReportForm(BaseModel):
    """What the report shows beside the hypotheses.

    ``metrics``    the run's measures in figures and tables; left out: all
    ``trends``     measures of a round that are drawn over the rounds
    ``times``      measures that are times until something happens (None where it did not), each with the measure, or
                   ``steps``, at which a run without it ends
    ``leave_out``  runs in which more than this share of the decisions were fallbacks, cleaned or substitutes', or
                   not their seats' own, in all or of one seat (``not_own``: 0.2 where nothing is said, and the plan
                   then states that)
    ``bootstrap``  bootstrap intervals beside Student's
    ``planes``     pairs of these measures, each drawn with a point a condition
    ``maps``       those that are drawn as a map over both factors of a design of two
    ``multiverse`` hypotheses that are asked again under every defensible test and rule of exclusion, each with other
                   measures that ask the same
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    metrics: tuple[str, ...] = ()
    trends: tuple[str, ...] = ()
    times: dict[str, str] = {}
    leave_out: dict[Literal["not_own", "fallbacks", "cleaned", "substitutes"], Share] = Field({}, validate_default=True)
    bootstrap: bool = False
    multiverse: dict[str, Annotated[tuple[str, ...], BeforeValidator(_listed)]] = {}
    planes: tuple[tuple[str, str], ...] = ()
    maps: tuple[str, ...] = ()

    @field_validator("leave_out", mode="after")
    @classmethod
    def _stated(cls, value: dict[str, float]) -> dict[str, float]:
        return {"not_own": UNSOUND, **value}


class ExperimentForm(ScenarioForm):
    """A scenario with a design.

    ``factors``   what differs; ``cells`` says in which combinations: ``full``, ``each`` level alone against the
                  control, or chosen ones by name, where a factor that is not named stands at its control. Named
                  ``conditions`` come beside them
    ``control``   the condition that others are held against where nothing else is said
    ``written``   when the hypotheses were, where they do not say so themselves
    ``delivered``  by condition or level of a factor, what shows that it arrived
    ``stopping``  when it is looked at, and by which rule it stops
    ``references``  numbers of the game's source that measures of these runs are shown beside
    ``sensitivity``  conditions at points over the ranges of settings, and what measures depend on
    ``pairing``   ``common``: replicate r has one seed in all conditions; ``independent``: every condition has its own
    """

    factors: Annotated[dict[str, FactorForm], BeforeValidator(by_name), BeforeValidator(nothing_given)] = Field(
        default_factory=dict
    )
    cells: Literal["full", "each"] | dict[str, dict[str, str]] = "full"
    control: str | None = None
    pairing: Literal["common", "independent"] = "common"
    written: Annotated[str, AfterValidator(_moment)] | None = None
    round_robin: RobinForm | None = None
    hypotheses: Annotated[dict[str, HypothesisForm], BeforeValidator(by_name), BeforeValidator(nothing_given)] = Field(
        default_factory=dict
    )
    delivered: Annotated[
        dict[str, Annotated[tuple[ArrivalForm, ...], BeforeValidator(_listed)]], BeforeValidator(nothing_given)
    ] = Field(default_factory=dict)
    stopping: Annotated[StoppingForm, BeforeValidator(nothing_given)] = StoppingForm()
    references: Annotated[dict[str, ReferenceForm], BeforeValidator(by_name), BeforeValidator(nothing_given)] = Field(
        default_factory=dict
    )
    families: Annotated[dict[str, FamilyForm], BeforeValidator(nothing_given)] = Field(default_factory=dict)
    sensitivity: SensitivityForm | None = None
    report: Annotated[ReportForm, BeforeValidator(nothing_given)] = ReportForm()

    @property
    def names_conditions(self) -> bool:
        """Whether it says what differs."""
        return bool(self.conditions or self.factors or self.round_robin or self.sensitivity)

    @model_validator(mode="after")
    def _meetings_alone(self) -> ExperimentForm:
        if self.round_robin is not None and (self.conditions or self.factors):
            raise ConfigError(sentences.said("robin_alone"))
        if self.sensitivity is not None and (self.conditions or self.factors or self.round_robin or self.hypotheses):
            raise ConfigError(sentences.said("sensitivity_alone"))
        return self


def read_experiment(data: Any, source: str, faults: list[Fault] | None = None) -> ExperimentForm:
    """A scenario or experiment file's data as its form; raises `BadScenario` with every fault.

    With ``faults``, what cannot be read is told there and left out, as far as the rest can be looked at without it.
    """
    if faults is None:
        return validated(ExperimentForm, data, source)
    return read_what_can_be(ExperimentForm, data, source, faults)
