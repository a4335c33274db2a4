"""Every setting is used or refused, and `.env.example` names exactly those there are."""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from simsite.environment import TABLE, BadSetting, by_cores, kept_key, read, socket_path
from simsite.oneline import OneLine

ROOT = Path(__file__).resolve().parents[2]


def environ(home: Path, **more: str) -> dict[str, str]:
    return {"POLITY_HOME": str(home), **more}


def test_the_example_file_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^#([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(TABLE)


def test_defaults_in_the_example_file_are_the_defaults() -> None:
    shown = dict(re.findall(r"^#([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    machine = {"POLITY_BULK_PROCESSES", "POLITY_LIVE_PROCESSES", "POLITY_WEB_PROCESSES"}
    assert {n: t for n, t in shown.items() if n not in machine} == {
        n: default for n, (default, _) in TABLE.items() if n not in machine
    }


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 2), (3, 3), (64, 4)])
def test_webs_and_live_workers_follow_from_the_cores(cores: int, workers: int) -> None:
    assert by_cores(cores) == workers


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("POLITY_HOME_DIR", "x", "POLITY_HOME_DIR: no such setting"),
        ("POLITY_DEBUG", "yes", "POLITY_DEBUG='yes': 0 or 1"),
        ("POLITY_LIVE_PROCESSES", "0", "from 1 to 1024"),
        ("POLITY_LIVE_THREADS", "0", "from 1 to 1024"),
        ("POLITY_LIVE_THREADS", "many", "from 1 to 1024"),
        ("POLITY_BULK_PROCESSES", "-1", "from 1 to 1024"),
        ("POLITY_LOG_LEVEL", "loud", "one of DEBUG, INFO, WARNING, ERROR"),
        ("POLITY_HOSTS", "http://a.example/", "host names separated by commas"),
        ("POLITY_ORIGINS", "a.example", "write https://a.example"),
        ("POLITY_SECRET_KEY", "short", "at least 32"),
        ("REDIS_URL", "localhost:6379", "redis://host:port/0"),
        ("REDIS_URL", "redis:/me:secret@x", "redis://host:port/0"),
        ("POLITY_REDIS_PREFIX", "two words", "letters, digits, - and _"),
        ("DATABASE_URL", "foo://secret@x", "'foo' is no address of a database"),
        ("DATABASE_URL", "mysql://secret@x/y", "'mysql' is no address of a database"),
        ("DATABASE_URL", "polity.sqlite3", "sqlite:///path or postgresql://"),
    ],
)
def test_a_setting_out_of_bounds_is_refused_by_name(tmp_path: Path, name: str, value: str, said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)) as refusal:
        read(environ(tmp_path, **{name: value}))
    assert "\n" not in str(refusal.value)
    assert "secret" not in str(refusal.value)
    assert name in str(refusal.value)


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(BadSetting, match="this is a file"):
        read(environ(tmp_path / "home"))


def test_an_empty_setting_is_the_default(tmp_path: Path) -> None:
    assert read(environ(tmp_path, POLITY_LIVE_THREADS="")) == read(environ(tmp_path))


def test_the_home_is_the_users_unless_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    key = {"POLITY_SECRET_KEY": "k" * 32}
    assert read(key).home == read({**key, "POLITY_HOME": ""}).home == tmp_path / "data" / "polity"
    assert read({**key, "POLITY_HOME": ".polity"}).home == tmp_path / ".polity"
    assert list(tmp_path.iterdir()) == [], "reading makes nothing where a key is given"


def test_who_stands_beside_a_site_of_before_is_told_how_to_open_it(tmp_path: Path) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_"))}
    environ = {**kept, "XDG_DATA_HOME": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}

    def told(**more: str) -> str:
        words = [sys.executable, "-c", "import simsite.settings"]
        return subprocess.run(words, cwd=tmp_path, env=environ | more, capture_output=True, text=True).stderr

    (tmp_path / ".polity").mkdir()
    assert told() == "", "a folder without a site is none"
    (tmp_path / ".polity" / "polity.sqlite3").touch()
    assert (
        told()
        == f"{tmp_path / '.polity'} holds a site, which is not opened: POLITY_HOME=.polity polity serve opens it.\n"
    )
    assert told(POLITY_HOME=".polity") == ""


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = kept_key(tmp_path / "new")
    assert kept_key(tmp_path / "new") == first
    assert stat.S_IMODE((tmp_path / "new" / "secret_key").stat().st_mode) == 0o600
    assert kept_key(tmp_path / "other") != first
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret_key"]


def test_a_spoilt_key_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("x")
    with pytest.raises(BadSetting, match="delete it"):
        kept_key(tmp_path)


def test_origins_follow_from_hosts_unless_given(tmp_path: Path) -> None:
    assert read(environ(tmp_path, POLITY_HOSTS="a.example, b.example")).origins == (
        "https://a.example",
        "https://b.example",
    )
    given = read(environ(tmp_path, POLITY_HOSTS="a.example", POLITY_ORIGINS="http://a.example:8000"))
    assert given.origins == ("http://a.example:8000",)


def test_the_socket_of_a_home_is_always_the_same_and_short(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    assert socket_path(deep) == socket_path(deep) != socket_path(tmp_path)
    assert len(socket_path(Path("/x")).name) + 40 < 104


def test_a_traceback_is_one_line_without_its_underlinings() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        record = logging.LogRecord("games.x", logging.ERROR, __file__, 1, "run %s failed", ("r",), sys.exc_info())
    line = OneLine("web").format(record)
    assert " web ERROR games.x: run r failed | Traceback" in line
    assert line.endswith("ValueError: first | second")
    assert "\n" not in line
    assert "^^" not in line


def test_a_log_line_holds_no_password_of_an_address() -> None:
    told = "cannot reach postgresql://polity:hush:hush@db.example:5432/polity or redis://:s3cret@cache/0"
    line = OneLine("web").format(logging.LogRecord("x", logging.ERROR, "x.py", 1, told, (), None))
    assert line.endswith("cannot reach postgresql://[key]@db.example:5432/polity or redis://[key]@cache/0")


def test_sites_that_share_a_redis_have_names_of_their_own(tmp_path: Path) -> None:
    one, other = (read(environ(tmp_path / name)).redis_prefix for name in ("one", "other"))
    assert one != other
    assert read(environ(tmp_path / "one")).redis_prefix == one
    shared = {"DATABASE_URL": "postgresql://host/polity"}
    assert {read(environ(tmp_path / name, **shared)).redis_prefix for name in ("one", "other")} == {"polity"}
    assert read(environ(tmp_path, POLITY_REDIS_PREFIX="ours", **shared)).redis_prefix == "ours"


def test_the_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    kept_key(tmp_path / "new" / "home")
    assert stat.S_IMODE((tmp_path / "new" / "home").stat().st_mode) == 0o700


def test_a_home_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BadSetting, match=r"Permission denied\. Name a folder that can be written"):
        read(environ(tmp_path / "home"))
