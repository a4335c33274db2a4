"""Workers killed with calls in flight: the run ends as if nothing had happened; nothing stored is paid for twice."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from games.core import codec
from games.core.agents import Decision, Request
from games.core.engine import play
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from tests.agents.server import IDLE, Vendor, threaded
from tests.survival.battered import Battered
from tests.survival.test_kills import battered

__all__ = ["battered"]
CONFIG = {"miners": 8, "rows": 6, "cols": 6, "rounds": 40}


class Logging(Vendor):
    """A vendor that notes when it was asked what."""

    def __init__(self) -> None:
        super().__init__(latency_s=0.3, content=IDLE)
        self.came: list[tuple[float, str]] = []

    def _fault(self) -> str:
        self.came.append((time.time(), json.dumps(self.seen[-1]["messages"], sort_keys=True)))
        return ""


@pytest.fixture
def vendor() -> Iterator[Logging]:
    """A vendor on loopback, in a thread of its own."""
    with threaded(Logging()) as log:
        yield log


def undisturbed(config_: Mapping[str, Any] = CONFIG, seed: int = 5) -> list[tuple[int, str]]:
    """The run whose seats all answer what the vendor answers, played in this process."""
    scenario = load("mining/baseline", extra=[Layer("test", config_)])
    game, config = scenario.pack.game, scenario.conditions[0].config

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        assert request.actions is not None
        return Decision(request.actions.read(json.loads(IDLE)))

    previous, hashes = codec.GENESIS, []
    for step in play(game, config, seed, dict.fromkeys(range(config.miners), decide)):
        previous = codec.chain(game, previous, step)
        hashes.append((step.index, previous))
    return hashes


def stored_calls(battered: Battered) -> dict[str, list[float]]:
    """When the answer to each prompt was stored."""
    rows = battered.rows("select prompt, created from games_call where failure = ''")
    stored: dict[str, list[float]] = defaultdict(list)
    for prompt, created in rows:
        at = created if isinstance(created, datetime) else datetime.fromisoformat(created).replace(tzinfo=UTC)
        messages = json.dumps(json.loads(prompt)["messages"], sort_keys=True)
        stored[messages].append(at.timestamp())
    return stored


@pytest.mark.full
@pytest.mark.timeout(400)
@pytest.mark.parametrize("battered", ["sqlite", "postgresql"], indirect=True)
def test_workers_killed_with_calls_in_flight_pay_for_no_stored_answer_twice(
    battered: Battered, vendor: Logging
) -> None:
    seats = {"default": {"model": "openai/local", "profile": {"base_url": vendor.url, "max_tokens": 200}}}
    body = {"scenario": "mining/baseline", "seed": 5, "config": CONFIG, "seats": seats}
    run = battered.site.post("/runs", body)["id"]
    kills = 0
    for part in ("live", "valkey", "live", "launcher", "live"):
        battered.await_progress()
        time.sleep(0.15)
        kills += battered.kill(part)
    battered.finish(240)
    assert kills == 5
    assert battered.steps(run) == undisturbed()
    stored = stored_calls(battered)
    assert len(stored) == CONFIG["miners"] * CONFIG["rounds"]
    assert max(len(times) for times in stored.values()) == 1, "an answer was stored twice"
    repeated = [at for at, prompt in vendor.came if stored[prompt] and at > stored[prompt][0] + 0.001]
    assert not repeated, f"{len(repeated)} calls were repeated although their answers had been stored"
    extra = len(vendor.came) - len(stored)
    print(f"{len(vendor.came)} calls, {len(stored)} answers stored, {extra} lost in flight by {kills} kills")  # noqa: T201
