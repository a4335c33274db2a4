"""Real models behind the source's ``ProviderClient``, and classes of its two shapes by import path.

A model is called through the very provider that `polity run` calls it through. What a busy or absent server costs is
time; what the same call would not mend stops the run, and nothing is made up.
"""

from __future__ import annotations

import asyncio
import importlib
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Protocol

from agents_app.deciders.seating import chat_provider
from agents_app.ports import ModelStop
from agents_app.pricing import price_for
from agents_app.profile import Price, Profile
from agents_app.providers.keys import unsendable
from agents_app.providers.protocol import FINAL, Message, Prompt, ProviderFault, Reply, cost
from agents_app.watching import check_answers
from games.catalog.dilemma.answers import COOPERATE, DEFECT, SILENCE
from games.core.agents import Decider, Decision, Request
from games.core.answers import JSON

TRIES: Final = 6
"""Calls of one answer, where the server is away or busy."""
WAIT_S: Final = 1.0
"""Before the second call; doubled before each further one, unless the server names a time."""
MOVES: Final = {"C": COOPERATE, "D": DEFECT}


class Agent(Protocol):
    """Whoever plays by itself. Source: "Agent interface"."""

    def reset(self, seed: int | None = None) -> None: ...

    def act(self, obs: Any) -> str: ...


@dataclass(slots=True)
class Bill:
    """What calls have taken until now. ``usd`` counts those with a price; of others ``unpriced`` are so many."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: Decimal = Decimal(0)
    unpriced: int = 0

    def add(self, reply: Reply, price: Price | None) -> None:
        """One answer, by what it says of its cost, else by the list."""
        self.calls += 1
        self.tokens_in += reply.tokens_in or 0
        self.tokens_out += reply.tokens_out or 0
        usd = reply.cost_usd
        if usd is None and price is not None:
            usd = cost(price, reply.tokens_in or 0, reply.tokens_out or 0)
        self.unpriced += usd is None
        self.usd += usd or 0

    def plain(self) -> dict[str, JSON]:
        return {
            "calls": self.calls, "tokens_in": self.tokens_in, "tokens_out": self.tokens_out, "usd": str(self.usd),
            "unpriced": self.unpriced,
        }  # fmt: skip

    def told(self, more: Mapping[str, Any]) -> Bill:
        """With another one's `plain` added."""
        return Bill(
            self.calls + more["calls"],
            self.tokens_in + more["tokens_in"],
            self.tokens_out + more["tokens_out"],
            self.usd + Decimal(more["usd"]),
            self.unpriced + more["unpriced"],
        )

    def __str__(self) -> str:
        told = f"{self.calls} calls, {self.tokens_in} tokens in, {self.tokens_out} out, {self.usd:.6f} USD"
        return f"{told}, {self.unpriced} of them without a known price" if self.unpriced else told


class ModelClient:
    """A model of a vendor, or of a server of one's own; its connections are closed when nobody holds it any more."""

    def __init__(self, profile: Profile) -> None:
        self.profile, self._bill = profile, Bill()
        self._provider, self._runner = chat_provider(profile), asyncio.Runner()
        weakref.finalize(self, self._runner.close)

    def complete(self, *, system: str, prompt: str, temperature: float, max_tokens: int) -> str:
        """The reply. Raises `ModelStop` where there is none, and would be none again."""
        if (why := unsendable(self.profile)) is not None:
            raise ModelStop(f"{self.profile.model}: {why}")
        messages = (Message("system", system), Message("user", prompt))
        return self._runner.run(self._reply(Prompt(self.profile.model, messages, max_tokens, temperature)))

    def usage(self) -> dict[str, JSON]:
        """What its calls have taken since this was asked last."""
        bill, self._bill = self._bill, Bill()
        return bill.plain()

    async def _reply(self, prompt: Prompt) -> str:
        await self._provider.ready()
        for number in range(TRIES):
            try:
                async with asyncio.timeout(self.profile.timeout_s):
                    reply = await self._provider.complete(prompt, self.profile.timeout_s, None)
            except (ProviderFault, TimeoutError) as error:
                fault = error if isinstance(error, ProviderFault) else ProviderFault("timeout", "no reply in time")
                if fault.failure in FINAL or number == TRIES - 1:
                    raise ModelStop(f"{prompt.model}: {fault.failure}: {fault}") from None
                await asyncio.sleep(WAIT_S * 2**number if fault.retry_after_s is None else fault.retry_after_s)
            else:
                self._bill.add(reply, price_for(self.profile))
                return reply.text
        raise AssertionError  # the last try answered or raised


def watched(decider: Decider, name: str, most: float, *, is_model: bool = True) -> Decider:
    """The same for one match, which stops where a share above ``most`` of its answers cannot be used, or none of its
    first: the rule of every other seat.
    """
    flags: list[tuple[str, ...]] = []

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        decision = decider(request)
        flags.append(tuple(decision.flags))
        check_answers(name, most, flags, is_model=is_model)
        return decision

    return decide


def imported(path: str) -> Callable[..., Any]:
    """What ``package.module:Name`` means; raises ValueError in a sentence."""
    module, _, name = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"{path!r}: {error}; write package.module:Class of something that can be imported") from None
    if not callable(found):
        raise ValueError(f"{path!r}: it cannot be called; name a class")
    return found  # type: ignore[no-any-return]


def agent_seat(make: Callable[..., Agent], params: dict[str, Any]) -> Decider:
    """A decider for one match; the agent is reset with the seat's own seed before its first move.

    An answer other than C and D is none, flagged ``fallback``.
    """
    agent = make(**params)

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        if request.turn.stage == "talk":
            return Decision(SILENCE, request.memory)
        if not request.observation.mine:
            agent.reset(request.rng.bits("agent"))
        said = agent.act(request.observation)
        action = MOVES.get(said) if isinstance(said, str) else None
        trace = {"attempts": [{"reply": str(said), "fault": None if action else "neither C nor D"}]}
        return Decision(action, request.memory, flags=() if action else ("fallback",), trace=trace)

    return decide
