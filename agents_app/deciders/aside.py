"""Asks a model beside the play: the words that it has for its move, then what is asked, in one more call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from agents_app.asides import Aside, When, schema_of, written
from agents_app.deciders.questions import Question
from agents_app.parsing import BadReply, json_in, tidied
from agents_app.profile import Language, Profile
from agents_app.prompting import lines, reason, schema_text
from agents_app.providers.mock import Hint
from agents_app.providers.protocol import Message, Prompt
from games.core.agents import Request
from games.core.answers import JSON, Note

TOKENS_LEAST: Final = 512
"""A profile whose moves are single tokens has room for its answers all the same."""
OF_MOVES: Final = frozenset({"stop", "logprobs"})
"""Parameters that are meant for the form of a move."""


def asked_text(asked: Sequence[Aside], when: When, language: Language) -> str:
    """The questions as the model reads them, after whatever it was told."""
    words = lines(language)
    listed = [f"- {one.name}: {one.ask} ({reason(one.form, language)})" for one in asked]
    form = words["ask_aside"].format(schema=schema_text(schema_of(asked)))
    return "\n".join((words[f"aside_{when}"], *listed, form))


def aside_question(
    profile: Profile,
    asked: Sequence[Aside],
    when: When,
    request: Request[Any, Any],
    told: Sequence[Message],
    seed: int | None,
    *,
    structured: bool,
) -> Question[Mapping[str, JSON]]:
    """What is asked, after the messages that were ``told``; with a JSON Schema where the server takes one."""
    text = asked_text(asked, when, profile.language)
    last = told[-1]
    ours = Message("user", text if last.role == "assistant" else f"{last.text}\n\n{text}")
    before = told if last.role == "assistant" else told[:-1]
    prompt = Prompt(
        profile.model,
        (*before, ours),
        max(profile.max_tokens, TOKENS_LEAST),
        profile.temperature,
        seed,
        schema_of(asked) if structured else None,
        {name: value for name, value in profile.extra.items() if name not in OF_MOVES},
    )
    drawn = written({one.name: one.drawn(request.rng.at("aside", number)) for number, one in enumerate(asked)})
    known = Hint(replace(request, purpose=when), beside=drawn)

    def plain() -> Question[Mapping[str, JSON]]:
        return aside_question(profile, asked, when, request, told, seed, structured=False)

    return Question(
        request.seat,
        request.index,
        when,
        prompt,
        lambda reply, truncated: read_answers(asked, reply, truncated),
        lambda attempt: replace(known, attempt=attempt),
        plain if structured else None,
        written,
    )


def read_answers(asked: Sequence[Aside], text: str, truncated: bool) -> tuple[Mapping[str, JSON], tuple[str, ...]]:
    """The answers by name in the last JSON object of a reply, and what was struck off before; raises `BadReply`."""
    plain = tidied(text, truncated)
    last, _, _ = json_in(plain.text, dict)[-1]
    return {one.name: _answer(one, last.get(one.name)) for one in asked}, plain.repaired


def _answer(one: Aside, raw: Any) -> float | str:
    answer = one.read(raw)
    if answer is None:
        raise BadReply("unparseable", Note(f"not_{one.form.kind}", {"name": one.name, **one.form.data}))
    return answer
