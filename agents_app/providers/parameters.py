"""A prompt's parameters as a vendor wants them named, and those of which it makes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from agents_app.pricing import facts_of
from agents_app.providers.protocol import Prompt
from games.core.answers import JSON

TOP_LOGPROBS: Final = 5
REASONING_REFUSES: Final = ("temperature", "top_p", "logprobs")
"""What OpenAI's reasoning models answer with a refusal."""


def wanted_of(prompt: Prompt) -> dict[str, Any]:
    """The parameters by OpenAI's names, without ``extra_body``."""
    wanted: dict[str, Any] = {"max_tokens": prompt.max_tokens}
    if prompt.temperature is not None:
        wanted["temperature"] = prompt.temperature
    if prompt.seed is not None:
        wanted["seed"] = prompt.seed
    if prompt.schema is not None:
        wanted["response_format"] = response_format(prompt.schema)
    for name, value in prompt.extra.items():
        if name == "logprobs":
            wanted |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        elif name != "extra_body":
            wanted[name] = value
    return wanted


def body_of(prompt: Prompt) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body of an OpenAI-compatible request, and the names of the parameters that the model does not take.

    ``extra_body`` comes last: whoever writes it knows the server.
    """
    name = prompt.model.partition("/")[2]
    wanted, ignored = wanted_of(prompt), list[str]()
    if facts_of(f"openai/{name}").get("supports_reasoning"):
        wanted["max_completion_tokens"] = wanted.pop("max_tokens")
        ignored = [one for one in REASONING_REFUSES if one in wanted]
        wanted = {key: value for key, value in wanted.items() if key not in (*ignored, "top_logprobs")}
    if "thinking" in wanted:
        wanted.pop("thinking")
        ignored.append("thinking_tokens")
    messages = [{"role": message.role, "content": message.text} for message in prompt.messages]
    more = prompt.extra.get("extra_body")
    extra: Mapping[str, Any] = more if isinstance(more, Mapping) else {}
    return {"model": name, "messages": messages, **wanted, **extra}, tuple(ignored)


def response_format(schema: Mapping[str, JSON]) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}
