"""Models that misbehave, in a browser: each failure has its name and count, spending stops where told, and goes on."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ROUNDS, MINERS, FIRST = 6, 4, 20
FAULTS = dict.fromkeys(("prose", "empty", "truncated", "over_budget", "illegal", "rate_limited", "server_error"), 0.1)


@pytest.fixture(scope="module")
def empty(quiet: Site) -> Site:
    """Whatever else was played there ended by itself."""
    return quiet


def test_failures_are_counted_by_name_and_a_run_that_its_limit_stopped_goes_on_from_its_round(
    operator: Watched, empty: Site
) -> None:
    model = {"model": "mock/guided", "profile": {"mock": {"faults": FAULTS}, "call_retries": 3}}
    run = empty.post(
        "/runs",
        {
            "scenario": "mining/llm-mock", "config": {"rounds": ROUNDS, "miners": MINERS}, "seed": 5,
            "seats": {str(seat): model for seat in range(MINERS)}, "limits": {"calls": FIRST},
        },
    )["id"]  # fmt: skip
    stopped = empty.until(run, "its limit stops it", lambda told: told["status"] == "paused")
    at, page = stopped["head"], operator.page
    assert 0 < at < ROUNDS
    page.goto(f"{empty.address}/m/{run}?tab=seats")
    expect(page.get_by_text(f"at most {FIRST} (calls)")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"Round {at}\b.*of {ROUNDS}")).first).to_be_visible()
    operator.shot("bad-model-stopped")
    page.get_by_role("textbox", name="calls").fill("500")
    page.get_by_role("button", name="Raise and resume").click()
    ended = empty.until(run, "it is over", lambda told: told["status"] == "finished")
    assert ended["head"] == ROUNDS
    frames = empty.operator_get(f"/runs/{run}/frames?after=-1&limit=50")["frames"]
    assert [frame["n"] for frame in frames] == list(range(ROUNDS + 1))

    meter: dict[str, Any] = empty.operator_get(f"/runs/{run}/meter")
    failed: Counter[str] = Counter()
    for seat in meter["seats"]:
        failed.update(seat["failures"])
    assert len(failed) >= 4, failed
    rows = page.locator(".seats tr.spent td")
    expect(rows).to_have_count(MINERS)
    page.reload()
    expect(rows).to_have_count(MINERS)
    for row, seat in zip(rows.all(), meter["seats"], strict=True):
        expect(row).to_contain_text(f"{seat['answers']['fallbacks'] / seat['answers']['given']:.0%}")
        for count in seat["failures"].values():
            expect(row).to_contain_text(re.compile(rf"· {count} [a-z]"))
    operator.shot("bad-model-ended")
    assert operator.faults == []


def test_while_models_think_the_lobby_and_a_bar_of_one_line_say_for_whom_it_waits(
    operator: Watched, empty: Site
) -> None:
    slow = {"model": "mock/guided", "profile": {"mock": {"latency_s": 20}}}
    config = {"rounds": 2, "miners": MINERS}
    asked = {"scenario": "mining/llm-mock", "config": config, "seats": dict.fromkeys(map(str, range(MINERS)), slow)}
    run, page = empty.post("/runs", asked)["id"], operator.page
    empty.until(run, "it waits", lambda told: len(told["waiting_for"]) == MINERS)
    page.goto(empty.address)
    expect(page.locator(".hero")).to_contain_text(re.compile(rf"Waiting for {MINERS} of {MINERS}: .*miner-01 \d+ s"))
    page.goto(f"{empty.address}/m/{run}?tab=seats")
    bar = page.locator("header.top")
    page.get_by_role("button", name="Got it").click()  # of what a run's page is for, which is told once
    for width in (1440, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        expect(bar).to_contain_text(re.compile(rf"Waiting for {MINERS} of {MINERS}: .*\d+ s"))
        assert bar.bounding_box()["height"] < 50, width  # type: ignore[index]
    expect(page.locator(".seats")).to_contain_text("the standing plan or the game’s default is played")
    empty.post(f"/runs/{run}/control", {"action": "stop"})
