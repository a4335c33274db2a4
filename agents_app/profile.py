"""How a model plays: one form for database, YAML files and the JSON of a seat.

Keys are no part of it. They come from the environment, under the vendor's own name or the one that ``key_env`` gives.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field, JsonValue, ValidationError, model_validator

from agents_app.asides import ASKED_AT_MOST, Aside
from games.core.answers import BadValue, ConfigError, Note, fault_told
from games.errors import sentences
from games.errors.plaintext import unkeepable

Language: TypeAlias = Literal["en", "zh"]
MemoryMode: TypeAlias = Literal["none", "rounds", "turns", "summary", "scratchpad"]
OutputMode: TypeAlias = Literal["auto", "structured", "json", "token", "plan"]
Fault: TypeAlias = Literal[
    "prose", "empty", "truncated", "over_budget", "illegal", "slow", "hung", "rate_limited", "server_error", "reset"
]
Reasoning: TypeAlias = Literal["", "none", "minimal", "low", "medium", "high"]
MOCK = "mock"
RUN_SEED: Final = "run"
RESERVED: Final = frozenset({"model", "messages", "stream", "api_key", "api_base", "base_url", "n", "tools"})
"""Parameters that are ours: `extra_body` may not set them."""


class BadProfile(BadValue):
    """A profile that cannot be used."""

    path: str = ""
    """Of the field at fault, where it is one field's: ``batch.poll_s``."""

    @classmethod
    def told(cls, kind: str, **data: Any) -> BadProfile:
        """By one of the ``faults`` of `games.errors.sentences`."""
        note = sentences.said(kind, **data)
        return cls(str(note.data["en"]), note)


def _plain_url(url: str) -> str:
    if url and not url.startswith(("http://", "https://")):
        raise ConfigError(sentences.said("url_scheme", url=repr(url)))
    if "@" in url or "?" in url:
        raise ConfigError(sentences.said("url_secret"))
    return url.rstrip("/")


def _lost(prompt: str, part: str) -> Note:
    return sentences.said("variant_loses", prompt=prompt, part=part, whole="{game}", place=f"{{{part}}}")


def _keeps(variant: str, part: str) -> bool:
    """Whether a text in place of the game's has a place for what the game's would have told as well."""
    return not variant or "{game}" in variant or f"{{{part}}}" in variant


class Price(BaseModel, frozen=True, extra="forbid"):
    """What a million tokens cost, in place of the price list's word."""

    input_usd: Decimal = Field(ge=0, le=10_000, title="Input", description="A million tokens of prompt, in USD.")
    output_usd: Decimal = Field(ge=0, le=10_000, title="Output", description="A million tokens of reply, in USD.")
    cached_usd: Decimal | None = Field(
        None,
        ge=0,
        le=10_000,
        title="Cached",
        description="A million cached tokens of prompt, in USD.",
    )
    written_usd: Decimal | None = Field(
        None,
        ge=0,
        le=10_000,
        title="Written to the cache",
        description="A million tokens of prompt that the vendor caches, in USD.",
    )


class Limits(BaseModel, frozen=True, extra="forbid"):
    """Where spending stops. None: no limit."""

    usd: Decimal | None = Field(None, gt=0, title="Money", description="USD in all.")
    tokens: int | None = Field(None, ge=1, title="Tokens", description="Tokens in and out, in all.")
    calls: int | None = Field(None, ge=1, title="Calls", description="Calls in all.")


class Batch(BaseModel, frozen=True, extra="forbid"):
    """How calls go through the vendor's batch interface: later, and mostly at half the price."""

    deadline_s: float = Field(
        86_400,
        ge=1,
        le=172_800,
        title="Deadline",
        description="Seconds after which a batch is cancelled. What it has not answered counts as timed out, and is "
        "asked again as often as calls are repeated.",
    )
    poll_s: float = Field(30, ge=0.1, le=3600, title="Asked after", description="Seconds between two looks at a batch.")
    gather_s: float = Field(
        5, ge=0, le=600, title="Gathered for", description="Seconds for which calls are gathered into one batch."
    )
    input_usd: Decimal | None = Field(
        None, ge=0, le=10_000, title="Input", description="A million tokens of prompt in a batch, in USD."
    )
    output_usd: Decimal | None = Field(
        None, ge=0, le=10_000, title="Output", description="A million tokens of reply in a batch, in USD."
    )

    @model_validator(mode="after")
    def _price_is_whole(self) -> Batch:
        if (self.input_usd is None) != (self.output_usd is None):
            raise ConfigError(sentences.said("batch_half_price"))
        return self


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
            raise ConfigError(sentences.said("fault_rates", total=f"{total:g}"))
        return self


