"""What agents are called in tables and legends, and scenarios of which something was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.core.pack import Pack
from games.core.prompts import LANGUAGES

AGENTS: Final = "agents"
"""Stands among changed settings for a file of agents that was given."""
WORDS: Final = {"en": {AGENTS: "agents by"}, "zh": {AGENTS: "智能体取自"}}
HINTS: Final = ("hints", "heuristics", "guidance")
"""The option that gives a model advice, under its names then and now: it is told wherever the model is."""
CHANGES_SHOWN: Final = 2
VALUE_LENGTH: Final = 30


def agent_label(pack: Pack | None, config: Any, agent: Mapping[str, Any]) -> str:
    """In a word or two: what it plays by where that is not as usual.

    A game may name its policies better than by their parameters; see `Pack.policy_label`.
    """
    params = {name: value for name, value in (agent.get("params") or {}).items() if value is not None}
    if agent.get("kind") == "policy":
        policy = str(agent["policy"])
        known = pack.policies.get(policy) if pack is not None else None
        if pack is not None and pack.policy_label is not None and known is not None and not known.reckons:
            return pack.policy_label(config, policy, params)
        fields = known.params.model_fields if known is not None else {}
        own = {
            name: value for name, value in sorted(params.items()) if name not in fields or value != fields[name].default
        }
        told = (f"{name} {value if isinstance(value, str) else json.dumps(value)}" for name, value in own.items())
        return f"{policy} ({', '.join(told)})" if own else policy
    options = (agent.get("profile") or {}).get("options") or {}
    hints = ", with hints" if any(options.get(name) is True for name in HINTS) else ""
    name = str(agent.get("model") or agent.get("label") or agent.get("profile") or agent.get("kind"))
    name = f"{agent['persona']} ({name})" if agent.get("persona") else name
    return f"{name}{hints}"


def changed_settings(before: Any, after: Any, under: str = "") -> Iterator[tuple[str, Any]]:
    """The settings of plain configs that differ, by their path with dots, with the value after."""
    for name, value in after.items():
        was = before.get(name)
        if isinstance(was, Mapping) and isinstance(value, Mapping):
            yield from changed_settings(was, value, f"{under}{name}.")
        elif was != value:
            yield f"{under}{name}", value
    yield from ((f"{under}{name}", None) for name in before if name not in after)


def changed_title(pack: Pack, title: Mapping[str, str], changes: Mapping[str, Any]) -> dict[str, str]:
    """A title with what was changed of its preset or file behind it, in each language: "Horizon 500 (rounds 60)"."""
    said = {}
    for language in LANGUAGES:
        known: Mapping[str, Any] = pack.words.book(language).get("config", {})
        labels = {name: WORDS[language].get(name) or known.get(name, {}).get("label", name) for name in changes}
        parts = [f"{labels[name]} {_short(value)}".strip() for name, value in [*changes.items()][:CHANGES_SHOWN]]
        more = len(changes) - len(parts)
        comma, around = ("，", "（{}）") if language == "zh" else (", ", " ({})")
        if more:
            parts.append(f"另有 {more} 项" if language == "zh" else f"and {more} more")
        said[language] = (title.get(language) or title.get("en", "")) + around.format(comma.join(parts))
    return said


def _short(value: Any) -> str:
    """A value in a few characters; "" for lists and mappings, whose name alone says that they differ."""
    if isinstance(value, list | tuple | Mapping):
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= VALUE_LENGTH else f"{text[: VALUE_LENGTH - 1]}…"
