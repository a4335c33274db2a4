"""A library's bytecode is written once, where it can be kept, and by another process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agents_app.providers.bytecode import is_missing, write_ahead


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that takes a note of each import, and of what it finds in the environment."""
    found = tmp_path / "slow_to_load"
    found.mkdir()
    note = f"open({str(tmp_path / 'imports')!r}, 'a').write(os.environ['SAID'])"
    (found / "__init__.py").write_text(f"import os\n{note}\nfrom slow_to_load import part\n")
    (found / "part.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return found


def test_bytecode_of_a_whole_package_is_written_once_and_not_in_this_process(package: Path, tmp_path: Path) -> None:
    assert is_missing("slow_to_load")
    assert write_ahead("slow_to_load", {"SAID": "once."})
    assert {file.name.split(".")[0] for file in (package / "__pycache__").iterdir()} == {"__init__", "part"}
    assert not write_ahead("slow_to_load", {"SAID": "twice."})
    assert (tmp_path / "imports").read_text() == "once."
    assert "slow_to_load" not in sys.modules


@pytest.mark.parametrize("kept", [True, False])
def test_where_no_bytecode_is_kept_nobody_is_asked_to_write_it(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", not kept)
    assert write_ahead("slow_to_load", {"SAID": "x"}) is kept
    assert (tmp_path / "imports").exists() is kept


def test_what_is_not_installed_is_not_missing() -> None:
    assert not is_missing("no_such_package_anywhere")
