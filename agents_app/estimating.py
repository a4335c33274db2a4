"""What a run is likely to cost, before it starts: prompts are made and counted, nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from agents_app.deciders.llm import ModelAgent
from agents_app.pricing import price_for
from agents_app.profile import Limits, Profile
from agents_app.providers.contract import cost, tokens_in_prompt
from games.core.agents import Decision, deciding
from games.core.engine import Ask, drive, hosted
from games.core.game import Seat
from games.core.registry import Pack

LOOKED_AT: Final = 12
"""So many steps are played by the game's default policy, to see who is asked how often and how long prompts become."""
LIKE_ONE_ANOTHER: Final = 4
"""Of the seats that have one profile, the prompts of so many are made."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Likely and largest. Replies are taken to fill a quarter of their bound, prompts to stay as in the first steps.

    ``calls``     one whenever a seat is asked (and one more where it rewrites a summary; fewer where it gives plans);
                  None: the horizon is not fixed
    ``at_most``   calls where every answer needs all its corrections and repetitions
    ``usd``       None: no horizon, or no price is known for some model
    ``unpriced``  models whose price is not known
    """

    calls: int | None = 0
    at_most: int | None = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)
    unpriced: tuple[str, ...] = ()

    def exceeded(self, limits: Limits) -> tuple[str, ...]:
        """The limits that the likely figures are beyond: ``usd``, ``tokens``, ``calls``."""
        tokens = None if self.tokens_in is None or self.tokens_out is None else self.tokens_in + self.tokens_out
        figures = {"usd": self.usd, "tokens": tokens, "calls": self.calls}
        return tuple(
            name for name, figure in figures.items()
            if figure is not None and (limit := getattr(limits, name)) is not None and figure > limit
        )  # fmt: skip

    def __str__(self) -> str:
        if self.calls is None:
            return "calls as many as rounds: their number is open"
        money = "money unknown" if self.usd is None else f"about {self.usd.quantize(Decimal('0.01'))} USD"
        unknown = f" (no price for {', '.join(self.unpriced)})" if self.unpriced else ""
        tokens = f"about {self.tokens_in:,} tokens in and {self.tokens_out:,} out"
        return f"{self.calls:,} calls, at most {self.at_most:,}; {tokens}; {money}{unknown}"


def summed(parts: Iterable[tuple[int, Estimate]]) -> Estimate:
    """So many times each."""
    total = Estimate()
    for times, one in parts:
        numbers = {name: _plus(getattr(total, name), getattr(one, name), times) for name in _NUMBERS}
        total = Estimate(**numbers, unpriced=tuple(dict.fromkeys((*total.unpriced, *one.unpriced))))
    return total


_NUMBERS: Final = ("calls", "at_most", "tokens_in", "tokens_out", "usd")


def _plus(total: Any, one: Any, times: int) -> Any:
    return None if total is None or one is None else total + one * times


@dataclass(slots=True)
class _Looked:
    """What the first steps show of one profile: how often it was asked, and the tokens of its prompts."""

    profile: Profile
    reflects: bool
    seats: set[Seat] = field(default_factory=set)
    asked: int = 0
    prompts: list[int] = field(default_factory=list)


def estimate(pack: Pack, config: Any, seed: int, agents: Mapping[Seat, ModelAgent]) -> Estimate:
    """For the seats that models hold."""
    horizon = pack.game.horizon(config)
    if not agents:
        return Estimate()
    groups: dict[str, _Looked] = {}
    by_seat: dict[Seat, _Looked] = {}
    for seat, agent in agents.items():
        key = agent.profile.model_dump_json()
        by_seat[seat] = groups.setdefault(key, _Looked(agent.profile, agent.reflects))
        by_seat[seat].seats.add(seat)
    if horizon is None:
        missing = tuple(dict.fromkeys(m for one in groups.values() for m in _unpriced(one.profile)))
        return Estimate(None, None, None, None, None, missing)
    steps = _look(pack, config, seed, agents, by_seat, min(horizon, LOOKED_AT))
    return summed((1, _of_group(one, horizon, steps)) for one in groups.values())


def _look(
    pack: Pack, config: Any, seed: int, agents: Mapping[Seat, ModelAgent], by_seat: Mapping[Seat, _Looked], until: int
) -> int:
    """Play some steps and note who is asked what; how many steps were played."""
    policy = deciding(pack.policies[pack.default_policy].bind())
    played = 0

    def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        nonlocal played
        for seat, request in turn.requests.items():
            if (group := by_seat.get(seat)) is None:
                continue
            group.asked += 1
            if seat in sorted(group.seats)[:LIKE_ONE_ANOTHER]:
                group.prompts.append(tokens_in_prompt(agents[seat].first_prompt(request).messages))
        played += 1
        return {seat: policy(request) for seat, request in turn.requests.items()}

    for _ in hosted(drive(pack.game, config, seed), ask):
        if played >= until:
            break
    return max(played, 1)


def _of_group(one: _Looked, horizon: int, steps: int) -> Estimate:
    profile = one.profile
    answers = -(-one.asked * horizon // steps)
    calls = answers * (2 if one.reflects else 1)
    prompt = -(-sum(one.prompts) // max(len(one.prompts), 1))
    into, out = calls * prompt, calls * -(-profile.max_tokens // 4)
    most = calls * (1 + profile.retries + profile.call_retries)
    free = profile.is_mock and profile.price is None
    spent = Decimal(0) if free else cost(price_for(profile), into, out)
    return Estimate(calls, most, into, out, spent, _unpriced(profile))


def _unpriced(profile: Profile) -> tuple[str, ...]:
    return () if profile.is_mock or price_for(profile) is not None else (profile.model,)
