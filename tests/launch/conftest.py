"""A site as a built package has it, in a temporary place: no frontend beside it, a bundle inside it.

So the launcher's tests start real processes without Node, and touch neither the developer's home nor their bundle.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Seconds to wait for what should happen before a test fails. No test asserts a duration.
PATIENCE_S = 120.0
START = """
import sys
from simsite.launch.serve import serve
sys.exit(serve(host=sys.argv[1], port=int(sys.argv[2]), demo=False))
"""


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("package")
    shutil.copytree(ROOT / "simsite", place / "simsite", ignore=shutil.ignore_patterns("__pycache__", "bundle"))
    for name in ("games", "agents_app", "templates"):
        (place / name).symlink_to(ROOT / name)
    manifest = place / "simsite" / "bundle" / ".vite" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    return place


def until(true: Callable[[], Any], what: str) -> Any:
    """The first truthy value of `true`; the test fails with `what` where none comes."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        value = true()
        if value:
            return value
        time.sleep(0.05)
    pytest.fail(f"waited {PATIENCE_S:.0f} s in vain: {what}")


@dataclass
class Serve:
    """One `polity serve`: its process, its home, and what it has printed so far."""

    process: subprocess.Popen[str]
    home: Path
    log: Path

    def text(self) -> str:
        return self.log.read_text()

    def await_ready(self) -> None:
        def ready() -> bool:
            if self.process.poll() is not None:
                pytest.fail(f"serve ended with {self.process.returncode}:\n{self.text()}")
            return "Open this address" in self.text()

        until(ready, f"the site is up; it said:\n{self.text()}")

    @property
    def told(self) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads((self.home / "serve.json").read_text())
        except OSError:
            return {}
        return told

    @property
    def address(self) -> str:
        found = re.search(r"Visitors watch at (\S+)/", self.text())
        assert found, self.text()
        return found.group(1)

    def processes(self) -> dict[int, str]:
        """Every living process of this home, by its environment: children, grandchildren, whoever was left behind."""
        mark = f"POLITY_HOME={self.home}".encode()
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "environ").read_bytes().split(b"\0")
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if mark in words and line:
                found[int(place.name)] = line
        return found


@pytest.fixture
def start(package: Path, tmp_path: Path) -> Iterator[Callable[..., Serve]]:
    """Starts `polity serve --no-demo` on a home of this test; ends what is left of it afterwards."""
    started: list[Serve] = []

    def begin(home: Path | None = None, *, host: str = "127.0.0.1", port: int = 0, **environ: str) -> Serve:
        home = home or tmp_path / "home"
        log = tmp_path / f"serve-{len(started)}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "-c", START, host, str(port)],
                cwd=package,
                env={
                    **{k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_URL"))},
                    "POLITY_HOME": str(home),
                    "POLITY_WEB_PROCESSES": "1",
                    "POLITY_LIVE_PROCESSES": "1",
                    "POLITY_LIVE_THREADS": "2",
                    "POLITY_BULK_PROCESSES": "2",
                    **environ,
                },
                # A shell's background jobs ignore Ctrl-C, and so would what they start.
                preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )
        started.append(Serve(process, home, log))
        return started[-1]

    yield begin
    for serve in started:
        if serve.process.poll() is None:
            serve.process.kill()
            serve.process.wait()
        for pid in serve.processes():
            os.kill(pid, signal.SIGKILL)
