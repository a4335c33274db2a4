"""What the settings promise: the tasks' way, the database's pragmas, the headers, and the subscription's patience."""

from __future__ import annotations

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from django.test import Client


def test_tasks_are_sent_through_the_sites_application() -> None:
    assert current_app.main == "polity"
    assert current_app.conf.broker_url == settings.CELERY_BROKER_URL
    assert current_app.conf.broker_url.startswith("redis+socket:///")


def test_tasks_are_json_acknowledged_at_once_and_leave_no_results() -> None:
    conf = current_app.conf
    assert (conf.accept_content, conf.task_serializer, conf.result_backend) == (["json"], "json", None)
    assert (conf.task_acks_late, conf.worker_prefetch_multiplier) == (False, 1)


def test_every_routed_task_exists() -> None:
    current_app.loader.import_default_modules()
    assert set(current_app.conf.task_routes) <= set(current_app.tasks)


@pytest.mark.django_db
@pytest.mark.skipif(bool(settings.ENV.database_url), reason="SQLite's own settings")
def test_sqlite_writes_ahead_syncs_normally_and_waits() -> None:
    with connection.cursor() as cursor:
        found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "busy_timeout")}
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    assert mode == "wal"
    assert found == {"synchronous": 1, "busy_timeout": 20_000}
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_the_layers_connection_is_never_timed_out() -> None:
    (host,) = settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"]
    assert host["socket_timeout"] is None


@pytest.mark.django_db
def test_a_page_says_what_may_be_loaded() -> None:
    headers = Client().get("/sign-in").headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self'; ")
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.django_db
def test_a_foreign_host_name_is_refused() -> None:
    assert Client().get("/sign-in", headers={"host": "evil.example"}).status_code == 400
    assert Client().get("/sign-in", headers={"host": "127.0.0.1:8000"}).status_code == 200
