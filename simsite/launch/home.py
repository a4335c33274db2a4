"""One `serve` per home: a lock that the system itself releases, whatever the process died of."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from simsite.environment import home_make
from simsite.launch import BadStart
from simsite.launch.supervisor import Child

#: Seconds that the children of a killed launcher are waited for. Their lifeline ends them within three.
LEFTOVERS_S = 8.0


class HomeLock:
    """Holds `serve.lock` in the home; `serve.json` beside it tells who serves, where, and with which children.

    The lock is the file's, not the number's: a pid that was left behind means nothing as soon as the lock is free.
    """

    def __init__(self, home: Path) -> None:
        self.home = home
        self.stale: int | None = None
        self.was_open = False
        self._told: dict[str, Any] = {}
        self._file = -1

    def __enter__(self) -> HomeLock:
        try:
            home_make(self.home)
            self.was_open = self._close_to_others()
            self._file = os.open(self.home / "serve.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BadStart(f"POLITY_HOME={self.home}: {error.strerror}. Name a folder that can be written.") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            who = self.read()
            where = f" at {who['address']}" if "address" in who else ""
            raise BadStart(
                f"{self.home} is served already{where} (pid {who.get('pid', 'unknown')}). "
                "Stop that one, or give another POLITY_HOME."
            ) from None
        left = self.read()
        if "pid" in left:
            self.stale = left["pid"]
            self._await_leftovers(left)
        self.tell(pid=os.getpid())
        return self

    def _close_to_others(self) -> bool:
        """Whether others could read what is kept here; from now on they cannot."""
        mode = stat.S_IMODE(self.home.stat().st_mode)
        if mode & 0o077:
            self.home.chmod(mode & 0o700)
        return bool(mode & 0o077)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        os.close(self._file)

    @property
    def _path(self) -> Path:
        return self.home / "serve.json"

    def read(self) -> dict[str, Any]:
        """What the one who serves has told; nothing where the file is missing or torn."""
        try:
            told = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return {}
        return told if isinstance(told, dict) else {}

    def tell(self, **facts: Any) -> None:
        """Adds facts to `serve.json`, whole or not at all."""
        self._told.update(facts)
        fresh = self._path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(self._told, indent=1) + "\n")
        fresh.replace(self._path)

    def tell_children(self, children: Sequence[Child]) -> None:
        self.tell(children={child.name: child.pid for child in children if child.pid})

    def _await_leftovers(self, left: dict[str, Any]) -> None:
        """Waits for the children of a killed launcher, which are about to end: they still hold the port."""
        deadline = time.monotonic() + LEFTOVERS_S
        for pid in left.get("children", {}).values():
            while time.monotonic() < deadline and _group_alive(pid):
                time.sleep(0.05)


def _group_alive(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except OSError:
        return False
    return True
