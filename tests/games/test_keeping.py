"""A site that is left on: health, figures, logs, an archive and what is let go."""

from __future__ import annotations

import json
import logging
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.errors.faults import Refused
from games.site.accounts.keys import key_create
from games.site.drive.conductor import conduct
from games.site.models import Participant, Run
from simsite import keeping
from simsite.oneline import JsonLine
from tests.games.persons import Person

ERASED = "what somebody said, and what is erased"
MakeRun = Callable[..., Run]
PARTS = {"database", "redis", "disk", "bundle"}


def test_a_process_lives_without_its_database_but_is_not_ready(client: Client, db: None, settings: Any) -> None:
    settings.POLITY_REDIS_URL = "unix:///tmp/there-is-none.sock"
    assert client.get("/healthz").status_code == 200
    told = client.get("/readyz")
    assert (told.status_code, told.json()["database"], told.json()["redis"]) == (503, True, False)


def test_it_is_ready_when_all_that_it_needs_answers(
    client: Client, db: None, settings: Any, redis_url: str, tmp_path: Path
) -> None:
    settings.POLITY_REDIS_URL, settings.BUNDLE_MANIFEST = redis_url, tmp_path / "manifest.json"
    settings.BUNDLE_MANIFEST.touch()
    (tmp_path / "live.beat").touch()
    settings.POLITY_HOME = tmp_path
    told = client.get("/readyz").json()
    assert {name for name, is_there in told.items() if is_there is True} == PARTS | {"ready"}
    assert told["free_bytes"]["home"] > 0
    assert list(told["last_beat_s"]) == ["live"]


def test_it_is_not_ready_where_the_disk_is_full_and_says_which_part_it_is(
    client: Client, db: None, settings: Any, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.POLITY_REDIS_URL, settings.BUNDLE_MANIFEST = redis_url, tmp_path / "manifest.json"
    settings.BUNDLE_MANIFEST.touch()
    settings.POLITY_HOME = tmp_path
    monkeypatch.setattr("simsite.health.shutil.disk_usage", lambda _: SimpleNamespace(free=4096))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert [name for name in PARTS if not answer.json()[name]] == ["disk"]
    assert answer.json()["free_bytes"]["home"] == 4096


def test_figures_are_for_an_operators_key(make_run: MakeRun, client: Client) -> None:
    conduct(make_run(days=2).pk, "live")
    make_run(days=2)
    key = key_create(user=User.objects.create_superuser("op"), name="prometheus", scopes=["read"], days=None)[1]
    assert client.get("/metrics").status_code == 403
    told = client.get("/metrics", headers={"Authorization": f"Bearer {key}"}).content.decode()
    assert 'polity_runs{status="finished"} 1.0' in told
    assert 'polity_queue_runs{queue="live"} 1.0' in told
    for name in ("polity_steps", "polity_sockets", "polity_queue_age_seconds", "polity_http_answers_total"):
        assert f"\n{name}" in told, name


def test_an_answer_and_the_json_log_carry_the_requests_id(client: Client, db: None, settings: Any) -> None:
    lines: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(JsonLine("web").format(record)))

    settings.POLITY_LOGS = "json"
    logger, handler = logging.getLogger("simsite.access"), Kept()
    logger.addHandler(handler)
    try:
        answer = client.get("/api/v1/nothing", headers={"X-Request-ID": "from-the-proxy-1"})
        own = client.get("/healthz", headers={"X-Request-ID": "x\ny"})
    finally:
        logger.removeHandler(handler)
    assert answer["X-Request-ID"] == "from-the-proxy-1"
    assert len(own["X-Request-ID"]) == 16
    assert lines[0]["request"] == "from-the-proxy-1"
    assert (lines[0]["message"], lines[0]["status"], lines[0]["part"]) == ("GET /api/v1/nothing", 404, "web")


