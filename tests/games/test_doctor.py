"""What `polity doctor` finds wrong with a site, and the remedy that it names for each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from agents_app.site.models import AgentProfile
from games.site.accounts.trail import audit
from games.site.models import AuditEntry, Run, Worker
from games.site.record import clock
from simsite.commands import onsite

pytestmark = pytest.mark.django_db(transaction=True)


def lives(*names: str, ago_s: float = 0) -> None:
    for name in names:
        Worker.objects.update_or_create(
            name=name, defaults={"threads": 0, "seen": clock.now() - timedelta(seconds=ago_s)}
        )


def test_runs_that_wait_for_a_worker_that_is_not_there_name_the_command(make_run: Callable[..., Run]) -> None:
    assert onsite.parts() == ("-", "the site does not run", "")
    lives("clock", "door", "live-1@a")
    assert onsite.parts() == ("ok", "1 live, 0 bulk workers, and the clock", "")
    make_run(days=2)
    assert onsite.parts()[0] == "ok"
    lives("bulk-2@a")
    Worker.objects.filter(pk="live-1@a").delete()
    assert onsite.parts() == (
        "WRONG",
        "0 live, 1 bulk; 1 runs wait for a live worker",
        "polity worker --queue live",
    )
    lives("clock", ago_s=60)
    assert onsite.parts() == ("WRONG", "0 live, 1 bulk, no clock: nobody's lost work is found again", "polity beat")


def test_a_named_model_without_its_key_is_told_by_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    AgentProfile.objects.create(name="big", profile={"model": "openai/gpt-5"})
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    state, found, remedy = onsite.models()
    assert (state, found) == ("WRONG", "OPENAI_API_KEY is not set in the environment")
    assert remedy.startswith("set it for web, workers and beat")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    assert onsite.models() == ("ok", "1 are named, all can be asked", "")


def test_a_database_whose_clock_is_another_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert onsite.clock()[0] == "ok"
    ahead = {"sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now', '+90 seconds')"}
    ahead["postgresql"] = "SELECT to_char((clock_timestamp() + '90 s') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
    monkeypatch.setattr(clock, "SQL", ahead)
    state, found, remedy = onsite.clock()
    assert (state, "timedatectl" in remedy) == ("WRONG", True)
    assert found in {f"the database's is +{s} s from this machine's" for s in (89, 90)}


def test_an_open_site_without_https_debug_or_an_operator_is_told(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    assert onsite.door()[0] == "-"
    settings.ALLOWED_HOSTS += ["lab.example.org"]
    assert onsite.door()[2] == "POLITY_HTTPS=1 behind a proxy that ends TLS"
    settings.SESSION_COOKIE_SECURE = True
    assert onsite.door() == ("WRONG", "lab.example.org: no operator can sign in", "polity account NAME --role operator")
    User.objects.create_superuser("op", password="long enough to be one")
    assert onsite.door() == ("ok", "lab.example.org by https, 1 operators", "")
    settings.DEBUG = True
    assert onsite.door()[2] == "unset POLITY_DEBUG"


def test_backups_that_are_old_or_were_never_tried_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "-" if connection.vendor == "sqlite" else "WRONG"
    assert onsite.backups()[:2] == (wrong, "none was ever made")
    audit(who="test", what="backup", on="backup archive")
    assert onsite.backups()[:2] == (wrong, "the last archive is 0 h old, never tried")
    audit(who="test", what="backup_drill", on="backup drill")
    assert onsite.backups()[0] == "ok"
    AuditEntry.objects.filter(on="backup archive").update(at=clock.now() - timedelta(hours=40))
    assert onsite.backups()[:2] == (wrong, "the last archive is 40 h old, the last drill is 0 h old")


def test_versions_of_database_and_broker_are_told_and_old_ones_refused(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert onsite.server()[0] == "ok"
    assert onsite.broker(redis_url)[0] == "ok"
    monkeypatch.setattr(onsite, "REDIS_MIN", (99, 0))
    assert onsite.broker(redis_url)[2] == "Redis 6.2 or later, or Valkey"
    if connection.vendor == "postgresql":
        monkeypatch.setattr(onsite.shutil, "which", lambda _: None)  # type: ignore[attr-defined]
        assert "apt-get install postgresql-client-" in onsite.server()[2]
