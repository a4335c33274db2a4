"""The source's three kinds of files as written: experiment, model agent, policy agent."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from games.core.game import Number
from games.core.rng import SEED_MAX
from games.lab.pdbench.parsing import Format
from games.lab.pdbench.seat import Keep

PayoffPair: TypeAlias = tuple[Number, Number]
FAMILIES = (
    "cooperation_rate",
    "cooperation_rate_over_time",
    "both_cooperate_rate",
    "retaliation_rate",
    "forgiveness_rate",
    "exploitability_payoff_gap",
    "time_to_collapse",
    "invalid_rate",
    "total_payoff",
    "mean_payoff",
)
"""Measures by the names of the source; those given by seat stand for both seats."""


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunForm(Form):
    run_id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")
    seed: int = Field(0, ge=0, le=SEED_MAX)
    replicates: int = Field(1, ge=1, le=100_000)
    output_dir: str = ""
    pairing: Literal["common", "independent"] = "common"
    store_prompts: Keep | bool = "hash"
    store_responses: bool = True

    @property
    def keeps(self) -> Keep:
        if isinstance(self.store_prompts, bool):
            return "full" if self.store_prompts else "none"
        return self.store_prompts

    @property
    def place(self) -> str:
        return self.output_dir or str(PurePosixPath("data/runs") / self.run_id)


class PayoffsForm(Form):
    """The source's table: what A and B get for each pair of moves, A's first."""

    CC: PayoffPair = (3, 3)
    CD: PayoffPair = (0, 5)
    DC: PayoffPair = (5, 0)
    DD: PayoffPair = (1, 1)

    @model_validator(mode="after")
    def _is_symmetric(self) -> PayoffsForm:
        if self.CC[0] != self.CC[1] or self.DD[0] != self.DD[1] or (self.CD[1], self.CD[0]) != self.DC:
            raise ValueError(
                f"CC {list(self.CC)}, CD {list(self.CD)}, DC {list(self.DC)}, DD {list(self.DD)}: both players must be "
                "paid alike. Write CC: [R, R], CD: [S, T], DC: [T, S], DD: [P, P]"
            )
        return self


class FixedForm(Form):
    type: Literal["fixed"]
    rounds: int


class GeometricForm(Form):
    type: Literal["geometric"]
    stop_prob: float
    max_rounds: int | None = None


HorizonForm: TypeAlias = Annotated[FixedForm | GeometricForm, Field(discriminator="type")]


class AgentRef(Form):
    ref: str
    overrides: dict[str, Any] = {}


class ConditionOverrides(Form):
    game: dict[str, Any] = {}
    horizon: HorizonForm | None = None


class ConditionForm(Form):
    name: str
    agent_a: AgentRef
    agent_b: AgentRef
    overrides: ConditionOverrides = ConditionOverrides()


class CollapseForm(Form):
    k: int = 10
    threshold: float = 0.2


class MetricsForm(Form):
    names: tuple[str, ...] = FAMILIES
    collapse: CollapseForm = CollapseForm()


class ExperimentForm(Form):
    """``game`` holds the payoff table and any other setting of the match by its own name."""

    run: RunForm
    game: dict[str, Any] = {}
    horizon: HorizonForm
    conditions: tuple[ConditionForm, ...] = Field(min_length=1)
    metrics: MetricsForm = MetricsForm()


class MockForm(Form):
    """The mock provider: the strategy that it plays (the persona's, if none is named), how often it replies junk."""

    policy: str | None = None
    params: dict[str, Any] = {}
    faults: float = Field(0.0, ge=0, le=1)


class ModelForm(Form):
    """``provider`` and ``model`` as litellm has them: openai and gpt-4o-mini, or litellm and openai/gpt-4o-mini.

    ``mock`` plays the persona without a key; ``package.module:Class`` is a class of one's own with ``complete``.
    ``base_url`` is of a server of one's own. More unusable answers than a share ``fallback_limit`` stop a match; of a
    mock any may be.
    """

    type: Literal["llm"]
    provider: str = "mock"
    model: str = "mock-persona"
    base_url: str = ""
    key_env: str = ""
    timeout_s: float = Field(60, gt=0, le=3600)
    fallback_limit: float = Field(0.5, ge=0, le=1)
    temperature: float = Field(0.0, ge=0, le=2)
    max_tokens: int = Field(4, ge=1, le=100_000)
    system_prompt: str
    round_prompt: str
    persona: str
    history_window: int | None = Field(None, ge=0)
    include_totals: bool = True
    output_format: Format = "token"
    max_retries: int = Field(2, ge=0, le=20)
    mock: MockForm = MockForm()

    @property
    def name(self) -> str:
        """The model with its vendor: ``openai/gpt-4o-mini``."""
        return self.model if self.provider == "litellm" else f"{self.provider}/{self.model}"


class PolicyForm(Form):
    type: Literal["policy"]
    policy: str
    params: dict[str, Any] = {}


class AgentForm(Form):
    """A class of the source's shape, with ``reset`` and ``act``: ``package.module:Class``, made anew for each match."""

    type: Literal["python"]
    agent: str
    params: dict[str, Any] = {}
    missed_limit: float = Field(0.5, ge=0, le=1)