class Example(BaseModel, frozen=True, extra="forbid"):
    """A question as it might be asked, and what would be a good answer."""

    asked: str = Field(min_length=1, max_length=20_000, title="Asked")
    answered: str = Field(min_length=1, max_length=20_000, title="Answered")


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
    top_p: float | None = Field(None, gt=0, le=1, title="Top p", description="None: the vendor's default.")
    stop: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        (), max_length=4, title="Stop", description="Texts at which the reply ends."
    )
    reasoning: Reasoning = Field(
        "",
        title="Thinking",
        description="Reasoning effort, where the model takes one; empty: the vendor's default.",
    )
    thinking_tokens: int | None = Field(
        None, ge=1024, le=200_000, title="Thinking budget", description="In tokens, where the vendor takes one."
    )
    logprobs: bool = Field(
        False,
        title="Log-probabilities",
        description="Of the likeliest first tokens, where the vendor gives them.",
    )
    extra_body: dict[str, JsonValue] = Field(
        {}, title="Further parameters", description="Sent as they stand, such as top_k: 20 to a server of one's own."
    )
    seed: Annotated[int, Field(ge=0)] | Literal["run"] | None = Field(
        None,
        title="Seed",
        description="Sent to the model, where it takes one. run: drawn from the run's own for each seat and step.",
    )
    language: Language = Field("en", title="Language", description="Of the prompts.")
    persona: str = Field(
        "", max_length=64, pattern=r"^[A-Za-z0-9_-]*$", title="Persona", description="One of the game's, by name."
    )
    persona_text: str = Field("", max_length=4000, title="Persona in own words", description="Instead of a named one.")
    system_prompt: str = Field(
        "",
        max_length=40_000,
        title="System prompt",
        description="In place of the game's own, for which {game} stands; {persona} for the persona. Empty: "
        "the game's.",
    )
    round_prompt: str = Field(
        "",
        max_length=40_000,
        title="Round's prompt",
        description="In place of the game's own, for which {game} stands; {memory} for the memory. The form of the "
        "answer follows it. Empty: the game's.",
    )
    examples: tuple[Example, ...] = Field(
        (), max_length=20, title="Worked examples", description="Questions and answers that stand before the round's."
    )
    options: dict[str, JsonValue] = Field(
        {}, title="Prompt options", description="Of the game's prompts, such as hints: true."
    )
    aside: tuple[Aside, ...] = Field(
        (),
        max_length=ASKED_AT_MOST,
        title="Questions aside",
        description="Beside the play, in calls of their own: beliefs, confidence and reasons as data. What is answered "
        "enters no memory and no later prompt.",
    )
    memory: MemoryMode = Field(
        "none",
        title="Memory",
        description="Where nothing is said the game's own: nations a summary, others none. rounds: its last answers. "
        "turns: its last rounds as turns of a chat. "
        "summary: a text that it rewrites after the news. "
        "scratchpad: a text that it may replace with each answer.",
    )
    memory_rounds: int = Field(5, ge=1, le=1000, title="Rounds kept", description="Under memory: rounds or turns.")
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
    call_retries: int = Field(4, ge=0, le=20, title="Repeated calls", description="After 429, 5xx or a time-out.")
    timeout_s: float = Field(60, gt=0, le=3600, title="Time for one call", description="Seconds.")
    budget_s: float = Field(180, gt=0, le=7200, title="Time for an answer", description="Seconds, all calls together.")
    concurrency: int = Field(
        100, ge=1, le=1000, title="Calls at once", description="To this provider at most; fewer after a 429."
    )
    fallback_limit: float | None = Field(
        None,
        ge=0,
        le=1,
        title="Fallbacks at most",
        description="The run pauses where a larger share of twenty answers cannot be used. None: half for "
        "models that are called, any share for mocks.",
    )
    cache: bool = Field(
        False,
        title="Reuse replies",
        description="A reply that another run of the site had to the same prompt and parameters is given again, "
        "flagged, and nobody is called.",
    )
    batch: Batch | None = Field(
        None,
        title="Batch interface",
        description="Of the vendor, by OpenAI's protocol: in runs of the bulk queue and at the shell calls are "
        "gathered and answered later. Runs of the live queue refuse it. None: each call by itself.",
    )
    price: Price | None = Field(None, title="Price", description="In place of the price list's.")
    limits: Limits = Field(Limits(), title="Limits", description="Of this seat.")
    mock: MockSettings = Field(MockSettings(), title="Mock", description="Read by mock/ models alone.")

    @model_validator(mode="before")
    @classmethod
    def _can_be_kept(cls, raw: Any) -> Any:
        if (found := unkeepable(raw)) is not None:
            raise ConfigError(sentences.said("unkeepable", sign=found[1]))
        return raw

    @model_validator(mode="after")
    def _fits_together(self) -> Profile:
        if self.persona and self.persona_text:
            raise ConfigError(sentences.said("persona_twice"))
        if (self.persona or self.persona_text) and not _keeps(self.system_prompt, "persona"):
            raise ConfigError(_lost("system_prompt", "persona"))
        if self.memory in ("rounds", "summary", "scratchpad") and not _keeps(self.round_prompt, "memory"):
            raise ConfigError(_lost("round_prompt", "memory"))
        if self.timeout_s > self.budget_s:
            raise ConfigError(
                sentences.said("timeout_beyond", timeout=f"{self.timeout_s:g}", budget=f"{self.budget_s:g}")
            )
        named = [one.name for one in self.aside]
        if len(set(named)) < len(named):
            twice = next(name for name in named if named.count(name) > 1)
            raise ConfigError(sentences.said("aside_twice", name=twice))
        if taken := sorted(RESERVED.intersection(self.extra_body)):
            raise ConfigError(sentences.said("extra_reserved", name=taken[0]))
        if not self.is_mock and self.mock != MockSettings():
            raise ConfigError(sentences.said("no_mock", model=self.model))
        if self.batch is not None and self.is_mock:
            raise ConfigError(sentences.said("batch_mock"))
        if self.is_mock and (self.base_url or self.key_env):
            raise ConfigError(sentences.said("mock_calls_nobody"))
        return self

    @property
    def fallbacks_at_most(self) -> float:
        """The share of answers that may be unusable; 1: any."""
        if self.fallback_limit is not None:
            return self.fallback_limit
        return 1.0 if self.is_mock else 0.5

    @property
    def extra(self) -> dict[str, JsonValue]:
        """The parameters beside temperature, length and seed that are set, by OpenAI's names."""
        named: dict[str, JsonValue] = {
            "top_p": self.top_p,
            "stop": list(self.stop) or None,
            "reasoning_effort": self.reasoning or None,
            "thinking": self.thinking_tokens,
            "logprobs": self.logprobs or None,
            "extra_body": self.extra_body or None,
        }
        return {name: value for name, value in named.items() if value is not None}

    def told(self) -> dict[str, Any]:
        """Every field as JSON data, the memory only where something is said of it: else it is each game's own."""
        return self.model_dump(mode="json", exclude=None if self._says_memory else {"memory"})

    def stored(self) -> dict[str, Any]:
        """What is said, as JSON data: without what is left at its default."""
        said = {"model": self.model, **({"memory": self.memory} if self._says_memory else {})}
        return said | self.model_dump(mode="json", exclude_defaults=True)

    def at_home(self, memory: str) -> Profile:
        """As it plays in a game whose own memory this is; raises pydantic's ValidationError where it is none."""
        return self if self._says_memory else Profile.model_validate({**self.stored(), "memory": memory})

    @property
    def _says_memory(self) -> bool:
        return "memory" in self.model_fields_set

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
        fault = error.errors(include_url=False)[0]
        text, note = fault_told(fault)
        bad = BadProfile(f"profile: {text}", note)
        bad.path = ".".join(map(str, fault["loc"]))
        raise bad from None
