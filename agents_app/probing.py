"""What a model and its server can do, found out by asking: small calls whose replies show what was made of a parameter.

A verdict is what was observed, never what a list says; only the length of the context is read, since nothing that is
asked could show it for less than a whole context of tokens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from agents_app.abilities import (
    ABILITIES,
    CACHED_LEAST,
    REPLY_MOST,
    Ability,
    Asker,
    Finding,
    burst,
    looked,
)
from agents_app.deciders.seating import chat_provider
from agents_app.gate import gate_for
from agents_app.pricing import price_for
from agents_app.profile import Profile
from agents_app.providers.protocol import (
    cost,
)

PROBED_S: Final = 90.0
"""So long all abilities together are looked for; those that are left are unknown."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What looking will take at most, if each reply is as long as it may be. ``usd`` None: no price is known."""

    calls: int
    tokens_in: int
    tokens_out: int
    usd: Decimal | None


async def probe(profile: Profile, wanted: Sequence[Ability] = ABILITIES) -> list[Finding]:
    """What is seen of each, in order. Whoever does not answer the first question is asked no further ones.

    Never raises for what a server does; a mock calls nobody, and of it nothing is known.
    """
    if profile.is_mock:
        return [Finding(ability, "unknown", "unsent") for ability in wanted]
    provider = chat_provider(profile)
    await provider.ready()
    until = asyncio.get_running_loop().time() + PROBED_S
    found: list[Finding] = []
    is_deaf = False
    for ability in wanted:
        asker = Asker(profile, provider, gate_for(profile), until)
        seen = Finding(ability, "unknown", "unanswered") if is_deaf else await looked(ability, asker)
        is_deaf |= asker.is_deaf
        usd = cost(price_for(profile), asker.tokens_in, asker.tokens_out) if asker.calls else Decimal(0)
        latency = sum(asker.took_s) / len(asker.took_s) if asker.took_s else None
        found.append(
            replace(
                seen,
                calls=asker.calls,
                tokens_in=asker.tokens_in,
                tokens_out=asker.tokens_out,
                usd=usd,
                latency_s=latency,
            )
        )
    return found


def probe_now(profile: Profile, wanted: Sequence[Ability] = ABILITIES) -> list[Finding]:
    """The same for a caller without an event loop."""
    return asyncio.run(probe(profile, wanted))


def cost_of(profile: Profile, wanted: Sequence[Ability] = ABILITIES) -> Cost:
    """What looking for these takes at most, before anybody is asked."""
    if profile.is_mock:
        return Cost(0, 0, 0, Decimal(0))
    calls = tokens = 0
    for ability in wanted:
        number, each = _size(ability, profile)
        calls, tokens = calls + number, tokens + number * each
    out = calls * min(REPLY_MOST, profile.max_tokens)
    return Cost(calls, tokens, out, cost(price_for(profile), tokens, out))


def _size(ability: Ability, profile: Profile) -> tuple[int, int]:
    """Calls, and about the tokens of each prompt."""
    match ability:
        case "context":
            return 0, 0
        case "seed":
            return 3, 25
        case "temperature":
            return 4, 25
        case "cached":
            return 2, CACHED_LEAST + 20
        case "parallel":
            return burst(profile), 15
        case "plan" | "tools" | "structured":
            return 1, 120
        case _:
            return 1, 20
