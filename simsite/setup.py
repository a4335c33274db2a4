"""Django in a process that is not `manage.py`: the commands, the launcher, whatever reads the site's database."""

from __future__ import annotations

import os

import django


def set_django_up() -> None:
    """Settings and models are there afterwards; whoever needs a model imports it after this."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "simsite.settings")
    django.setup()
