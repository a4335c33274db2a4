"""A prompt's parameters as a vendor wants them named, and those of which it makes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agents_app.pricing import facts_of
from agents_app.providers.protocol import Prompt
from agents_app.providers.strict import strict_form
from games.core.answers import JSON

TOP_LOGPROBS: Final = 5
CACHES_BY_MARK: Final = frozenset({"anthropic", "bedrock", "vertex_ai", "openrouter"})
"""Ways to Claude, which caches what stands before a mark; other models cache by themselves."""
REASONING_REFUSES: Final = ("temperature", "top_p", "logprobs")
"""What OpenAI's reasoning models answer with a refusal."""


def wanted_of(prompt: Prompt, *, strict: bool = False) -> dict[str, Any]:
    """The parameters by OpenAI's names, without ``extra_body``. ``strict``: the vendor holds to a strict schema."""
    wanted: dict[str, Any] = {"max_tokens": prompt.max_tokens}
    if prompt.temperature is not None:
        wanted["temperature"] = prompt.temperature
    if prompt.seed is not None:
        wanted["seed"] = prompt.seed
    if prompt.schema is not None:
        wanted["response_format"] = response_format(prompt.schema, strict=strict)
    for name, value in prompt.extra.items():
        if name == "logprobs":
            wanted |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        elif name != "extra_body":
            wanted[name] = value
    return wanted


def body_of(prompt: Prompt, *, strict: bool = False) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body of an OpenAI-compatible request, and the names of the parameters that the model does not take.

    ``extra_body`` comes last: whoever writes it knows the server.
    """
    name = prompt.model.partition("/")[2]
    wanted, ignored = wanted_of(prompt, strict=strict), list[str]()
    if facts_of(f"openai/{name}").get("supports_reasoning"):
        wanted["max_completion_tokens"] = wanted.pop("max_tokens")
        ignored = [one for one in REASONING_REFUSES if one in wanted]
        wanted = {key: value for key, value in wanted.items() if key not in (*ignored, "top_logprobs")}
    if "thinking" in wanted:
        wanted.pop("thinking")
        ignored.append("thinking_tokens")
    messages = messages_of(prompt)
    more = prompt.extra.get("extra_body")
    extra: Mapping[str, Any] = more if isinstance(more, Mapping) else {}
    return {"model": name, "messages": messages, **wanted, **extra}, tuple(ignored)


def messages_of(prompt: Prompt) -> list[dict[str, Any]]:
    """The messages; to Claude with a mark at the end of what lasts, for all seats and for this one: it is cached."""
    has_marks = is_marked(prompt.model)
    told: list[dict[str, Any]] = []
    for message in prompt.messages:
        content: Any = message.text
        if has_marks and message.role == "system":
            parts = (message.text[: message.shared], message.text[message.shared :])
            content = [{"type": "text", "text": part, "cache_control": {"type": "ephemeral"}} for part in parts if part]
        told.append({"role": message.role, "content": content})
    return told


def is_marked(model: str) -> bool:
    """Whether messages to a model have such marks."""
    provider, _, name = model.lower().partition("/")
    return provider in CACHES_BY_MARK and "claude" in name


def response_format(schema: Mapping[str, JSON], *, strict: bool = False) -> dict[str, Any]:
    form = strict_form(schema) if strict else None
    told = {"schema": dict(schema)} if form is None else {"schema": form, "strict": True}
    return {"type": "json_schema", "json_schema": {"name": "answer", **told}}
