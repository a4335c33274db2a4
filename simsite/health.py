"""Whether this process lives, and can serve."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.site.notify.queueing import broker_check
from games.site.web.errors import RETRY_S

ROOM: Final = 32 * 2**20
"""Bytes below which a disk counts as full: what a database writes before it can tidy up has no room any more."""


@require_safe
@never_cache
async def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked, so that a database that is away restarts no web process."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether requests should come here: the database and Redis answer, disks have room, and the bundle is built.

    Beside that, the bytes that are free in each folder that is written to, and how many seconds ago each part of this
    machine that the launcher watches gave its last sign of life, and how old the last good backup is: neither turns a
    reader away.
    """
    found = {name: _does(check) for name, check in CHECKS.items()}
    told = {
        "ready": all(found.values()),
        **found,
        "free_bytes": free_bytes(),
        "last_beat_s": _beats(),
        "last_backup_s": _backups(),
    }
    response = JsonResponse(told, status=200 if told["ready"] else 503)
    if not told["ready"]:
        response.headers["Retry-After"] = str(RETRY_S)
    return response


def _does(check: Callable[[], Any]) -> bool:
    try:
        return check() is not False
    except Exception:  # whatever it is, this process cannot serve now
        return False


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM games_run WHERE 1 = 0")


def free_bytes() -> dict[str, int]:
    """Bytes that are free: in the home, and in the folder of the database where that is a file elsewhere."""
    folders = {"home": Path(settings.POLITY_HOME)}
    if connection.vendor == "sqlite" and Path(settings.DATABASES["default"]["NAME"]).is_absolute():
        folders["database"] = Path(settings.DATABASES["default"]["NAME"]).parent
    return {name: shutil.disk_usage(folder).free for name, folder in folders.items() if folder.is_dir()}


def _has_room() -> bool:
    return all(free >= ROOM for free in free_bytes().values())


def _beats() -> dict[str, float]:
    """Seconds since each part's last sign of life; empty where no launcher watches them from this home."""
    now = time.time()
    files = sorted(Path(settings.POLITY_HOME).glob("*.beat"))
    return {file.stem: round(max(0.0, now - file.stat().st_mtime), 1) for file in files}


def backup_ages() -> dict[str, float]:
    """Seconds since the last good archive, and since the last drill with one; only what there was."""
    from games.site.models import AuditEntry

    ages = {}
    for what in ("archive", "drill"):
        entries = AuditEntry.objects.filter(on=f"backup {what}").order_by("-at")
        if (at := entries.values_list("at", flat=True).first()) is not None:
            ages[what] = (timezone.now() - at).total_seconds()
    return ages


def _backups() -> dict[str, float]:
    try:
        return {what: round(age) for what, age in backup_ages().items()}
    except DatabaseError:  # which is told elsewhere
        return {}


CHECKS: Final[dict[str, Callable[[], Any]]] = {
    "database": _database,
    "redis": broker_check,
    "disk": _has_room,
    "bundle": lambda: settings.BUNDLE_MANIFEST.is_file(),
}
