"""What one ability of a model shows itself by: the calls that are made for it, and how their replies are read."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias, get_args

from agents_app.gate import Gate
from agents_app.parsing import BadReply, read_reply
from agents_app.pricing import facts_of
from agents_app.profile import Profile
from agents_app.prompting import asked_form, reason
from agents_app.providers.compatible import CompatibleServer, base_of, exchange, object_of
from agents_app.providers.protocol import (
    AWAY,
    STOPPING,
    Message,
    Prompt,
    Provider,
    ProviderFault,
    Reply,
    tokens_in_prompt,
)
from agents_app.tidying import without_fence, without_thinking
from agents_app.usage import counted
from games.core.answers import JSON, ActionSpec

Ability: TypeAlias = Literal[
    "usage", "structured", "plan", "tools", "seed", "temperature", "cached", "chinese", "context", "parallel"
]
ABILITIES: Final[tuple[Ability, ...]] = get_args(Ability)
"""In the order in which they are looked for: whoever does not answer at all is known after the first."""
Verdict: TypeAlias = Literal["accepted", "ignored", "refused", "unknown"]
"""
``accepted``  the reply shows that it was heeded, or the number is there
``ignored``   a reply came, and shows nothing of it
``refused``   the server said no to this, and answers without it
``unknown``   no reply came that could show it
"""
Why: TypeAlias = Literal[
    "",
    "unheeded",
    "unsent",
    "silent",
    "unvaried",
    "varied",
    "cut",
    "said",
    "late",
    "unanswered",
    "unlisted",
    "unreadable",
]
"""Why a verdict is not ``accepted``, or what makes it doubtful.

``unheeded``    the reply does not keep to what was asked
``unreadable``  the reply is not in the form that was asked for
``unsent``      it is not passed on to this model at all
``silent``      the server's answer has no such number
``unvaried``    the replies are alike whatever is asked, so that nothing can be told
``varied``      the replies differ where they should be alike
``cut``         the reply was cut before it said anything
``said``        the server's own words tell; they stand beside
``late``        the time for trying was over
``unanswered``  it was not asked for, since the server answers nothing at all
``unlisted``    no list and no server tells
"""

CALL_S: Final = 30.0
"""One call of a probe ends after so long, whatever the profile allows."""
REPLY_MOST: Final = 256
"""Tokens of a reply, at most: enough for a model that thinks a little first."""
PARALLEL_MOST: Final = 100
"""Calls of the burst, at most."""
CACHED_LEAST: Final = 1_100
"""Tokens of a prompt that vendors begin to cache."""
LISTING_S: Final = 10.0
LISTING_MOST: Final = 4 * 2**20
SAID_MOST: Final = 300
UNASKED: Final = "unasked"
DEAF: Final = STOPPING | {AWAY}
OF_PARAMETERS: Final = frozenset({"structured", "tools", "seed", "temperature"})
"""Abilities that are asked for by a parameter, which a server may refuse by itself."""

_SHORT: Final = "Reply with the single word: ready"
_SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {"colour": {"type": "string"}, "letters": {"type": "integer"}},
    "required": ["colour", "letters"],
    "additionalProperties": False,
}
_DRAW: Final = "Write twelve letters of the alphabet, drawn at random. Only these letters, nothing else."
_TOOL: Final[Mapping[str, JSON]] = {
    "type": "function",
    "function": {
        "name": "read_clock",
        "description": "Tells the time in a town.",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]},
    },
}
_CONTEXT_NAMES: Final = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
"""How servers call the length of a context in their lists of models, the one that is in force first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was seen of one ability.

    ``value``   tokens of the context, tokens that were cached, or calls of the burst that were answered
    ``of``      calls of the burst
    ``said``    the server's own words, one redacted line
    ``calls``, ``tokens_in``, ``tokens_out``  what looking for it took; tokens are our own count where none came
    ``usd``     None: no price is known
    """

    ability: Ability
    verdict: Verdict
    why: Why = ""
    value: int | None = None
    of: int | None = None
    said: str = ""
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: Decimal | None = Decimal(0)
    latency_s: float | None = None


@dataclass(slots=True)
class Asker:
    """Asks a profile's server and keeps count."""

    profile: Profile
    provider: Provider
    gate: Gate
    until: float
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    took_s: list[float] = field(default_factory=list)
    is_deaf: bool = False
    """The server answers nothing of this profile: every further question would fail alike."""

    async def ask(self, prompt: Prompt, gate: Gate | None = None) -> Reply:
        """A reply as the server gave it, its own numbers alone. Raises `ProviderFault`."""
        async with gate or self.gate:
            left = self.until - asyncio.get_running_loop().time()
            if left <= 0:
                raise ProviderFault(UNASKED, "")
            allowed = min(CALL_S, self.profile.timeout_s, left)
            self.calls += 1
            self.tokens_in += tokens_in_prompt(prompt.messages)
            began = time.monotonic()
            try:
                async with asyncio.timeout(allowed):
                    reply = await self.provider.complete(prompt, allowed, None)
            except TimeoutError:
                raise ProviderFault("timeout", f"no reply within {allowed:.3g} s") from None
            except ProviderFault as fault:
                if fault.failure == "rate_limited":
                    self.gate.held_back(fault.retry_after_s)
                raise
            self.took_s.append(time.monotonic() - began)
        known = counted(prompt, reply, None)
        self.tokens_in += (known.tokens_in or 0) - tokens_in_prompt(prompt.messages)
        self.tokens_out += known.tokens_out or 0
        return reply

    def prompt(self, text: str, **more: Any) -> Prompt:
        """A question of one line, with the profile's own parameters and what is tried."""
        profile = self.profile
        own = {name: value for name, value in profile.extra.items() if name not in ("stop", "logprobs")}
        extra = {**own, **more.pop("extra", {})}
        most = min(REPLY_MOST, profile.max_tokens)
        return Prompt(profile.model, (Message("user", text),), most, extra=extra, **more)


