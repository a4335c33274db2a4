"""Real HTTP through litellm, against a server on loopback."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import zlib
from decimal import Decimal
from typing import Any

import pytest

from agents_app.budget import MemoryLedger
from agents_app.deciders.seating import chat_provider
from agents_app.ports import CallRecord, ModelStop
from agents_app.profile import BadProfile, Batch, Price, Profile
from games.core.registry import get
from tests.agents.company import Run, everyone, first_request, mining, played, seated
from tests.agents.server import IDLE, SOUND, Vendor, serving

SMALL = {"miners": 4, "rows": 5, "cols": 5, "rounds": 5}
SHORT, LONG = "openai/local", "custom_openai/local"
"""A server of one's own is asked past litellm's wrapper; any other vendor through it."""
KEY = "planted-key-0123456789abcdef"


def profile(vendor: Vendor, **more: Any) -> Profile:
    return Profile(**{"model": SHORT, "base_url": vendor.url, **more})


async def decide(vendor: Vendor, calls: list[CallRecord] | None = None, **more: Any) -> tuple[Any, list[CallRecord]]:
    pack, config = mining(**SMALL)
    kept: list[CallRecord] = [] if calls is None else calls
    agent = seated(pack, config, profile(vendor, **more))
    return await agent.decide(first_request(pack, config), MemoryLedger(0, 1, kept)), kept


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
        assert sent["response_format"]["type"] == "json_schema"


async def test_another_address_is_never_sent_the_vendors_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("HOUSE_API_KEY", "house-key-987654")
    async with serving(Vendor()) as vendor:
        monkeypatch.setenv("POLITY_MODEL_HOSTS", f"{vendor.url}=HOUSE_API_KEY, {vendor.url}=ABSENT_API_KEY")
        await decide(vendor)
        await decide(vendor, key_env="HOUSE_API_KEY")
        assert vendor.keys == {"Bearer no-key", "Bearer house-key-987654"}
        with pytest.raises(ModelStop, match=r"has no key.*: ABSENT_API_KEY is not set in the environment"):
            await decide(vendor, key_env="ABSENT_API_KEY")
        assert len(vendor.seen) == 2


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_no_key_is_sent_where_the_environment_does_not_send_it(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", KEY)
    async with serving(Vendor()) as vendor:
        for hosts, asked, why in (
            ("", {"key_env": "HOUSE_API_KEY"}, "no key is sent to .*: set POLITY_MODEL_HOSTS="),
            ("https://models.example.org=HOUSE_API_KEY", {}, "is not among the servers of POLITY_MODEL_HOSTS"),
            (f"{vendor.url}=OTHER_API_KEY", {"key_env": "HOUSE_API_KEY"}, "sends another key to"),
            (vendor.url[:-1], {}, "is not among the servers"),
        ):
            monkeypatch.setenv("POLITY_MODEL_HOSTS", hosts)
            with pytest.raises(ModelStop, match=why):
                await decide(vendor, model=model, **asked)
        assert vendor.seen == []


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_planted_key_is_in_no_record_decision_or_log(
    model: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    for fault in ("", "401", "429", "500", "prose"):
        faults = {fault: 1.0} if fault else {}
        async with serving(Vendor(faults=faults, echo_key=True)) as vendor:
            monkeypatch.setenv("POLITY_MODEL_HOSTS", f"{vendor.url}=HOUSE_API_KEY")
            calls: list[CallRecord] = []
            asked = {"key_env": "HOUSE_API_KEY", "call_retries": 1, "retries": 1, "timeout_s": 5, "budget_s": 10}
            try:
                told: object = (await decide(vendor, calls, model=model, **asked))[0]
            except ModelStop as stop:
                told = stop
            assert isinstance(told, ModelStop) == (fault == "401")
            assert vendor.keys == {f"Bearer {KEY}"}
            assert calls
            assert KEY not in repr(calls)
            assert KEY not in repr(told)
    assert KEY not in caplog.text
    assert KEY not in json.dumps(profile(vendor, key_env="HOUSE_API_KEY").model_dump(mode="json"))


class Endless(Vendor):
    """A vendor whose answers do not end: chunk after chunk, packed where it is told so."""

    packed = False
    sent = 0

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        await reader.readuntil(b"\r\n\r\n")
        self.served[""] += 1
        coding = "Content-Encoding: gzip\r\n" if self.packed else ""
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{coding}Transfer-Encoding: chunked".encode()
        )
        writer.write(b"\r\n\r\n")
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        until = self.sent + 80 * 2**20
        while self.sent < until:
            chunk = b'{"choices": ' + b" " * 2**20
            out = packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH) if self.packed else chunk
            writer.write(b"%x\r\n%s\r\n" % (len(out), out))
            self.sent += len(chunk)
            await writer.drain()
        return False


@pytest.mark.parametrize(("model", "packed"), [(SHORT, False), (SHORT, True), (LONG, False)])
async def test_an_answer_without_end_is_read_to_its_bound_and_no_further(model: str, packed: bool) -> None:
    vendor = Endless()
    vendor.packed = packed
    async with serving(vendor):
        decision, calls = await decide(vendor, model=model, call_retries=0, timeout_s=20, budget_s=30)
    assert decision.flags == ("fallback", "truncated")
    assert [(call.finish, call.tokens_out) for call in calls] == [("overlong", 2**19)] * 2, "it is told so once"
    assert packed or vendor.sent < 2 * 40 * 2**20, "packed, all of it is a few kilobytes"


async def test_of_a_long_reply_of_a_vendor_64_kB_are_kept() -> None:
    async with serving(Vendor(content=SOUND + " " * 2**20)) as vendor:
        decision, calls = await decide(vendor, retries=0)
    assert ([len(call.reply) for call in calls], decision.flags) == ([65536], ("fallback", "truncated"))


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
        asked_for = labels - {"unasked"}  # where the machine is busy, the time for an answer may be over
        assert asked_for == {"", "unparseable", "truncated", "illegal", "rate_limited", "server_error", "timeout"}
        by_answer: dict[tuple[int, int], int] = {}
        for call in run.calls:
            assert call.latency_ms is not None
            by_answer[call.step, call.seat] = by_answer.get((call.step, call.seat), 0) + call.latency_ms
        assert max(by_answer.values()) <= budget_s * 1000
        flagged = [flags for step in run.steps for flags in step.flags.values()]
        assert any("corrected" in flags for flags in flagged)


@pytest.mark.parametrize(
    ("fault", "label"),
    [("500", "server_error"), ("429", "rate_limited"), ("hang", "timeout")],
)
@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_each_way_of_giving_no_reply_has_its_label(fault: str, label: str, model: str) -> None:
    async with serving(Vendor(faults={fault: 1.0})) as vendor:
        timeout_s = 1 if fault == "hang" else 25
        decision, calls = await decide(vendor, model=model, call_retries=0, timeout_s=timeout_s, budget_s=30)
        assert [call.failure for call in calls] == [label]
        assert decision.flags == ("fallback", label)


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_refusal_stops_the_run_with_the_vendors_sentence(model: str) -> None:
    async with serving(Vendor(faults={"401": 1.0})) as vendor:
        calls: list[CallRecord] = []
        with pytest.raises(ModelStop, match=r"cannot be asked.*Incorrect API key provided"):
            await decide(vendor, calls, model=model)
        assert [call.failure for call in calls] == ["refused"]
        assert vendor.url in calls[0].reply


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_server_that_is_not_there_is_waited_for_and_then_stops_the_run(model: str) -> None:
    async with serving(Vendor()) as vendor:
        gone = Vendor(port=vendor.port)
    calls: list[CallRecord] = []
    with pytest.raises(ModelStop, match=r"did not answer for 2 s. Start it and resume: .*127.0.0.1"):
        await decide(gone, calls, model=model, call_retries=0, timeout_s=2, budget_s=2)
    assert {call.failure for call in calls} == {"away"}
    assert len(calls) > 1


@pytest.mark.parametrize("model", [SHORT, LONG])
async def test_a_line_that_is_cut_again_and_again_stops_the_run(model: str) -> None:
    calls: list[CallRecord] = []
    async with serving(Vendor(faults={"reset": 1.0})) as vendor:
        with pytest.raises(ModelStop, match=r"did not answer for 2 s. Start it and resume: .*127.0.0.1"):
            await decide(vendor, calls, model=model, call_retries=0, timeout_s=2, budget_s=2)
    assert {call.failure for call in calls} == {"reset"}
    assert len(calls) > 1


async def test_both_ways_ask_a_server_the_same_and_a_setting_sends_all_by_litellm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent, decided, ways = [], [], []
    for model, is_all in ((SHORT, "0"), (LONG, "0"), (SHORT, "1"), ("hosted_vllm/local", "1")):
        monkeypatch.setenv("POLITY_ALL_BY_LITELLM", is_all)
        async with serving(Vendor()) as vendor:
            decision, _ = await decide(vendor, model=model, temperature=0.5, seed=3)
            sent.append(vendor.seen[0])
            decided.append(decision.action)
            ways.append(type(chat_provider(profile(vendor, model=model))).__name__)
    assert sent == sent[:1] * 4
    assert decided == decided[:1] * 4
    assert ways == ["CompatibleServer", "LitellmProvider", "LitellmProvider", "LitellmProvider"]


async def test_with_all_by_litellm_failures_read_as_they_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for fault in ("429", "500", "empty", "truncated"):
        told = []
        for is_all in ("0", "1"):
            monkeypatch.setenv("POLITY_ALL_BY_LITELLM", is_all)
            async with serving(Vendor(faults={fault: 1.0})) as vendor:
                _, calls = await decide(vendor, retries=1, call_retries=1)
                told.append([call.failure for call in calls])
        assert told[0] == told[1], fault


def test_all_by_litellm_refuses_what_litellm_cannot_do_and_says_where_it_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pack, config = mining(**SMALL)
    monkeypatch.setenv("POLITY_ALL_BY_LITELLM", "1")
    own = Profile(model=SHORT, base_url="http://127.0.0.1:9/v1")
    with pytest.raises(BadProfile, match="batch"):
        seated(pack, config, own.model_copy(update={"batch": Batch()}))
    monkeypatch.setattr("agents_app.deciders.seating.find_spec", lambda name: None)
    with pytest.raises(BadProfile, match="openai/local is asked through litellm, which is not installed"):
        seated(pack, config, own)
    monkeypatch.setenv("POLITY_ALL_BY_LITELLM", "0")
    assert seated(pack, config, own)


def test_a_server_of_ones_own_is_asked_without_loading_litellm() -> None:
    program = """
