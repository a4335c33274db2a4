"""The API's room for keys: what each may be used for, and what is left in its purse."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status
from pydantic import ConfigDict

from games.errors.requests import BadRequest
from games.site.accounts.keys import BUDGET_MAX, DAYS_MAX, NAME_MAX, SCOPES, Scope, key_create, key_revoke
from games.site.accounts.people import account_set
from games.site.accounts.purse import key_of, purse_of
from games.site.accounts.roles import Role, role_of
from games.site.accounts.trail import who_of
from games.site.audience import Forbidden
from games.site.models import ApiKey
from games.site.web.holders import operators, signed_in
from games.site.web.idempotency import tell_once

router = Router()
RoleName = Literal["viewer", "experimenter", "operator"]


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


class ApiKeyIn(Schema):
    name: str = Field(max_length=NAME_MAX)
    scopes: list[Scope] = Field(min_length=1, max_length=len(SCOPES))
    days: int | None = Field(None, ge=1, le=DAYS_MAX, description="How long it is good for; null: without end.")
    budget_usd: float | None = Field(None, ge=0, le=BUDGET_MAX, description="What its runs may cost; null: no bound.")

    model_config = ConfigDict(extra="forbid")


class ApiKeyMadeOut(ApiKeyOut):
    key: str = Field(description="pk_…; nobody can read it again.")


class AccountIn(Schema):
    role: RoleName | None = Field(None, description="null: as it is; of a new account none.")
    active: bool | None = Field(None, description="Whether they may sign in; false: their keys open nothing either.")
    forget_second_factor: bool = Field(False, description="They lost phone and codes: the password is enough again.")

    model_config = ConfigDict(extra="forbid")


class AccountOut(Schema):
    name: str
    role: RoleName | None
    active: bool
    joined: datetime
    last_login: datetime | None


class AccountMadeOut(AccountOut):
    password: str = Field(description="Told here alone; its owner changes it at /account.")


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


@router.post("/keys", response={201: ApiKeyMadeOut}, auth=signed_in, url_name="key_create")
def key_make(request: HttpRequest, body: ApiKeyIn) -> Status[dict[str, Any]]:
    """A new key of the asker's, told here alone. One that is made with a key may no more, and no longer, than that."""
    if (maker := key_of(request)) is not None:
        if beyond := [scope for scope in body.scopes if scope not in maker.scopes]:
            told = f"scopes: {beyond[0]}; the key that makes it has {', '.join(maker.scopes)}"
            raise Forbidden("wrong_scope", told, scope=beyond[0], scopes=list(maker.scopes))
        ends = timezone.now() + timedelta(days=body.days) if body.days is not None else None
        if maker.expires is not None and (ends is None or ends > maker.expires):
            told = f"days: {body.days}; the key that makes it ends on {maker.expires:%Y-%m-%d}"
            raise BadRequest("bad_days", told, "days")
    budget = None if body.budget_usd is None else Decimal(str(body.budget_usd))
    made, text = key_create(
        user=request.user, name=body.name, scopes=body.scopes, days=body.days, budget_usd=budget, who=who_of(request)
    )
    return Status(201, {**key_out(made), "key": tell_once(request, text)})


@router.delete("/keys/{prefix}", response={204: None}, auth=signed_in, url_name="key_revoke")
def key_void(request: HttpRequest, prefix: str) -> Status[None]:
    """From now on the asker's key of that prefix opens nothing."""
    key_revoke(user=request.user, prefix=prefix.removeprefix("pk_")[:16], who=who_of(request))
    return Status(204, None)


@router.get("/accounts", response=list[AccountOut], auth=operators, url_name="accounts")
def accounts(request: HttpRequest) -> list[dict[str, Any]]:
    """Who has an account, by name."""
    return [account_out(one) for one in User.objects.order_by("username").prefetch_related("groups")[:1000]]


@router.put("/accounts/{name}", response={200: AccountOut, 201: AccountMadeOut}, auth=operators, url_name="account_put")
def account_put(request: HttpRequest, name: str, body: AccountIn) -> Status[dict[str, Any]]:
    """Make an account, with a password that is told here alone, or change its role and whether it is open."""
    asker: Any = request.user
    there = User.objects.filter(username=name).first()
    if there is not None and there.is_superuser and not asker.is_superuser:
        raise Forbidden("superuser", f"{name}: a superuser is changed by superusers alone")
    if name == asker.username and (body.role not in (None, "operator") or body.active is False):
        raise BadRequest("own_account", f"{name}: this is your own account; another operator closes it", "name")
    user, password = account_set(
        who=who_of(request), name=name, role=body.role, active=body.active, forget=body.forget_second_factor
    )
    told = account_out(user)
    return Status(201, {**told, "password": password}) if password else Status(200, told)


def account_out(user: User) -> dict[str, Any]:
    role = role_of(user) if user.is_active else _role_by_group(user)
    return {
        "name": user.username,
        "role": role.word if role >= Role.VIEWER else None,
        "active": user.is_active,
        "joined": user.date_joined,
        "last_login": user.last_login,
    }


def _role_by_group(user: User) -> Role:
    """What an account that is closed would be if it were opened."""
    names = {group.name for group in user.groups.all()}
    return max((role for role in Role if role.word in names), default=Role.STRANGER)
