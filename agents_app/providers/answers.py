"""What a server's answer says, in the form of OpenAI's chat completions and in what others have made of it.

Servers agree on little beside ``choices[0].message``: the text comes as a string, as a list of parts or as a tool's
arguments; thinking as ``reasoning_content``, ``reasoning`` or among the parts; a refusal in a field of its own. All of
it is kept, and what is no text is never taken for one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents_app.providers.bounded import AnswerTooLong
from agents_app.providers.protocol import BYTES_A_TOKEN, OVERLONG, ProviderFault, Reply
from agents_app.providers.redacting import redacted
from agents_app.tidying import AROUND, without_thinking

CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "MAX_TOKENS"})
"""How vendors call the end at the longest length."""
SHORT: Final = 200
"""Characters that are kept of names and ids."""
LOGPROBS_KEPT: Final = 20
CONTENT: Final = re.compile(r'"content"\s*:\s*"((?:[^"\\]|\\.)*)')
BEGUN_MAX: Final = 256 * 1024
"""Characters of an answer without end in which its text is looked for."""


def reply_of(answer: Mapping[str, Any], ignored: tuple[str, ...] = ()) -> Reply:
    """The reply in an answer, its numbers of tokens as they stand there; raises `ProviderFault` where it has none."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        said = sentence_of(answer)
        raise ProviderFault("server_error", f"no choice in the answer{': ' + said if said else ''}", is_answered=True)
    text, thinking = _content(message.get("content"))
    tools = _tools(message)
    arguments = "\n".join(str(one["arguments"]) for one in tools)
    usage = answer.get("usage")
    counts: Mapping[str, Any] = usage if isinstance(usage, dict) else {}
    told = "\n".join(part for part in (_text(message.get(n)) for n in ("reasoning_content", "reasoning")) if part)
    finish = _text(choice.get("finish_reason"))[:SHORT]
    return Reply(
        redacted(text if text.strip() or not arguments else arguments),
        finish in CUT,
        counts.get("prompt_tokens"),
        counts.get("completion_tokens"),
        None,
        ignored,
        finish=finish,
        reasoning=redacted(told or thinking),
        refusal=redacted(_text(message.get("refusal"))),
        tools=redacted(json.dumps(tools, ensure_ascii=False)) if tools else "",
        served=_text(answer.get("model"))[:SHORT],
        response_id=_text(answer.get("id"))[:SHORT],
        fingerprint=_text(answer.get("system_fingerprint"))[:SHORT],
        tokens_cached=_part(counts, "prompt_tokens_details", "cached_tokens"),
        tokens_reasoning=_part(counts, "completion_tokens_details", "reasoning_tokens"),
        tokens_written=_written(counts),
        logprobs=_logprobs(choice.get("logprobs")),
    )


def overlong_reply(error: AnswerTooLong, ignored: tuple[str, ...]) -> Reply:
    """An answer that did not end within the bound, as one that was cut: its text as far as it can be told.

    It is billed by its length, whatever length was asked for; what it cost in truth nobody has read.
    """
    begun = CONTENT.search(error.begun.decode("utf-8", "replace")[:BEGUN_MAX])
    try:
        text = json.loads(f'"{begun[1]}"', strict=False) if begun else ""
    except ValueError:
        text = ""
    tokens = error.most // BYTES_A_TOKEN
    return Reply(redacted(text), True, None, tokens, None, ignored, finish=OVERLONG, estimated=True)


def sentence_of(said: Any) -> str:
    """The vendor's own sentence in an answer or in the body of a refusal; "" where it says none."""
    if not isinstance(said, dict):
        return ""
    for name in ("error", "detail", "message", "errors"):
        part = said.get(name)
        if isinstance(part, dict):
            part = part.get("message") or part.get("error") or json.dumps(part, ensure_ascii=False)
        elif isinstance(part, list) and part:
            part = json.dumps(part, ensure_ascii=False)
        if isinstance(part, str) and part.strip():
            return " ".join(part.split())
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _content(content: Any) -> tuple[str, str]:
    """The text and the thinking of a message's content: a string, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list):
        return "", ""
    text, thinking = [], []
    for part in content:
        if isinstance(part, str):
            text.append(part)
        elif isinstance(part, dict):
            kind = part.get("type")
            if kind in ("thinking", "reasoning"):
                thinking.append(_content(part.get("thinking") or part.get("text"))[0])
            else:
                text.append(_text(part.get("text")))
    return "".join(text), "".join(thinking)


def _tools(message: Mapping[str, Any]) -> list[dict[str, str]]:
    """The tools that were called: names and arguments as they came."""
    calls = message.get("tool_calls") or []
    if isinstance(message.get("function_call"), dict):
        calls = [*calls, {"function": message["function_call"]}]
    found = []
    for call in calls if isinstance(calls, list) else ():
        wanted = call.get("function") if isinstance(call, dict) else None
        if isinstance(wanted, dict):
            arguments = wanted.get("arguments")
            told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            found.append({"name": _text(wanted.get("name"))[:SHORT], "arguments": told})
    return found


def _part(usage: Mapping[str, Any], of: str, name: str) -> int | None:
    details = usage.get(of)
    count = details.get(name) if isinstance(details, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 0 else None


def _written(usage: Mapping[str, Any]) -> int | None:
    """Tokens that were put into the vendor's cache, as litellm and OpenRouter call them."""
    count = usage.get("cache_creation_input_tokens")
    if isinstance(count, int) and not isinstance(count, bool) and count >= 0:
        return count
    return _part(usage, "prompt_tokens_details", "cache_write_tokens")


def _first(content: Sequence[Any]) -> Mapping[str, Any] | None:
    """The token with which the answer begins: past thinking in tags, white space and signs that only dress it up."""
    tokens = [one for one in content if isinstance(one, dict) and isinstance(one.get("token"), str)]
    said = "".join(one["token"] for one in tokens)
    begins, at = len(said) - len(without_thinking(said).text), 0
    for one in tokens:
        at += len(one["token"])
        if at > begins and one["token"].strip(AROUND):
            return one
    return None


def _logprobs(told: Any) -> str:
    """The likeliest first tokens of the answer with the logarithms of their probabilities."""
    content = told.get("content") if isinstance(told, dict) else None
    first = _first(content) if isinstance(content, list) else None
    if first is None:
        return ""
    top = first.get("top_logprobs")
    rows = top if isinstance(top, list) and top else [first]
    kept = [
        [row["token"], row["logprob"]]
        for row in rows[:LOGPROBS_KEPT]
        if isinstance(row, dict) and isinstance(row.get("token"), str) and isinstance(row.get("logprob"), int | float)
    ]
    return json.dumps(kept, ensure_ascii=False) if kept else ""
