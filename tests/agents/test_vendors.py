"""Real HTTP through litellm, against a server on loopback."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

from agents_app.budget import MemoryLedger
from agents_app.deciders.contract import CallRecord
from agents_app.profile import Price, Profile
from agents_app.providers.compatible import CompatibleServer
from tests.agents.company import Run, everyone, first_request, mining, played, seated
from tests.agents.server import IDLE, Vendor, serving

SMALL = {"miners": 4, "rows": 5, "cols": 5, "rounds": 5}
SHORT, LONG = "openai/local", "hosted_vllm/local"
"""A server of one's own is asked past litellm's wrapper; any other vendor through it."""
KEY = "planted-key-0123456789abcdef"


def profile(vendor: Vendor, **more: Any) -> Profile:
    return Profile(**{"model": SHORT, "base_url": vendor.url, **more})


async def decide(vendor: Vendor, **more: Any) -> tuple[Any, list[CallRecord]]:
    pack, config = mining(**SMALL)
    calls: list[CallRecord] = []
    agent = seated(pack, config, profile(vendor, **more))
    return await agent.decide(first_request(pack, config), MemoryLedger(0, 1, calls)), calls


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_reply_comes_through_with_its_tokens_and_its_price(model: str) -> None:
    async with serving(Vendor()) as vendor:
        price = Price(input_usd=1, output_usd=10)
        decision, calls = await decide(vendor, model=model, price=price, temperature=0.5, seed=3, max_tokens=77)
        assert decision.action.items[0].cell == (0, 0)
        assert (calls[0].tokens_in, calls[0].tokens_out, calls[0].cost_usd) == (900, 20, Decimal("0.0011"))
        sent = vendor.seen[0]
        assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0.5, 3, 77)
        assert [message["role"] for message in sent["messages"]] == ["system", "user"]
        assert "response_format" not in sent


async def test_another_address_is_never_sent_the_vendors_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HOUSE_API_KEY", "house-key-987654")
    async with serving(Vendor()) as vendor:
        await decide(vendor)
        await decide(vendor, key_env="HOUSE_API_KEY")
        assert vendor.keys == {"Bearer no-key", "Bearer house-key-987654"}
        decision, calls = await decide(vendor, key_env="ABSENT_API_KEY")
        assert decision.flags == ("fallback", "refused")
        assert calls[0].reply == "ABSENT_API_KEY is not set in the environment"


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_planted_key_is_in_no_record_decision_or_log(
    model: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    for fault in ("", "401", "429", "500", "prose"):
        faults = {fault: 1.0} if fault else {}
        async with serving(Vendor(faults=faults, echo_key=True)) as vendor:
            decision, calls = await decide(
                vendor, model=model, key_env="HOUSE_API_KEY", call_retries=1, retries=1, timeout_s=5, budget_s=10
            )
            assert vendor.keys == {f"Bearer {KEY}"}
            assert calls
            assert KEY not in repr(calls)
            assert KEY not in repr(decision)
    assert KEY not in caplog.text
    assert KEY not in json.dumps(profile(vendor, key_env="HOUSE_API_KEY").model_dump(mode="json"))


async def test_a_429_is_waited_out_as_long_as_the_vendor_asks() -> None:
    async with serving(Vendor(faults={"429": 0.3}, retry_after="0.1", content=IDLE)) as vendor:
        pack, config = mining(**SMALL)
        run = await played(pack, config, everyone(pack, config, profile(vendor, call_retries=12, budget_s=60)))
        assert run.steps[-1].index == 5
        assert not any(step.flags for step in run.steps)
        assert sum(call.failure == "rate_limited" for call in run.calls) == vendor.served["429"] > 0


async def test_a_run_ends_though_seven_in_ten_calls_go_wrong() -> None:
    names = ("prose", "empty", "truncated", "illegal", "429", "500", "hang")
    async with serving(Vendor(faults=dict.fromkeys(names, 0.1), content=IDLE)) as vendor:
        pack, config = mining(miners=10, rounds=3)
        budget_s = 8.0
        asked = profile(vendor, timeout_s=1, budget_s=budget_s, call_retries=6)
        run = Run()
        await played(pack, config, everyone(pack, config, asked), run=run)
        assert run.steps[-1].index == 3
        labels = {call.failure for call in run.calls}
        assert labels == {"", "unparseable", "truncated", "illegal", "rate_limited", "server_error", "timeout"}
        by_answer: dict[tuple[int, int], int] = {}
        for call in run.calls:
            assert call.latency_ms is not None
            by_answer[call.step, call.seat] = by_answer.get((call.step, call.seat), 0) + call.latency_ms
        assert max(by_answer.values()) <= budget_s * 1000
        flagged = [flags for step in run.steps for flags in step.flags.values()]
        assert any("corrected" in flags for flags in flagged)


@pytest.mark.parametrize(
    ("fault", "label"),
    [("reset", "reset"), ("500", "server_error"), ("429", "rate_limited"), ("401", "refused"), ("hang", "timeout")],
)
@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_each_way_of_giving_no_reply_has_its_label(fault: str, label: str, model: str) -> None:
    async with serving(Vendor(faults={fault: 1.0})) as vendor:
        timeout_s = 1 if fault == "hang" else 25
        decision, calls = await decide(vendor, model=model, call_retries=0, timeout_s=timeout_s, budget_s=30)
        assert [call.failure for call in calls] == [label]
        assert decision.flags == ("fallback", label)


async def test_a_server_that_is_not_there_is_a_lost_connection() -> None:
    async with serving(Vendor()) as vendor:
        gone = Vendor(port=vendor.port)
    decision, _ = await decide(gone, call_retries=0)
    assert decision.flags == ("fallback", "reset")


async def test_both_ways_ask_a_server_the_same() -> None:
    sent = {}
    for model in (SHORT, LONG):
        async with serving(Vendor()) as vendor:
            await decide(vendor, model=model, temperature=0.5, seed=3)
            sent[model] = vendor.seen[0]
    assert sent[SHORT] == sent[LONG]


async def test_a_litellm_without_the_short_ways_parts_is_asked_the_long_way(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def absent(*_: object) -> None:
        raise ImportError("AsyncHTTPHandler is gone")

    monkeypatch.setattr(CompatibleServer, "__init__", absent)
    async with serving(Vendor()) as vendor:
        decision, _ = await decide(vendor)
    assert decision.action.items[0].cell == (0, 0)
    assert "slower: AsyncHTTPHandler is gone" in caplog.text


def test_litellm_is_imported_by_nothing_but_a_call_and_then_asks_no_network_for_prices() -> None:
    program = """
import os, sys
import agents_app.deciders, agents_app.estimating, agents_app.deciders.rerun
assert "litellm" not in sys.modules
from agents_app.providers.litellm import library
library()
assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "remote model cost map" not in done.stderr


async def test_all_seats_are_asked_at_once() -> None:
    async with serving(Vendor(latency_s=0.3, content=IDLE)) as vendor:
        pack, config = mining(miners=20, rounds=2)
        await played(pack, config, everyone(pack, config, profile(vendor)))
        assert vendor.most_at_once == 20
