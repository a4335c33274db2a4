"""What a route asks of whoever signs in, by session or by key: a role, and for sessions our own page's token."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja.security import SessionAuth

from games.site.accounts.roles import Role, role_of
from games.site.audience import Forbidden


def check_role(request: HttpRequest, role: Role) -> None:
    """Raises `Forbidden` where whoever is signed in has not got the role."""
    if role_of(request.user) < role:
        told = f"this is for {role.word}s; you are signed in as {request.user}"
        raise Forbidden("role_needed", told, role=role.word, user=str(request.user))


class Holders(SessionAuth):
    """Lets those through who hold a role, or a higher one. Raises `Forbidden` for who is signed in and does not."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self.role = role

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        user: Any = request.user
        if not user.is_authenticated:
            return None
        check_role(request, self.role)
        return user


signed_in = Holders(Role.STRANGER)
viewers, experimenters, operators = Holders(Role.VIEWER), Holders(Role.EXPERIMENTER), Holders(Role.OPERATOR)
