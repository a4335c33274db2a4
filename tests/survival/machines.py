"""Machines that share a PostgreSQL database and a Redis, each with a folder, a home and processes of its own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.sites import ROOT

POLITY = [sys.executable, "-c", "from simsite.cli import main; main()"]
PATIENCE_S = 180.0
#: Processes whose numbers mean nothing outside: to the others the machine is another one, whose dead cannot be seen.
ELSEWHERE = ["unshare", "--pid", "--fork", "--kill-child"]


def can_be_elsewhere() -> bool:
    """Whether the system lets this user have a name space of processes."""
    try:
        return subprocess.run([*ELSEWHERE, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


def installed(place: Path) -> Path:
    """The site as a built package has it: no frontend beside it, a bundle inside it. So no machine builds anything."""
    shutil.copytree(ROOT / "simsite", place / "simsite", ignore=shutil.ignore_patterns("__pycache__", "bundle"))
    for name in ("games", "agents_app", "templates"):
        (place / name).symlink_to(ROOT / name)
    manifest = place / "simsite" / "bundle" / ".vite" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    return place


@dataclass
class Machine:
    """A working folder, a home, and the parts that run there."""

    place: Path
    shared: dict[str, str]
    is_elsewhere: bool = False
    parts: dict[str, subprocess.Popen[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.place.mkdir()
        installed(self.place)

    def command(self, *words: str) -> tuple[list[str], dict[str, str]]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_", "REDIS_"))}
        home = {"POLITY_HOME": str(self.place / "home"), "PYTHONUNBUFFERED": "1"}
        return [*POLITY, *words], {**kept, **home, **self.shared}

    def start(self, name: str, *words: str) -> None:
        command, environ = self.command(*words)
        command = [*ELSEWHERE, *command] if self.is_elsewhere else command
        with (self.place / f"{name}.log").open("w") as out:
            self.parts[name] = subprocess.Popen(
                command, cwd=self.place, env=environ, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )

    def text(self, name: str) -> str:
        return (self.place / f"{name}.log").read_text()

    def await_said(self, name: str, pattern: str) -> str:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline and self.parts[name].poll() is None:
            found = re.search(pattern, self.text(name))
            if found:
                return found[1] if found.groups() else found[0]
            time.sleep(0.1)
        pytest.fail(f"{name} of {self.place.name} never said {pattern}:\n{self.text(name)}")

    @property
    def address(self) -> str:
        return self.await_said("web", r"web at (http://\S+)/")

    def holds(self, owner: str) -> bool:
        """Whether a lease's owner (machine|process|thread) is this machine's live worker."""
        machine, process, _ = owner.split("|")
        if not machine.endswith(str(Path("/proc/self/ns/pid").readlink())):
            return self.is_elsewhere
        return not self.is_elsewhere and int(process) == self.parts["live"].pid

    def kill(self, name: str) -> None:
        self.parts[name].send_signal(signal.SIGKILL)
        self.parts[name].wait()

    def end(self) -> None:
        for part in self.parts.values():
            if part.poll() is None:
                part.terminate()
        for part in self.parts.values():
            try:
                part.wait(20)
            except subprocess.TimeoutExpired:
                part.kill()
                part.wait()
