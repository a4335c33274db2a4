"""Peers of a benchmark: each in a child process, its checkout on the path, by its own Python where it has one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import IO, Any, Final

import games
from games.core.answers import JSON
from games.errors.faults import Refused, among
from games.lab.speed import adapters
from games.lab.speed.adapters import PEERS

PATIENCE_S: Final = 300.0
"""For one answer; whatever takes longer than this is no case for a benchmark."""
HOUSE: Final = Path(games.__file__).parents[1]
PYTHONS: Final = (".venv/bin/python", ".venv/Scripts/python.exe")
QUIET: Final = {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
"""What keeps pygame and TensorFlow from windows and from chatter."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer whose process runs. ``facts``: its checkout's commit or its version, its Python and numpy."""

    name: str
    facts: Mapping[str, JSON]
    process: subprocess.Popen[str]
    errors: IO[str]

    def play(self, case: Mapping[str, JSON], seconds: float) -> tuple[int, float]:
        """Steps done in so many seconds of its processor time, or a little more, and the seconds. Raises `Refused`."""
        asked = json.dumps({"case": case, "seconds": seconds})
        answer = _answered(self.name, self.process, self.errors, asked)
        return answer["steps"], answer["seconds"]


@contextmanager
def peer(named: str) -> Iterator[Peer]:
    """The peer of ``NAME`` or ``NAME=FOLDER``, ready to be asked. Raises `Refused`."""
    name, _, path = named.partition("=")
    if name not in PEERS:
        raise Refused(f"--beside {name}: {among(name, PEERS)}")
    adapter = PEERS[name]
    folder = _checkout(name, path)
    python = next((str(folder / one) for one in PYTHONS if path and (folder / one).is_file()), sys.executable)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(
            [python, adapters.__file__, name, str(folder)],
            cwd=folder,
            env={**os.environ, **QUIET},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            said = _answered(name, process, errors, "")
            plays = (adapter.play.__doc__ or "").splitlines()[0]
            facts = {"plays": plays, "where": adapter.where, "commit": commit_of(folder), **said}
            if not path:
                facts["version"] = adapters.version_of(adapter.installed or "polity-lab")
            yield Peer(name, facts, process, errors)
        finally:
            process.kill()
            process.communicate()


def _checkout(name: str, path: str) -> Path:
    """The folder that goes on the peer's path; this house where none is needed."""
    adapter = PEERS[name]
    if not path:
        if adapter.folder and not adapter.installed:
            raise Refused(f"--beside {name}: give its checkout, {name}=FOLDER ({adapter.where})")
        if adapter.installed and adapters.version_of(adapter.installed) is None:
            raise Refused(f"--beside {name}: it is not installed; uv pip install {adapter.installed}, or {name}=FOLDER")
        return HOUSE
    if not adapter.folder:
        raise Refused(f"--beside {named(name, path)}: {adapter.where} needs no folder")
    folder = Path(path).resolve()
    if not (folder / adapter.folder).is_dir():
        raise Refused(f"--beside {named(name, path)}: it holds no {adapter.folder}; give a checkout of {adapter.where}")
    return folder


def named(name: str, path: str) -> str:
    return f"{name}={path}"


def commit_of(folder: Path) -> str | None:
    """The commit of a checkout, with "+" where it has changes; None where git knows none."""

    def git(*words: str) -> str | None:
        try:
            said = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        return said.stdout.strip()

    commit = git("rev-parse", "HEAD")
    return commit and commit + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def _answered(name: str, process: subprocess.Popen[str], errors: IO[str], asked: str) -> dict[str, Any]:
    """The next line that the process says, after it was asked. Raises `Refused` with why there is none."""
    assert process.stdin is not None
    assert process.stdout is not None
    alarm = Timer(PATIENCE_S, process.kill)
    alarm.start()
    try:
        if asked:
            process.stdin.write(asked + "\n")
            process.stdin.flush()
        answer = json.loads(process.stdout.readline() or "{}")
    except (OSError, ValueError):
        answer = {}
    finally:
        alarm.cancel()
    if "error" not in answer and answer:
        return dict(answer)
    raise Refused(f"--beside {name}: {answer.get('error') or _last(process, errors)}")


def _last(process: subprocess.Popen[str], errors: IO[str]) -> str:
    """Why a process says nothing more: its status, and the last line that it printed."""
    status = process.wait(10)
    errors.seek(0)
    lines = errors.read().strip().splitlines()
    return f"its process ended with status {status}{': ' if lines else ''}{''.join(lines[-1:])}"
