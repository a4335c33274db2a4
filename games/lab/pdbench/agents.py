"""Agent files with their overrides, resolved to whoever sits in a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from agents_app.profile import Profile
from games.catalog.dilemma.config import Payoffs
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.prompts import FILES
from games.core.agents import BadPolicy, Decider, deciding
from games.core.codec import digest
from games.errors import sentences
from games.errors.faults import Fault, among, faults_of
from games.lab.pdbench.clients import ModelClient, agent_seat, imported, watched
from games.lab.pdbench.forms import AgentForm, AgentRef, ModelForm, PolicyForm
from games.lab.pdbench.seat import PERSONAS, Clients, Keep, SeatSettings, mock_clients, model_seat
from games.lab.pdbench.templates import ROUND_FIELDS, SYSTEM_FIELDS, BadTemplate, check_template
from games.lab.scenarios.layers import merged, strictly
from games.lab.scenarios.yamlfile import read_yaml

TEXT_MAX: Final = 64 * 1024
CALLING: Final = ("base_url", "key_env", "timeout_s", "fallback_limit")
"""What an agent file says of how a real model is called."""


@dataclass(frozen=True, slots=True)
class PolicySeat:
    """A strategy with its parameters."""

    policy: str
    params: Mapping[str, Any]
    payoffs: Payoffs
    keep: Keep = "none"
    kind: Literal["policy"] = "policy"

    def plain(self) -> dict[str, Any]:
        name = label(self.policy, self.params, self.payoffs)
        return {"kind": "policy", "policy": self.policy, "params": dict(self.params), "label": name}

    def shown(self) -> str:
        return label(self.policy, self.params, self.payoffs)

    def decider(self) -> Decider:
        return deciding(POLICIES[self.policy].bind(self.params))


@dataclass(frozen=True, slots=True)
class ModelSeat:
    """A model, prompted by files. The mock provider plays ``policy``, which its persona or its file names. Others have
    none, and a ``profile`` where they are no class of one's own.
    """

    form: ModelForm
    system: str
    round: str
    persona: str
    keep: Keep
    policy: str
    params: Mapping[str, Any]
    payoffs: Payoffs
    profile: Profile | None = None
    kind: Literal["llm"] = "llm"

    def plain(self) -> dict[str, Any]:
        texts = {"system": self.system, "round": self.round, "persona": self.persona}
        form = self.form.model_dump(mode="json")
        played = {"policy": self.policy, "params": dict(self.params)} if self.policy else {}
        if self.policy:  # a mock calls nobody
            form = {name: value for name, value in form.items() if name not in CALLING}
        return {"kind": "llm", **played, "label": self.label, **form, "prompt_hash": digest(texts)}

    @property
    def label(self) -> str:
        """Of a mock the strategy that it plays."""
        if self.policy:
            return f"mock {label(self.policy, self.params, self.payoffs)}"
        return self.form.name

    def shown(self) -> str:
        told = f"{self.form.persona}: {self.label}" if self.policy else self.form.persona
        return f"{self.form.name} ({told})"

    def decider(self) -> Decider:
        form = self.form
        settings = SeatSettings(
            self.system,
            self.round,
            self.persona,
            form.history_window,
            form.include_totals,
            form.output_format,
            form.max_retries,
            form.temperature,
            form.max_tokens,
            self.keep,
        )
        seat = model_seat(settings, self._clients())
        return seat if self.policy else watched(seat, self.label, form.fallback_limit)

    def _clients(self) -> Clients:
        form = self.form
        if self.policy:
            return mock_clients(self.policy, self.params, form.output_format, form.mock.faults)
        client = imported(form.provider)() if self.profile is None else ModelClient(self.profile)
        return lambda request: (client, request.memory)


@dataclass(frozen=True, slots=True)
class AgentSeat:
    """A class with ``reset`` and ``act``."""

    form: AgentForm
    keep: Keep = "none"
    kind: Literal["python"] = "python"

    def plain(self) -> dict[str, Any]:
        return {"kind": "python", "agent": self.form.agent, "params": dict(self.form.params), "label": self.shown()}

    def shown(self) -> str:
        return self.form.agent.partition(":")[2]

    def decider(self) -> Decider:
        return watched(
            agent_seat(imported(self.form.agent), self.form.params),
            self.shown(),
            self.form.missed_limit,
            is_model=False,
        )


Seated: TypeAlias = PolicySeat | ModelSeat | AgentSeat


@dataclass(frozen=True, slots=True)
class Desk:
    """Reads agent files under the experiment file's folder, and keeps the faults."""

    source: str
    folder: Path
    keep: Keep
    faults: list[Fault]

    def seat(self, at: str, ref: AgentRef, payoffs: Payoffs) -> Seated | None:
        """Who a reference means; None, and a fault, where it cannot be used."""
        path = self.folder / ref.ref
        if not path.is_file():
            self._fault(f"{at}.ref", f"{ref.ref!r}: there is no such file beside {self.source}")
            return None
        data = merged(read_yaml(path, ref.ref), ref.overrides)
        kind = data.get("type") if isinstance(data, Mapping) else None
        if kind == "policy":
            return self._policy(at, ref, data, payoffs)
        if kind == "llm":
            return self._model(at, ref, data, payoffs)
        if kind == "python":
            return self._own(at, ref, data)
        self._fault(f"{at}.ref", f"{ref.ref!r}: type {kind!r}; write type: policy, type: llm or type: python")
        return None

    def _fault(self, path: str, message: str) -> None:
        self.faults.append(Fault(self.source, path, message))

    def _policy(self, at: str, ref: AgentRef, data: Any, payoffs: Payoffs) -> PolicySeat | None:
        form = self._read(PolicyForm, at, ref, data)
        if form is None or not self._is_policy(at, ref, form.policy, form.params, ""):
            return None
        return PolicySeat(form.policy, form.params, payoffs)

    def _model(self, at: str, ref: AgentRef, data: Any, payoffs: Payoffs) -> ModelSeat | None:
        form = self._read(ModelForm, at, ref, data)
        if form is None:
            return None
        known = len(self.faults)
        profile = None
        if ":" in form.provider:
            self._imports(at, ref, "provider", form.provider)
        elif form.provider != "mock":
            profile = self._profile(at, ref, form)
        persona = self._persona(at, ref, form.persona)
        system = self._template(at, ref, "system_prompt", form.system_prompt, SYSTEM_FIELDS)
        round_ = self._template(at, ref, "round_prompt", form.round_prompt, ROUND_FIELDS)
        policy = form.mock.policy or PERSONAS.get(form.persona) if form.provider == "mock" else ""
        if policy is None and persona:
            self._refuse(at, ref, "persona", f"{form.persona!r}: the mock knows {', '.join(PERSONAS)}; set mock.policy")
        elif policy:
            self._is_policy(at, ref, policy, form.mock.params, "mock.")
        if len(self.faults) > known or policy is None:
            return None
        return ModelSeat(form, system, round_, persona, self.keep, policy, form.mock.params, payoffs, profile)

    def _profile(self, at: str, ref: AgentRef, form: ModelForm) -> Profile | None:
        """How the model is called; None, and a fault by the file's own names, where it cannot be."""
        asked = form.model_dump(include={"base_url", "key_env", "temperature", "max_tokens", "timeout_s"})
        try:
            profile = Profile(model=form.name, budget_s=max(60, form.timeout_s), **asked)
        except ValidationError as error:
            for path, note in faults_of(error, Profile):
                self._refuse(at, ref, ".".join(path), sentences.fault(note))
            return None
        return profile

    def _own(self, at: str, ref: AgentRef, data: Any) -> AgentSeat | None:
        form = self._read(AgentForm, at, ref, data)
        return None if form is None or not self._imports(at, ref, "agent", form.agent) else AgentSeat(form)

    def _imports(self, at: str, ref: AgentRef, field_: str, path: str) -> bool:
        try:
            imported(path)
        except ValueError as error:
            self._refuse(at, ref, field_, str(error))
            return False
        return True

    def _read(self, kind: type[Any], at: str, ref: AgentRef, data: Any) -> Any:
        try:
            return strictly(kind, data)
        except ValidationError as error:
            for path, note in faults_of(error, kind):
                self._refuse(at, ref, ".".join(path), sentences.fault(note))
            return None

    def _refuse(self, at: str, ref: AgentRef, path: str, text: str) -> None:
        """A fault where it was written: among the overrides, or in the agent's own file."""
        if path.split(".")[0] in ref.overrides:
            self.faults.append(Fault(self.source, f"{at}.overrides.{path}", text))
        else:
            self.faults.append(Fault(ref.ref, path, text))

    def _is_policy(self, at: str, ref: AgentRef, name: str, params: Mapping[str, Any], under: str) -> bool:
        if name not in POLICIES:
            self._refuse(at, ref, f"{under}policy", f"{name!r}; {among(name, POLICIES)}")
            return False
        try:
            POLICIES[name].bind(params)
        except BadPolicy as error:
            self._refuse(at, ref, f"{under}params", str(error))
            return False
        return True

    def _persona(self, at: str, ref: AgentRef, name: str) -> str:
        """Its text: of a file beside the experiment's, else the game's own."""
        files = {path.name.removesuffix(".en.md"): path for path in (FILES.folder / "personas").glob("*.en.md")}
        files |= {path.stem: path for path in (self.folder / "prompts" / "personas").glob("*.md")}
        if name not in files:
            self._refuse(at, ref, "persona", f"{name!r}; {among(name, sorted(files))}")
            return ""
        return files[name].read_text("utf-8")

    def _template(self, at: str, ref: AgentRef, field_: str, name: str, fields: frozenset[str]) -> str:
        path = self.folder / name
        if not path.is_file():
            self._refuse(at, ref, field_, f"{name!r}: there is no such file beside {self.source}")
            return ""
        with path.open(encoding="utf-8") as file:
            text = file.read(TEXT_MAX + 1)
        try:
            if len(text) > TEXT_MAX:
                raise BadTemplate(f"is longer than {TEXT_MAX} characters")
            check_template(text, fields)
        except BadTemplate as error:
            self._refuse(at, ref, field_, f"{name!r}: {error}")
        return text
