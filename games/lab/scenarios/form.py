"""The written form of scenario, experiment and agent files, checked key by key before anything is merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from games.core.answers import ConfigError
from games.core.rng import SEED_MAX
from games.errors import sentences
from games.errors.faults import BadScenario, Fault, faults_of, shown

SEEDS_MAX: Final = 100_000
CONDITIONS_MAX: Final = 1000
EVERY: Final = "*"
"""The seat key of an agent who takes every seat, whatever an earlier layer says of single ones."""
AGENT_KEYS: Final = ("policy", "model", "recording", "person", "program", "ref")
"""Of which each agent has one."""
AGENT_FORMS: Final = (
    "{policy: NAME, params: {}}",
    "{model: PROVIDER/MODEL, profile: {}}",
    "{recording: {run: ID, seat: N}}",
    "{person: true, substitute: POLICY}",
    "{program: true, substitute: POLICY}",
    "{ref: FILE, overrides: {}}",
)
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def read_seeds(value: Any) -> tuple[int, ...]:
    """Seeds from ``7``, ``"1..20"``, ``"3,5,9"`` or a list of such; in the order given. Raises ValueError."""
    parts = value if isinstance(value, list | tuple) else str(value).split(",") if isinstance(value, str) else [value]
    seeds: list[int] = []
    for part in parts:
        first, last = _span(part)
        if not (0 <= first <= SEED_MAX and 0 <= last <= SEED_MAX):
            raise ValueError(f"{shown(part)}; seeds are whole numbers from 0 to {SEED_MAX}")
        if last < first:
            raise ValueError(f"{shown(part)}; the last seed comes before the first: write {last}..{first}")
        if len(seeds) + last - first >= SEEDS_MAX:
            raise ValueError(f"{shown(part)}; at most {SEEDS_MAX} seeds")
        seeds.extend(range(first, last + 1))
    if not seeds:
        raise ValueError("no seeds; write 1..20, or a list")
    if len(set(seeds)) != len(seeds):
        twice = next(seed for n, seed in enumerate(seeds) if seed in seeds[:n])
        raise ValueError(f"seed {twice} stands twice; replicates need different seeds")
    return tuple(seeds)


def _span(part: Any) -> tuple[int, int]:
    if isinstance(part, int) and not isinstance(part, bool):
        return part, part
    found = re.fullmatch(r"\s*(\d{1,19})\s*(?:\.\.\s*(\d{1,19})\s*)?", part) if isinstance(part, str) else None
    if found is None:
        raise ValueError(f"{shown(part)}; write seeds as 7, 1..20 or a list of them")
    return int(found[1]), int(found[2] or found[1])


def texts_by_language(value: Any) -> Any:
    return {"en": value} if isinstance(value, str) else value


def by_name(value: Any) -> Any:
    return {str(key): entry for key, entry in value.items()} if isinstance(value, Mapping) else value


def nothing_given(value: Any) -> Any:
    return {} if value is None else value


def _listed_seeds(value: Any) -> Any:
    return None if value is None else read_seeds(value)


F = TypeVar("F", bound=BaseModel)
Texts = Annotated[dict[str, str], BeforeValidator(texts_by_language)]
ConfigPart = Annotated[dict[str, Any], BeforeValidator(nothing_given)]


class RecordingForm(BaseModel):
    """What a model said in a seat of a run of the site."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = Field(max_length=16)
    seat: int = Field(ge=0)


class FoundRecording(RecordingForm):
    """A recording that the site has looked up, with the profile that its seat had. No file can say so."""

    profile: dict[str, Any]


