"""A site put away and brought back, and what is old let go.

An archive is a tar of `manifest.json`, `secret_key` (without it no person's link and no session is good any more) and
the database: a copy by SQLite's own backup, or a dump of PostgreSQL's own `pg_dump`.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import connection, connections, transaction
from django.utils import timezone

from games.errors.faults import Refused
from simsite.environment import KEY

MANIFEST: Final = "manifest.json"
FILES: Final = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}


def backed_up(file: Path) -> str:
    """Write the archive; what it holds, in a line. Raises `Refused`."""
    from games.site.accounts.trail import audit

    if file.exists():
        raise Refused(f"{file}: is there already; name another file")
    with tempfile.TemporaryDirectory(prefix="polity-backup-", dir=file.absolute().parent) as folder:
        place = Path(folder)
        told = _copied(place / FILES["sqlite"]) if connection.vendor == "sqlite" else _dumped(place)
        (place / MANIFEST).write_text(json.dumps(told, indent=2))
        (place / KEY).write_text(settings.SECRET_KEY)
        part = place / "archive"
        with tarfile.open(part, "w") as archive:
            for name in (MANIFEST, KEY, FILES[connection.vendor]):
                archive.add(place / name, arcname=name)
        part.chmod(0o600)  # it holds the key, and what people wrote
        os.link(part, file)
    audit(who="polity backup", what="backup", on="backup archive", data={"file": file.name, "runs": told["runs"]})
    return f"{file}: {told['runs']} runs, {told['steps']} steps, {file.stat().st_size:,} bytes"


def restored(file: Path, *, force: bool) -> str:
    """Put the archive's database and key in place; what it held, in a line. Raises `Refused`."""
    from simsite.launch import BadStart
    from simsite.launch.home import HomeLock

    try:
        with tempfile.TemporaryDirectory(prefix="polity-restore-") as folder, HomeLock(settings.POLITY_HOME):
            return _restored(file, Path(folder), force)
    except BadStart as error:
        raise Refused(f"restore: {error}") from None


def opened(file: Path, place: Path) -> tuple[dict[str, Any], str]:
    """An archive's manifest and secret key; its files are in the folder. Raises `Refused`."""
    try:
        with tarfile.open(file) as archive:
            archive.extractall(place, filter="data")
        return json.loads((place / MANIFEST).read_text()), (place / KEY).read_text()
    except (OSError, tarfile.TarError, ValueError) as error:
        raise Refused(f"{file}: no archive of polity backup ({error})") from None


def _restored(file: Path, place: Path, force: bool) -> str:
    told, key = opened(file, place)
    if told["vendor"] != connection.vendor:
        raise Refused(f"{file}: of {told['vendor']}; this site's database is {connection.vendor}")
    if (here := _count()) and not force:
        raise Refused(f"restore: {here} runs are here; --force replaces them all")
    connections.close_all()
    dump = place / FILES[connection.vendor]
    if connection.vendor == "sqlite":
        target = Path(_database()["NAME"])
        target.parent.mkdir(parents=True, exist_ok=True)
        for old in (target.with_name(target.name + end) for end in ("-wal", "-shm")):
            old.unlink(missing_ok=True)
        shutil.copyfile(dump, target)
        target.chmod(0o600)
    else:
        postgres("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction", str(dump))
    where = _key(key)
    return f"{file}: {told['runs']} runs, {told['steps']} steps are back; the secret key {where}"


def _key(key: str) -> str:
    if os.environ.get("POLITY_SECRET_KEY"):
        same = key == settings.SECRET_KEY
        return "is the environment's" if same else "of the environment is another: people's links are void"
    path = Path(settings.POLITY_HOME) / KEY
    path.touch(mode=0o600)
    path.write_text(key)
    return f"is in {path.name}"


