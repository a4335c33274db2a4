"""An agent that a package plugs in sits like a model: what it decides goes through prompt, parser and record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents_app.deciders import seating
from agents_app.profile import BadProfile, Profile
from agents_app.providers import plugged
from agents_app.providers.mock import Hint
from agents_app.providers.plugged import PluggedAgent
from agents_app.providers.protocol import Message, Prompt, ProviderFault, Reply
from games.core import plugs
from games.core.engine import Ask, drive
from games.core.registry import get

PROMPT = Prompt("agent/x", (Message("user", "?"),), 10)


async def answered(decide: Callable[[Any], Any]) -> Reply:
    pack = get("ultimatum")
    ask: Any = next(one for one in drive(pack.game, pack.game.config_type(), 1) if isinstance(one, Ask))
    request = next(iter(ask.requests.values()))
    return await PluggedAgent(decide).complete(PROMPT, 1.0, Hint(request, word=lambda action: f"said {action}"))


async def test_an_action_is_written_as_the_prompt_asks_and_costs_nothing() -> None:
    reply = await answered(lambda request: request.actions.options[0])
    assert reply.text.startswith("said ")
    assert reply.cost_usd == 0


async def test_an_agent_may_take_its_time_and_is_told_of_where_it_fails() -> None:
    async def late(request: Any) -> Any:
        return request.actions.options[0]

    assert (await answered(late)).text.startswith("said ")

    def fails(request: Any) -> Any:
        raise KeyError("lost")

    with pytest.raises(ProviderFault, match=r"the agent raised KeyError\('lost'\)"):
        await answered(fails)


async def test_what_is_no_action_goes_to_the_parser_as_it_was_said() -> None:
    reply = await answered(lambda request: {"nonsense": 1})
    assert reply.text.startswith("{'nonsense': 1}: ")


def test_an_agent_that_nobody_brings_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugs, "plugs", lambda kind: {})
    with pytest.raises(BadProfile, match=r"agent 'gone': no package brings it; there are none"):
        plugged.plugged_agent(Profile(model="agent/gone/x"))


@pytest.mark.parametrize("model", ["agent/house/kind", "house/kind"])
def test_what_a_package_brings_sits_where_litellm_is_not_installed(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    monkeypatch.setattr(seating, "find_spec", lambda name: None)
    monkeypatch.setattr(plugs, "plugs", lambda kind: {"house": None})
    pack = get("ultimatum")
    seating.check_profile(pack, Profile(model=model))
    with pytest.raises(BadProfile, match="litellm, which is not installed"):
        seating.check_profile(pack, Profile(model="anthropic/kind"))