class SubstituteForm(BaseModel):
    """The policy that plays for a person or a program that is not there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    policy: str
    params: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}


def _substitute(value: Any) -> Any:
    return {"policy": value} if isinstance(value, str) else value


class AgentForm(BaseModel):
    """Who sits in a seat: a policy with parameters, a model with the rest of its profile and a label to show it by,
    what a model said in another run, a person or a program with a substitute, or a file that says so.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["policy", "model", "recording", "person", "program"] | None = None
    policy: str | None = None
    params: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}
    model: str | None = None
    label: str = Field("", max_length=80)
    profile: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}
    recording: RecordingForm | None = None
    person: Literal[True] | None = None
    program: Literal[True] | None = None
    substitute: Annotated[SubstituteForm | None, BeforeValidator(_substitute)] = None
    ref: str | None = None
    overrides: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}

    @property
    def named(self) -> str:
        """The key that says who it is, ``policy`` to ``ref``."""
        return next(key for key in AGENT_KEYS if getattr(self, key) is not None)

    @model_validator(mode="after")
    def _one_of_six(self) -> AgentForm:
        if sum(getattr(self, key) is not None for key in AGENT_KEYS) != 1:
            raise ConfigError(sentences.said("one_agent", forms=AGENT_FORMS))
        if self.person is None and self.program is None and self.substitute is not None:
            raise ConfigError(sentences.said("substitute_of_nobody"))
        if self.ref is not None and (self.params or self.kind or self.profile):
            raise ConfigError(sentences.said("ref_says_all"))
        if self.ref is None and self.overrides:
            raise ConfigError(sentences.said("overrides_of_nothing"))
        check_kind(self)
        return self


class AgentFile(BaseModel):
    """An agent in a file of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["policy", "model"] | None = None
    title: Texts = {}
    about: Texts = {}
    policy: str | None = None
    params: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}
    model: str | None = None
    label: str = Field("", max_length=80)
    profile: Annotated[dict[str, Any], BeforeValidator(nothing_given)] = {}

    @model_validator(mode="after")
    def _one_of_two(self) -> AgentFile:
        if (self.policy is None) == (self.model is None):
            raise ValueError("an agent's file names either a policy with params, or a model with its profile")
        check_kind(self)
        return self


def check_kind(agent: AgentForm | AgentFile) -> None:
    """Refuse parts that belong to the other kind of agent. Raises ValueError."""
    if agent.model is None and agent.profile:
        raise ConfigError(sentences.said("profile_of_nobody"))
    if agent.model is None and agent.label:
        raise ConfigError(sentences.said("label_of_a_policy"))
    if agent.policy is None and agent.params:
        raise ConfigError(sentences.said("params_of_nobody"))
    if agent.kind is not None and getattr(agent, agent.kind) is None:
        raise ConfigError(sentences.said("kind_without_name", named=agent.kind))


SeatForms = Annotated[dict[str, AgentForm], BeforeValidator(by_name), BeforeValidator(nothing_given)]


class ConditionForm(BaseModel):
    """A named treatment, merged over the base."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Texts = {}
    about: Texts = {}
    config: ConfigPart = {}
    seats: SeatForms = {}
    profile: ConfigPart = {}
    people: ConfigPart = {}