def _dumped(place: Path) -> dict[str, Any]:
    """A dump, and the manifest of the very moment that it is of."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        file = f"--file={place / FILES['postgresql']}"
        postgres("pg_dump", "--format=custom", "--no-owner", f"--snapshot={snapshot}", file)
        return _manifest(*counted())


def _copied(target: Path) -> dict[str, Any]:
    """A copy, and the manifest of what is in it."""
    _copy(Path(_database()["NAME"]), target)
    with closing(sqlite3.connect(target)) as copy:
        return _manifest(*copy.execute("SELECT count(*), coalesce(sum(max(head, 0)), 0) FROM games_run").fetchone())


def _copy(source: Path, target: Path) -> None:
    """All that is committed, at one moment, while others go on writing; not a byte of what was erased before."""
    with closing(sqlite3.connect(source)) as here:
        here.execute("VACUUM INTO ?", (str(target),))


def counted() -> tuple[int, int]:
    """Runs and steps."""
    from django.db.models import Sum

    from games.site.models import Run

    return Run.objects.count(), Run.objects.filter(head__gt=0).aggregate(steps=Sum("head"))["steps"] or 0


def _manifest(runs: int, steps: int) -> dict[str, Any]:
    from django.db.migrations.recorder import MigrationRecorder

    applied = sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())
    made = {"made": timezone.now().isoformat(), "vendor": connection.vendor}
    return {**made, "runs": runs, "steps": steps, "migrations": applied}


def _count() -> int:
    from django.db import DatabaseError

    from games.site.models import Run

    try:
        return Run.objects.count()
    except DatabaseError:  # no tables yet
        return 0


def _database() -> dict[str, Any]:
    return dict(connection.settings_dict)


def postgres(program: str, *words: str, name: str = "") -> None:
    """One of PostgreSQL's own programs on this site's database, or on another of its server; the password goes by the
    environment.
    """
    found = shutil.which(program)
    if found is None:
        raise Refused(f"{program}: not found; install PostgreSQL's client programs of the server's version")
    where = {**_database(), **({"NAME": name} if name else {})}
    named = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environ = {**os.environ, **{name: str(where[of]) for name, of in named.items() if where.get(of)}}
    given = ["--dbname", str(where["NAME"])] if program == "pg_restore" else []
    done = subprocess.run([found, *given, *words], env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"{program}: {' '.join(done.stderr.split())[:300]}")


def purged(*, older_than: int | None, prompts: int | None, participant: str, do: bool) -> Iterator[str]:
    """What goes, or would go, a line each. Raises `Refused`."""
    from django.contrib.sessions.models import Session as BrowserSession

    from games.site.drive.batches import done_with
    from games.site.models import ENDED, Call, Entry, KeptAnswer, Run

    verb, now = ("deleted" if do else "would be deleted"), timezone.now()
    if participant:
        yield _forgotten(participant, do)
    if older_than is not None:
        old = Run.objects.filter(status__in=ENDED, ended__lt=now - timedelta(days=older_than)).order_by("-created")
        kept: dict[str, int] = {}
        gone = _deleted(list(old.values_list("pk", flat=True)), kept) if do else old.count()
        told = "".join(f"; {count} stay: {why}" for why, count in kept.items())
        yield f"runs that ended more than {older_than} days ago: {gone} {verb}{told}"
    if prompts is not None:
        asked = Call.objects.filter(created__lt=now - timedelta(days=prompts), run__status__in=ENDED).exclude(prompt="")
        count = asked.update(prompt="", reply="", reasoning="", tools="", logprobs="") if do else asked.count()
        yield f"calls of ended runs, older than {prompts} days: texts of {count} {verb}; figures and hashes stay"
    letters, batches = done_with()
    spent = {
        "calls by batch of ended runs, with the answers that were kept for them": letters,
        "batches that no run needs any more": batches,
        "sessions of browsers that have run out": BrowserSession.objects.filter(expire_date__lt=now),
        "answers kept for repeated requests": KeptAnswer.objects.filter(created__lt=now - timedelta(days=1)),
        "one-time addresses": Entry.objects.filter(created__lt=now - timedelta(hours=12)),
    }
    for what, rows in spent.items():
        count = rows.count()
        if do:
            rows.delete()
        yield f"{what}: {count} {verb}"
    if not do:
        yield "nothing was done; --yes does it"


def _deleted(ids: list[str], kept: dict[str, int]) -> int:
    """Newest first, so that a fork goes before what it began in."""
    from games.errors.requests import BadRequest
    from games.site.runs.deleting import run_delete
    from games.site.runs.operators import operator_account

    gone, by = 0, operator_account()
    for run_id in ids:
        try:
            run_delete(run_id=run_id, by=by)
            gone += 1
        except BadRequest as error:
            kept[error.code] = kept.get(error.code, 0) + 1
    return gone


def _forgotten(participant: str, do: bool) -> str:
    from games.errors.requests import BadRequest
    from games.site.accounts.trail import audit
    from games.site.models import Participant
    from games.site.people.joining import participant_forget

    one = Participant.objects.filter(pk=participant).first()
    if one is None:
        raise Refused(f"--participant {participant[:20]!r}: there is nobody of that id")
    if not do:
        return f"participant {one.pk} of run {one.run_id}: would be forgotten"
    try:
        participant_forget(participant=one)
    except BadRequest as error:
        raise Refused(str(error)) from None
    audit(who="polity purge", what="people_forget", on=f"run {one.run_id}", data={"participant": one.pk})
    return f"participant {one.pk} of run {one.run_id}: forgotten; what was played stays"
