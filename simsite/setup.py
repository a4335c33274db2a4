"""Django in a process that is not `manage.py`: the commands, the launcher, whatever reads the site's database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import django


def set_django_up() -> None:
    """Settings and models are there afterwards; whoever needs a model imports it after this."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "simsite.settings")
    django.setup()


@contextmanager
def throwaway_site() -> Iterator[None]:
    """Django on a new site in a temporary folder, deleted afterwards: own database, no broker, whatever the environment
    names. For a process in which Django is not set up yet.
    """
    with TemporaryDirectory(prefix="polity-") as home:
        os.environ |= {"POLITY_HOME": home, "DATABASE_URL": "", "REDIS_URL": ""}
        set_django_up()
        from django.conf import settings
        from django.core.management import call_command

        settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
        settings.CELERY_BROKER_URL = "memory://localhost"
        call_command("migrate", interactive=False, verbosity=0)
        yield