def burst(profile: Profile) -> int:
    return min(PARALLEL_MOST, profile.concurrency)


async def looked(ability: Ability, asker: Asker) -> Finding:
    look: Mapping[Ability, Callable[[Asker], Coroutine[Any, Any, Finding]]] = {
        "usage": _usage,
        "structured": _structured,
        "plan": _plan,
        "tools": _tools,
        "seed": _seed,
        "temperature": _temperature,
        "cached": _cached,
        "chinese": _chinese,
        "context": _context,
        "parallel": _parallel,
    }
    try:
        return await look[ability](asker)
    except ProviderFault as fault:
        return await _of_fault(ability, asker, fault)


async def _of_fault(ability: Ability, asker: Asker, fault: ProviderFault) -> Finding:
    """A refusal is one of this parameter only where the same server answers without it."""
    said = str(fault)[:SAID_MOST]
    if fault.failure == UNASKED:
        return Finding(ability, "unknown", "late")
    if fault.failure in ("refused", "no_schema") and ability in OF_PARAMETERS:
        try:
            await asker.ask(asker.prompt(_SHORT))
        except ProviderFault as again:
            asker.is_deaf = again.failure in DEAF
        else:
            return Finding(ability, "refused", "said", said=said)
    else:
        asker.is_deaf = fault.failure in DEAF
    return Finding(ability, "unknown", "said", said=said)


# --- one by one -----------------------------------------------------------------------------------


async def _usage(asker: Asker) -> Finding:
    reply = await asker.ask(asker.prompt(_SHORT))
    is_told = bool(reply.tokens_in) and reply.tokens_out is not None
    return Finding("usage", "accepted") if is_told else Finding("usage", "ignored", "silent")


async def _structured(asker: Asker) -> Finding:
    """The question does not ask for JSON: a reply that is of the schema owes that to the schema alone."""
    reply = await asker.ask(asker.prompt("Name a colour, in a word.", schema=_SCHEMA))
    if "response_format" in reply.ignored:
        return Finding("structured", "ignored", "unsent")
    if (text := _text(reply)) is None:
        return Finding("structured", "unknown", "cut")
    try:
        made = json.loads(without_fence(text).text)
    except ValueError:
        return Finding("structured", "ignored", "unheeded")
    fits = isinstance(made, dict) and set(made) == {"colour", "letters"} and type(made["letters"]) is int
    return Finding("structured", "accepted") if fits else Finding("structured", "ignored", "unheeded")


async def _plan(asker: Asker) -> Finding:
    """By the very sentence that asks for a plan in a run, and the very reader."""
    spec = ActionSpec[Any].of(list[Literal["gather", "build", "rest"]])
    asked = asked_form("plan", spec, {}, asker.profile.model_copy(update={"memory": "none", "language": "en"}))
    reply = await asker.ask(asker.prompt(f"Gather twice, build once, then rest: as a plan.\n\n{asked}"))
    if _text(reply) is None:
        return Finding("plan", "unknown", "cut")
    try:
        read_reply(reply.text, reply.truncated, "plan", spec, {})
    except BadReply as error:
        return Finding("plan", "ignored", "unreadable", said=reason(error.note, "en")[:SAID_MOST])
    return Finding("plan", "accepted")


async def _tools(asker: Asker) -> Finding:
    reply = await asker.ask(
        asker.prompt("What time is it in Lisbon? Look it up.", extra={"tools": [_TOOL], "tool_choice": "auto"})
    )
    if "tools" in reply.ignored:
        return Finding("tools", "ignored", "unsent")
    if reply.tools:
        return Finding("tools", "accepted")
    return Finding("tools", "unknown", "cut") if _text(reply) is None else Finding("tools", "ignored", "unheeded")