import asyncio, sys
from agents_app.providers import compatible
from agents_app.profile import Profile
asyncio.run(compatible.CompatibleServer(Profile(model="openai/local", base_url="http://127.0.0.1:9/v1")).ready())
assert "aiohttp" in sys.modules and "litellm" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


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


class Weighing(Vendor):
    """A vendor that gives its answer's tokens with those that it would rather not have said."""

    said: tuple[tuple[str, tuple[tuple[str, float], ...]], ...] = ()

    def _answer(self, fault: str, headers: Any) -> tuple[str, list[str], dict[str, Any]]:
        status, more, payload = super()._answer(fault, headers)
        content = [
            {"token": token, "logprob": top[0][1], "top_logprobs": [{"token": t, "logprob": p} for t, p in top]}
            for token, top in self.said
        ]
        payload["choices"][0]["logprobs"] = {"content": content} if content else None
        return status, more, payload


@pytest.mark.parametrize("model", [SHORT, LONG])
@pytest.mark.parametrize("before", [[], ["<think>", "C is kind.", "</think>", "\n\n"], ["**"]])
async def test_the_two_moves_of_the_dilemma_come_with_their_log_probabilities(model: str, before: list[str]) -> None:
    pack = get("dilemma")
    config = pack.game.config_type(rounds=3)
    vendor = Weighing(content="".join([*before, "D"]))
    vendor.said = (*((token, ((token, 0.0),)) for token in before), ("D", (("D", -0.25), ("C", -1.5))))
    async with serving(vendor):
        agent = seated(pack, config, profile(vendor, model=model, logprobs=True))
        calls: list[CallRecord] = []
        decision = await agent.decide(first_request(pack, config), MemoryLedger(0, 1, calls))
        assert decision.action.move == "D"
        assert (vendor.seen[0]["logprobs"], vendor.seen[0]["top_logprobs"]) == (True, 5)
        assert (json.loads(calls[0].logprobs), calls[0].ignored) == ([["D", -0.25], ["C", -1.5]], "")


async def test_a_vendor_that_says_nothing_of_log_probabilities_is_flagged() -> None:
    async with serving(Weighing()) as vendor:
        decision, calls = await decide(vendor, logprobs=True)
        assert (calls[0].logprobs, calls[0].ignored, decision.trace["ignored"]) == ("", "logprobs", ["logprobs"])
        _, calls = await decide(vendor)
        assert calls[0].ignored == ""
