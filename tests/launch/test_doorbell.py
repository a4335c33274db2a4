"""The doorbell over a real broker: every ring is heard, whichever thread rings, over one connection that is kept."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import redis

from games.site.notify import doorbell
from tests.sites import ROOT, SOON_S


def test_rings_of_many_threads_are_all_heard_over_few_connections_that_are_kept(redis_url: str, settings: Any) -> None:
    layer = {"hosts": [{"address": redis_url, "socket_timeout": None}], "prefix": "bell"}
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": layer}}
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as heard:
        heard.psubscribe("bell__group__run.*")
        assert heard.get_message(timeout=5)
        doorbell.ring("R0")
        before = client.info("stats")["total_connections_received"]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(doorbell.ring, [f"R{n}" for n in range(1, 40)]))
        assert client.info("stats")["total_connections_received"] - before <= 4, "at most as many as ring at once"
        channels = {heard.get_message(timeout=5)["channel"].decode() for _ in range(40)}
    assert channels == {f"bell__group__run.R{n}" for n in range(40)}


def test_a_broker_that_is_away_is_no_error_of_who_rings(settings: Any, caplog: Any) -> None:
    layer = {"hosts": ["redis://127.0.0.1:1/0"]}
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": layer}}
    doorbell.ring("R")
    until = time.monotonic() + SOON_S
    while "pings will carry it" not in caplog.text and time.monotonic() < until:
        time.sleep(0.01)
    assert "pings will carry it" in caplog.text


LAST = """
import django
django.setup()
from games.site.notify.doorbell import ring
for _ in range(50):
    ring("LAST")
"""


def test_a_process_that_ends_has_rung_and_for_a_run_that_waits_already_once(redis_url: str) -> None:
    environ = {**os.environ, "REDIS_URL": redis_url, "DJANGO_SETTINGS_MODULE": "simsite.settings"}
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as heard:
        heard.psubscribe("*run.LAST")
        assert heard.get_message(timeout=5)
        subprocess.run([sys.executable, "-c", LAST], cwd=ROOT, env=environ, check=True)
        rings = 0
        while heard.get_message(timeout=1):
            rings += 1
    assert 1 <= rings < 50
