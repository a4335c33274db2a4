"""What an experiment file's real models are likely to cost, before any is called."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from agents_app.estimating import Estimate, summed
from agents_app.pricing import price_for
from agents_app.profile import Profile
from agents_app.providers.keys import unsendable
from agents_app.providers.protocol import Message, tokens_in_prompt
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.state import DilemmaState
from games.errors.faults import Refused
from games.lab.pdbench.agents import ModelSeat
from games.lab.pdbench.plan import Plan
from games.lab.pdbench.templates import render

REPLY: Final = 2
"""Tokens of a reply that holds a move alone."""
MILLION: Final = 1_000_000


def real_seats(plan: Plan) -> list[tuple[str, int, ModelSeat]]:
    """Condition, seat and what sits there, of all that are asked of a vendor or a server."""
    return [
        (name, seat, agent)
        for name, agents in plan.agents.items()
        for seat, agent in enumerate(agents)
        if isinstance(agent, ModelSeat) and agent.profile is not None
    ]


def check_keys(plan: Plan) -> None:
    """Raises `Refused` where a key is not there: nothing has been called then."""
    for _, _, seat in real_seats(plan):
        if seat.profile is not None and (why := unsendable(seat.profile)) is not None:
            raise Refused(f"{seat.profile.model}: {why}")


def foretold(plan: Plan) -> Estimate:
    """Calls, tokens and money of all replicates, each answer valid at once, prompts as long as in mid-match."""
    parts = []
    for name, seat, agent in real_seats(plan):
        if (profile := agent.profile) is not None:
            parts.append((plan.replicates, _of_match(plan.config(name), seat, agent, profile)))
    return summed(parts)


def _of_match(config: DilemmaConfig, seat: int, agent: ModelSeat, profile: Profile) -> Estimate:
    """Of one seat in one match; a length that is drawn counts as its mean."""
    form = agent.form
    rounds = config.rounds if config.horizon == "fixed" else min(round(1 / config.stop_prob), config.max_rounds)
    half = rounds // 2
    state = DilemmaState(("C" * half, "C" * half), (config.reward * half, config.reward * half))
    seen = Dilemma().observe(config, state, seat, ())
    prompt = render(
        seen, agent.system, agent.round, agent.persona, form.history_window, form.include_totals, form.output_format
    )
    told = tokens_in_prompt((Message("system", prompt.system), Message("user", prompt.round)))
    price, tokens_in, tokens_out = price_for(profile), rounds * told, rounds * min(REPLY, form.max_tokens)
    usd = None if price is None else (price.input_usd * tokens_in + price.output_usd * tokens_out) / Decimal(MILLION)
    unpriced = (profile.model,) if price is None else ()
    most = rounds * (form.max_retries + 1)
    return Estimate(rounds, most, tokens_in, tokens_out, usd, None, None, unpriced)