@pytest.mark.django_db(transaction=True)
def test_a_site_is_put_away_and_brought_back(make_run: MakeRun, tmp_path: Path, settings: Any) -> None:
    settings.POLITY_HOME = tmp_path / "home"
    run = make_run(days=3)
    conduct(run.pk, "live")
    file = tmp_path / "site.tar"
    assert keeping.backed_up(file).startswith(f"{file}: 1 runs, 12 steps")
    assert file.stat().st_mode & 0o077 == 0
    with tarfile.open(file) as archive:
        assert archive.getnames() == ["manifest.json", "secret_key", keeping.FILES[connection.vendor]]
    with pytest.raises(Refused, match="is there already"):
        keeping.backed_up(file)
    with pytest.raises(Refused, match="1 runs are here; --force"):
        keeping.restored(file, force=False)
    Run.objects.all().delete()
    assert "12 steps are back" in keeping.restored(file, force=False)
    assert Run.objects.get().head_hash == Run.objects.get(pk=run.pk).head_hash != ""
    assert (settings.POLITY_HOME / "secret_key").read_text() == settings.SECRET_KEY
    (tmp_path / "no.tar").write_bytes(b"no")
    with pytest.raises(Refused, match="no archive of polity backup"):
        keeping.restored(tmp_path / "no.tar", force=True)


def test_what_is_old_goes_and_what_others_rest_on_stays(make_run: MakeRun) -> None:
    old, new = make_run(days=1), make_run(days=1)
    for run in (old, new):
        conduct(run.pk, "live")
    Run.objects.filter(pk=old.pk).update(ended=timezone.now() - timedelta(days=91))
    Session.objects.create(session_key="old", session_data="", expire_date=timezone.now() - timedelta(days=1))
    told = list(keeping.purged(older_than=90, prompts=None, participant="", do=False))
    assert told[0] == "runs that ended more than 90 days ago: 1 would be deleted"
    assert Run.objects.count() == 2
    assert Session.objects.count() == 1
    list(keeping.purged(older_than=90, prompts=None, participant="", do=True))
    assert Run.objects.get().pk == new.pk
    assert not Session.objects.exists()


def test_one_participant_is_forgotten_when_the_match_is_over(make_run: MakeRun) -> None:
    run = make_run(people=(0,))
    ann = Person()
    ann.joins(run.code, label="Ann")
    with pytest.raises(Refused, match="they hold a seat of a match under way"):
        list(keeping.purged(older_than=None, prompts=None, participant=ann.id, do=True))
    Run.objects.filter(pk=run.pk).update(status="stopped")
    told = list(keeping.purged(older_than=None, prompts=None, participant=ann.id, do=True))
    assert told[0] == f"participant {ann.id} of run {run.pk}: forgotten; what was played stays"
    assert Participant.objects.get().label == ""
    with pytest.raises(Refused, match="there is nobody"):
        list(keeping.purged(older_than=None, prompts=None, participant="nobody", do=True))


def test_an_archive_made_after_an_erasure_holds_no_byte_of_what_was_erased(tmp_path: Path) -> None:
    site, copy = tmp_path / "site.sqlite3", tmp_path / "copy.sqlite3"
    with closing(sqlite3.connect(site)) as there:
        there.executescript("PRAGMA journal_mode=WAL; PRAGMA secure_delete=OFF; CREATE TABLE words (n, said);")
        there.executemany("INSERT INTO words VALUES (?, ?)", [(n, f"{ERASED} {n}" * 50) for n in range(200)])
        there.commit()
        there.execute("UPDATE words SET said = '' WHERE n < 100")
        there.execute("DELETE FROM words WHERE n >= 100")
        there.commit()
        there.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert ERASED.encode() in site.read_bytes(), "or nothing is shown here"
        keeping._copy(site, copy)
    assert ERASED.encode() not in copy.read_bytes()
    with closing(sqlite3.connect(copy)) as there:
        assert there.execute("SELECT COUNT(*), MAX(said) FROM words").fetchone() == (100, "")
