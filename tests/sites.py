"""A running site in processes of its own, for tests that look at it from outside."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[1]
POLITY = str(Path(sys.executable).parent / "polity")
#: The same browser without the window around the page comes first: it takes half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Seconds to wait for what should happen. No test asserts a duration.
PATIENCE_S = 420.0
#: The same for what comes soon on a machine of its own: where every core is busy, some of it took a minute.
SOON_S = 180.0


def find_chromium() -> str | None:
    """The path of a real Chromium: the one in POLITY_TEST_CHROMIUM, else the first of the usual names on the PATH."""
    named = os.environ.get("POLITY_TEST_CHROMIUM")
    return named or next((path for path in map(shutil.which, BROWSERS) if path), None)


def cpu_s(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def looked_at(*more: str, environ: Mapping[str, str] | None = None) -> Iterator[tuple[Site, str]]:
    """A site of this checkout, and the Chromium to look at it with: for commands that are no tests."""
    chromium = find_chromium()
    if chromium is None:
        sys.exit("needs Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="polity-looked-at-") as place:
        site = serve([POLITY], ROOT, Path(place) / "home", Path(place) / "serve.log", *more, environ=environ)
        try:
            yield site, chromium
        finally:
            site.end()


@dataclass
class Site:
    """A running `polity serve`."""

    process: subprocess.Popen[str]
    home: Path
    log: Path
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.address, follow_redirects=True, timeout=30)

    @property
    def address(self) -> str:
        return self.find(r"Visitors watch at (\S+)/")

    def find(self, pattern: str) -> str:
        """The first match in what the launcher printed, waited for."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            found = re.search(pattern, self.log.read_text())
            if found:
                return found[1]
            if self.process.poll() is not None:
                break
            time.sleep(0.2)
        pytest.fail(f"the site never said {pattern}:\n{self.log.read_text()}")

    def get(self, path: str) -> Any:
        answer = self.client.get(f"/api/v1{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def operator_get(self, path: str) -> Any:
        """As the operator, who is signed in by the printed address the first time."""
        self._sign_in()
        return self.get(path)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """As the operator, who is signed in by the printed address the first time."""
        self._sign_in()
        headers = {"X-CSRFToken": self.client.cookies["polity_csrf"], "Referer": self.address}
        answer = self.client.post(f"/api/v1{path}", json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def _sign_in(self) -> None:
        if "polity_session" not in self.client.cookies:
            door = self.find(r"(http://\S+/enter/\S+)")
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.client.get(door).text)
            assert token
            answer = self.client.post(door, data={"csrfmiddlewaretoken": token[1]}, headers={"Referer": self.address})
            assert answer.status_code == 200, answer.text

    def until(self, run_id: str, what: str, true: Any) -> dict[str, Any]:
        """The run's description as soon as something is true of it."""
        deadline = time.monotonic() + SOON_S
        while time.monotonic() < deadline:
            run: dict[str, Any] = self.get(f"/runs/{run_id}")
            if true(run):
                return run
            time.sleep(0.1)
        pytest.fail(f"waited in vain until {what}; the run is {run['status']} at {run['head']}")

    def children(self) -> dict[str, int]:
        """The launcher's children by part, as it writes them down."""
        try:
            told = json.loads((self.home / "serve.json").read_text())
        except (OSError, ValueError):
            return {}
        return dict(told["children"]) if told["pid"] == self.process.pid else {}

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()


def migrated() -> Path:
    """An SQLite file with every migration applied, made by the first who needs it: a site of a test is a copy of it."""
    mark = hashlib.blake2b(digest_size=6)
    for path in sorted(path for room in ("games", "agents_app") for path in ROOT.glob(f"{room}/**/migrations/*.py")):
        mark.update(path.name.encode() + path.read_bytes())
    home = ROOT / ".pytest_cache" / "migrated" / mark.hexdigest()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    made, half = home / "made.sqlite3", home / "polity.sqlite3"
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            script = "from simsite.setup import set_django_up as up; up(); from simsite.launch import database; "
            script += "from simsite.environment import read; database.prepare(read().home)"
            environ = {**os.environ, "POLITY_HOME": str(home), "DJANGO_SETTINGS_MODULE": "simsite.settings"}
            environ.pop("DATABASE_URL", None)
            subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environ, check=True)
            half.rename(made)
    return made


def serve(
    command: list[str], place: Path, home: Path, log: Path, *more: str, environ: Mapping[str, str] | None = None
) -> Site:
    """`polity serve` from a checkout, on a free port (where ``more`` names none) and a home of its own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_", "VIRTUAL_"))}
    if place == ROOT and not home.exists() and "DATABASE_URL" not in (environ or {}):
        home.mkdir(mode=0o700, parents=True)
        shutil.copy(migrated(), home / "polity.sqlite3")
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "serve", "--port", "0", *more],
            cwd=place,
            env={
                **kept,
                "POLITY_HOME": str(home),
                "POLITY_WEB_PROCESSES": "1",
                "POLITY_LIVE_PROCESSES": "1",
                "PYTHONUNBUFFERED": "1",
                **(environ or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        return Site(process, home, log)
    except BaseException:
        process.kill()
        raise
