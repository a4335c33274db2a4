"""A seat that is played through prompts and replies: render, ask, parse strictly, correct, retry, or give up flagged.

`MockClient` answers like the strategy of its persona, so that everything runs without keys. A general decider for
models can take this module's place: prompts and parser stand apart and are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Literal, Protocol, TypeAlias

from games.catalog.dilemma.answers import COOPERATE, DEFECT, SILENCE
from games.catalog.dilemma.policies import POLICIES
from games.core.agents import Decider, Decision, Memory, Request
from games.core.answers import JSON
from games.core.rng import Rng
from games.lab.pdbench.parsing import Format, parse
from games.lab.pdbench.templates import Prompt, correction, render

Keep: TypeAlias = Literal["none", "hash", "full"]

PERSONAS: Final[Mapping[str, str]] = {
    "cooperative": "ALLC",
    "exploitative": "ALLD",
    "tit_for_tat": "TFT",
    "grim_trigger": "GRIM",
    "generous_tft": "GTFT",
    "wsls": "WSLS",
}
"""The strategy by which the mock plays each persona."""

JUNK: Final = ("I think I will cooperate.", "", "CD", "maybe D?", "{}", "\N{FULLWIDTH LATIN CAPITAL LETTER C}")
"""Replies that no parser may take for a move."""


class ProviderClient(Protocol):
    """Whoever completes a prompt. Source: "Provider interface"."""

    def complete(self, *, system: str, prompt: str, temperature: float, max_tokens: int) -> str: ...


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """How one seat is prompted and read. Templates and persona are texts here, not paths."""

    system: str
    round: str
    persona: str
    window: int | None = None
    include_totals: bool = True
    form: Format = "token"
    max_retries: int = 2
    temperature: float = 0.0
    max_tokens: int = 4
    keep: Keep = "hash"


Clients: TypeAlias = Callable[[Request[Any, Any]], tuple[ProviderClient, Memory]]
"""The client for one request, and the memory that the seat keeps after it."""


def model_seat(settings: SeatSettings, clients: Clients) -> Decider:
    """A decider whose trace holds every attempt, and prompts or their hashes as ``keep`` says.

    After ``max_retries`` invalid replies it answers nothing, flagged ``fallback``: the game's fallback is played.
    """

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        if request.turn.stage == "talk":
            return Decision(SILENCE, request.memory)
        client, memory = clients(request)
        prompt = render(
            request.observation,
            settings.system,
            settings.round,
            settings.persona,
            settings.window,
            settings.include_totals,
            settings.form,
        )
        attempts: list[dict[str, JSON]] = []
        text = prompt.round
        for _ in range(settings.max_retries + 1):
            reply = client.complete(
                system=prompt.system, prompt=text, temperature=settings.temperature, max_tokens=settings.max_tokens
            )
            move, fault = parse(reply, settings.form)
            attempts.append({"reply": reply, "fault": fault or None})
            if move is not None:
                action = COOPERATE if move == "C" else DEFECT
                return Decision(action, memory, trace=traced(settings.keep, prompt, attempts, client))
            text = correction(prompt.round, fault, settings.form)
        return Decision(None, memory, flags=("fallback",), trace=traced(settings.keep, prompt, attempts, client))

    return decide


def traced(keep: Keep, prompt: Prompt, attempts: list[dict[str, JSON]], client: ProviderClient) -> dict[str, JSON]:
    """``usage``: what a client that counts its calls says that they took."""
    trace: dict[str, JSON] = {"attempts": attempts}
    if (usage := getattr(client, "usage", None)) is not None:
        trace["usage"] = usage()
    if keep == "full":
        trace["prompts"] = {"system": prompt.system, "round": prompt.round}
    elif keep == "hash":
        trace["prompts"] = {"system_hash": _hash(prompt.system), "round_hash": _hash(prompt.round)}
    return trace


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


@dataclass(slots=True)
class MockClient:
    """Replies with a strategy's move; each attempt is junk with probability ``faults``, by the seat's own draw."""

    move: str
    form: Format
    faults: float
    rng: Rng
    attempt: int = field(default=0)

    def complete(self, *, system: str, prompt: str, temperature: float, max_tokens: int) -> str:
        self.attempt += 1
        if self.faults and self.rng.chance(self.faults, "fault", self.attempt):
            return self.rng.choice(JUNK, "junk", self.attempt)
        return self.move if self.form == "token" else f'{{"action": "{self.move}"}}'


def mock_clients(policy: str, params: Mapping[str, Any], form: Format = "token", faults: float = 0.0) -> Clients:
    """Clients that reply as the policy would play, with the draws that it would make in that seat."""
    bound = POLICIES[policy].bind(params)

    def clients(request: Request[Any, Any]) -> tuple[ProviderClient, Memory]:
        action, memory = bound(request.observation, request.memory, request.rng)
        return MockClient(action.move, form, faults, request.rng.at("mock")), memory

    return clients
