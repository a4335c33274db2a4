"""What a run is likely to cost, before it starts: the first prompts are made and counted, nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agents_app.deciders.llm import ModelAgent
from agents_app.providers.contract import cost, tokens_in_prompt
from agents_app.providers.litellm import price_for
from games.core.engine import Position, requests, start
from games.core.game import Seat
from games.core.registry import Pack


@dataclass(frozen=True, slots=True)
class Estimate:
    """Likely and largest. Prompts are taken to stay as long as the first, replies to fill a quarter of their bound.

    ``calls``     one for each seat and step of the horizon (and one more where the seat rewrites a summary);
                  None: the horizon is not fixed
    ``at_most``   calls where every answer needs all its corrections and repetitions
    ``usd``       None: no horizon, or no price is known for some model
    """

    calls: int | None
    at_most: int | None
    tokens_in: int | None
    tokens_out: int | None
    usd: Decimal | None
    unpriced: tuple[str, ...]


def estimate(pack: Pack, config: Any, seed: int, agents: Mapping[Seat, ModelAgent]) -> Estimate:
    """For the seats that models hold. Reads litellm's price list where a real model is among them."""
    horizon = pack.game.horizon(config)
    position = Position((start(pack.game, config, seed),))
    turn = pack.game.turn(config, position.last.state)
    if horizon is None or turn is None:
        return Estimate(None, None, None, None, None, ())
    asked = requests(pack.game, config, seed, position, turn)
    prompts: dict[Seat, int] = {}
    for seat, agent in agents.items():
        request = asked.get(seat) or next(iter(asked.values()))
        prompts[seat] = tokens_in_prompt(agent.first_prompt(request).messages)
    calls = most = tokens_in = tokens_out = 0
    usd: Decimal | None = Decimal(0)
    unpriced: list[str] = []
    for seat, agent in agents.items():
        profile = agent.profile
        made = horizon * (2 if agent.reflects else 1)
        into, out = made * prompts[seat], made * -(-profile.max_tokens // 4)
        calls, tokens_in, tokens_out = calls + made, tokens_in + into, tokens_out + out
        most += made * (1 + profile.retries + profile.call_retries)
        spent = Decimal(0) if profile.is_mock and profile.price is None else cost(price_for(profile), into, out)
        if spent is None:
            unpriced.append(profile.model)
        usd = None if usd is None or spent is None else usd + spent
    return Estimate(calls, most, tokens_in, tokens_out, usd, tuple(dict.fromkeys(unpriced)))
