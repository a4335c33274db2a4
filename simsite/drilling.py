"""Archives made each night, of which one is restored, counted and verified before an old one goes.

A backup that was never restored is a hope. The drill brings an archive back into a database of its own, by a process of
its own with the archive's key, and lets both go.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from django.db import DatabaseError, connection
from django.utils import timezone

from games.errors.faults import Refused
from simsite.keeping import FILES, backed_up, counted, opened, postgres

NAMED: Final = re.compile(r"polity-(\d{4}-\d\d-\d\d)T\d{6}\.tar")
LOOKED_AT: Final = 5
"""Runs of an archive that are played again: the last that ended, and others at random."""


def nightly(folder: Path, *, keep: int | None, drill: bool) -> Iterator[str]:
    """An archive named by the time, tried if it is to be; then of each of the last ``keep`` days the last one stays.

    A line each. Raises `Refused`, and then nothing is deleted.
    """
    file = folder / f"polity-{timezone.now():%Y-%m-%dT%H%M%S}.tar"
    yield backed_up(file)
    if drill:
        yield drilled(file)
    if keep is not None:
        of_days = [list(group) for _, group in groupby(archives(folder), lambda file: file.name[:17])]
        gone = [file for files in of_days[:-keep] for file in files] + [
            f for files in of_days[-keep:] for f in files[:-1]
        ]
        for one in gone:
            one.unlink()
        yield f"{folder}: {len(archives(folder))} archives are kept, {len(gone)} deleted"


def archives(folder: Path) -> list[Path]:
    """Those that were named by their time, the oldest first."""
    return sorted(file for file in folder.iterdir() if NAMED.fullmatch(file.name))


def newest(place: Path) -> Path:
    """A file, or the newest archive of a folder. Raises `Refused`."""
    if not place.is_dir():
        return place
    if found := archives(place):
        return found[-1]
    raise Refused(f"{place}: no archive named polity-DATE.tar is there; polity backup {place} makes one")


def drilled(file: Path) -> str:
    """Restore an archive beside the site, count it, play some of its runs again, and let it go; in a line.

    Raises `Refused` where anything is not as the archive says.
    """
    from games.site.accounts.trail import audit

    with tempfile.TemporaryDirectory(prefix="polity-drill-", dir=file.absolute().parent) as folder:
        place = Path(folder)
        told, key = opened(file, place)
        with _scratch(place, told["vendor"]) as url:
            given = {"POLITY_HOME": str(place / "home"), "DATABASE_URL": url, "POLITY_SECRET_KEY": key}
            given |= {"DJANGO_SETTINGS_MODULE": "simsite.settings", "POLITY_PART": "drill"}
            words = [sys.executable, "-m", "simsite.drilling"]
            done = subprocess.run(words, env={**os.environ, **given}, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(f"{file}: restored, but not to be read: {' '.join(done.stderr.split())[-300:]}")
        found = json.loads(done.stdout.splitlines()[-1])
    if [found["runs"], found["steps"]] != [told["runs"], told["steps"]]:
        raise Refused(
            f"{file}: {found['runs']} runs and {found['steps']} steps came back of {told['runs']} and {told['steps']}"
        )
    if found["differ"]:
        raise Refused(f"{file}: restored, but {'; '.join(found['differ'])}")
    audit(who="polity restore", what="backup_drill", on="backup drill", data={"file": file.name, **found})
    return f"{file}: drill: {found['runs']} runs, {found['steps']} steps came back; {found['verified']} runs verified"


@contextmanager
def _scratch(place: Path, vendor: str) -> Iterator[str]:
    """The archive's database, restored beside the site's; its address."""
    (place / "home").mkdir(mode=0o700)
    if vendor == "sqlite":
        shutil.move(place / FILES[vendor], place / "home" / "polity.sqlite3")
        yield ""
        return
    if vendor != connection.vendor:
        raise Refused(
            f"drill: an archive of {vendor} needs a site on {vendor}; this one's database is {connection.vendor}"
        )
    name, where = f"polity_drill_{uuid.uuid4().hex[:12]}", connection.settings_dict
    try:
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{name}"')
    except DatabaseError as error:
        told = str(error).strip().splitlines()[0]
        raise Refused(f"drill: {told}; a superuser permits it: ALTER ROLE {where['USER']} CREATEDB") from None
    try:
        postgres("pg_restore", "--no-owner", "--exit-on-error", str(place / FILES[vendor]), name=name)
        who = quote(str(where["USER"]), "") + (f":{quote(str(where['PASSWORD']), '')}" if where["PASSWORD"] else "")
        at = quote(str(where["HOST"]), "") + (f":{where['PORT']}" if where["PORT"] else "")
        yield f"postgresql://{who}@{at}/{name}"
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def looked_over() -> dict[str, Any]:
    """What a restored database holds, and what came of playing some of its runs again."""
    from games.site.models import Run, RunStatus
    from games.site.models.identity import opaque_id
    from games.site.record.selectors import NotFound
    from games.site.record.verification import verify_run

    ended = Run.objects.filter(status=RunStatus.FINISHED)
    last = list(ended.order_by("-ended").values_list("pk", flat=True)[:2])
    some = list(ended.filter(pk__gte=opaque_id()).order_by("pk").values_list("pk", flat=True)[:LOOKED_AT])
    verified, differ = 0, list[str]()
    for run_id in list(dict.fromkeys(last + some))[:LOOKED_AT]:
        try:
            verdict = verify_run(run_id)
        except NotFound:  # of older rules: it can be watched, and not played again
            continue
        verified += 1
        differ += [] if verdict.difference is None else [str(verdict)]
    runs, steps = counted()
    return {"runs": runs, "steps": steps, "verified": verified, "differ": differ}


def main() -> None:
    """In a process of its own: on the database that the environment names, brought up to date as any start does."""
    from simsite.launch import database
    from simsite.setup import set_django_up

    set_django_up()
    from django.conf import settings

    database.prepare(settings.POLITY_HOME)
    print(json.dumps(looked_over()))  # noqa: T201 - to whoever drills


if __name__ == "__main__":
    main()
