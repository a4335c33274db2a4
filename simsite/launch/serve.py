"""`polity serve`: the sequence from nothing to a site that runs, and back."""

from __future__ import annotations

import gc
import http.client
import ipaddress
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from simsite.environment import BadSetting, Environment, read, site_passed_over, socket_path
from simsite.launch import BadStart, Failed, bundle, database
from simsite.launch.bundle import Say
from simsite.launch.home import HomeLock
from simsite.launch.progress import Progress
from simsite.launch.supervisor import Child, Supervisor, python

T = TypeVar("T")
#: Connections that may wait to be accepted: what arrives in the seconds after a restart. The kernel has its own bound.
BACKLOG = 4096
#: Seconds that the web process may take to answer its first request.
WEB_READY_S = 60.0
#: Seconds that the server of REDIS_URL may take to answer.
BROKER_S = 5.0
#: A file that is always there, served without the database.
PROBE = "/static/admin/css/base.css"


def serve(*, host: str, port: int, demo: bool = True) -> int:
    """Runs the site until it is told to stop; the exit status: 0 after a signal, 1 after a failure, 2 if refused."""
    progress = Progress()
    supervisor = Supervisor(progress.say)
    try:
        with ExitStack() as stack:
            stack.callback(supervisor.close)
            stack.enter_context(supervisor.signals())
            _run(stack, supervisor, progress, host=host, port=port, demo=demo)
    except KeyboardInterrupt:
        return _broken_off(supervisor, progress)
    except Exception as error:
        if supervisor.stopping is not None and not supervisor.watching:
            # Whatever was being imported may make a fault of its own of the interruption.
            return _broken_off(supervisor, progress)
        if not isinstance(error, BadStart | BadSetting | Failed):
            raise
        progress.refuse(f"polity serve: {error}")
        return 1 if isinstance(error, Failed) else 2
    return 0


def _broken_off(supervisor: Supervisor, progress: Progress) -> int:
    progress.say(f"{supervisor.stopping or 'SIGINT'}: broken off.")
    return 0


def _run(stack: ExitStack, supervisor: Supervisor, progress: Progress, *, host: str, port: int, demo: bool) -> None:
    gc.disable()  # until all is loaded: nothing of that is garbage, and a sixth of the time goes into looking
    env = read()
    if note := site_passed_over():
        progress.say(note)
    with progress.step("home") as step:
        lock = stack.enter_context(HomeLock(env.home))
        supervisor.changed = lock.tell_children
        listener = stack.enter_context(listen(host, port))
        stack.callback(_stop, supervisor, progress)  # whoever serves this home next waits until our children are gone
        address = f"http://{shown(host)}:{listener.getsockname()[1]}"
        lock.tell(address=address)
        step.end(
            str(env.home)
            + (f"; the last serve (pid {lock.stale}) was killed, its runs resume" if lock.stale else "")
            + ("; it was open to other users of this machine and is closed now" if lock.was_open else "")
        )
    _in_child_environment(env)
    os.umask(0o077)  # the database is readable by its owner alone
    built = _begun(partial(bundle.ensure, bundle.PROJECT, whole=False))  # what takes longest
    gate, opening = os.pipe()
    stack.callback(os.close, gate)
    web, *others = parts(env, listener, gate)
    with os.fdopen(opening) as opened:
        supervisor.start(web)  # it loads all routes while all else is made ready
        with progress.step("broker") as step:
            step.end(_start_broker(env, supervisor))
        _prepare(env, progress, host, demo=demo)
        with progress.step("bundle") as step:
            good, said = built(step.now)
            step.end(said, good=good)
        opened.close()
    with progress.step("parts") as step:
        step.now("waiting for the web process")
        _await_web(supervisor, host, listener)
        # Only now, so that on few cores the pages do not wait for processes that nobody looks at.
        for child in others:
            supervisor.start(child)
        step.end(", ".join(f"{child.name} {child.pid}" for child in supervisor.children))
    if supervisor.stopping:
        return
    progress.say(f"\nOpen this address once to be signed in as the operator:\n  {address}{_entry()}")
    progress.say(f"Visitors watch at {address}/  -  Ctrl-C ends everything; the runs resume at the next start.")
    threading.Thread(target=_complete, args=(progress,), name="complete", daemon=True).start()
    gc.enable()
    supervisor.watch()


def _prepare(env: Environment, progress: Progress, host: str, *, demo: bool) -> None:
    """The database, with the match that is shown, and whether the network may see it."""
    with progress.step("database") as step:
        from simsite.setup import set_django_up

        set_django_up()
        count = database.prepare(env.home, step.now)
        step.end(database.describe() + (f", {count} migrations applied" if count else ", up to date"))
    if not is_loopback(host):
        if env.debug:
            raise BadStart(
                f"--host {host} with POLITY_DEBUG=1 opens tracebacks and settings to the network. Leave one out."
            )
        progress.say(check_open_bind(host, env, has_superuser=database.has_superuser))
    if demo:
        with progress.step("demo") as step:
            step.end(_demo())


def _begun(work: Callable[[Say], T]) -> Callable[[Say], T]:
    """Work in a thread, which ends with this process. Who calls what is given waits for it, and hears what it says."""
    said: SimpleQueue[str | None] = SimpleQueue()
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work(said.put))
        except BaseException as error:
            done.set_exception(error)
        finally:
            said.put(None)

    def wait(say: Say) -> T:
        for line in iter(said.get, None):
            say(line)
        return done.result()

    threading.Thread(target=run, name="beside", daemon=True).start()
    return wait


