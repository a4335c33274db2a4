"""Keys by which a user's programs come: made with a name and scopes, shown once, kept as a digest, revoked at once.

A key is ``pk_PREFIX_SECRET``. The prefix is open, finds the row and names the key in the trail.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias, get_args

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.errors.requests import BadRequest
from games.site.accounts.trail import audit
from games.site.models import ApiKey

Scope: TypeAlias = Literal["read", "run", "export", "accounts"]
"""read: see what its user may see; run: make and steer runs and experiments; export: take data away; accounts: make and
void keys, and, an operator's, accounts.
"""
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
NAME_MAX: Final = 80
DAYS_MAX: Final = 3650
BUDGET_MAX: Final = 100_000
SEEN: Final = timedelta(minutes=1)
"""A key's last use is written down at most so often."""


class BadToken(Exception):
    """No such key, or not any more; one line for whoever came with it."""


class WrongScope(Exception):
    """The key is good, but not for this."""

    def __init__(self, scope: str, key: ApiKey) -> None:
        super().__init__(f"this key is not for {scope}; its scopes are {', '.join(key.scopes)}")
        self.scope, self.given, self.key = scope, tuple(key.scopes), key


def key_create(
    *,
    user: Any,
    name: str,
    scopes: Sequence[str],
    days: int | None,
    budget_usd: Decimal | None = None,
    who: str = "",
) -> tuple[ApiKey, str]:
    """A new key and its text, which nobody can read again; raises `BadRequest`. ``budget_usd`` gives it a purse."""
    label = " ".join(name.split())
    if not 1 <= len(label) <= NAME_MAX:
        raise BadRequest("bad_name", f"name: {len(label)} characters; 1 to {NAME_MAX}", "name", most=NAME_MAX)
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes:
        told = f"scopes: {unknown[0] if unknown else 'none'}; one or more of {', '.join(SCOPES)}"
        raise BadRequest("bad_scopes", told, "scopes", known=list(SCOPES))
    if days is not None and not 1 <= days <= DAYS_MAX:
        raise BadRequest("bad_days", f"days: {days}; 1 to {DAYS_MAX}, or null for without end", "days", most=DAYS_MAX)
    if budget_usd is not None and not 0 <= budget_usd <= BUDGET_MAX:
        told = f"budget_usd: {budget_usd}; 0 to {BUDGET_MAX} USD, or null for no bound"
        raise BadRequest("bad_budget", told, "budget_usd", most=BUDGET_MAX)
    prefix, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    text = f"pk_{prefix}_{secret}"
    try:
        with transaction.atomic():
            key = ApiKey.objects.create(
                user=user,
                name=label,
                prefix=prefix,
                digest=_digest(text),
                scopes=[scope for scope in SCOPES if scope in scopes],
                expires=timezone.now() + timedelta(days=days) if days is not None else None,
                budget_usd=budget_usd,
            )
            bound = {} if budget_usd is None else {"budget_usd": float(budget_usd)}
            noted = {"name": label, "scopes": key.scopes, **bound}
            audit(who=who or str(user), what="key_made", on=f"key {prefix}", data=noted)
    except IntegrityError:
        raise BadRequest("name_taken", f"name: you have a key called {label!r} already", "name", name=label) from None
    return key, text


def key_revoke(*, user: Any, prefix: str, who: str = "") -> None:
    """From now on it opens nothing; raises `BadRequest` where the user has none of that prefix."""
    with transaction.atomic():
        mine = ApiKey.objects.filter(user=user, prefix=prefix)
        if not mine.exists():
            raise BadRequest("no_such_key", f"key {prefix[:16]!r}: you have none of that prefix", prefix=prefix[:16])
        if mine.filter(revoked=None).update(revoked=timezone.now()):
            audit(who=who or str(user), what="key_revoked", on=f"key {prefix}")


def key_checked(text: str, scope: str) -> ApiKey:
    """The key behind a text, where it is good for ``scope``; raises `BadToken` and `WrongScope`."""
    prefix = text.removeprefix("pk_").partition("_")[0]
    key = ApiKey.objects.select_related("user").filter(prefix=prefix).first()
    if key is None or not hmac.compare_digest(_digest(text), key.digest):
        raise BadToken("this key is not known; make one with polity key")
    now = timezone.now()
    if key.revoked is not None or not key.user.is_active:
        raise BadToken(f"the key {key.name!r} has been revoked; make a new one")
    if key.expires is not None and now >= key.expires:
        raise BadToken(f"the key {key.name!r} has expired on {key.expires:%Y-%m-%d}; make a new one")
    if scope not in key.scopes:
        raise WrongScope(scope, key)
    _seen(key, now)
    return key


def _seen(key: ApiKey, now: datetime) -> None:
    if key.used is None or now - key.used > SEEN:
        ApiKey.objects.filter(pk=key.pk).update(used=now)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
