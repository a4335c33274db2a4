"""`polity account`: people who sign in with a name and a password, and what they may do."""

from __future__ import annotations

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
    from games.errors.requests import BadRequest
    from games.site.accounts.people import account_set

    try:
        given = role.value if role is not None else None
        user, password = account_set(who="polity account", name=name, role=given, active=not off, forget=forget)
    except BadRequest as error:
        raise Refused(str(error)) from None
    roles = ", ".join(user.groups.values_list("name", flat=True)) or "no role"
    say(f"{name}: {roles}" if user.is_active else f"{name}: may not sign in any more")
    if password:
        say(f"password: {password}")
    return 0
