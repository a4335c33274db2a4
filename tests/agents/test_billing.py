"""Money as it is billed: what a server has begun to answer costs, and no cheat of its gets a run past its limit."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from agents_app.budget import Meter, Spent
from agents_app.ports import RunStop
from agents_app.profile import Limits, Price, Profile
from agents_app.providers.protocol import Message, tokens_in_prompt, tokens_in_text
from agents_app.providers.refusals import retry_after
from tests.agents.company import Run, everyone, mining, played
from tests.agents.misbehaving import Misbehaving
from tests.agents.server import IDLE, serving
from tests.agents.test_misbehaving import asked

PRICE = Price(input_usd=1, output_usd=2)
LOST = ("half a body", "200 without choices", "200 with HTML", "200, no UTF-8", "body in drips", "hang")
CHEATS = (
    "half a body",
    "beyond 2 MiB",
    "body in drips",
    "hang",
    "200 without choices",
    "no usage",
    "usage nonsense",
    "usage of nothing",
    "usage beyond belief",
    "all of it cached",
)
"""Ten ways to let a run pay more, or seem to pay less, than it is told."""
IN_FLIGHT = 2
OVERLONG = 2_200_000 // 4


def bill(vendor: Misbehaving) -> list[float]:
    """What the server would ask for each request: its prompt, and as many tokens as it has written for certain."""
    written = OVERLONG if vendor.behaviour == "beyond 2 MiB" else 0
    prompts = (tuple(Message(one["role"], one["content"]) for one in body["messages"]) for body in vendor.seen)
    return [(tokens_in_prompt(prompt) * 1 + written * 2) / 1e6 for prompt in prompts]


async def stopped(behaviour: str, limits: Limits) -> tuple[Misbehaving, Spent]:
    """A run of two miners against a cheat, until it stops; what the server served, and what the meter says."""
    pack, config = mining(miners=IN_FLIGHT, rows=3, cols=3, rounds=40)
    vendor = Misbehaving(behaviour=behaviour, good=IDLE, hang_s=2)
    times: dict[str, Any] = {"timeout_s": 0.2, "budget_s": 1.0}
    async with serving(vendor):
        profile = Profile(model="openai/local", base_url=vendor.url, price=PRICE, fallback_limit=1, **times)
        meter = Meter("the run", limits)
        with pytest.raises(RunStop):
            await played(pack, config, everyone(pack, config, profile), meters=[meter], run=Run())
    return vendor, meter.spent


@pytest.mark.parametrize("behaviour", CHEATS)
async def test_a_limit_of_money_holds_against_a_server_that_cheats(behaviour: str) -> None:
    limit = 0.005
    vendor, spent = await stopped(behaviour, Limits(usd=limit))
    asked_for = bill(vendor)
    assert sum(asked_for) <= limit + IN_FLIGHT * max(asked_for)
    assert float(spent.usd) > 0
    assert spent.unpriced == 0


@pytest.mark.parametrize("behaviour", CHEATS)
async def test_a_limit_of_calls_holds_against_a_server_that_cheats(behaviour: str) -> None:
    vendor, spent = await stopped(behaviour, Limits(calls=7))
    assert len(vendor.seen) <= 7
    assert spent.calls == len(vendor.seen)


@pytest.mark.parametrize("behaviour", LOST)
async def test_what_was_begun_to_be_answered_costs_though_nothing_of_it_can_be_used(behaviour: str) -> None:
    async with serving(Misbehaving(behaviour=behaviour, good=IDLE, hang_s=2)) as vendor:
        _, calls = await asked(vendor, "mining", timeout_s=0.3, budget_s=0.9)
    sent = [call for call in calls if call.failure != "unasked"]
    assert len(sent) == len(vendor.seen)
    assert all(call.estimated and call.cost_usd for call in sent)


@pytest.mark.parametrize("behaviour", ["connection reset", "500", "429 with Retry-After: 0"])
async def test_what_nobody_began_to_answer_costs_nothing(behaviour: str) -> None:
    async with serving(Misbehaving(behaviour=behaviour, good=IDLE)) as vendor:
        _, calls = await asked(vendor, "mining", timeout_s=0.3, budget_s=0.9)
    cut = [call for call in calls if call.failure == "timeout"]  # the last, where the machine is busy
    assert Spent.of([call for call in calls if call not in cut]).usd == 0


async def test_a_call_is_counted_also_where_its_time_and_the_whole_time_are_noticed_to_be_over_at_once() -> None:
    class Busy(Misbehaving):
        def noted(self, asked: Any) -> None:
            time.sleep(0.4)

    async with serving(Busy(behaviour="hang", good=IDLE, hang_s=2)) as vendor:
        _, calls = await asked(vendor, "mining", timeout_s=0.3, budget_s=0.3)
    assert [call.failure for call in calls if call.failure != "unasked"] == ["timeout"] * len(vendor.seen)
    assert vendor.seen


async def test_an_answer_without_end_is_told_once_and_paid_by_its_length() -> None:
    async with serving(Misbehaving(behaviour="beyond 2 MiB", good="Once upon a time. ")) as vendor:
        outcome, calls = await asked(vendor, "mining", retries=5)
    assert outcome == "fallback, truncated"
    assert [call.failure for call in calls] == ["truncated"] * 2
    assert all(call.reply.startswith("Once upon a time.") for call in calls)
    assert all((call.tokens_out or 0) >= 2**19 and call.estimated for call in calls)
    said = vendor.seen[1]["messages"]
    assert tokens_in_text(said[-2]["content"]) < 10_000, "what is shown again is cut"
    assert "cut off" in said[-1]["content"]


async def test_a_cut_line_is_waited_for_as_a_refused_one_is_and_then_stops_the_run() -> None:
    async with serving(Misbehaving(behaviour="connection reset", good=IDLE)) as vendor:
        outcome, calls = await asked(vendor, "mining", budget_s=4.0, call_retries=1)
    assert outcome == "stops"
    assert {call.failure for call in calls} == {"reset"}
    assert len(calls) > 3, "it is asked again until the time is over"


async def test_a_line_that_comes_back_in_time_costs_no_decision() -> None:
    class Reloading(Misbehaving):
        async def _one(self, reader: Any, writer: Any) -> bool:
            self.behaviour = "connection reset" if len(self.seen) < 3 else "good answer"
            return await super()._one(reader, writer)

    async with serving(Reloading(good=IDLE)) as vendor:
        outcome, calls = await asked(vendor, "mining", call_retries=1, timeout_s=5.0, budget_s=30.0)
    assert outcome == "plays"
    assert [call.failure for call in calls] == ["reset"] * 3 + [""]


def test_a_date_is_read_where_a_vendor_says_when_to_come_back() -> None:
    in_a_minute = datetime.now(UTC) + timedelta(seconds=60)
    wait = retry_after(format_datetime(in_a_minute, usegmt=True))
    assert wait is not None
    assert 50 < wait <= 60
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert retry_after("7.5") == 7.5
    assert [retry_after(text) for text in (None, "", "soon", "-3", "1e9")] == [None] * 5
