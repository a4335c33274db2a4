"""What a provider is asked and what it answers. A real one and the mock are the same to those who ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from typing import Final, Literal, Protocol, TypeAlias, get_args

from agents_app.profile import Price
from games.core.answers import JSON
from games.core.codec import canonical, digest_of, in_order
from games.core.values import Same, swift

Failure: TypeAlias = Literal[
    "timeout",
    "rate_limited",
    "server_error",
    "reset",
    "away",
    "no_schema",
    "context",
    "filtered",
    "refused",
    "certificate",
    "no_key",
    "unasked",
]
"""Why no reply came.

``reset``        the connection was lost in the middle of a call: it is waited for
``away``         nobody listens there, or the server is loading (503): it is waited for
``no_schema``    the server does not take a JSON Schema; the same is asked without one
``context``      the prompt is longer than the model's context
``filtered``     the vendor's filter let the prompt or the reply not pass
``refused``      the vendor will not answer at all: a wrong key, no such model, a wrong address
``certificate``  the server's certificate does not hold, or the two ends speak different protocols
``no_key``       the environment holds no key, so that nobody was asked
``unasked``      the time for the answer was over before the call could begin, so that nobody was asked
"""
PROVIDER_FAILURES: Final = frozenset(get_args(Failure))
FINAL: Final = frozenset({"refused", "no_key", "certificate", "context", "filtered", "unasked"})
"""Those that the same call would not mend."""
STOPPING: Final = frozenset({"refused", "no_key", "certificate"})
"""Those of the setup: every other call of the profile would fail alike, and the run does not go on."""
AWAY: Final = "away"
RESET: Final = "reset"
WAITED: Final = frozenset({AWAY, RESET})
"""Those that are waited for, as long as there is time for the answer."""
NEVER: Final = float("inf")
"""When a recording wants its last failure to be asked again."""
UNSENT: Final = frozenset({"no_key", "unasked"})
"""Those of calls that nobody received: they count as none."""

MILLION: Final = Decimal(1_000_000)
BYTES_A_TOKEN: Final = 4
"""Of plain letters, about."""
OVERLONG: Final = "overlong"
"""The ``finish`` of a reply that was read no further than its bound."""


@swift
@dataclass(frozen=True, slots=True)
class Message:
    """``shared``: so many characters at its start are the same for all seats; 0: nothing is known of that."""

    role: Literal["system", "user", "assistant"]
    text: str
    shared: int = 0


@dataclass(frozen=True)
class Prompt:
    """All that decides a reply, as far as we decide it. Its whole text is written when it is first asked for: while the
    reply is awaited, unless earlier calls are looked through.

    ``schema``  a JSON Schema for structured output, or None
    ``extra``   further parameters by the names of OpenAI's chat completions (``top_p``, ``stop``, ``reasoning_effort``,
                ``thinking``, ``logprobs``, ``extra_body``); only those that are set
    """

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    seed: int | None = None
    schema: Mapping[str, JSON] | None = None
    extra: Mapping[str, JSON] = field(default_factory=dict)

    @cached_property
    def spoken(self) -> bytes:
        """The messages as JSON: texts alone, which msgspec writes as `canonical` does."""
        return in_order([{"content": message.text, "role": message.role} for message in self.messages])

    @cached_property
    def _written(self) -> bytes:
        extra = b'"extra":%b,' % canonical(dict(self.extra)) if self.extra else b""
        head = b'{%b"max_tokens":%b,"messages":%b' % (extra, _canonical_part(self.max_tokens), self.spoken)
        schema, rest = _canonical_schema(Same(self.schema)), map(_canonical_part, (self.seed, self.temperature))
        parts = head, _canonical_part(self.model), schema, *rest
        return b'%b,"model":%b,"schema":%b,"seed":%b,"temperature":%b}' % parts  # by name, as all that is canonical

    @property
    def text(self) -> str:
        """What is stored of it: the whole, as JSON text."""
        return self._written.decode()

    @cached_property
    def hash(self) -> str:
        """32 hexadecimal digits over all of it: the same hash, the same prompt."""
        return digest_of(self._written)

    def followed_by(self, *messages: Message) -> Prompt:
        return replace(self, messages=(*self.messages, *messages))


_canonical_part: Final = lru_cache(maxsize=256, typed=True)(canonical)
"""Of a name or a number that many prompts share."""


@lru_cache(maxsize=64)
def _canonical_schema(schema: Same) -> bytes:
    return canonical(schema.it)


@swift
@dataclass(frozen=True, slots=True)
class Reply:
    """A text, what came beside it, and what it took.

    ``text``         the content; where there is none, the arguments of the tool that was called
    ``truncated``    it was cut at the longest length
    ``ignored``      settings that were not passed on, or of which the server made nothing
    ``flags``        what the decision is to be flagged with, such as ``off_record``
    ``finish``       the vendor's own word for why it ended
    ``reasoning``    thinking that came apart from the text
    ``refusal``      what the model said where it declined to answer
    ``tools``        the tools that it called, as JSON text; "" where none
    ``served``       the model that answered, by the server's word
    ``tokens_cached``, ``tokens_reasoning``  parts of ``tokens_in`` and ``tokens_out``
    ``tokens_written``  those of ``tokens_in`` that the vendor put into its cache, at a price of their own
    ``estimated``    its numbers of tokens are our own, since the server gave none that can be true
    ``logprobs``     the likeliest first tokens as JSON text: ``[[token, natural logarithm of its probability], …]``
    ``label``        what a recording calls a reply that could not be used; "" where none says
    ``from_cache``   it was given in another run to the same prompt, and cost nothing now
    """

    text: str
    truncated: bool = False
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: Decimal | None = None
    ignored: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    finish: str = ""
    reasoning: str = ""
    refusal: str = ""
    tools: str = ""
    served: str = ""
    response_id: str = ""
    fingerprint: str = ""
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    tokens_written: int | None = None
    estimated: bool = False
    logprobs: str = ""
    from_cache: bool = False
    label: str = ""


class ProviderFault(Exception):
    """No reply came. The text is one line that holds no key; ``retry_after_s`` is the vendor's own wish.

    ``is_answered``  the server had begun to answer with a success, so that the call is billed all the same
    """

    def __init__(
        self, failure: Failure, text: str, retry_after_s: float | None = None, *, is_answered: bool = False
    ) -> None:
        self.failure, self.retry_after_s, self.is_answered = failure, retry_after_s, is_answered
        super().__init__(text)


class Provider(Protocol):
    """Completes prompts."""

    address: str
    """Where it asks, without any key; "" where nobody is called."""

    @property
    def loads(self) -> str:
        """The library that `ready` has yet to load, which takes seconds; "" where there is none."""
        ...

    async def ready(self) -> None:
        """Do what takes long and happens once, outside of any call's time."""
        ...

    def has_structured_output(self, model: str) -> bool:
        """Whether the model keeps to a JSON Schema that it is given."""
        ...

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        """A reply, or `ProviderFault`. ``hint`` is the decider's own business with the mock; others leave it alone.

        Whoever asks ends the call after ``timeout_s``; it is told to servers and libraries that have a clock.
        """
        ...


class AtHand:
    """What a provider has whose replies come from this process: nobody to call, nothing to prepare."""

    address = ""
    loads = ""

    async def ready(self) -> None:
        """Nothing to prepare."""

    def has_structured_output(self, model: str) -> bool:
        return True


def tokens_in_text(text: str) -> int:
    """About how many tokens a text has: four ASCII letters to one, and one for each other sign."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return -(-plain // BYTES_A_TOKEN) + len(text) - plain


def tokens_in_prompt(messages: Sequence[Message]) -> int:
    """About how many tokens a prompt has."""
    return sum(tokens_in_text(message.text) + 4 for message in messages)


def cost(price: Price | None, tokens_in: int | None, tokens_out: int | None) -> Decimal | None:
    """What a call cost in USD, to eight decimals; None where price or tokens are not known."""
    if price is None or tokens_in is None or tokens_out is None:
        return None
    spent = (price.input_usd * tokens_in + price.output_usd * tokens_out) / MILLION
    try:
        return spent.quantize(Decimal("1E-8"))
    except InvalidOperation:  # more digits than a sum of money has: the numbers are not to be believed
        return spent
