"""A key's purse: how many USD all that was made with the key may cost.

It is charged what its runs cost. What a run or an experiment may still spend by its own limit is held until it is over,
so that several at once stay within the purse together. A key without a budget has no purse, and is only charged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db.models import QuerySet, Sum

from agents_app.pricing import price_for, unpriced
from agents_app.profile import Profile
from agents_app.site.models import AgentProfile
from games.errors.requests import BadRequest
from games.site.models import ENDED, ApiKey, Call, Experiment, ExperimentStatus, Run

ANYBODY: Final = re.compile(
    r"(experiments(/check|/prompt|/[^/]+/clone)?|estimate|configs/check|exports(/plan)?|runs(/[^/]+/(fork|verify))?"
    r"|join/[^/]+/token)"
)
"""What a key with a purse may change by: it makes something of its own, or nothing."""
OWN: Final = re.compile(
    r"(runs|experiments)/((?!import$)[^/]+)(/(start|resume|pause|step|stop|control|cancel|rerun|seats/\d+/token))?"
)
"""What it may do to runs and experiments that were made with it."""
HOLDS: Final = (ExperimentStatus.RUNNING, ExperimentStatus.PAUSED, ExperimentStatus.STOPPED)


class BeyondPurse(BadRequest):
    """A key's purse forbids it; noted in the audit trail by whoever answers."""


@dataclass(frozen=True, slots=True)
class Purse:
    """USD. ``held`` is what runs and experiments under way may still spend; ``budget`` None: no purse."""

    budget: Decimal | None
    spent: Decimal
    held: Decimal

    @property
    def left(self) -> Decimal | None:
        return None if self.budget is None else self.budget - self.spent - self.held

    def plain(self) -> dict[str, float | None]:
        told = {"budget_usd": self.budget, "spent_usd": self.spent, "held_usd": self.held, "left_usd": self.left}
        return {name: None if usd is None else float(usd) for name, usd in told.items()}


def purse_of(key: ApiKey) -> Purse:
    """What is in it now."""
    runs = Run.objects.filter(key=key)
    lone = runs.filter(experiment=None).exclude(status__in=ENDED).annotate(cost=Sum("calls__cost_usd"))
    planned = Experiment.objects.filter(key=key, status__in=HOLDS).annotate(cost=Sum("runs__calls__cost_usd"))
    under_way = [*lone.values_list("limits", "cost"), *planned.values_list("limits", "cost")]
    held = sum((unspent(limits, cost) for limits, cost in under_way), Decimal(0))
    return Purse(key.budget_usd, key.deleted_usd + cost_of(runs), held)


def cost_of(runs: QuerySet[Run]) -> Decimal:
    """USD that the models of these runs have cost, also in steps that are not stored yet."""
    return Call.objects.filter(run__in=runs).aggregate(cost=Sum("cost_usd"))["cost"] or Decimal(0)


def unspent(limits: Mapping[str, Any], cost: Decimal | None) -> Decimal:
    """What may still be spent under a limit in USD; nothing where there is none."""
    return max(Decimal(limits.get("usd", 0)) - (cost or 0), Decimal(0))


def purse_check(
    key: ApiKey | None, limits: Mapping[str, Any], profiles: Sequence[Profile], cost: Decimal | None = None
) -> None:
    """Raises `BeyondPurse` where what has just been made, or given another limit, is more than its key's purse bears.

    Call it in the transaction that made it, which is then undone. ``cost``  of what has been made so far
    """
    if key is None or key.budget_usd is None:
        return
    if profiles and "usd" not in limits:
        raise BeyondPurse(
            "no_budget", "limits.usd: missing; who comes with a purse names what models may spend", "limits"
        )
    if models := unpriced(list(profiles)) or tuple(p.model for p in profiles if not _is_sites_price(p)):
        told = f"price: {models[0]} has none that the site knows; seat a named model of the site, or leave price out"
        raise BeyondPurse("own_price", told, "seats", models=list(models))
    purse = purse_of(ApiKey.objects.select_for_update(no_key=True).get(pk=key.pk))
    left, wanted = purse.left or Decimal(0), unspent(limits, cost)
    if wanted and left < 0:
        rest = max(left + wanted, Decimal(0))
        told = (
            f"limits.usd: {wanted.normalize():f} wanted, {rest.normalize():f} left in the purse of key {key.prefix}. "
            "Name less, cancel what is under way, or ask for a key with more"
        )
        raise BeyondPurse("beyond_purse", told, "limits", wanted=float(wanted), left=float(rest), key=key.prefix)


def share_check(key: ApiKey | None, slug: str) -> None:
    """Raises `BeyondPurse` where a purse pays for an experiment: what each of its runs may spend follows from that."""
    if key is not None and key.budget_usd is not None:
        told = f"limits: experiment {slug} gives its runs their shares; give it more, and start it again"
        raise BeyondPurse("shared", told, "limits", experiment=slug)


def _is_sites_price(profile: Profile) -> bool:
    """Whether a model's price is the list's, or that of a named model of the site, and not its asker's own."""
    if profile.is_mock or profile.price is None:
        return True
    named = (one.resolved() for one in AgentProfile.objects.all())
    return any(
        (one.model, one.base_url, price_for(one)) == (profile.model, profile.base_url, profile.price) for one in named
    )


def key_of(request: Any) -> ApiKey | None:
    """The key that whoever asks has brought."""
    _, _, prefix = getattr(request, "bearer", "").partition("key:")
    return ApiKey.objects.filter(prefix=prefix).first() if prefix else None


def act_check(key: ApiKey, method: str, path: str) -> None:
    """Raises `BeyondPurse` where a key with a purse may not change this: what spends past its purse, or is not its own.

    ``path`` below the API's root.
    """
    if key.budget_usd is None or ANYBODY.fullmatch(path):
        return
    own = OWN.fullmatch(path)
    if own is None or (method == "DELETE" and own[1] == "runs"):
        raise BeyondPurse("not_by_purse", "a key with a purse makes and steers its own runs and experiments, no more")
    found = Run.objects.filter(pk=own[2]) if own[1] == "runs" else Experiment.objects.filter(slug=own[2])
    if found.exists() and not found.filter(key=key).exists():
        raise BeyondPurse("not_the_keys", f"{own[2]}: not made with this key; fork or clone it", own[1][:-1])
