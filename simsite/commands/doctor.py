"""`polity doctor`: what is wrong with this machine or this home, and how to mend it."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import socket
import sys
from collections.abc import Callable
from http.client import HTTPException
from typing import Annotated, Any, Final
from urllib.request import urlopen

import typer

from simsite.commands.onsite import LOOKS, NOTE, WELL, WRONG, Found, broker
from simsite.commands.packages import registry
from simsite.commands.printing import as_json, table

FREE_MB: Final = 1000
"""Megabytes below which a site's disk is called full: its database, its log and a backup of both."""
FILES: Final = 1024
"""Files that a process may open below which a class of people at one site runs out of sockets."""
SHARED: Final = frozenset({"PIL", "certifi", "scipy"})
"""Packages that come by more than one way, and so are no sign that an extra was wanted."""


def doctor(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port that a site is to have.")] = 8000,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Look at this machine (Python, packages, settings, disk, pages, broker, database, port, games) and at what an
    operator of a site keeps (versions, clocks, keys, workers, backups); tell what is wrong and the remedy.

    Ends with status 1 where something is.
    """
    from games.errors import extras

    looks: dict[str, Callable[[], Found]] = {
        "python": _python,
        "packages": _packages,
        "settings": _settings,
        "home": _home,
        "games": _games,
    }
    rows = [(name, *_looked(look)) for name, look in looks.items()]
    if extras.has("django") and all(state != WRONG for name, state, _, _ in rows if name == "settings"):
        site: dict[str, Callable[[], Found]] = {
            "pages": _pages,
            "broker": _broker,
            "database": _database,
            "port": lambda: _port(port),
            "files": _files,
        }
        rows += [(name, *_looked(look)) for name, look in site.items()]
        if any(name == "database" and "up to date" in found for name, _, found, _ in rows):
            rows += [(name, *_looked(look)) for name, look in LOOKS.items()]
    if json:
        as_json([dict(zip(("what", "state", "found", "remedy"), row, strict=True)) for row in rows])
    else:
        table(["what", "", "found", "remedy"], rows)
    return 1 if any(state == WRONG for _, state, _, _ in rows) else 0


def _looked(look: Callable[[], Found]) -> Found:
    """What a look found; one that itself fails is a finding, since that is how a broken install shows."""
    from games.errors import extras

    try:
        return look()
    except Exception as error:
        return WRONG, " ".join(f"{type(error).__name__}: {error}".split()), extras.remedy(error) or "install anew"


def _python() -> Found:
    from games.errors import extras

    told = f"{sys.version.split()[0]} at {sys.executable}, polity {importlib.metadata.version(extras.DISTRIBUTION)}"
    return WELL, f"{told}, {os.cpu_count()} cores", ""


def _packages() -> Found:
    from games.errors import extras

    by_extra: dict[str, list[str]] = {}
    for package, extra in extras.EXTRAS.items():
        by_extra.setdefault(extra, []).append(package)
    there = {extra: [extras.has(package) for package in packages] for extra, packages in by_extra.items()}
    begun = {extra for package, extra in extras.EXTRAS.items() if package not in SHARED and extras.has(package)}
    torn = sorted(extra for extra in ("models", "report", "server") if extra in begun and not all(there[extra]))
    whole = sorted(extra for extra, found in there.items() if all(found))
    absent = ", ".join(sorted(extra for extra, found in there.items() if not all(found)))
    if torn:
        lost = ", ".join(one for extra in torn for one in by_extra[extra] if not extras.has(one))
        return WRONG, f"lacking: {lost}", f"pip install '{extras.DISTRIBUTION}[{','.join(torn)}]'"
    return WELL, f"base{''.join(f', {extra}' for extra in whole)}", absent and f"not there, wanted or not: {absent}"


def _settings() -> Found:
    from games.errors import extras
    from simsite.environment import BadSetting, read

    if not extras.has("django"):
        return NOTE, "no site here", f"pip install '{extras.DISTRIBUTION}[server]'"
    try:
        read({**os.environ, "POLITY_SECRET_KEY": os.environ.get("POLITY_SECRET_KEY", "") or "-" * 32})  # makes no home
    except BadSetting as error:
        return WRONG, str(error), "mend or unset it"
    named = sorted(name for name in os.environ if name.startswith("POLITY_") and "KEY" not in name)
    return WELL, ", ".join(named) or "all by default", ""


def _home() -> Found:
    from simsite.environment import home_named

    home = home_named()
    there = next(place for place in (home, *home.parents) if place.exists())
    if not os.access(there, os.W_OK):
        return WRONG, f"{home}: cannot be written", "polity --home DIR names another"
    free = shutil.disk_usage(there).free // 2**20
    if free < FREE_MB:
        return WRONG, f"{home}: {free} MB are free", f"free {FREE_MB} MB, or polity --home DIR"
    return WELL, f"{home}, {'there' if home.exists() else 'made when it is needed'}; {free // 1024} GB are free", ""


def _games() -> Found:
    found = registry()
    broken = found.broken()
    if broken:
        return WRONG, "; ".join(broken.values()), "mend or take them away; the others play"
    return WELL, f"{len(found.modules())}, all can be used", ""


def _pages() -> Found:
    from simsite.commands.built import built
    from simsite.launch import Failed, bundle

    if built() is not None:
        return WELL, "built", ""
    try:
        node = bundle.find_node()
    except Failed as error:
        return WRONG, "not built", str(error)
    return NOTE, f"built by the next start, with Node {node.version} ({node.origin})", ""


def _broker() -> Found:
    import redis

    from simsite.launch import valkey

    if not (url := os.environ.get("REDIS_URL", "").strip()):
        return WELL, f"a Valkey of its own: {valkey.find()}", ""
    try:
        return broker(url)
    except redis.RedisError as error:
        return WRONG, f"REDIS_URL: {error}", "start that server, or unset REDIS_URL"


def _database() -> Found:
    from simsite.environment import home_named

    if not os.environ.get("DATABASE_URL", "").strip() and not (home_named() / "polity.sqlite3").exists():
        return NOTE, "none yet", "polity serve makes it"
    from simsite.setup import set_django_up

    set_django_up()
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        executor: Any = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    finally:
        connection.close()
    told = f"{connection.vendor}, "
    if not waiting:
        return WELL, f"{told}answers, up to date", ""
    return NOTE, f"{told}answers, {len(waiting)} migrations to come", "polity serve makes them"


def _port(port: int) -> Found:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", port))
        except OSError as error:
            if _is_a_site(port):
                return WELL, f"a site answers at {port}", ""
            return WRONG, f"{port}: {error.strerror}", f"polity serve --port {port + 1}, or end what uses it"
    return WELL, f"{port} is free", ""


def _is_a_site(port: int) -> bool:
    """Whether what listens there is Polity, this one or another."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=3) as answer:
            return bool(answer.read(3) == b"ok\n")
    except (OSError, HTTPException):
        return False


def _files() -> Found:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FILES:
        return WRONG, f"a process may open {soft} files", f"ulimit -n {min(hard, 65536)}"
    return WELL, f"a process may open {soft} files", ""
