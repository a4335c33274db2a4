"""How a model plays: one form for database, YAML files and the JSON of a seat.

Keys are no part of it. They come from the environment, under the vendor's own name or the one that ``key_env`` gives.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, JsonValue, ValidationError, model_validator

from games import refusing
from games.core.answers import Note, Unfit, first_error, first_note

Language: TypeAlias = Literal["en", "zh"]
MemoryMode: TypeAlias = Literal["none", "rounds", "summary", "scratchpad"]
OutputMode: TypeAlias = Literal["auto", "structured", "json", "token", "plan"]
Fault: TypeAlias = Literal[
    "prose", "empty", "truncated", "over_budget", "illegal", "slow", "hung", "rate_limited", "server_error", "reset"
]
MOCK = "mock"


class BadProfile(ValueError):
    """A profile that cannot be used; one line with field, value and remedy. ``note`` tells it in any language."""

    def __init__(self, text: str, note: Note | None = None) -> None:
        super().__init__(text)
        self.note = note

    @classmethod
    def told(cls, kind: str, **data: Any) -> BadProfile:
        """By one of the ``faults`` of `games.refusing`."""
        note = refusing.said(kind, **data)
        return cls(str(note.data["en"]), note)


def _plain_url(url: str) -> str:
    if url and not url.startswith(("http://", "https://")):
        raise Unfit(refusing.said("url_scheme", url=repr(url)))
    if "@" in url or "?" in url:
        raise Unfit(refusing.said("url_secret"))
    return url.rstrip("/")


class Price(BaseModel, frozen=True, extra="forbid"):
    """What a million tokens cost, in place of the price list's word."""

    input_usd: Decimal = Field(ge=0, le=10_000, title="Input", description="A million tokens of prompt, in USD.")
    output_usd: Decimal = Field(ge=0, le=10_000, title="Output", description="A million tokens of reply, in USD.")


class Limits(BaseModel, frozen=True, extra="forbid"):
    """Where spending stops. None: no limit."""

    usd: Decimal | None = Field(None, gt=0, title="Money", description="USD in all.")
    tokens: int | None = Field(None, ge=1, title="Tokens", description="Tokens in and out, in all.")
    calls: int | None = Field(None, ge=1, title="Calls", description="Calls in all.")


class MockSettings(BaseModel, frozen=True, extra="forbid"):
    """What stands behind a mock: the policy of ``mock/NAME``, and which faults it shows how often."""

    params: dict[str, JsonValue] = Field({}, title="Parameters", description="Of the policy.")
    faults: dict[Fault, Annotated[float, Field(ge=0, le=1)]] = Field(
        {}, title="Faults", description="The share of calls that go wrong in each way; 1 in all at the most."
    )
    slow_s: float = Field(0.5, ge=0, le=3600, title="Slow", description="Seconds that a slow reply takes.")
    latency_s: float = Field(0.0, ge=0, le=3600, title="Latency", description="Seconds that every reply takes.")

    @model_validator(mode="after")
    def _rates_fit(self) -> MockSettings:
        if (total := sum(self.faults.values())) > 1 + 1e-9:
            raise Unfit(refusing.said("fault_rates", total=f"{total:g}"))
        return self


class Profile(BaseModel, frozen=True, extra="forbid"):
    """A model and how it is asked."""

    model: str = Field(
        "mock/default",
        pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._:@/+-]+$",
        max_length=200,
        title="Model",
        description="PROVIDER/MODEL in litellm's naming, such as openai/gpt-4o-mini or ollama/llama3; "
        "mock/POLICY needs neither key nor network.",
    )
    base_url: Annotated[str, AfterValidator(_plain_url)] = Field(
        "", max_length=300, title="Base URL", description="Of an Ollama, vLLM or other OpenAI-compatible server."
    )
    key_env: str = Field(
        "",
        pattern=r"^([A-Z][A-Z0-9_]*_API_KEY)?$",
        max_length=80,
        title="Key's variable",
        description="Environment variable that holds the key, ending in _API_KEY; with a base URL no other key is "
        "sent. Empty: the vendor's own.",
    )
    temperature: float | None = Field(None, ge=0, le=2, title="Temperature", description="None: the vendor's default.")
    max_tokens: int = Field(1024, ge=1, le=200_000, title="Longest reply", description="In tokens.")
    seed: int | None = Field(None, ge=0, title="Seed", description="Sent to the model, where it takes one.")
    language: Language = Field("en", title="Language", description="Of the prompts.")
    persona: str = Field(
        "", max_length=64, pattern=r"^[A-Za-z0-9_-]*$", title="Persona", description="One of the game's, by name."
    )
    persona_text: str = Field("", max_length=4000, title="Persona in own words", description="Instead of a named one.")
    options: dict[str, JsonValue] = Field(
        {}, title="Prompt options", description="Of the game's prompts, such as heuristics: true."
    )
    memory: MemoryMode = Field(
        "none",
        title="Memory",
        description="rounds: its last answers. summary: a text that it rewrites after the news. "
        "scratchpad: a text that it may replace with each answer.",
    )
    memory_rounds: int = Field(5, ge=1, le=1000, title="Rounds kept", description="Under memory: rounds.")
    memory_length: int = Field(
        2000, ge=50, le=20_000, title="Longest memory", description="Characters of a summary or scratchpad; then cut."
    )
    output: OutputMode = Field(
        "auto",
        title="Output",
        description="auto: a plan where the game has plans, else what the game says, else structured output where the "
        "model has it, else JSON in the text.",
    )
    retries: int = Field(2, ge=0, le=10, title="Corrections", description="After a reply that cannot be used.")
    call_retries: int = Field(
        4, ge=0, le=20, title="Repeated calls", description="After 429, 5xx, a lost connection or a time-out."
    )
    timeout_s: float = Field(60, gt=0, le=3600, title="Time for one call", description="Seconds.")
    budget_s: float = Field(180, gt=0, le=7200, title="Time for an answer", description="Seconds, all calls together.")
    concurrency: int = Field(
        100, ge=1, le=1000, title="Calls at once", description="To this provider at most; fewer after a 429."
    )
    price: Price | None = Field(None, title="Price", description="In place of the price list's.")
    limits: Limits = Field(Limits(), title="Limits", description="Of this seat.")
    mock: MockSettings = Field(MockSettings(), title="Mock", description="Read by mock/ models alone.")

    @model_validator(mode="after")
    def _fits_together(self) -> Profile:
        if self.persona and self.persona_text:
            raise Unfit(refusing.said("persona_twice"))
        if self.timeout_s > self.budget_s:
            raise Unfit(refusing.said("timeout_beyond", timeout=f"{self.timeout_s:g}", budget=f"{self.budget_s:g}"))
        if not self.is_mock and self.mock != MockSettings():
            raise Unfit(refusing.said("no_mock", model=self.model))
        if self.is_mock and (self.base_url or self.key_env):
            raise Unfit(refusing.said("mock_calls_nobody"))
        return self

    @property
    def provider(self) -> str:
        """The vendor: what stands before the first slash."""
        return self.model.partition("/")[0]

    @property
    def is_mock(self) -> bool:
        return self.provider == MOCK

    @property
    def mock_policy(self) -> str:
        """The policy behind ``mock/NAME``; "default" means the game's own."""
        return self.model.partition("/")[2]


def read_profile(raw: Any) -> Profile:
    """A profile from untrusted JSON or YAML data; raises `BadProfile`."""
    try:
        return Profile.model_validate(raw)
    except ValidationError as error:
        raise BadProfile(f"profile: {first_error(error)}", first_note(error)) from None
