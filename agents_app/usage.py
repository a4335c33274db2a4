"""How many tokens a call took: the server's word where it can be true, else an estimate that is flagged as one.

Many servers report none, zero, or nonsense; limits must hold all the same. A count is believed within a factor of
twenty of what the texts have by our own reckoning, what was thought unseen counting up to the longest reply.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, NamedTuple

from agents_app.profile import Price
from agents_app.providers.protocol import OVERLONG, Prompt, Reply, cost, tokens_in_prompt, tokens_in_text

FACTOR: Final = 20
SLACK: Final = 2_000
"""Tokens that a server may add of its own, such as a template's."""
REPLY_SHARE: Final = 4
"""A reply that nobody saw the end of is taken to fill this part of its bound, as estimates before the start do."""


class Count(NamedTuple):
    """What a call took. ``estimated``: its tokens are our own reckoning."""

    tokens_in: int | None
    tokens_out: int | None
    cost_usd: Decimal | None
    estimated: bool


def counted(prompt: Prompt, reply: Reply, price: Price | None) -> Count:
    """Numbers of tokens of a reply that can be true, and its cost by them."""
    if reply.from_cache:
        return Count(reply.tokens_in, reply.tokens_out, Decimal(0), reply.estimated)
    known = tokens_in_prompt(prompt.messages)
    seen = tokens_in_text(reply.text) + tokens_in_text(reply.reasoning) + tokens_in_text(reply.refusal)
    unseen = max(prompt.max_tokens, seen)
    into = _believed(reply.tokens_in, known, known)
    # How long an answer without end was, we have measured.
    out = reply.tokens_out if reply.finish == OVERLONG else _believed(reply.tokens_out, seen, unseen)
    is_estimated = into is None or out is None
    into, out = known if into is None else into, seen if out is None else out
    given = reply.cost_usd if reply.cost_usd is not None and not is_estimated else None
    spent = given if given is not None else _cost(price, into, out, reply.tokens_cached or 0, reply.tokens_written or 0)
    return Count(into, out, spent, reply.estimated or is_estimated)


def unanswered(prompt: Prompt, price: Price | None) -> tuple[int, int, Decimal | None]:
    """Tokens in and out, and the cost, of a call that was sent and given up: vendors bill it all the same."""
    into, out = tokens_in_prompt(prompt.messages), -(-prompt.max_tokens // REPLY_SHARE)
    return into, out, cost(price, into, out)


def _cost(price: Price | None, into: int, out: int, cached: int, written: int) -> Decimal | None:
    """What it cost, what was read from the cache and put into it by their own prices where these are known."""
    if price is None or cached + written > into:
        return cost(price, into, out)
    parts = [(price.cached_usd, cached), (price.written_usd, written)]
    apart = [(usd, tokens) for usd, tokens in parts if usd is not None and tokens]
    whole = cost(price, into - sum(tokens for _, tokens in apart), out)
    found = [cost(Price(input_usd=usd, output_usd=0), tokens, 0) for usd, tokens in apart]
    return None if whole is None else whole + sum((part for part in found if part is not None), Decimal(0))


def _believed(told: Any, least: int, most: int) -> int | None:
    """A count as the server gave it; None where it is no number, or none that can be true."""
    if isinstance(told, bool) or not isinstance(told, int | float) or told != told:
        return None
    if told * FACTOR < least or told > most * FACTOR + SLACK or (told == 0 and least > 0):
        return None
    return int(told) if told >= 0 else None
