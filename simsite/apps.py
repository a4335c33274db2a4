from typing import Any

from django.apps import AppConfig, apps
from django.db import connections
from django.db.models.signals import post_migrate


def _groups(using: str = "default", **_: Any) -> None:
    from django.contrib.auth.models import Group

    from games.site.accounts.roles import groups_make

    if Group._meta.db_table in connections[using].introspection.table_names():  # else another app is prepared first
        groups_make()


class SiteConfig(AppConfig):
    """The wiring: makes the workers' application and outside games known wherever Django is set up."""

    name = "simsite"

    def ready(self) -> None:
        # Tasks are declared without naming it (`shared_task`), and would else be sent to Celery's own default.
        from games.core.registry import look_in
        from simsite import celery  # noqa: F401
        from simsite.environment import game_packages

        look_in(game_packages())
        # after the last app whose permissions a group names
        post_migrate.connect(_groups, sender=apps.get_app_config("agents_app"))
