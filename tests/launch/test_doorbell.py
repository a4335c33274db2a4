"""The doorbell over a real broker: every ring is heard, whichever thread rings, over one connection that is kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import redis

from games.site.notify import doorbell


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
    assert "pings will carry it" in caplog.text
