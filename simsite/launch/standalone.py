"""The parts as commands of their own, for several machines that share a database and a Redis.

Each prepares what it needs: the database is migrated by whichever comes first, and the web process builds its bundle.
Each is one process; what starts it again when it dies is the machine's own service manager.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from simsite.environment import BadSetting, Environment, read
from simsite.launch import BadStart, Failed, bundle, database, part
from simsite.launch.heartbeat import Heartbeat
from simsite.launch.progress import Logged, Progress
from simsite.launch.serve import check_open_bind, is_loopback, listen, shown
from simsite.oneline import only_json
from simsite.setup import set_django_up


def run_web(*, host: str, port: int) -> int:
    """One web process until SIGTERM; the exit status."""

    def run(env: Environment, progress: Progress) -> None:
        if not is_loopback(host):
            progress.say(check_open_bind(host, env, has_superuser=database.has_superuser))
        with progress.step("bundle") as step:
            good, said = bundle.ensure(bundle.PROJECT, step.now)
            step.end(said, good=good)
        with listen(host, port) as listener:
            where = f"web at http://{shown(host)}:{listener.getsockname()[1]}/"
            part.run_web(listener=listener.fileno(), ready=lambda: progress.say(where))

    return _prepared("web", run)


def run_worker(*, queue: str, concurrency: int | None) -> int:
    """One worker until SIGTERM; the exit status."""

    def run(env: Environment, progress: Progress) -> None:
        count = concurrency or (env.live_threads if queue == "live" else env.bulk_processes)
        progress.say(f"worker on {queue}, {count} at once")
        part.run_worker(queue=queue, concurrency=count)

    return _prepared(queue, run)


def run_beat() -> int:
    """The clock until SIGTERM; the exit status."""

    def run(env: Environment, progress: Progress) -> None:
        progress.say("beat, a sweep each second")
        part.run_beat()

    return _prepared("beat", run)


def _prepared(name: str, run: Callable[[Environment, Progress], None]) -> int:
    os.environ["POLITY_PART"] = name
    Heartbeat().start()
    progress = Progress()
    if os.environ.get("POLITY_LOGS", "").strip() == "json":
        only_json(name)
        progress = Logged()
    try:
        env = read()
        set_django_up()
        with progress.step("database") as step:
            count = database.prepare(env.home, step.now)
            step.end(database.describe() + (f", {count} migrations applied" if count else ", up to date"))
        run(env, progress)
    except (BadStart, BadSetting) as error:
        progress.refuse(f"polity {name}: {error}")
        return 2
    except Failed as error:
        progress.refuse(f"polity {name}: {error}")
        return 1
    except KeyboardInterrupt:
        return 0
    except SystemExit as end:  # Celery's way of ending
        return end.code if isinstance(end.code, int) else 0
    return 0
