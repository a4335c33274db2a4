"""A provider like any other that needs neither key nor network: a policy that speaks in the model's format.

What it says is text, and goes through prompt, parser, retries and cleaning like a real reply. It sees the observation
itself (the hint), since it cannot read; it answers through nothing but the text. Deterministic: the policy draws from
the request's own key, a fault from that key, the prompt's hash and the number of the call, so that a corrected prompt
and a repeated call have new luck.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from agents_app.profile import Fault, MockSettings, Price
from agents_app.providers.protocol import AtHand, Prompt, ProviderFault, Reply, cost, tokens_in_prompt, tokens_in_text
from games.core.agents import Policy, Request
from games.core.rng import Rng
from games.core.values import swift

FREE: Final = Price(input_usd=Decimal(0), output_usd=Decimal(0))
HANGS_S: Final = 3600.0
PROSE: Final = "I have looked at the land and at the others, and I would rather wait and see what they do."


@swift
@dataclass(frozen=True, slots=True)
class Hint:
    """What the mock needs and a real model would read from the prompt.

    ``request``  what the seat is asked
    ``word``     an action as text in the format that the prompt asks for; None where no move is asked for
    ``excess``   an answer that asks for more than the seat has, in the same format
    ``beside``   the reply to whatever is no move: a rewritten memory, answers to questions beside the play
    ``attempt``  the number of this call, from 1
    """

    request: Request[Any, Any]
    word: Callable[[Any], str] | None = None
    excess: Callable[[Any], str] | None = None
    beside: str = ""
    attempt: int = 1


class MockProvider(AtHand):
    """Answers with what ``policy`` would do, except where a fault is drawn."""

    def __init__(self, policy: Policy, settings: MockSettings | None = None, price: Price | None = None) -> None:
        self.policy, self.settings, self.price = policy, settings or MockSettings(), price or FREE

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        if not isinstance(hint, Hint):
            raise TypeError("a mock needs the request that the prompt was made from")
        settings = self.settings
        rng = hint.request.rng.at("mock", int(prompt.hash[:16], 16), hint.attempt)
        fault = drawn_fault(settings.faults, rng)
        await _wait(settings.latency_s)
        if fault in ("prose", "empty", "illegal"):
            said = {"prose": PROSE, "empty": "", "illegal": json.dumps({"commentary": "All of it.", "answer": "take"})}
            return self._reply(prompt, said[fault])
        match fault:
            case "slow":
                await _wait(settings.slow_s)
            case "hung":
                await asyncio.sleep(HANGS_S)
            case "rate_limited":
                raise ProviderFault("rate_limited", "429 by order", retry_after_s=0.01)
            case "server_error":
                raise ProviderFault("server_error", "500 by order")
            case "reset":
                raise ProviderFault("reset", "connection reset by order")
        text = self._answer(hint, excessive=fault == "over_budget")
        if fault == "truncated":
            return self._reply(prompt, text[: max(1, len(text) // 2)], truncated=True)
        return self._reply(prompt, text)

    def _reply(self, prompt: Prompt, text: str, truncated: bool = False) -> Reply:
        """A reply with its tokens counted; it costs nothing unless the profile gives a price."""
        into, out = tokens_in_prompt(prompt.messages), tokens_in_text(text)
        return Reply(text, truncated, into, out, cost(self.price, into, out))

    def _answer(self, hint: Hint, excessive: bool) -> str:
        write = hint.excess if excessive else hint.word
        if write is None:
            return hint.beside
        action, _ = self.policy(hint.request.observation, None, hint.request.rng)
        return write(action)


def drawn_fault(rates: Mapping[Fault, float], rng: Rng) -> Fault | None:
    """The fault that one draw selects; None for a sound reply. The order of the mapping has no say."""
    point = rng.unit("fault")
    for fault in sorted(rates):
        point -= rates[fault]
        if point < 0:
            return fault
    return None


async def _wait(seconds: float) -> None:
    if seconds > 0:
        await asyncio.sleep(seconds)
