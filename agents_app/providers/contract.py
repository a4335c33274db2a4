"""What a provider is asked and what it answers. A real one and the mock are the same to those who ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal, Protocol, TypeAlias

from agents_app.profile import Price
from games.core.answers import JSON
from games.core.codec import canonical, digest_of

Failure: TypeAlias = Literal["timeout", "rate_limited", "server_error", "reset", "refused"]
"""Why no reply came. ``refused``: the vendor will not answer this at all (no key, no such model); do not try again."""


MILLION: Final = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that decides a reply, as far as we decide it. ``schema``: a JSON Schema for structured output, or None."""

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    seed: int | None = None
    schema: Mapping[str, JSON] | None = None
    text: str = field(init=False, repr=False, compare=False)
    """What is stored of it: the whole, as JSON text."""
    hash: str = field(init=False, repr=False, compare=False)
    """32 hexadecimal digits over all of it: the same hash, the same prompt."""

    def __post_init__(self) -> None:
        written = canonical(self.plain())
        object.__setattr__(self, "text", written.decode())
        object.__setattr__(self, "hash", digest_of(written))

    def plain(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.text} for message in self.messages],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "seed": self.seed,
            "schema": self.schema,
        }

    def followed_by(self, *messages: Message) -> Prompt:
        return Prompt(
            self.model, (*self.messages, *messages), self.max_tokens, self.temperature, self.seed, self.schema
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A text and what it took.

    ``truncated``  it was cut at the longest length
    ``ignored``    settings that were not passed on
    ``flags``      what the decision is to be flagged with, such as ``off_record``
    """

    text: str
    truncated: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: Decimal | None = None
    ignored: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


class ProviderFault(Exception):
    """No reply came. The text is one line that holds no key; ``retry_after_s`` is the vendor's own wish."""

    def __init__(self, failure: Failure, text: str, retry_after_s: float | None = None) -> None:
        self.failure, self.retry_after_s = failure, retry_after_s
        super().__init__(text)


class Provider(Protocol):
    """Completes prompts."""

    async def ready(self) -> None:
        """Do what takes long and happens once, outside of any call's time."""
        ...

    def has_structured_output(self, model: str) -> bool:
        """Whether the model keeps to a JSON Schema that it is given."""
        ...

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        """A reply, or `ProviderFault`. ``hint`` is the decider's own business with the mock; others leave it alone."""
        ...


def tokens_in_text(text: str) -> int:
    """About how many tokens a text has: four ASCII letters to one, and one for each other sign."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + len(text) - plain


def tokens_in_prompt(messages: Sequence[Message]) -> int:
    """About how many tokens a prompt has."""
    return sum(tokens_in_text(message.text) + 4 for message in messages)


def cost(price: Price | None, tokens_in: int | None, tokens_out: int | None) -> Decimal | None:
    """What a call cost in USD, to eight decimals; None where price or tokens are not known."""
    if price is None or tokens_in is None or tokens_out is None:
        return None
    spent = (price.input_usd * tokens_in + price.output_usd * tokens_out) / MILLION
    return spent.quantize(Decimal("1E-8"))
