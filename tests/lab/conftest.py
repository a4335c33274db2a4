"""The orchard as the game at hand, and the shell called in this process."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.core.registry import Registry
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load
from simsite.cli import main

ORCHARD = "tests.toygames"


@dataclass(frozen=True)
class Said:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.err.splitlines()


@pytest.fixture
def registry() -> Registry:
    return Registry((ORCHARD,))


@pytest.fixture
def polity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """`polity ARGS...` in an empty working directory, with the orchard among the games."""
    monkeypatch.setenv("POLITY_GAMES", ORCHARD)
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(args)
        told = capsys.readouterr()
        return Said(int(ended.value.code or 0), told.out, told.err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """A file under the working directory."""

    def made(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return made


@pytest.fixture
def folder(tmp_path: Path, registry: Registry) -> Path:
    """A plain run folder of three conditions and three seeds."""
    run(load("orchard/tragedy", registry), tmp_path / "runs-of-it", jobs=1, is_plain=True)
    return tmp_path / "runs-of-it"
