"""The API's room for keys: what each may be used for, and what is left in its purse."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema

from games.site.accounts.purse import key_of, purse_of
from games.site.models import ApiKey
from games.site.web.holders import signed_in

router = Router()


class ApiKeyOut(Schema):
    name: str
    prefix: str = Field(description="Its open part, by which the audit trail names it.")
    scopes: list[str]
    created: str
    expires: str | None
    revoked: bool
    budget_usd: float | None = Field(description="What its runs may cost in all; null: no bound.")
    spent_usd: float = Field(description="What they have cost.")
    held_usd: float = Field(description="What those under way may still cost by their own limits.")
    left_usd: float | None = Field(description="Of the budget, with what is held taken off; null: no bound.")


@router.get("/keys", response=list[ApiKeyOut], auth=signed_in, url_name="keys")
def keys(request: HttpRequest) -> list[dict[str, Any]]:
    """The asker's keys, newest first; who comes with a key sees that one alone."""
    user: Any = request.user
    key = key_of(request)
    return [key_out(one) for one in ([key] if key is not None else ApiKey.objects.filter(user=user)[:200])]


def key_out(key: ApiKey) -> dict[str, Any]:
    return {
        "name": key.name,
        "prefix": key.prefix,
        "scopes": key.scopes,
        "created": key.created.isoformat(),
        "expires": key.expires.isoformat() if key.expires else None,
        "revoked": key.revoked is not None,
        **purse_of(key).plain(),
    }
