"""Who sits where: seats and agent files of all layers, resolved to one checked agent for each seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from agents_app.deciders.seating import check_profile, stand_in
from agents_app.profile import BadProfile, Profile, read_profile
from games.core.agents import BadPolicy
from games.core.answers import JSON, Note
from games.core.game import SeatSpec
from games.core.pack import Pack
from games.errors.faults import BadScenario, Fault, faults_of, no_such
from games.lab.scenarios.form import EVERY, AgentForm, FoundRecording, SubstituteForm, read_agent
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


@dataclass(frozen=True, slots=True)
class Place:
    """A seat's role, what is said of all models, and where in which file its agent is named ("": it is the file)."""

    pack: Pack
    role: str
    profiles: Sequence[Layer]
    source: str
    at: str

    def fault(self, path: str, why: str | Note) -> Fault:
        """A fault of a part of the agent, by the part's path."""
        at = ".".join(part for part in (self.at, path) if part)
        return Fault(self.source, at, why) if isinstance(why, str) else Fault.of(self.source, at, why)

    def refused(self, path: str, why: str | Note) -> BadScenario:
        return BadScenario([self.fault(path, why)])


def _agent(
    pack: Pack, role: str, layer: Layer, at: str, form: AgentForm, profiles: Sequence[Layer], faults: list[Fault]
) -> Seated | None:
    place = Place(pack, role, profiles, layer.source, at)
    try:
        if form.ref is not None:
            place, form = _referred(place, form, layer.folder)
        return READERS[form.named](place, form)
    except BadScenario as error:
        faults.extend(error.faults)
        return None


def _referred(place: Place, form: AgentForm, folder: Path | None) -> tuple[Place, AgentForm]:
    """The agent of a file of its own, with what is said over it."""
    if folder is None:
        raise place.refused("ref", f"{form.ref!r}; files cannot be referred to from here")
    path = folder / str(form.ref)
    if not path.is_file():
        raise place.refused("ref", f"{form.ref!r}; there is no such file")
    source = f"{form.ref} (from {place.source}, {place.at})"
    agent = read_agent(merged(read_yaml(path, source), form.overrides), source)
    found = AgentForm.model_validate(agent.model_dump(exclude={"title", "about"}))
    return replace(place, source=source, at=""), found


def _policy(place: Place, form: AgentForm | SubstituteForm) -> PolicyAgent:
    """A named policy, checked with its parameters (its own refusal, `bind`, too) and for the role of its seat."""
    pack, role, name = place.pack, place.role, str(form.policy)
    spec = pack.policies.get(name)
    if spec is None:
        raise place.refused("policy", no_such(name, pack.policies))
    if not spec.can_play(role):
        able = [one.name for one in pack.policies.values() if one.can_play(role)]
        values: dict[str, JSON] = {"policy": name, "role": role, "roles": list(spec.roles), "able": list(able)}
        raise place.refused("policy", Note("policy_of_role", values))
    try:
        bound = spec.params.model_validate(dict(form.params))
        spec.bind(form.params)
    except ValidationError as error:
        wrong = faults_of(error, spec.params)
        raise BadScenario([place.fault(".".join(("params", *path)), note) for path, note in wrong]) from None
    except BadPolicy as error:
        raise BadScenario([replace(place.fault("params", str(error)), note=error.note)]) from None
    return PolicyAgent(spec.name, bound.model_dump(mode="json"))


def _joined(place: Place, form: AgentForm) -> PersonSeat:
    """A person or a program, with the substitute that is named or the role's own."""
    given = form.substitute or SubstituteForm(policy=place.pack.default_for(place.role))
    at = f"{place.at}.substitute" if place.at else "substitute"
    return PersonSeat(_policy(replace(place, at=at), given), "person" if form.person else "program")


def _model(place: Place, form: AgentForm) -> ModelSeat:
    """A model's profile with what the layers say of all models, checked against the game's policies, prompts and
    plans.
    """
    pack = place.pack
    if "model" in form.profile:
        raise place.refused("profile.model", "name it beside profile, not in it")
    told: Any = form.profile if pack.prompts is None else {"memory": pack.prompts.memory, **form.profile}
    for layer in place.profiles:
        told = merged(told, layer.profile)
    try:
        profile = Profile.model_validate({**told, "model": form.model})
        check_profile(pack, profile, place.role)
        return ModelSeat(profile, stand_in(pack, profile, place.role), form.label)
    except ValidationError as error:
        wrong = faults_of(error, Profile)
        raise BadScenario([_profile_fault(place, path, note) for path, note in wrong]) from None
    except BadProfile as error:
        raise BadScenario([replace(place.fault("", str(error)), note=error.note)]) from None


def _profile_fault(place: Place, path: Sequence[str], note: Note) -> Fault:
    """A profile's fault where it was said: by the last layer that speaks of that field to all models, else here."""
    for layer in reversed(place.profiles):
        if path and path[0] in layer.profile:
            return Fault.of(layer.source, ".".join((layer.profile_at, *path)), note)
    return place.fault(".".join(path if path[:1] == ("model",) else ("profile", *path)), note)


def _recording(place: Place, form: AgentForm) -> RecordingSeat:
    found = form.recording
    if not isinstance(found, FoundRecording):
        raise place.refused("recording", "recordings are of the site's runs; seat one from its page or its API")
    profile = read_profile(found.profile)
    return RecordingSeat(found.run, found.seat, profile, stand_in(place.pack, profile, place.role))


READERS: Final[Mapping[str, Callable[[Place, AgentForm], Seated]]] = {
    "policy": _policy,
    "model": _model,
    "recording": _recording,
    "person": _joined,
    "program": _joined,
}
"""Who sits there, by the key that names it in a file; raises `BadScenario`."""
