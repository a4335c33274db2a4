"""A model says a sentence or two on a round for those who watch. It is asked beside the play: nothing depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from agents_app.deciders.aside import OF_MOVES
from agents_app.deciders.calling import Caller
from agents_app.deciders.questions import Question
from agents_app.deciders.seating import check_limits, provider_for
from agents_app.gate import Gate, gate_for
from agents_app.parsing import BadReply
from agents_app.ports import Ledger
from agents_app.profile import Language, Profile
from agents_app.prompting import lines
from agents_app.providers.mock import Hint
from agents_app.providers.protocol import Message, Prompt
from agents_app.tidying import without_thinking
from games.core.agents import Request
from games.core.answers import Note
from games.core.pack import Pack
from games.core.rng import Rng
from games.core.steps import Turn

LONGEST: Final = 180
"""Characters of what is kept."""
TOKENS_LEAST: Final = 512
ASKED_S: Final = 60.0
"""So long it is waited for, whatever the profile allows."""


async def comment(
    pack: Pack, profile: Profile, role: str, language: Language, facts: Sequence[str], step: int, ledger: Ledger
) -> str | None:
    """What the model says of the last of these facts, asked once; None where nothing usable came.

    ``role``: one that the policy of a mock can play.

    Raises `RunStop` where a limit is reached or the model cannot be asked, and `BadProfile`.
    """
    check_limits(profile)
    times = {name: min(getattr(profile, name), ASKED_S) for name in ("budget_s", "timeout_s")}
    once = profile.model_copy(update={**times, "cache": False, "batch": None, "retries": 0, "call_retries": 0})
    gate = Gate(once.concurrency) if once.is_mock else gate_for(once)
    caller = Caller(once, provider_for(pack, once, role), gate)
    return (await caller.ask(_question(pack, once, language, facts, step), ledger)).value


def _question(pack: Pack, profile: Profile, language: Language, facts: Sequence[str], step: int) -> Question[str]:
    book: Mapping[str, Any] = pack.words.book(language) or pack.words.book("en")
    told = {"title": book["name"], "tagline": book["tagline"], "longest": LONGEST}
    system = Message("system", lines(language)["comment_system"].format(**told))
    prompt = Prompt(
        profile.model,
        (system, Message("user", "\n".join(facts))),
        max(profile.max_tokens, TOKENS_LEAST),
        profile.temperature,
        None,
        None,
        {name: value for name, value in profile.extra.items() if name not in OF_MOVES},
    )
    request: Request[Any, Any] = Request(
        step, Turn((), "", ()), 0, None, None, None, None, Rng.root(0).step(step), "after"
    )
    return Question(0, step, "after", prompt, _read, lambda attempt: Hint(request, beside=facts[-1], attempt=attempt))


def _read(reply: str, truncated: bool) -> tuple[str, tuple[str, ...]]:
    plain = without_thinking(reply)
    text = " ".join(plain.text.split())
    if not text:
        raise BadReply("unparseable", Note("no_text", {}))
    if len(text) > LONGEST:
        text = text[: LONGEST - 1].rstrip() + "…"
    return text, plain.repaired