async def _seed(asker: Asker) -> Finding:
    """One seed twice, another once, where replies are drawn."""
    prompts = [asker.prompt(_DRAW, seed=seed, temperature=1.0) for seed in (11, 11, 12)]
    replies = [await asker.ask(prompt) for prompt in prompts]
    if "seed" in replies[0].ignored:
        return Finding("seed", "ignored", "unsent")
    one, again, other = map(_text, replies)
    if one is None or again is None or other is None:
        return Finding("seed", "unknown", "cut")
    if one != again:
        return Finding("seed", "ignored", "varied")
    return Finding("seed", "unknown", "unvaried") if one == other else Finding("seed", "accepted")


async def _temperature(asker: Asker) -> Finding:
    """Twice at 0, where replies are to be alike, and twice at 1, where they are to differ."""
    replies = [await asker.ask(asker.prompt(_DRAW, temperature=at)) for at in (0.0, 0.0, 1.0, 1.0)]
    if "temperature" in replies[0].ignored:
        return Finding("temperature", "ignored", "unsent")
    cold, again, warm, other = map(_text, replies)
    if cold is None or again is None or warm is None or other is None:
        return Finding("temperature", "unknown", "cut")
    if cold != again:
        return Finding("temperature", "ignored", "varied")
    is_alike = cold == warm == other
    return Finding("temperature", "unknown", "unvaried") if is_alike else Finding("temperature", "accepted")


async def _cached(asker: Asker) -> Finding:
    """The same long prompt twice: whether the second answer tells how much of it was known."""
    told = " ".join(f"Line {number}: nothing of this is asked about." for number in range(CACHED_LEAST // 10))
    prompt = asker.prompt(f"{told}\n\n{_SHORT}")
    await asker.ask(prompt)
    reply = await asker.ask(prompt)
    if reply.tokens_cached is None:
        return Finding("cached", "ignored", "silent")
    return Finding("cached", "accepted", value=reply.tokens_cached)


async def _chinese(asker: Asker) -> Finding:
    text = _text(await asker.ask(asker.prompt("请只用中文回答，一句话：天空为什么是蓝色的？")))
    if text is None:
        return Finding("chinese", "unknown", "cut")
    letters = [sign for sign in text if sign.isalpha()]
    chinese = sum("\u4e00" <= sign <= "\u9fff" for sign in letters)
    is_chinese = bool(letters) and 2 * chinese >= len(letters)
    return Finding("chinese", "accepted") if is_chinese else Finding("chinese", "ignored", "unheeded")


async def _context(asker: Asker) -> Finding:
    """What the server's own list of models says, else the list that comes with litellm for vendors' models."""
    profile = asker.profile
    if isinstance(asker.provider, CompatibleServer) and profile.base_url:
        try:
            told = await _listed(profile)
        except ProviderFault:
            told = None
        if told is not None:
            return Finding("context", "accepted", value=told)
    known = None if profile.base_url else facts_of(profile.model).get("max_input_tokens")
    if isinstance(known, int) and known > 0:
        return Finding("context", "accepted", value=known)
    return Finding("context", "unknown", "unlisted")


async def _listed(profile: Profile) -> int | None:
    """The length that a server's list of models gives to this model; None where it gives none."""
    url = f"{base_of(profile)}/models"
    status, said = await exchange(profile, "GET", url, LISTING_S, most=LISTING_MOST)
    rows = object_of(status, said, url).get("data")
    name = profile.model.partition("/")[2]
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, Mapping) and row.get("id") == name:
            meta = row.get("meta")
            sources = (row, meta if isinstance(meta, Mapping) else {})
            counts = (source.get(key) for key in _CONTEXT_NAMES for source in sources)
            return next((count for count in counts if type(count) is int and count > 0), None)
    return None


async def _parallel(asker: Asker) -> Finding:
    """As many small calls at once as the profile allows; how many of them were answered."""
    wanted = burst(asker.profile)
    prompt, gate = asker.prompt(_SHORT), Gate(wanted)
    replies = await asyncio.gather(*(asker.ask(prompt, gate) for _ in range(wanted)), return_exceptions=True)
    faults = [one for one in replies if isinstance(one, BaseException)]
    for fault in faults:
        if not isinstance(fault, ProviderFault):
            raise fault
    answered = wanted - len(faults)
    if not faults:
        return Finding("parallel", "accepted", value=wanted, of=wanted)
    if not answered:
        raise faults[0]
    return Finding("parallel", "refused", "said", answered, wanted, str(faults[0])[:SAID_MOST])


def _text(reply: Reply) -> str | None:
    """What was said, thinking apart; None where the reply was cut before it said anything."""
    plain = without_thinking(reply.text)
    said = "" if plain.is_open else plain.text.strip()
    return None if reply.truncated and not said else said
