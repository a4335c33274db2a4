"""What models cost: a profile's own price, else the list that comes with litellm, read as a file.

Importing litellm for a price would take seconds and 200 MB. Prices by the size of a prompt are left out: the list's
plain price holds.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from agents_app.profile import MOCK, Price, Profile

LIST: Final = "model_prices_and_context_window_backup.json"
MILLION: Final = Decimal(1_000_000)


def price_for(profile: Profile, by_batch: bool = False) -> Price | None:
    """The profile's own price, else the list's. None where neither says; the list says nothing of other servers.

    ``by_batch``  of a call in a batch: the batch's own price where one is known, else the ordinary one
    """
    if by_batch and (own := batch_price(profile)) is not None:
        return own
    if profile.price is not None or profile.base_url:
        return profile.price
    return listed(profile.model)


def batch_price(profile: Profile) -> Price | None:
    """What a batch costs, by the profile or else by the list; None where only an ordinary price is known, or none."""
    batch = profile.batch
    if batch is not None and batch.input_usd is not None and batch.output_usd is not None:
        return Price(input_usd=batch.input_usd, output_usd=batch.output_usd)
    if profile.price is not None or profile.base_url:
        return None
    return listed(profile.model, "_batches")


@lru_cache(maxsize=256)
def listed(model: str, kind: str = "") -> Price | None:
    """The list's price of PROVIDER/MODEL, which it knows by either name; ``kind`` "_batches": of calls in a batch."""
    entry = facts_of(model)
    into, out = entry.get(f"input_cost_per_token{kind}"), entry.get(f"output_cost_per_token{kind}")
    if into is None or out is None:
        return None
    if kind:
        return Price(input_usd=_a_million(into), output_usd=_a_million(out))
    cached, written = entry.get("cache_read_input_token_cost"), entry.get("cache_creation_input_token_cost")
    return Price(
        input_usd=_a_million(into),
        output_usd=_a_million(out),
        cached_usd=None if cached is None else _a_million(cached),
        written_usd=None if written is None else _a_million(written),
    )


def facts_of(model: str) -> Mapping[str, Any]:
    """What the list says of PROVIDER/MODEL, which it knows by either name; empty where it knows nothing."""
    provider, _, name = model.partition("/")
    entry = _prices().get(model)
    if entry is None:
        entry = _prices().get(name)
        if entry is None or entry.get("litellm_provider") != provider:
            return {}
    found: Mapping[str, Any] = entry
    return found


def unpriced(profiles: list[Profile]) -> tuple[str, ...]:
    """The models among them whose price is not known, each once."""
    return tuple(
        dict.fromkeys(one.model for one in profiles if not one.is_mock and price_for(one) is None)
    )  # fmt: skip


def is_unpriced(stored: Mapping[str, Any]) -> bool:
    """Whether nobody knows the price of a model, by its stored profile. For lists: no `Profile` is made of it."""
    model = str(stored.get("model") or "")
    if model.partition("/")[0] == MOCK or stored.get("price") is not None:
        return False
    return bool(stored.get("base_url")) or listed(model) is None


def _a_million(cost: float) -> Decimal:
    return (Decimal(str(cost)) * MILLION).normalize()


@lru_cache(maxsize=1)
def _prices() -> Mapping[str, Any]:
    try:
        spec = importlib.util.find_spec("litellm")
    except ImportError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        return {}
    found: dict[str, Any] = json.loads((Path(spec.submodule_search_locations[0]) / LIST).read_text("utf-8"))
    return found
