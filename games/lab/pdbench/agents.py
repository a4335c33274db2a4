"""Agent files with their overrides, resolved to whoever sits in a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import ValidationError

from games.catalog.dilemma.config import Payoffs
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.prompts import TEXTS
from games.core.agents import BadPolicy, Decider, deciding
from games.core.codec import digest
from games.errors import sentences
from games.errors.faults import Fault, among, faults_of
from games.lab.pdbench.forms import AgentRef, ModelForm, PolicyForm
from games.lab.pdbench.seat import PERSONAS, Keep, SeatSettings, mock_clients, model_seat
from games.lab.pdbench.templates import ROUND_FIELDS, SYSTEM_FIELDS, BadTemplate, check_template
from games.lab.scenarios.layers import merged, strictly
from games.lab.scenarios.yamlfile import read_yaml

TEXT_MAX: Final = 64 * 1024


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
    """A model, prompted by files. The mock provider plays ``policy``, which its persona or its file names."""

    form: ModelForm
    system: str
    round: str
    persona: str
    keep: Keep
    policy: str
    params: Mapping[str, Any]
    payoffs: Payoffs
    kind: Literal["llm"] = "llm"

    def plain(self) -> dict[str, Any]:
        texts = {"system": self.system, "round": self.round, "persona": self.persona}
        form = self.form.model_dump(mode="json")
        seat = {"kind": "llm", "policy": self.policy, "params": dict(self.params), "label": self.label}
        return {**seat, **form, "prompt_hash": digest(texts)}

    @property
    def label(self) -> str:
        return label(self.policy, self.params, self.payoffs)

    def shown(self) -> str:
        return f"{self.form.provider}/{self.form.model} ({self.form.persona}: {self.label})"

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
        return model_seat(settings, mock_clients(self.policy, self.params, form.output_format, form.mock.faults))


Seated: TypeAlias = PolicySeat | ModelSeat


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
        self._fault(f"{at}.ref", f"{ref.ref!r}: type {kind!r}; write type: policy or type: llm")
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
        if form.provider != "mock":
            self._refuse(
                at,
                ref,
                "provider",
                f"{form.provider!r}; only mock plays here, without keys; real models play by polity run",
            )
        persona = self._persona(at, ref, form.persona)
        system = self._template(at, ref, "system_prompt", form.system_prompt, SYSTEM_FIELDS)
        round_ = self._template(at, ref, "round_prompt", form.round_prompt, ROUND_FIELDS)
        policy = form.mock.policy or PERSONAS.get(form.persona)
        if policy is None and persona:
            self._refuse(at, ref, "persona", f"{form.persona!r}: the mock knows {', '.join(PERSONAS)}; set mock.policy")
        elif policy is not None:
            self._is_policy(at, ref, policy, form.mock.params, "mock.")
        if len(self.faults) > known or policy is None:
            return None
        return ModelSeat(form, system, round_, persona, self.keep, policy, form.mock.params, payoffs)

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
        files = {path.name.removesuffix(".en.md"): path for path in (TEXTS.folder / "personas").glob("*.en.md")}
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
