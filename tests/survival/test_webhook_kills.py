"""A live worker is killed while it sends a webhook's message: the message comes again, under the same id."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.games.receivers import receiving
from tests.launch.conftest import until
from tests.sites import POLITY, ROOT, serve

pytestmark = [pytest.mark.full, pytest.mark.timeout(400)]


def test_a_message_outlives_the_worker_that_sends_it(tmp_path: Path) -> None:
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    try:
        site.operator_get("/games")
        with receiving() as receiver:
            receiver.trickles = True
            hook = site.post("/webhooks", {"address": receiver.address, "events": ["run.ended"]})["id"]
            site.post("/runs", {"scenario": "mining/baseline", "config": {"rounds": 3}})
            until(lambda: receiver.heard, "a worker sends it")
            receiver.trickles = False
            for part, pid in site.children().items():
                if "live" in part:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)

            def sent() -> Any:
                [told] = site.get(f"/webhooks/{hook}/deliveries")
                return told if told["status"] == "delivered" else None

            told = until(sent, "it is sent again")
        assert receiver.ids == [told["id"]] * 2
        assert told["tries"] == 2
    finally:
        site.end()