class ScenarioForm(BaseModel):
    """A scenario or experiment file as written. Nothing in it has met a game yet.

    ``look``   what to look for when it is watched, in a sentence
    ``inert``  by condition, or by setting that is not the game's default, why nobody acts otherwise for it
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str | None = None
    mechanisms: dict[str, ConfigPart | None] = {}
    """Laid around the game, each with settings of its own; see `games.declare.mechanisms`."""
    base: str | None = None
    title: Texts = {}
    about: Texts = {}
    look: Texts = {}
    config: ConfigPart = {}
    seats: SeatForms = {}
    profile: ConfigPart = {}
    """Merged over the profile of every model that sits anywhere: its language, memory, persona."""
    people: ConfigPart = {}
    inert: dict[str, Annotated[str, Field(min_length=1)]] = {}
    conditions: Annotated[
        dict[str, Annotated[ConditionForm, BeforeValidator(nothing_given)]],
        BeforeValidator(by_name),
        BeforeValidator(nothing_given),
        Field(max_length=CONDITIONS_MAX),
    ] = {}
    seeds: Annotated[tuple[int, ...] | None, BeforeValidator(_listed_seeds)] = None
    replicates: Annotated[int | None, Field(ge=1, le=SEEDS_MAX)] = None

    @model_validator(mode="after")
    def _names_make_folders(self) -> ScenarioForm:
        if self.seeds is not None and self.replicates is not None:
            raise ValueError("seeds and replicates: both count the runs; give one")
        check_names(self.conditions)
        return self

    def chosen_seeds(self) -> tuple[int, ...] | None:
        """The seeds it names: those listed, or 1 to ``replicates``; None where it names none."""
        return self.seeds if self.replicates is None else tuple(range(1, self.replicates + 1))


def check_names(names: Iterable[str]) -> None:
    """Conditions name folders: refuse what cannot, and two that differ in case alone. Raises ValueError."""
    seen: dict[str, str] = {}
    for name in names:
        if not NAME.fullmatch(name) or name.endswith("."):
            raise ValueError(f"condition {shown(name)}: letters, digits, dot, dash and underscore, at most 64")
        if seen.setdefault(name.lower(), name) != name:
            raise ValueError(f"conditions {seen[name.lower()]!r} and {name!r} differ in case alone; rename one")


WHOLE: Final = frozenset({"", "game", "base", "conditions", "factors", "round_robin"})
"""Parts without which the rest of a file would be taken for something else."""


def read_what_can_be(form: type[F], data: Any, source: str, faults: list[Fault]) -> F:
    """A file's data as a form. What cannot be read is left out and told in ``faults``, so that the rest can be looked
    at too. Raises `BadScenario` where nothing is left to look at.
    """
    left_out: set[str] = set()
    while True:
        try:
            return validated(form, data, source)
        except BadScenario as error:
            paths = [fault.path.split(".") for fault in error.faults]
            faults.extend(fault for fault in error.faults if fault.path not in left_out)
            left_out.update(fault.path for fault in error.faults)
            if any(len(path) == 1 and path[0] in WHOLE for path in paths):
                raise
            rest = data
            for path in paths:
                rest = _without(rest, path)
            if rest is data:
                raise
            data = rest


def _without(data: Any, path: Sequence[str]) -> Any:
    """The data without what stands at a path, or at the longest part of it that names a key."""
    if not isinstance(data, Mapping):
        return data
    key = next((key for key in data if str(key) == path[0]), None)
    if key is None:
        return data
    below = _without(data[key], path[1:]) if len(path) > 1 else data[key]
    if len(path) > 1 and below is not data[key]:
        return {**data, key: below}
    return {name: value for name, value in data.items() if name != key}


def read_agent(data: Any, source: str) -> AgentFile:
    """An agent file's data as its form; raises `BadScenario` with every fault."""
    return validated(AgentFile, data, source)


def read_seats(data: Any, source: str) -> dict[str, AgentForm]:
    """A file of seats (or of one agent, who then sits in all of them); raises `BadScenario` with every fault."""
    if isinstance(data, Mapping) and ("policy" in data or "model" in data):
        agent = read_agent(data, source)
        return {EVERY: AgentForm.model_validate(agent.model_dump(exclude={"title", "about"}))}

    class SeatsFile(BaseModel):
        model_config = ConfigDict(extra="forbid", frozen=True)
        seats: SeatForms

    wrapped = data if isinstance(data, Mapping) and set(data) == {"seats"} else {"seats": data}
    return validated(SeatsFile, wrapped, source).seats


def validated(form: type[F], data: Any, source: str) -> F:
    """A file's data as one of the forms; raises `BadScenario` with every fault."""
    if not isinstance(data, Mapping):
        raise BadScenario([Fault(source, "", f"{shown(data)}; a mapping of keys is needed")])
    try:
        return form.model_validate(data)
    except ValidationError as error:
        raise BadScenario([Fault.of(source, ".".join(path), note) for path, note in faults_of(error, form)]) from None
