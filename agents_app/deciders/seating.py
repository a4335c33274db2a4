"""From a seat's stored JSON to the agent that answers for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from agents_app.deciders.calling import Caller
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.recording import RecordingProvider
from agents_app.gate import Gate, gate_for
from agents_app.ports import CallRecord, SeatedAgent
from agents_app.pricing import unpriced
from agents_app.profile import BadProfile, Profile, read_profile
from agents_app.prompting import names_tokens, options_of, persona_of, prompts_of
from agents_app.providers.batching import can_batch
from agents_app.providers.compatible import CompatibleServer, is_compatible
from agents_app.providers.litellm import LitellmProvider
from agents_app.providers.mock import MockProvider
from agents_app.providers.plugged import is_agent, is_plugged, plugged_agent, plugged_provider
from agents_app.providers.protocol import Provider
from games.core.agents import BadPolicy
from games.core.game import SeatSpec
from games.core.pack import Pack


def seated_agent(
    pack: Pack, config: Any, seat_spec: SeatSpec, agent: Mapping[str, Any], calls: Calls = tuple
) -> SeatedAgent:
    """The agent of one seat, by its stored JSON; raises `BadProfile` where it cannot sit there.

    ``{"kind": "model", "profile": {...}}``: a model, or a mock.
    ``{"kind": "recording", "profile": {...}, …}``: stored ``calls`` of a seat that had this profile. They answer by the
    prompt's hash, else with what was said at that step, flagged.
    """
    kind, profile = str(agent.get("kind")), read_profile(agent.get("profile"))
    if kind not in AGENTS:
        raise BadProfile(f"seat {seat_spec.name}: kind {kind!r}; {' or '.join(AGENTS)} is expected here")
    return AGENTS[kind](pack, config, profile, seat_spec.role, calls)


def model_agent(
    pack: Pack, config: Any, profile: Profile, provider: Provider | None = None, role: str = ""
) -> ModelAgent:
    """A model's agent in a seat of that role. A ``provider`` that is given is asked whatever the profile names."""
    check_profile(pack, profile, role)
    gate = gate_for(profile) if provider is None and not profile.is_mock else Gate(profile.concurrency)
    caller = Caller(profile, provider or provider_for(pack, profile, role), gate, stops=provider is None)
    return ModelAgent(pack, config, profile, caller)


def check_profile(pack: Pack, profile: Profile, role: str = "") -> None:
    """Refuse what the game does not have: a policy behind a mock that can play the role, a persona, a prompt option,
    plans, tokens; and what cannot be watched: money without a price.
    """
    if profile.output == "plan" and pack.controller is None:
        raise BadProfile.told("no_plans", game=pack.title)
    prompts = prompts_of(pack)
    if profile.output == "token" and pack.prompts is not None and not names_tokens(prompts):
        raise BadProfile.told("no_tokens", game=pack.title)
    options_of(prompts, profile)
    persona_of(prompts, profile)
    check_limits(profile)
    if profile.batch is not None and not can_batch(profile):
        raise BadProfile.told("batch_provider", provider=profile.provider)
    if profile.is_mock:
        provider_for(pack, profile, role)
    elif _way(profile) == "litellm" and find_spec("litellm") is None:
        raise BadProfile.told("no_litellm", model=profile.model)


def provider_for(pack: Pack, profile: Profile, role: str = "") -> Provider:
    """Who completes this profile's prompts; raises `BadProfile` for a mock of a policy that the game lacks."""
    if not profile.is_mock:
        return chat_provider(profile)
    spec = stand_in(pack, profile, role)
    try:
        return MockProvider(pack.policies[spec].bind(profile.mock.params), profile.mock, profile.price)
    except BadPolicy as error:
        raise BadProfile(f"mock.params: {error}", error.note) from None


def chat_provider(profile: Profile) -> Provider:
    """The way to a real model's vendor or server, whatever is played."""
    return PROVIDERS[_way(profile)][1](profile)


def _way(profile: Profile) -> str:
    return next(name for name, (serves, _) in PROVIDERS.items() if serves(profile))


def stand_in(pack: Pack, profile: Profile, role: str = "") -> str:
    """The policy behind a mock; the role's default one for ``mock/default`` and for real models."""
    if not profile.is_mock or profile.mock_policy == "default":
        return pack.default_for(role)
    if profile.mock_policy not in pack.policies:
        raise BadProfile.told("no_such_mock", model=repr(profile.model), game=pack.title, known=list(pack.policies))
    if not pack.policies[profile.mock_policy].can_play(role):
        raise BadProfile.told("mock_of_role", model=repr(profile.model), role=role)
    return profile.mock_policy


def check_limits(profile: Profile) -> None:
    """Refuse a limit of money that cannot be watched, since no price is known."""
    if profile.limits.usd is not None and unpriced([profile]):
        raise BadProfile.told("no_price", model=profile.model)


Calls: TypeAlias = Callable[[], Iterable[CallRecord]]
AGENTS: Final[Mapping[str, Callable[[Pack, Any, Profile, str, Calls], SeatedAgent]]] = {
    "model": lambda pack, config, profile, role, calls: model_agent(pack, config, profile, role=role),
    "recording": lambda pack, config, profile, role, calls: model_agent(
        pack, config, profile, RecordingProvider(calls(), by_step=True), role
    ),
}
"""Agents that answer with I/O, by the kind of their seat."""
PROVIDERS: Final[Mapping[str, tuple[Callable[[Profile], bool], Callable[[Profile], Provider]]]] = {
    "agents": (is_agent, plugged_agent),
    "plugged": (is_plugged, plugged_provider),
    "compatible": (is_compatible, CompatibleServer),
    "litellm": (lambda profile: True, LitellmProvider),
}
"""Ways to real models by name: whose models one serves, and the way there. The first that serves a profile is taken."""
