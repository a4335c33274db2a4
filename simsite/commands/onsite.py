"""What `polity doctor` sees of a site whose database is there: what its operator has to mend, each with how."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

WELL, WRONG, NOTE = "ok", "WRONG", "-"
Found = tuple[str, str, str]
"""ok, WRONG or - (nothing to mend, but to know); what was found; what to do."""
POSTGRES_MIN: Final = 14
REDIS_MIN: Final = (6, 2)
SKEW_S: Final = 5.0
"""A code of a phone holds for 30 s, and so long are machines' logs told apart."""
STALE_S: Final = 26 * 3600.0


def server() -> Found:
    """The database's version, and whether the programs that back it up are new enough."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return WELL, "SQLite, for one machine", ""
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        major = int(cursor.fetchone()[0]) // 10_000
    told = f"PostgreSQL {major}"
    if major < POSTGRES_MIN:
        return WRONG, told, f"PostgreSQL {POSTGRES_MIN} or later"
    found = shutil.which("pg_dump")
    if found is None:
        return WRONG, f"{told}, and no pg_dump to back it up", f"apt-get install postgresql-client-{major}"
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    dumps = int(re.findall(r"(\d+)\.?\d*", said)[0])
    if dumps < major:
        return WRONG, f"{told}; pg_dump {dumps} cannot read it", f"apt-get install postgresql-client-{major}"
    return WELL, f"{told}, pg_dump {dumps}", ""


def clock() -> Found:
    """A site goes by its database's clock; sign-in codes and logs by the machine's."""
    from django.db import connection

    from games.site.record.clock import SQL

    with connection.cursor() as cursor:
        before = datetime.now(UTC)
        cursor.execute(SQL[connection.vendor])
        told = datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
    off = (told - before).total_seconds()
    if abs(off) > SKEW_S:
        return (
            WRONG,
            f"the database's is {off:+.0f} s from this machine's",
            "timedatectl set-ntp true, on both machines",
        )
    return WELL, "within a moment of the database's", ""


def broker(url: str) -> Found:
    """The version of Redis or Valkey that stands there. Raises `RedisError`."""
    from redis import Redis

    told = Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3).info("server")
    version = str(told["redis_version"])
    if tuple(int(part) for part in version.split(".")[:2]) < REDIS_MIN:
        return WRONG, f"Redis {version}", "Redis 6.2 or later, or Valkey"
    return WELL, f"REDIS_URL answers, as Redis {version}", ""


def secret() -> Found:
    """A key that lies in a home is another on the next machine."""
    from django.conf import settings
    from django.db import connection

    if os.environ.get("POLITY_SECRET_KEY"):
        return WELL, f"of the environment, {len(settings.SECRET_KEY)} characters", ""
    remedy = "" if connection.vendor == "sqlite" else "the same POLITY_SECRET_KEY on each machine, if there is another"
    return WELL if not remedy else NOTE, "kept in the home", remedy


def door() -> Found:
    """What a site on the open network needs."""
    from django.conf import settings

    from games.site.accounts.roles import Role, role_of

    hosts = [host for host in settings.ALLOWED_HOSTS if host not in ("localhost", "127.0.0.1", "[::1]")]
    if not hosts:
        return NOTE, "asked for on this machine alone", ""
    if settings.DEBUG:
        return WRONG, "POLITY_DEBUG=1 shows tracebacks to visitors", "unset POLITY_DEBUG"
    if not settings.SESSION_COOKIE_SECURE:
        return (
            WRONG,
            f"{hosts[0]} without https: passwords can be read on the way",
            "POLITY_HTTPS=1 behind a proxy that ends TLS",
        )
    from django.contrib.auth.models import User

    accounts = [user for user in User.objects.filter(is_active=True) if role_of(user) is Role.OPERATOR]
    if not any(user.has_usable_password() for user in accounts):
        return WRONG, f"{hosts[0]}: no operator can sign in", "polity account NAME --role operator"
    return WELL, f"{hosts[0]} by https, {len(accounts)} operators", ""


def models() -> Found:
    """The keys of the models that the site names."""
    from agents_app.providers.keys import unsendable
    from agents_app.site.models import AgentProfile

    named = list(AgentProfile.objects.all())
    lacking = {why for one in named if (why := unsendable(one.resolved())) is not None}
    if lacking:
        return WRONG, "; ".join(sorted(lacking)), "set it for web, workers and beat, and start them again"
    return WELL, f"{len(named)} are named, all can be asked" if named else "none is named", ""


def parts() -> Found:
    """Who has said that it lives, and whether anybody waits for one that does not."""
    from games.site.models import Worker
    from games.site.record.capacity import alive
    from games.site.record.pulse import SIGNS, is_up
    from games.site.record.selectors import idle_runs

    living = list(alive().exclude(pk__in=SIGNS).values_list("name", flat=True))
    clock_lives = Worker.objects.exists() and is_up()
    if not living and not clock_lives:
        return NOTE, "the site does not run", ""
    counts = {queue: sum(name.startswith(f"{queue}-") for name in living) for queue in ("live", "bulk")}
    told = ", ".join(f"{count} {queue}" for queue, count in counts.items())
    if not clock_lives:
        return WRONG, f"{told}, no clock: nobody's lost work is found again", "polity beat"
    waiting = {queue: idle_runs().filter(queue=queue).count() for queue, count in counts.items() if not count}
    if any(waiting.values()):
        queue = max(waiting, key=lambda one: waiting[one])
        return WRONG, f"{told}; {waiting[queue]} runs wait for a {queue} worker", f"polity worker --queue {queue}"
    return WELL, f"{told} workers, and the clock", ""


def backups() -> Found:
    """How old the last archive and the last drill are."""
    from django.db import connection

    from simsite.health import backup_ages

    ages = backup_ages()
    remedy = "polity backup FOLDER --keep 14 --drill, each night"
    if not ages:
        return WRONG if connection.vendor != "sqlite" else NOTE, "none was ever made", remedy
    told = ", ".join(f"the last {what} is {age / 3600:.0f} h old" for what, age in ages.items())
    if ages.get("archive", STALE_S + 1) > STALE_S or "drill" not in ages:
        return (
            WRONG if connection.vendor != "sqlite" else NOTE,
            told + ("" if "drill" in ages else ", never tried"),
            remedy,
        )
    return WELL, told, ""


LOOKS: Final[dict[str, Callable[[], Found]]] = {
    "server": server,
    "clock": clock,
    "secret": secret,
    "door": door,
    "models": models,
    "parts": parts,
    "backups": backups,
}
