"""Who may do what on the site: Django's users, groups and permissions, read as one of four roles.

Each role may do all that the ones below it may. A superuser is an operator; `is_staff` alone opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

from django.contrib.auth.models import Group, Permission
from django.db.models import Q


class Role(IntEnum):
    """stranger: not signed in, or without a role. viewer: sees runs that are the site's own. experimenter: makes and
    steers runs, experiments and sessions, reads prompts, takes data away. operator: models' profiles, accounts, what
    cannot be undone.
    """

    STRANGER = 0
    VIEWER = 1
    EXPERIMENTER = 2
    OPERATOR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


PERMISSIONS: Final[Mapping[Role, str]] = {
    Role.VIEWER: "watch_members",
    Role.EXPERIMENTER: "experiment",
    Role.OPERATOR: "operate",
}
"""Of `games.Run`; what a role has, the roles above it have too."""


def role_of(user: Any) -> Role:
    """The highest role that the user's groups and permissions give."""
    if user is None or not user.is_authenticated or not user.is_active:
        return Role.STRANGER
    for role in reversed(Role):
        if role in PERMISSIONS and user.has_perm(f"games.{PERMISSIONS[role]}"):
            return role
    return Role.STRANGER


def groups_make() -> None:
    """A group for each role, where there is none: what an operator has changed in one stays."""
    for role, name in PERMISSIONS.items():
        group, made = Group.objects.get_or_create(name=role.word)
        if made:
            own = Q(
                content_type__app_label="games", codename__in=[PERMISSIONS[one] for one in PERMISSIONS if one <= role]
            )
            group.permissions.set(Permission.objects.filter(own | _tables(name)))


def _tables(name: str) -> Q:
    """The admin's tables: an operator reads the site's, and keeps its models and accounts."""
    if name != PERMISSIONS[Role.OPERATOR]:
        return Q(pk=None)
    accounts = Q(content_type__app_label="auth", codename__regex="_(user|group)$")
    return (
        accounts
        | Q(content_type__app_label="agents_app")
        | Q(content_type__app_label="games", codename__startswith="view_")
    )
