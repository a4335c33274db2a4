"""Who sits where: seats and agent files of all layers, resolved to one checked agent for each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ValidationError

from agents_app.deciders.seating import check_profile, stand_in
from agents_app.profile import BadProfile, Profile, read_profile
from games.core.agents import BadPolicy, PolicySpec
from games.core.answers import JSON, Note
from games.core.game import SeatSpec
from games.core.registry import Pack
from games.errors.faults import BadScenario, Fault, faults_of, no_such
from games.lab.scenarios.form import EVERY, AgentForm, FoundRecording, RecordingForm, SubstituteForm, read_agent
from games.lab.scenarios.layers import Layer, merged
from games.lab.scenarios.yamlfile import read_yaml


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
    """A person or a program, and the policy that plays while it is not there, or where nobody can sit."""

    substitute: PolicyAgent
    kind: Literal["person", "program"] = "person"

    @property
    def policy(self) -> str:
        return self.substitute.policy

    @property
    def params(self) -> Mapping[str, Any]:
        return self.substitute.params

    def plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "substitute": self.substitute.plain()}


@dataclass(frozen=True, slots=True)
class FunctionSeat:
    """A function of the program that plays (`games.lab.notebook`); its name is all that a run folder can keep of it."""

    label: str
    policy: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["function"] = "function"

    def plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "label": self.label}


Seated: TypeAlias = PolicyAgent | ModelSeat | RecordingSeat | PersonSeat | FunctionSeat
"""Who sits in a seat, by ``kind``."""
Said: TypeAlias = tuple[Layer, str, AgentForm]
"""What a layer says of a seat, and where in it."""
ROLE: Final = "role:"
"""Before the name of a role, all of whose seats are meant."""


def seat_agents(
    pack: Pack, specs: Sequence[SeatSpec], layers: Sequence[Layer], faults: list[Fault]
) -> tuple[Seated, ...]:
    """An agent for each seat, in seat order; shorter, and a fault each, where one cannot sit.

    A seat that is named wins over its role, the role over ``default``; where nothing is said the role's own policy
    sits.
    """
    roles = {spec.role: None for spec in specs if spec.role}
    others: Said | None = None
    by_role, single = dict[str, Said](), dict[int, Said]()
    for layer in layers:
        named = dict[int, str]()
        for key, form in layer.seats.items():
            at = f"{layer.seats_at}.{key}" if layer.seats_at else key
            if key in ("default", EVERY):
                others = layer, at, form
                if key == EVERY:
                    by_role, single = {}, {}
                continue
            if (role := key.removeprefix(ROLE)) != key and role in roles:
                by_role[role] = layer, at, form
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
    game = Layer(pack.slug)
    own = {spec.role: (game, "", AgentForm(policy=pack.default_for(spec.role))) for spec in specs}
    found: dict[tuple[int, str], Seated | None] = {}
    known = len(faults)
    profiles = [layer for layer in layers if layer.profile]

    def sit(said: Said, role: str, wrong: list[Fault] = faults) -> Seated | None:
        layer, at, form = said
        if (id(form), role) not in found:
            found[id(form), role] = _agent(pack, role, layer, at, form, profiles, wrong)
        return found[id(form), role]

    def stand_by(said: Said, roles: Sequence[str]) -> None:
        """Nobody sits there now, and yet it must be right: for one of the roles at least, of which any may be next."""
        told = list[list[Fault]]()
        for role in roles:
            told.append([])
            if sit(said, role, told[-1]) is not None:
                return
        faults.extend(told[0])

    seated = [
        sit(single.get(seat) or by_role.get(spec.role) or others or own[spec.role], spec.role)
        for seat, spec in enumerate(specs)
    ]
    every_role = list(dict.fromkeys(spec.role for spec in specs))
    for said, played in [(others, every_role), *((said, [role]) for role, said in by_role.items())]:
        if said is not None and not any(form == id(said[2]) for form, _ in found):
            stand_by(said, played)
    if profiles and len(faults) == known and not any(isinstance(one, ModelSeat) for one in found.values()):
        last = profiles[-1]
        faults.append(Fault.of(last.source, last.profile_at, Note("no_model_sits")))
    return tuple(agent for agent in seated if agent is not None)


def _seat(key: str, specs: Sequence[SeatSpec]) -> int | None:
    if key.isdecimal() and len(key) < 10:
        return int(key) if int(key) < len(specs) else None
    return next((seat for seat, spec in enumerate(specs) if spec.name == key), None)


def _no_seat(key: str, specs: Sequence[SeatSpec]) -> Note:
    last = len(specs) - 1
    if key.isdecimal():
        return Note("no_seat", {"last": last})
    roles = dict.fromkeys(f"{ROLE}{spec.role}" for spec in specs if spec.role)
    return no_such(key, [*(spec.name for spec in specs), *roles, "default"], "no_seat", last=last)


def _agent(
    pack: Pack, role: str, layer: Layer, at: str, form: AgentForm, profiles: Sequence[Layer], faults: list[Fault]
) -> Seated | None:
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
        return _model(pack, role, named, source, inside, profiles, faults)
    if named.recording is not None:
        return _recording(pack, role, named.recording, source, _under(inside, "recording"), faults)
    if named.person or named.program:
        given = named.substitute or SubstituteForm(policy=pack.default_for(role))
        substitute = _policy(pack, role, given.policy, given.params, source, _under(inside, "substitute"), faults)
        return None if substitute is None else PersonSeat(substitute, "person" if named.person else "program")
    return _policy(pack, role, str(named.policy), named.params, source, inside, faults)


def _policy(
    pack: Pack, role: str, name: str, params: Mapping[str, Any], source: str, at: str, faults: list[Fault]
) -> PolicyAgent | None:
    """A named policy, checked with its parameters and for the role of its seat."""
    spec = pack.policies.get(name)
    if spec is None:
        faults.append(Fault.of(source, _under(at, "policy"), no_such(name, pack.policies)))
        return None
    if not spec.can_play(role):
        able = [one.name for one in pack.policies.values() if one.can_play(role)]
        values: dict[str, JSON] = {"policy": name, "role": role, "roles": list(spec.roles), "able": list(able)}
        faults.append(Fault.of(source, _under(at, "policy"), Note("policy_of_role", values)))
        return None
    bound = _bound(spec, params, source, _under(at, "params"), faults)
    return None if bound is None else PolicyAgent(spec.name, bound.model_dump(mode="json"))


def _model(
    pack: Pack, role: str, form: AgentForm, source: str, at: str, profiles: Sequence[Layer], faults: list[Fault]
) -> ModelSeat | None:
    """A model's profile with what the layers say of all models, checked against the game's policies, prompts and
    plans.
    """
    if "model" in form.profile:
        faults.append(Fault(source, _under(at, "profile.model"), "name it beside profile, not in it"))
        return None
    told: Any = form.profile if pack.prompts is None else {"memory": pack.prompts.memory, **form.profile}
    for layer in profiles:
        told = merged(told, layer.profile)
    try:
        profile = Profile.model_validate({**told, "model": form.model})
    except ValidationError as error:
        for path, note in faults_of(error, Profile):
            over = next((layer for layer in reversed(profiles) if path and path[0] in layer.profile), None)
            if over is not None:
                faults.append(Fault.of(over.source, ".".join((over.profile_at, *path)), note))
                continue
            under = path if path[:1] == ("model",) else ("profile", *path)
            faults.append(Fault.of(source, ".".join((at, *under) if at else under), note))
        return None
    try:
        check_profile(pack, profile, role)
        return ModelSeat(profile, stand_in(pack, profile, role), form.label)
    except BadProfile as error:
        faults.append(Fault(source, at, str(error), error.note))
        return None


def _recording(
    pack: Pack, role: str, form: RecordingForm, source: str, at: str, faults: list[Fault]
) -> RecordingSeat | None:
    if not isinstance(form, FoundRecording):
        faults.append(Fault(source, at, "recordings are of the site's runs; seat one from its page or its API"))
        return None
    profile = read_profile(form.profile)
    return RecordingSeat(form.run, form.seat, profile, stand_in(pack, profile, role))


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