def _complete(progress: Progress) -> None:
    """What nobody waits for: games that cannot be used are named, and what of the bundle no page needs is built."""
    from games.core.registry import Registry

    for why in Registry().broken().values():
        progress.say(f"BROKEN, and left out: {why}")
    try:
        good, said = bundle.ensure(bundle.PROJECT)
    except Failed as error:
        good, said = False, f"not there: {error}"
    if not good:
        progress.say(f"The page of replays that are files is {said}")


def parts(env: Environment, listener: socket.socket, gate: int) -> list[Child]:
    """The processes of a site on one machine: one each, of web and live worker as many as are set, further ones last.

    A web process is the first; it waits at the `gate`, the end of a pipe, until the other end is closed. All of them
    inherit the listening socket: while one is started again, browsers are taken by another or wait in the socket's
    queue instead of being turned away.
    """
    socket_number = listener.fileno()

    def part(kind: str, *arguments: str, number: int = 1, files: tuple[int, ...] = ()) -> Child:
        name = kind if number == 1 else f"{kind}-{number}"
        command = python("simsite.launch.part", kind, *arguments)
        return Child(name, command, {"POLITY_PART": name}, files, heartbeat=env.home / f"{name}.beat")

    web, *webs = (
        part(
            "web",
            *("--listener", str(socket_number), "--gate", str(gate)),
            number=number,
            files=(socket_number, gate),
        )
        for number in range(1, env.web_processes + 1)
    )
    live, *lives = (
        part("live", "--concurrency", str(env.live_threads), number=number)
        for number in range(1, env.live_processes + 1)
    )
    return [web, live, part("bulk", "--concurrency", str(env.bulk_processes)), part("beat"), *lives, *webs]


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_open_bind(host: str, env: Environment, *, has_superuser: Callable[[], bool]) -> str:
    """What to tell the operator of a site that the network can reach; BadStart without real credentials."""
    if not has_superuser() and not env.open:
        raise BadStart(
            f"--host {host} opens the site to the network, and no superuser has a password. Make one "
            "(`uv run python manage.py createsuperuser`), or set POLITY_OPEN=1 if something in front of it guards it."
        )
    guarded = "POLITY_OPEN=1: no superuser has a password" if not has_superuser() else "sign in at /admin/"
    names = ", ".join(env.hosts) or "none but loopback: set POLITY_HOSTS to the names it shall answer to"
    return f"!! open      {host} can be reached from the network ({guarded}); host names: {names}"


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on `host` and `port` (0 picks a free one); BadStart when it cannot be had."""
    bare = host.strip("[]")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise BadStart(f"--host {host}: {error.strerror}. Give an address of this machine.") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise BadStart(
            f"{host}:{port}: {reason}. Give another one (--port {_next(port)}), or end what uses it."
        ) from None
    return listener


def _next(port: int) -> int:
    return port + 1 if 1024 <= port < 65535 else 8001


def shown(host: str) -> str:
    """The host as this machine's browser may write it."""
    bare = host.strip("[]")
    if bare in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{bare}]" if ":" in bare else bare


def _start_broker(env: Environment, supervisor: Supervisor) -> str:
    if os.environ.get("REDIS_URL", "").strip():
        import redis

        where = _without_password(env.redis_url)
        try:
            with redis.Redis.from_url(
                env.redis_url, socket_connect_timeout=BROKER_S, socket_timeout=BROKER_S
            ) as broker:
                broker.ping()
        except redis.RedisError as error:
            why = " ".join(str(error).split())
            raise BadStart(f"REDIS_URL={where}: {why} Start that server, or leave REDIS_URL out.") from None
        return f"{where} (REDIS_URL)"
    from simsite.launch import valkey

    path = socket_path(env.home)
    valkey.prepare_folder(path)
    valkey.dismiss(path)
    program = valkey.find()
    supervisor.start(valkey.child(program, path))
    return f"Valkey {valkey.await_ready(path)} on {path}"


def _without_password(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def _in_child_environment(env: Environment) -> None:
    """What the children must agree on with this process, wherever they read it."""
    os.environ["POLITY_HOME"] = str(env.home)
    os.environ["POLITY_SECRET_KEY"] = env.secret_key
    os.environ.setdefault("POLITY_TRAINED", str(env.home / "trained"))


def _await_web(supervisor: Supervisor, host: str, listener: socket.socket) -> None:
    deadline = time.monotonic() + WEB_READY_S

    def answered() -> bool:
        if time.monotonic() > deadline:
            raise Failed(f"the web process has not answered for {WEB_READY_S:.0f} s; its last lines stand above.")
        return _answers(host, listener)

    supervisor.watch(until=answered, pause_s=0.1)


def _answers(host: str, listener: socket.socket) -> bool:
    """Whether the web process answers. The socket queues what comes before, so this waits rather than fails."""
    line = http.client.HTTPConnection(shown(host).strip("[]"), listener.getsockname()[1], timeout=0.5)
    try:
        line.request("HEAD", PROBE, headers={"Host": "localhost"})
        line.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()
    return True


def _demo() -> str:
    from django.db import connection

    from games.site.runs.demo import demo_ensure

    try:
        said: Any = demo_ensure()
    finally:
        connection.close()
    return f"match {said}"


def _entry() -> str:
    from django.db import connection

    from games.site.runs.operators import entry_create

    try:
        return f"/enter/{entry_create()}"
    finally:
        connection.close()


def _stop(supervisor: Supervisor, progress: Progress) -> None:
    supervisor.watching = True
    if not supervisor.children:
        return
    if supervisor.stopping:
        progress.say(f"{supervisor.stopping}: ending {len(supervisor.children)} processes.")
    supervisor.stop()
