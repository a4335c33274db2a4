"""What a run is likely to cost, before it starts: prompts are made and counted, nobody is asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from agents_app.asides import When, due
from agents_app.deciders.aside import TOKENS_LEAST
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.seating import model_agent
from agents_app.pricing import batch_price, price_for
from agents_app.profile import Limits, Profile
from agents_app.providers.protocol import cost, tokens_in_prompt
from games.core.agents import Decision, deciding
from games.core.engine import Ask, News, drive, hosted
from games.core.game import Seat
from games.core.pack import Pack

LOOKED_AT: Final = 12
"""So many steps are played by the game's default policy, to see who is asked how often and how long prompts become."""
SHORTEST: Final = 20
"""Tokens of a reply of a few words."""
MOVING: Final[tuple[When, ...]] = ("before", "after")
LIKE_ONE_ANOTHER: Final = 4
"""Of the seats that have one profile, the prompts of so many are made."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Likely and largest. Replies are taken to fill a quarter of their bound, prompts to stay as in the first steps.

    ``calls``     one whenever a seat is asked (and one more where it rewrites a summary, or is asked beside the play;
                  fewer where it gives plans); None: the horizon is not fixed
    ``at_most``   calls where every answer needs all its corrections and repetitions
    ``usd``       None: no horizon, or no price is known for some model
    ``usd_least``  where every reply is a few words and none is corrected
    ``usd_most``   at ``at_most`` calls, where every reply fills its bound and is shown again in its correction
    ``unpriced``  models whose price is not known
    ``ordinary``  models that are asked by batch and reckoned at their ordinary price, since none for batches is known
    ``waves``     how often calls are waited for: those of a turn go out together, as many as a profile sends at once
    """

    calls: int | None = 0
    at_most: int | None = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)
    usd_least: Decimal | None = Decimal(0)
    usd_most: Decimal | None = Decimal(0)
    unpriced: tuple[str, ...] = ()
    ordinary: tuple[str, ...] = ()
    waves: int | None = 0

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
        money = "money unknown" if self.usd is None else f"about {_cents(self.usd)} USD"
        if self.usd and self.usd_least is not None and self.usd_most is not None:
            money = f"{money} ({_cents(self.usd_least)} to {_cents(self.usd_most)})"
        unknown = f" (no price for {', '.join(self.unpriced)})" if self.unpriced else ""
        if self.ordinary:
            unknown += f" (by batch, but at the ordinary price: {', '.join(self.ordinary)})"
        tokens = f"about {self.tokens_in:,} tokens in and {self.tokens_out:,} out"
        return f"{self.calls:,} calls, at most {self.at_most:,}; {tokens}; {money}{unknown}"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one call was seen to take, in place of what is guessed of a profile.

    ``told``  our own count of its prompt's tokens: prompts that are only counted are scaled by what the server counted
    """

    told: int
    tokens_in: int
    tokens_out: int


def _cents(usd: Decimal) -> Decimal:
    return usd.quantize(Decimal("0.01"))


def summed(parts: Iterable[tuple[int, Estimate]]) -> Estimate:
    """So many times each."""
    total = Estimate()
    for times, one in parts:
        numbers = {name: _plus(getattr(total, name), getattr(one, name), times) for name in _NUMBERS}
        named: dict[str, Any] = {
            name: tuple(dict.fromkeys((*getattr(total, name), *getattr(one, name)))) for name in _NAMED
        }
        total = Estimate(**numbers, **named)
    return total


_NAMED: Final = ("unpriced", "ordinary")
_NUMBERS: Final = ("calls", "at_most", "tokens_in", "tokens_out", "usd", "usd_least", "usd_most", "waves")


def _plus(total: Any, one: Any, times: int) -> Any:
    return None if total is None or one is None else total + one * times


@dataclass(slots=True)
class _Looked:
    """What the first steps show of one profile: how often it was asked and reflected, in how many waves of calls, and
    the tokens of its prompts.
    """

    profile: Profile
    reflects: bool
    seats: set[Seat] = field(default_factory=set)
    asked: int = 0
    reflected: int = 0
    waves: int = 0
    prompts: list[int] = field(default_factory=list)


def estimate_all(
    pack: Pack, config: Any, seed: int, profile: Profile, measured: Measured | None = None
) -> tuple[Estimate, int]:
    """For a run in which such a model sits in every seat, and how many seats these are. Raises `BadProfile`."""
    specs = pack.game.seats(config)
    agents = {seat: model_agent(pack, config, profile, role=spec.role) for seat, spec in enumerate(specs)}
    return estimate(pack, config, seed, agents, measured), len(specs)


def estimate(
    pack: Pack, config: Any, seed: int, agents: Mapping[Seat, ModelAgent], measured: Measured | None = None
) -> Estimate:
    """For the seats that models hold; ``measured`` of a call of theirs, where one was made."""
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
        return Estimate(None, None, None, None, None, None, None, missing, waves=None)
    steps = _look(pack, config, seed, agents, by_seat, min(horizon, LOOKED_AT))
    return summed((1, _of_group(one, horizon, steps, measured)) for one in groups.values())


def _look(
    pack: Pack, config: Any, seed: int, agents: Mapping[Seat, ModelAgent], by_seat: Mapping[Seat, _Looked], until: int
) -> int:
    """Play some steps and note who is asked what; how many steps were played."""
    specs = pack.game.seats(config)
    policies = {seat: deciding(pack.policies[pack.default_for(spec.role)].bind()) for seat, spec in enumerate(specs)}
    reflecting = sorted(seat for seat, group in by_seat.items() if group.reflects)
    played = 0

    def ask(turn: Ask[Any, Any]) -> dict[Seat, Decision[Any]]:
        nonlocal played
        together = [by_seat[seat] for seat in turn.requests if seat in by_seat]
        for group in {id(one): one for one in together}.values():
            group.waves += -(-sum(one is group for one in together) // group.profile.concurrency)
        for seat, request in turn.requests.items():
            if (looked := by_seat.get(seat)) is None:
                continue
            looked.asked += 1
            if seat in sorted(looked.seats)[:LIKE_ONE_ANOTHER]:
                looked.prompts.append(tokens_in_prompt(agents[seat].first_prompt(request).messages))
        played += 1
        return {seat: policies[seat](request) for seat, request in turn.requests.items()}

    def hear(news: News[Any, Any]) -> dict[Seat, Any]:
        for seat in news.requests:
            by_seat[seat].reflected += 1
        return {}

    for _ in hosted(drive(pack.game, config, seed, reflecting=reflecting), ask, hear):
        if played >= until:
            break
    return max(played, 1)


def _of_group(one: _Looked, horizon: int, steps: int, measured: Measured | None) -> Estimate:
    profile = one.profile
    beside = _beside(one, horizon, steps)
    calls = -(-(one.asked + one.reflected) * horizon // steps) + beside
    prompt = -(-sum(one.prompts) // max(len(one.prompts), 1))
    longest_reply = max(profile.max_tokens, TOKENS_LEAST) if beside else profile.max_tokens
    if measured is not None:
        prompt = -(-prompt * measured.tokens_in // max(measured.told, 1))
    reply = -(-profile.max_tokens // 4) if measured is None else measured.tokens_out
    into = calls * prompt
    out = (calls - beside) * reply + beside * -(-longest_reply // 4)
    most = calls * (1 + profile.retries + profile.call_retries)
    free = profile.is_mock and profile.price is None
    price = price_for(profile, by_batch=profile.batch is not None)
    spent = Decimal(0) if free else cost(price, into, out)
    longest = most * (prompt + longest_reply)
    least = Decimal(0) if free else cost(price, into, calls * SHORTEST)
    bound = Decimal(0) if free else cost(price, longest, most * longest_reply)
    is_ordinary = profile.batch is not None and price is not None and batch_price(profile) is None
    ordinary = (profile.model,) if is_ordinary else ()
    waves = -(-one.waves * calls // max(one.asked, 1))
    return Estimate(calls, most, into, out, spent, least, bound, _unpriced(profile), ordinary, waves)


def _beside(one: _Looked, horizon: int, steps: int) -> int:
    """Calls for questions beside the play: one for each moment at which some are due."""
    aside = one.profile.aside
    rounds = sum(bool(due(aside, when, step)) for when in MOVING for step in range(1, horizon + 1)) if aside else 0
    return -(-one.asked * rounds // steps) + (len(one.seats) if due(aside, "end", 0) else 0)


def _unpriced(profile: Profile) -> tuple[str, ...]:
    return () if profile.is_mock or price_for(profile) is not None else (profile.model,)
