"""Accounts: who signs in, with what role; made and changed from the shell and by the API."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction

from games.errors.requests import BadRequest
from games.site.accounts.factors import factor_drop
from games.site.accounts.trail import audit


def account_set(
    *, who: str, name: str, role: str | None = None, active: bool | None = None, forget: bool = False
) -> tuple[User, str]:
    """Make an account, or change one; with the password of a new one, which nobody can read again. Raises `BadRequest`.

    ``role``    viewer, experimenter or operator; None: left as it is
    ``active``  whether they may sign in, and their keys open anything; None: as it is
    ``forget``  they lost phone and codes: the password is enough again
    """
    try:
        with transaction.atomic():
            user = User.objects.select_for_update().filter(username=name).first()
            password = "" if user else secrets.token_urlsafe(15)
            if user is None:
                user = User(username=name)
                user.set_password(password)
                user.full_clean()
            user.is_active = user.is_active if active is None else active
            user.save()
            if role is not None:
                user.groups.set(Group.objects.filter(name=role))
            if forget and factor_drop(user):
                audit(who=who, what="factor_dropped", on=name)
            told: dict[str, Any] = {"role": role, "active": user.is_active}
            audit(who=who, what="account_made" if password else "account_changed", on=name, data=told)
    except ValidationError as error:
        raise BadRequest("bad_account", f"name: {name[:40]!r}; {' '.join(error.messages)}", "name") from None
    return user, password
