"""A PostgreSQL and a Redis of a test's own, on free ports, that it may stop, freeze, empty and start again."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import redis

from simsite.launch import BadStart, valkey

POSTGRES_BINS = "/usr/lib/postgresql"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def mounted(place: Path, room_mb: int) -> None:
    """A disk of so many megabytes at a folder; skips where this user may not mount one."""
    words = ["mount", "-t", "tmpfs", "-o", f"size={room_mb}m,mode=0777", "tmpfs", str(place)]
    if os.getuid() != 0 or subprocess.run(words, check=False).returncode:
        pytest.skip("needs to mount a disk: run it as root")


def unmounted(place: Path) -> None:
    subprocess.run(["umount", "-l", str(place)], check=False)


@contextmanager
def full(place: Path) -> Iterator[None]:
    """A disk on which nothing has room."""
    filler = place / "filler"
    with filler.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
            file.flush()
    try:
        yield
    finally:
        filler.unlink()


FALSE_CLOCK = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static volatile long none, *ahead = &none;
__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("FALSE_CLOCK"), O_RDONLY);
    void *found = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) ahead = found;
    close(file);
}
int clock_gettime(clockid_t which, struct timespec *told) {
    int failed = syscall(SYS_clock_gettime, which, told);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) told->tv_sec += *ahead;
    return failed;
}
int gettimeofday(struct timeval *told, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    told->tv_sec = now.tv_sec;
    told->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}
"""


class FalseClock:
    """The environment of processes whose wall clock a test sets; what they count steadily goes on as it does.

    It is a library of a few lines, since Python's `time.sleep` fails under libfaketime 0.9.10.
    """

    def __init__(self) -> None:
        place = Path(tempfile.mkdtemp(prefix="polity-clock-"))
        place.chmod(0o755)  # a server of another user reads it
        self.file, library = place / "clock", place / "clock.so"
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("needs a C compiler: apt-get install gcc")
        words = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(library)]
        subprocess.run(words, input=FALSE_CLOCK.encode(), check=True)
        self.set(0)
        self.environ = {"LD_PRELOAD": str(library), "FALSE_CLOCK": str(self.file)}

    def set(self, seconds: int) -> None:
        """So many seconds before or after the right time."""
        with self.file.open("r+b" if self.file.exists() else "w+b") as file:
            file.write(seconds.to_bytes(8, sys.byteorder, signed=True))
        self.file.chmod(0o644)


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *children_of(child)]
    return found


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """The process and all its children stand still: lines to them stay open, and nothing answers."""
    _signal([pid], signal.SIGSTOP)  # first who starts others: then all of them are known
    stopped = [pid, *children_of(pid)]
    _signal(stopped, signal.SIGSTOP)
    try:
        yield
    finally:
        _signal(stopped, signal.SIGCONT)


def _signal(pids: Sequence[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.kill(pid, number)


class Postgres:
    """A server with an empty database; by ``postgres`` where the tests are root's, which no server runs as.

    ``room_mb``: on a disk of its own, of so many megabytes. ``environ``: of its processes beside their own.
    """

    def __init__(self, room_mb: int = 0, environ: Mapping[str, str] | None = None) -> None:
        self.environ, self.room = {**os.environ, **(environ or {})}, room_mb
        bins = sorted(Path(POSTGRES_BINS).glob("*/bin"), key=lambda path: int(path.parent.name))
        found = shutil.which("pg_ctl")
        if not bins and found is None:
            pytest.skip("needs PostgreSQL: apt-get install postgresql")
        self.bin = bins[-1] if bins else Path(str(found)).resolve().parent
        self.place, self.port = Path(tempfile.mkdtemp(prefix="polity-pg-")), free_port()  # pytest's folders are shut
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if room_mb:
            mounted(self.place, room_mb)
        if self.user:
            shutil.chown(self.place, "postgres")
        self._do("initdb", "-U", "postgres", "-A", "trust", "-N")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int:
        return int((self.place / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        options = f"-p {self.port} -k {self.place} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._do("pg_ctl", "-w", "-l", str(self.place / "log"), "-o", options, "start")

    def stop(self) -> None:
        self._do("pg_ctl", "-w", "-m", "fast", "stop")

    def end(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self._do("pg_ctl", "-w", "-m", "immediate", "stop")
        if self.room:
            unmounted(self.place)
        shutil.rmtree(self.place, ignore_errors=True)

    def is_there(self) -> bool:
        """Whether it runs: where it could not write it may have given up."""
        try:
            self._do("pg_ctl", "status")
        except subprocess.CalledProcessError:
            return False
        return True

    def _do(self, program: str, *words: str) -> None:
        command: Sequence[str] = [*self.user, str(self.bin / program), "-D", str(self.place / "data"), *words]
        subprocess.run(command, check=True, cwd=self.place, env=self.environ, stdout=subprocess.DEVNULL)


class Redis:
    """A server that keeps nothing on a disk: started again it is empty."""

    def __init__(self, place: Path) -> None:
        try:
            self.program = valkey.find()
        except BadStart as error:
            pytest.skip(f"needs a Redis or Valkey server: {error}")
        place.mkdir()
        self.place, self.port = place, free_port()
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        return self.process.pid

    def start(self) -> None:
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.place)]
        self.process = subprocess.Popen([self.program, *words, "--logfile", str(self.place / "log")])
        with self.client() as client:
            client.ping()

    def client(self) -> redis.Redis:
        again = redis.retry.Retry(redis.backoff.ConstantBackoff(0.1), 100)
        return redis.Redis.from_url(self.url, retry=again, retry_on_error=[redis.ConnectionError])

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
