"""The site's parts, each a process: `python -m simsite.launch.part web|live|bulk|beat ...`.

The launcher starts them so; `polity web`, `polity worker` and `polity beat` run the same functions, each on its own.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import logging
import os
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from agents_app import tracing
from simsite.launch import parent_watch
from simsite.launch.heartbeat import Heartbeat

#: Largest message that a browser may send over the stream, in bytes: an action or an acknowledgement is far smaller.
MESSAGE_BYTES = 64 * 1024
#: Seconds that a browser's handshake may take. Where thousands come at once each waits for those before it, and
#: Daphne's own 5 s would reset the later ones, which then come again and make it worse.
HANDSHAKE_S = 60
#: Seconds that an ending worker waits for models which it has asked; the launcher kills it after five.
LAST_CALLS_S = 3.0
M_ARENA_MAX: Final = -8
ARENAS: Final = 2


def bound_heaps() -> None:
    """glibc gives each of a dozen threads a heap that it does not give back; two are as fast, and stay as large as they
    are. Other systems have no such setting.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def run_web(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    listener: int | None = None,
    heartbeat: Heartbeat | None = None,
    gate: int | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Daphne until SIGTERM, on `host` and `port` or on the listening socket that was inherited as `listener`.

    All routes are loaded first, which takes longest, so that no request waits for them; then `gate`, the end of a pipe,
    is waited for until the other end is closed, and `ready` is called. No access log. Daphne pings each websocket every
    20 s and drops one that has not answered for 30 s.
    """
    bound_heaps()
    gc.disable()  # of what is loaded nothing is garbage, and to search through it takes a seventh of the time
    import daphne.server  # noqa: F401 - installs its reactor: before anything else of Twisted
    from daphne.endpoints import build_endpoint_description_strings
    from twisted.internet.task import LoopingCall
    from twisted.internet.threads import deferToThread

    from simsite.setup import set_django_up

    set_django_up()
    import_module("simsite.urls")
    from games.site.web.catalogue import cards

    if gate is None or not select.select([gate], [], [], 0)[0]:
        cards()  # what takes the first page longest, if there is time now
    if gate is not None:
        os.read(gate, 1)
    from simsite.asgi import application
    from simsite.launch.searching import TEND_S, Searching
    from simsite.launch.webserver import BoundedServer
    from simsite.settings import DATA_UPLOAD_MAX_MEMORY_SIZE, SESSION_COOKIE_NAME

    where: dict[str, Any] = {"host": host, "port": port} if listener is None else {"file_descriptor": listener}
    from games.site.record.pulse import BEAT_S  # the application has set the apps up
    from games.site.web.bodies import STRANGER

    server = BoundedServer(
        body_max=DATA_UPLOAD_MAX_MEMORY_SIZE,
        stranger_max=STRANGER.size,
        cookie=SESSION_COOKIE_NAME,
        application=application,
        endpoints=build_endpoint_description_strings(**where),
        ping_interval=20,
        ping_timeout=30,
        websocket_timeout=-1,
        websocket_handshake_timeout=HANDSHAKE_S,
        websocket_connect_timeout=HANDSHAKE_S,
        websocket_max_message_size=MESSAGE_BYTES,
        websocket_max_frame_size=MESSAGE_BYTES,
        application_close_timeout=5,
        verbosity=0,
        server_name="polity",
    )
    gc.enable()
    searching = Searching(lambda: server.sockets)
    server.on_closed = searching.closed
    is_silent = False

    def goes_on() -> None:
        if heartbeat is not None:
            heartbeat.loop()
        searching.tend()

    def take_requests() -> Any:
        nonlocal is_silent
        is_silent = not server.connections and not is_silent  # where nobody is here, each other second
        return None if is_silent else deferToThread(_door_beat)

    LoopingCall(goes_on).start(TEND_S, now=False)
    LoopingCall(take_requests).start(BEAT_S, now=False)
    deferToThread(cards)  # if there was none
    ready()
    server.run()


def _door_beat() -> None:
    """Say in the database that this process takes requests: asked for by its loop, done in a thread."""
    from games.site.record import pulse

    pulse.close_aged_connection()
    try:
        pulse.door_beat()
    except Exception as error:  # the database is away: it is said again
        logging.getLogger(__name__).warning("web: %r; again later", error)


def run_worker(*, queue: str, concurrency: int) -> None:
    """A Celery worker on one queue until SIGTERM: threads for `live`, a process a core for `bulk`."""
    bound_heaps()
    from celery.platforms import SecurityWarning
    from celery.signals import worker_process_init

    from simsite.celery import app

    hold = parent_watch.for_forks()

    def hold_in_fork(**_: Any) -> None:
        hold()

    worker_process_init.connect(hold_in_fork, weak=False)
    pool = {"live": "threads", "bulk": "prefork"}[queue]
    # Workers neither know nor need each other: what is to be known stands in the database.
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    name = f"{queue}-{os.getpid()}@%h"
    # Celery warns root on each start, and nothing but JSON is accepted here, which is what it warns of.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    size = ["-P", pool, "-c", str(concurrency)]
    status: Any = 0
    if os.environ.get("POLITY_LOGS") == "json":
        import celery.apps.worker

        celery.apps.worker.safe_say = lambda *_: None  # which tells standard output that it ends
    try:
        app.start(["--quiet", "worker", "-Q", queue, *size, "-n", name, "-l", "WARNING", *alone])
    except SystemExit as ended:
        status = ended.code
    from games.site.workers.tasks import has_left_lane

    if not has_left_lane(LAST_CALLS_S):
        # Cut off as by a crash, which loses nothing; in an interpreter that goes down its runs would seem to fail.
        tracing.flush()
        logging.shutdown()
        os._exit(int(status or 0))
    sys.exit(status)


def run_beat() -> None:
    """The clock that sweeps each second until SIGTERM; see `games.site.workers.sweeper`."""
    from simsite.celery import app

    app.set_default()
    from simsite.setup import set_django_up

    set_django_up()
    from games.site.workers import sweeper

    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    sweeper.run(stop)


def main(arguments: list[str]) -> None:
    parent_watch.hold()
    os.umask(0o077)
    heartbeat = Heartbeat()
    heartbeat.start()
    parser = argparse.ArgumentParser(prog="simsite.launch.part")
    parser.add_argument("part", choices=("web", "live", "bulk", "beat"))
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--listener", type=int)
    parser.add_argument("--gate", type=int)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args(arguments)
    if given.part == "web":
        run_web(host=given.host, port=given.port, listener=given.listener, heartbeat=heartbeat, gate=given.gate)
    elif given.part == "beat":
        run_beat()
    else:
        run_worker(queue=given.part, concurrency=given.concurrency)


if __name__ == "__main__":
    main(sys.argv[1:])
