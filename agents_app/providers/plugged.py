"""Agents and providers that other packages plug in (`games.core.plugs`), seated like any model.

An agent sees the request itself, not the prompt: observation, legal actions, memory, random draws of its seat. What it
decides is written as the prompt asks, and so goes through parser, cleaning, record and limits as a model's reply does.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import is_dataclass
from decimal import Decimal
from typing import Any, Final

from agents_app.profile import BadProfile, Profile
from agents_app.providers.mock import Hint
from agents_app.providers.protocol import AtHand, Prompt, Provider, ProviderFault, Reply
from games.core import plugs
from games.core.agents import Decision, Request
from games.core.answers import BadAction

FREE: Final = Decimal(0)
THREADS: Final = ThreadPoolExecutor(64, thread_name_prefix="plugged")
"""Where agents decide: one that computes for long holds up no other run's answers."""
AGENT: Final = "agent"
"""The provider in the name of a plugged agent's model: ``agent/NAME`` or ``agent/NAME/VARIANT``."""


def is_agent(profile: Profile) -> bool:
    return profile.provider == AGENT


def is_plugged(profile: Profile) -> bool:
    """Whether a package brings the provider by which the model is called."""
    return profile.provider in plugs.plugs("providers")


def plugged_provider(profile: Profile) -> Provider:
    """Raises `BadProfile` where it cannot be loaded or refuses the profile."""
    made: Provider = _made("providers", profile.provider, profile)
    return made


def plugged_agent(profile: Profile) -> Provider:
    """Raises `BadProfile` where no package brings the agent, or it refuses its variant."""
    name, _, variant = profile.model.partition("/")[2].partition("/")
    return PluggedAgent(_made("agents", name, variant))


def _made(kind: str, name: str, given: Any) -> Any:
    try:
        plug, make = plugs.loaded_one(kind, name)
    except plugs.BrokenPlug as error:
        raise BadProfile(str(error)) from error
    try:
        return make(given)
    except Exception as error:
        raise BadProfile(f"{kind[:-1]} {name} of {plug.package}: {error}") from error


class PluggedAgent(AtHand):
    """One seat's agent as a provider. Whatever it raises is a call that failed, told with its reason."""

    def __init__(self, decide: Callable[[Request[Any, Any]], Any]) -> None:
        self.decide = decide

    async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
        if not isinstance(hint, Hint):
            raise TypeError("an agent needs the request that the prompt was made from")
        if hint.word is None:
            return Reply(hint.beside, tokens_in=0, tokens_out=0, cost_usd=FREE)
        try:
            async with asyncio.timeout(timeout_s):
                given = await asyncio.get_running_loop().run_in_executor(THREADS, self.decide, hint.request)
                given = await given if inspect.isawaitable(given) else given
            action = given.action if isinstance(given, Decision) else given
            if not is_dataclass(action) and hint.request.actions is not None and action is not None:
                action = hint.request.actions.read(action)
        except TimeoutError:
            raise ProviderFault("timeout", f"no decision within {timeout_s:.0f} s") from None
        except BadAction as error:
            return Reply(f"{given!r}: {error}", tokens_in=0, tokens_out=0, cost_usd=FREE)
        except Exception as error:
            raise ProviderFault("server_error", f"the agent raised {error!r}") from error
        return Reply("" if action is None else hint.word(action), tokens_in=0, tokens_out=0, cost_usd=FREE)
