"""`polity key`: keys by which programs come to the site."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

import typer

from simsite.commands.printing import say


def key(
    name: Annotated[str, typer.Argument(help="What it is called; to revoke: its prefix.", show_default=False)],
    scopes: Annotated[str, typer.Option(help="Of read, run and export, separated by commas.")] = "read,run,export",
    days: Annotated[int | None, typer.Option(help="How long it is good for; without end if left out.")] = None,
    user: Annotated[str, typer.Option(help="Whose it is; the site's one operator if left out.")] = "",
    budget: Annotated[
        float | None, typer.Option(help="USD that all its runs may cost: its purse; no bound if left out.")
    ] = None,
    revoke: Annotated[bool, typer.Option("--revoke", help="Void the key of that prefix.")] = False,
) -> int:
    """Make a key to the API, which is shown this once, or revoke one."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    set_django_up()
    from django.contrib.auth import get_user_model

    from games.errors.requests import BadRequest
    from games.site.accounts.keys import key_create, key_revoke
    from games.site.runs.operators import operator_account

    try:
        owner = get_user_model()._default_manager.filter(username=user).first() if user else operator_account()
        if owner is None:
            raise Refused(f"--user: {user!r}; there is no such user")
        if revoke:
            key_revoke(user=owner, prefix=name.removeprefix("pk_").partition("_")[0])
            say(f"{name}: revoked")
            return 0
        wanted = [one.strip() for one in scopes.split(",")]
        purse = None if budget is None else Decimal(str(budget))
        made, text = key_create(user=owner, name=name, scopes=wanted, days=days, budget_usd=purse)
    except BadRequest as error:
        raise Refused(str(error)) from None
    say(f"{text}\n{made.name}: for {', '.join(made.scopes)}; shown this once. Send it as Authorization: Bearer.")
    return 0
