"""Keeps child processes alive until it is told to stop; a dead one is started again, and said so in one line.

A child leads a process group of its own: Ctrl-C at the terminal reaches the launcher alone, which then ends its
children in order, and what a dead child left behind (a pool's processes) is killed with its group.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from simsite.launch import Failed, parent_watch
from simsite.launch.heartbeat import VARIABLE

#: A child that ends by itself within this many seconds of its start died rapidly.
RAPID_S = 10.0
#: After so many rapid deaths in a row the launcher gives up.
RAPID_DEATHS = 6
#: Seconds that children have between SIGTERM and SIGKILL.
STOP_S = 5.0
#: Seconds without a sign of life after which a part hangs: it is killed, and so started again.
SILENT_S = 30.0
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass
class Child:
    """One part: how it is started, and how it has fared. Its `scratch` folder goes with it at the end.

    `heartbeat` is the file that it touches while it goes on (`simsite.launch.heartbeat`); None: it is not listened to.
    """

    name: str
    command: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)
    files: tuple[int, ...] = ()
    scratch: Path | None = None
    heartbeat: Path | None = None
    heard: float = 0.0
    beat: int = 0
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    deaths: int = 0
    rapid: int = 0

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process else None


def delay_s(rapid: int) -> float:
    """Seconds to wait before the next start after `rapid` rapid deaths in a row: 0, then 0.2, 0.4, ... at most 5."""
    return 0.0 if rapid == 0 else min(5.0, 0.1 * 2**rapid)


class Supervisor:
    """Starts, watches and ends children. `say` takes a line for the operator, `changed` hears of new pids."""

    def __init__(self, say: Callable[[str], None], changed: Callable[[Sequence[Child]], None] = lambda _: None) -> None:
        self.say = say
        self.changed = changed
        self.children: list[Child] = []
        self.stopping: str | None = None
        self.watching = False
        self._ends = ExitStack()
        self._lifeline, self._rope = self._ends.enter_context(parent_watch.pipe())

    def start(self, child: Child) -> None:
        """Starts a child; those started first are ended last."""
        self.children.append(child)
        self._spawn(child)

    def _spawn(self, child: Child) -> None:
        child.process = subprocess.Popen(
            child.command,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **child.environ, **self._rope, **_heartbeat(child)},
            pass_fds=(self._lifeline, *child.files),
            start_new_session=True,
        )
        child.started = child.heard = time.monotonic()
        self.changed(self.children)

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Within it SIGTERM, SIGINT and SIGHUP ask for the end, and a child's death wakes the watch.

        Before the watch begins they break off what runs (KeyboardInterrupt); a second Ctrl-C later kills at once.
        """
        before = {number: signal.getsignal(number) for number in (*SIGNALS, signal.SIGCHLD)}
        wake_read, wake_write = os.pipe()
        for end in (wake_read, wake_write):
            os.set_blocking(end, False)
        self._wake = wake_read

        def ask(number: int, _: FrameType | None) -> None:
            if self.stopping and number == signal.SIGINT:
                self._kill_all()
            first, self.stopping = self.stopping is None, self.stopping or signal.Signals(number).name
            if first and not self.watching:
                raise KeyboardInterrupt

        for number in SIGNALS:
            if before[number] is not signal.SIG_IGN:  # as nohup leaves SIGHUP
                signal.signal(number, ask)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        old = signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(old)
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(wake_read)
            os.close(wake_write)

    def watch(self, until: Callable[[], bool] = lambda: False, pause_s: float = 1.0) -> None:
        """Keeps the children alive until a signal asks for the end or `until` is true. Failed when one cannot live."""
        self.watching = True
        try:
            while not self.stopping and not until():
                now = time.monotonic()
                for child in self.children:
                    self._listen(child, now)
                    if child.process is not None and child.process.poll() is not None:
                        self._bury(child, child.process.returncode, now)
                    if child.process is None and child.due <= now:
                        self._spawn(child)
                waits = [child.due - now for child in self.children if child.process is None]
                self._sleep(max(0.0, min([pause_s, *waits])))
        finally:
            self.watching = False

    def _sleep(self, seconds: float) -> None:
        ready, _, _ = select.select([self._wake], [], [], seconds)
        if ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, 4096)

    def _listen(self, child: Child, now: float) -> None:
        """Kill a part that hangs: it is buried and started again as one that died."""
        if child.heartbeat is None or child.process is None:
            return
        beat = child.heartbeat.stat().st_mtime_ns if child.heartbeat.exists() else 0
        if beat != child.beat:
            child.beat, child.heard = beat, now
        elif now - child.heard > SILENT_S:
            self.say(f"{child.name} hangs: no sign of life for {now - child.heard:.0f} s; killed.")
            child.heard = now
            _kill_group(child)
            child.process.wait()

    def _bury(self, child: Child, status: int, now: float) -> None:
        lived = now - child.started
        _kill_group(child)
        child.process = None
        child.deaths += 1
        # Who was killed from outside (an operator, the system short of memory) is no proof of being unable to live.
        killed = status == -signal.SIGKILL
        child.rapid = child.rapid + 1 if lived < RAPID_S else 0
        if child.rapid >= RAPID_DEATHS and not killed:
            raise Failed(
                f"{child.name} ended {child.rapid} times in a row within {RAPID_S:.0f} s of its start, "
                f"last with {_cause(status)}; its last lines stand above. Given up."
            )
        child.due = now + delay_s(child.rapid)
        self.say(f"{child.name} ended after {lived:.1f} s with {_cause(status)}; started again (death {child.deaths}).")
        self.changed(self.children)

    def stop(self) -> None:
        """SIGTERM to all but the first, then to it; SIGKILL to the group of whoever has not ended in time.

        The first is the broker: the others say their last words through it.
        """
        alive = [child for child in self.children if child.process is not None]
        for together in (alive[1:], alive[:1]):
            for child in together:
                _signal(child, signal.SIGTERM)
            deadline = time.monotonic() + STOP_S
            for child in together:
                assert child.process is not None
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.process.wait(max(0.05, deadline - time.monotonic()))
                _kill_group(child)
                child.process.wait()
                child.process = None
        for child in self.children:
            if child.heartbeat is not None:
                child.heartbeat.unlink(missing_ok=True)
            if child.scratch is not None:
                shutil.rmtree(child.scratch, ignore_errors=True)
        self.children.clear()

    def _kill_all(self) -> None:
        for child in self.children:
            _kill_group(child)

    def close(self) -> None:
        """Lets go of the lifeline: whatever still holds it ends."""
        self._ends.close()


def _heartbeat(child: Child) -> dict[str, str]:
    return {} if child.heartbeat is None else {VARIABLE: str(child.heartbeat)}


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module under this very interpreter."""
    return [sys.executable, "-m", module, *arguments]


def _signal(child: Child, number: int) -> None:
    if child.process is not None and child.process.poll() is None:
        child.process.send_signal(number)


def _kill_group(child: Child) -> None:
    """Kills what is left of the child's group. Its number stays taken as long as one member lives."""
    if child.process is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.process.pid, signal.SIGKILL)


def _cause(status: int) -> str:
    return f"status {status}" if status >= 0 else signal.Signals(-status).name
