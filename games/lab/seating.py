"""Who sits where: seats and agent files of all layers, resolved to one checked agent for each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ValidationError

from agents_app.deciders.seating import check_profile, stand_in
from agents_app.profile import BadProfile, Profile, read_profile
from games.core.agents import BadPolicy, PolicySpec
from games.core.answers import Note
from games.core.game import SeatSpec
from games.core.registry import Pack
from games.lab.faults import BadScenario, Fault, faults_of, no_such
from games.lab.form import EVERY, AgentForm, FoundRecording, RecordingForm, SubstituteForm, read_agent
from games.lab.layers import Layer, merged
from games.lab.yamlfile import read_yaml


@dataclass(frozen=True, slots=True)
class PolicyAgent:
    """A named policy with all its parameters."""

    policy: str
    params: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["policy"] = "policy"

    def plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "policy": self.policy, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class ModelSeat:
    """A model with its profile. Where nobody may be asked (laws, benchmarks), its ``policy`` plays in its stead."""

    profile: Profile
    policy: str
    label: str = ""
    kind: Literal["model"] = "model"

    @property
    def params(self) -> Mapping[str, Any]:
        return self.profile.mock.params

    def plain(self) -> dict[str, Any]:
        """All of the profile, defaults too: a default that changes later changes no run that was made before."""
        return {
            "kind": self.kind,
            "label": self.label or self.profile.model,
            "profile": self.profile.model_dump(mode="json"),
        }


@dataclass(frozen=True, slots=True)
class RecordingSeat:
    """What a model said in a seat of another run. Where nobody may be asked its ``policy`` plays in its stead."""

    run: str
    seat: int
    profile: Profile
    policy: str
    kind: Literal["recording"] = "recording"

    @property
    def params(self) -> Mapping[str, Any]:
        return self.profile.mock.params

    @property
    def label(self) -> str:
        return f"{self.profile.model}, recorded in {self.run}, seat {self.seat}"

    def plain(self) -> dict[str, Any]:
        profile = self.profile.model_dump(mode="json")
        return {"kind": self.kind, "label": self.label, "run": self.run, "seat": self.seat, "profile": profile}


@dataclass(frozen=True, slots=True)
class PersonSeat:
    """A person, and the policy that plays for one who is not there. Where nobody can sit, it plays in their stead."""

    substitute: PolicyAgent
    kind: Literal["person"] = "person"

    @property
    def policy(self) -> str:
        return self.substitute.policy

    @property
    def params(self) -> Mapping[str, Any]:
        return self.substitute.params

    def plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "substitute": self.substitute.plain()}


Seated: TypeAlias = PolicyAgent | ModelSeat | RecordingSeat | PersonSeat
"""Who sits in a seat, by ``kind``."""


def seat_agents(
    pack: Pack, specs: Sequence[SeatSpec], layers: Sequence[Layer], faults: list[Fault]
) -> tuple[Seated, ...]:
    """An agent for each seat, in seat order; shorter, and a fault each, where one cannot sit."""
    default = Layer(pack.slug), "", AgentForm(policy=pack.default_policy)
    others, single = default, dict[int, tuple[Layer, str, AgentForm]]()
    for layer in layers:
        named = dict[int, str]()
        for key, form in layer.seats.items():
            at = f"{layer.seats_at}.{key}" if layer.seats_at else key
            if key in ("default", EVERY):
                others = layer, at, form
                single = {} if key == EVERY else single
                continue
            seat = _seat(key, specs)
            if seat is None:
                faults.append(Fault.of(layer.source, at, _no_seat(key, specs)))
            elif seat in named:
                twice = Note("seat_named_twice", {"seat": seat, "other": named[seat]})
                faults.append(Fault.of(layer.source, at, twice))
            else:
                named[seat] = key
                single[seat] = layer, at, form
    chosen = [single.get(seat, others) for seat in range(len(specs))]
    found: dict[int, Seated | None] = {}
    for layer, at, form in [*chosen, others, *single.values()]:
        if id(form) not in found:
            found[id(form)] = _agent(pack, layer, at, form, faults)
    return tuple(agent for _, _, form in chosen if (agent := found[id(form)]) is not None)


def _seat(key: str, specs: Sequence[SeatSpec]) -> int | None:
    if key.isdecimal() and len(key) < 10:
        return int(key) if int(key) < len(specs) else None
    return next((seat for seat, spec in enumerate(specs) if spec.name == key), None)


def _no_seat(key: str, specs: Sequence[SeatSpec]) -> Note:
    last = len(specs) - 1
    if key.isdecimal():
        return Note("no_seat", {"last": last})
    return no_such(key, [*(spec.name for spec in specs), "default"], "no_seat", last=last)


def _agent(pack: Pack, layer: Layer, at: str, form: AgentForm, faults: list[Fault]) -> Seated | None:
    source, named, inside = layer.source, form, at
    if form.ref is not None:
        if layer.folder is None:
            faults.append(Fault(source, _under(at, "ref"), f"{form.ref!r}; files cannot be referred to from here"))
            return None
        path = layer.folder / form.ref
        if not path.is_file():
            faults.append(Fault(source, _under(at, "ref"), f"{form.ref!r}; there is no such file"))
            return None
        source = f"{form.ref} (from {source}, {at})"
        try:
            agent = read_agent(merged(read_yaml(path, source), form.overrides), source)
        except BadScenario as error:
            faults.extend(error.faults)
            return None
        inside = ""
        named = AgentForm.model_validate(agent.model_dump(exclude={"title", "about"}))
    if named.model is not None:
        return _model(pack, named, source, inside, faults)
    if named.recording is not None:
        return _recording(pack, named.recording, source, _under(inside, "recording"), faults)
    if named.person:
        given = named.substitute or SubstituteForm(policy=pack.default_policy)
        substitute = _policy(pack, given.policy, given.params, source, _under(inside, "substitute"), faults)
        return None if substitute is None else PersonSeat(substitute)
    return _policy(pack, str(named.policy), named.params, source, inside, faults)


def _policy(
    pack: Pack, name: str, params: Mapping[str, Any], source: str, at: str, faults: list[Fault]
) -> PolicyAgent | None:
    """A named policy, checked with its parameters."""
    spec = pack.policies.get(name)
    if spec is None:
        faults.append(Fault.of(source, _under(at, "policy"), no_such(name, pack.policies)))
        return None
    bound = _bound(spec, params, source, _under(at, "params"), faults)
    return None if bound is None else PolicyAgent(spec.name, bound.model_dump(mode="json"))


def _model(pack: Pack, form: AgentForm, source: str, at: str, faults: list[Fault]) -> ModelSeat | None:
    """A model's profile, checked against the game's policies, prompts and plans."""
    if "model" in form.profile:
        faults.append(Fault(source, _under(at, "profile.model"), "name it beside profile, not in it"))
        return None
    try:
        profile = Profile.model_validate({**form.profile, "model": form.model})
    except ValidationError as error:
        for path, note in faults_of(error, Profile):
            under = path if path[:1] == ("model",) else ("profile", *path)
            faults.append(Fault.of(source, ".".join((at, *under) if at else under), note))
        return None
    try:
        check_profile(pack, profile)
        return ModelSeat(profile, stand_in(pack, profile), form.label)
    except BadProfile as error:
        faults.append(Fault(source, at, str(error), error.note))
        return None


def _recording(pack: Pack, form: RecordingForm, source: str, at: str, faults: list[Fault]) -> RecordingSeat | None:
    if not isinstance(form, FoundRecording):
        faults.append(Fault(source, at, "recordings are of the site's runs; seat one from its page or its API"))
        return None
    profile = read_profile(form.profile)
    return RecordingSeat(form.run, form.seat, profile, stand_in(pack, profile))


def _under(at: str, key: str) -> str:
    return f"{at}.{key}" if at else key


def _bound(spec: PolicySpec, params: Mapping[str, Any], source: str, at: str, faults: list[Fault]) -> BaseModel | None:
    """The policy's parameters, checked; its own refusal (`bind`) is asked too."""
    try:
        bound = spec.params.model_validate(dict(params))
        spec.bind(params)
    except ValidationError as error:
        found = faults_of(error, spec.params)
        faults.extend(Fault.of(source, ".".join((at, *path)), note) for path, note in found)
        return None
    except BadPolicy as error:
        faults.append(Fault(source, at, str(error), error.note))
        return None
    return bound
