"""`polity account`: people who sign in with a name and a password, and what they may do."""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import Annotated

import typer

from simsite.commands.printing import say


class RoleName(StrEnum):
    """What an account may do; each also what those before it may."""

    viewer = "viewer"
    experimenter = "experimenter"
    operator = "operator"


def account(
    name: Annotated[str, typer.Argument(help="By which they sign in.", show_default=False)],
    role: Annotated[RoleName | None, typer.Option(help="What they may do; left as it is if left out.")] = None,
    forget: Annotated[
        bool, typer.Option("--forget-second-factor", help="They lost phone and codes: the password is enough again.")
    ] = False,
    off: Annotated[bool, typer.Option("--off", help="They may not sign in any more; their keys open nothing.")] = False,
) -> int:
    """Make an account, or change one. A new one's password is shown this once; its owner changes it at /account."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.contrib.auth.models import Group, User
    from django.core.exceptions import ValidationError
    from django.db import transaction

    from games.site.accounts.factors import factor_drop
    from games.site.accounts.trail import audit

    try:
        with transaction.atomic():
            user = User.objects.filter(username=name).first()
            password = "" if user else secrets.token_urlsafe(15)
            if user is None:
                user = User(username=name)
                user.set_password(password)
                user.full_clean()
            user.is_active = not off
            user.save()
            if role is not None:
                user.groups.set(Group.objects.filter(name=role.value))
            if forget and factor_drop(user):
                audit(who="polity account", what="factor_dropped", on=name)
            told = {"role": role.value if role else None, "active": user.is_active}
            audit(who="polity account", what="account_made" if password else "account_changed", on=name, data=told)
    except ValidationError as error:
        raise Refused(f"{name!r}: {' '.join(error.messages)}") from None
    roles = ", ".join(user.groups.values_list("name", flat=True)) or "no role"
    say(f"{name}: {roles}" if user.is_active else f"{name}: may not sign in any more")
    if password:
        say(f"password: {password}")
    return 0
