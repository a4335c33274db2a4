"""A server that misbehaves in every way that was found: for every game label, count and what is stored, in a table.

The table is `misbehaving.md` beside this file; ``POLITY_GOLDEN=1`` writes it anew. Look at the difference.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents_app.budget import MemoryLedger, Meter, Spent
from agents_app.deciders.llm import ModelAgent
from agents_app.deciders.rerun import rerun
from agents_app.ports import CallRecord, ModelStop, RunStop
from agents_app.profile import Limits, Price, Profile
from games.core import codec
from games.core.registry import get
from tests.agents.company import Run, everyone, first_request, mining, played, seated
from tests.agents.misbehaving import BEHAVIOURS, BROKEN, SLOW, Misbehaving
from tests.agents.server import IDLE, Vendor, serving

TABLE = Path(__file__).with_name("misbehaving.md")
SHOWN = 70
GOOD = "<the answer>"


@dataclass(frozen=True)
class Place:
    """A seat of a game that is asked something, and what a sound answer would be."""

    good: str
    settings: dict[str, Any]
    game: str = ""
    seat: int | None = None
    after: int = 0


ECONOMY = {"workers": 2, "epochs": 2, "steps_per_epoch": 2}
PLACES = {
    "dilemma": Place("C", {"rounds": 3}),
    "mining": Place(IDLE, {"miners": 2, "rows": 3, "cols": 3, "rounds": 2}),
    "adasociety": Place('PLAN: {"action": {"group": 2, "do": "join"}, "plan": "once"}', {}),
    "nations": Place('{"buy": 0, "attacks": []}', {"nations": 3, "territories": 6, "rounds": 2, "turns": 2}),
    "economist's worker": Place('PLAN: {"direction": "down", "do": "move"}', ECONOMY, "economist"),
    "economist's planner": Place('{"brackets": [[0, 0.1], [10, 0.2]]}', ECONOMY, "economist", 2, 2),
}


def agent_of(vendor: Misbehaving, where: str, **more: Any) -> tuple[ModelAgent, Any]:
    place = PLACES[where]
    pack = get(place.game or where)
    config = pack.game.config_type(**place.settings)
    quick: dict[str, Any] = {}
    if vendor.behaviour in BROKEN:  # What breaks off does so at once: only how long it is repeated is bounded.
        quick = {"timeout_s": 4, "budget_s": 4}
    elif vendor.behaviour in (*SLOW, "503 loading"):
        quick = {"timeout_s": 0.4, "budget_s": 1.0}
    usual: dict[str, Any] = {"retries": 1, "call_retries": 1, "price": PRICE}
    profile = Profile(model="openai/local", base_url=vendor.url, **{**usual, **quick, **more})
    request = first_request(pack, config, place.after, seat=place.seat)
    return seated(pack, config, profile, role=pack.game.seats(config)[request.seat].role), request


PRICE = Price(input_usd=1, output_usd=2)


async def asked(vendor: Misbehaving, where: str, **more: Any) -> tuple[str, list[CallRecord]]:
    """What came of one decision, and its calls."""
    calls: list[CallRecord] = []
    agent, request = agent_of(vendor, where, **more)
    try:
        decision = await agent.decide(request, MemoryLedger(request.seat, request.index, calls))
    except ModelStop:
        return "stops", calls
    return ", ".join(decision.flags) or "plays", calls


def counted(calls: list[CallRecord]) -> str:
    labels = Counter(call.failure or "ok" for call in calls)
    if labels.keys() <= {"away", "reset", "timeout", "unasked"} and len(calls) > 1:
        return "repeated until the time is over"
    return ", ".join(f"{number} {label}" for label, number in labels.items())


def stored(call: CallRecord, good: str) -> str:
    kept = [call.reply]
    kept += [f"{name}: {value}" for name in ("reasoning", "refusal", "tools") if (value := getattr(call, name))]
    kept += ["tokens estimated"] if call.estimated else []
    kept += [f"repaired: {call.repaired}"] if call.repaired else []
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST", " · ".join(part for part in kept if part)).replace(good, GOOD)
    text = " ".join(text.split()).replace("|", "\\|")
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


async def cells(name: str, where: str) -> tuple[str, str, str]:
    """What a way of the server comes to at a place: the decision's label, the calls, the first one's record."""
    good = PLACES[where].good
    async with serving(Misbehaving(behaviour=name, good=good, hang_s=5)) as vendor:
        outcome, calls = await asked(vendor, where)
    # A single letter stands in many a word.
    return outcome, counted(calls), stored(calls[0], good if len(good) > 1 else "\0")


async def table() -> str:
    lines = ["| the server's way | seats | outcome | calls | stored of the first |", "|---" * 5 + "|"]
    for name in (*BEHAVIOURS, *SLOW):
        alike: dict[tuple[str, str, str], list[str]] = {}
        for where, found in zip(PLACES, await asyncio.gather(*(cells(name, one) for one in PLACES)), strict=True):
            alike.setdefault(found, []).append(where)
        for found, places in alike.items():
            told = "all" if len(places) == len(PLACES) else ", ".join(places)
            lines.append(f"| {name} | {told} | {' | '.join(found)} |")
    return "\n".join(lines) + "\n"


async def test_every_way_to_misbehave_has_its_label_its_count_and_its_record_golden() -> None:
    found = await table()
    if os.environ.get("POLITY_GOLDEN"):
        TABLE.write_text(found, "utf-8")
    assert found.splitlines() == TABLE.read_text("utf-8").splitlines()


async def test_a_record_holds_what_came_beside_the_reply() -> None:
    async with serving(Misbehaving(behaviour="reasoning_content beside the answer", good=IDLE)) as vendor:
        _, (call,) = await asked(vendor, "mining")
    assert (call.served, call.response_id, call.fingerprint) == ("served-model", "chatcmpl-7", "fp_7")
    assert (call.finish, call.reasoning, call.tokens_cached) == ("stop", "Hm, hm.", 640)
    assert call.address == f"{vendor.url}/chat/completions"
    assert call.at.startswith("20")
    assert call.latency_ms is not None


async def test_a_server_without_schemas_is_asked_in_words_from_then_on_and_the_flag_says_so() -> None:
    async with serving(Misbehaving(good=IDLE, takes_schema=False)) as vendor:
        calls: list[CallRecord] = []
        agent, request = agent_of(vendor, "mining")
        first = await agent.decide(request, MemoryLedger(request.seat, request.index, calls))
        again = await agent.decide(request, MemoryLedger(request.seat, request.index, []))
    assert [call.failure for call in calls] == ["no_schema", ""]
    assert ["response_format" in body for body in vendor.seen] == [True, False, False]
    assert (first.flags, again.flags) == ((), ())
    assert first.trace["ignored"] == ["response_format"]


@pytest.mark.parametrize("behaviour", ["good answer", "no usage", "usage nonsense"])
@pytest.mark.parametrize("limits", [Limits(usd="0.02"), Limits(tokens=20_000)], ids=["money", "tokens"])
async def test_limits_stop_at_the_same_call_whatever_the_server_reports(behaviour: str, limits: Limits) -> None:
    pack, config = mining(miners=2, rows=3, cols=3, rounds=20)
    async with serving(Misbehaving(behaviour=behaviour, good=IDLE)) as vendor:
        profile = Profile(model="openai/local", base_url=vendor.url, price=PRICE, options={"hints": True})
        run, meter = Run(), Meter("the run", limits)
        with pytest.raises(RunStop, match="Raise the limit and resume"):
            await played(pack, config, everyone(pack, config, profile), meters=[meter], run=run)
        paid = list(run.calls)
        assert abs(len(paid) - 20) <= 1
        spent = Spent.of(paid)
        assert (spent.usd <= 0.02, spent.tokens <= 20_000, spent.unpriced) == (True, True, 0)

        resumed = Run(calls=list(paid))
        kept = Meter("the run", limits, spent)
        with pytest.raises(RunStop):
            await played(pack, config, everyone(pack, config, profile), meters=[kept], run=resumed)
        assert abs(len(resumed.calls) - 20) <= 1
        raised = Meter("the run", Limits(usd=1, tokens=1_000_000), Spent.of(resumed.calls))
        await played(pack, config, everyone(pack, config, profile), meters=[raised], run=resumed)
    assert resumed.calls[: len(paid)] == paid
    assert len({(call.step, call.seat, call.attempt) for call in resumed.calls}) == len(vendor.seen) == 40
    assert raised.spent.calls == 40


async def test_a_call_that_was_given_up_counts_with_estimated_tokens() -> None:
    async with serving(Misbehaving(behaviour="hang", good=IDLE, hang_s=5)) as vendor:
        _, calls = await asked(vendor, "mining")
    spent = Spent.of(calls)
    sent = [call for call in calls if call.failure == "timeout"]
    assert (spent.calls, spent.estimated) == (len(sent), len(sent))
    assert spent.tokens_in > 0
    assert spent.usd > 0


async def test_a_run_whose_line_was_cut_now_and_then_is_identical_from_its_recording() -> None:
    pack, config = mining(miners=3, rows=4, cols=4, rounds=8)
    async with serving(Vendor(faults={"reset": 0.4}, content=IDLE)) as vendor:
        profile = Profile(model="openai/local", base_url=vendor.url, call_retries=0)
        run = await played(pack, config, everyone(pack, config, profile))
    assert any(call.failure == "reset" for call in run.calls)
    assert not any(step.flags for step in run.steps), "what is waited for costs no decision"
    records = [codec.encode_step(pack.game, step) for step in run.steps]
    again = await rerun(pack, config, 1, {}, dict.fromkeys(range(3), profile), run.calls, records)
    assert str(again) == "identical 9/9"


async def test_a_run_with_every_kind_of_fault_is_identical_from_its_recording() -> None:
    pack, config = mining(miners=3, rows=4, cols=4, rounds=8)
    names = ("prose", "empty", "truncated", "illegal", "429", "500", "hang")
    async with serving(Vendor(faults=dict.fromkeys(names, 0.1), content=IDLE, hang_s=3)) as vendor:
        profile = Profile(
            model="openai/local", base_url=vendor.url, timeout_s=0.2, budget_s=0.5, call_retries=4, retries=1
        )
        run = await played(pack, config, everyone(pack, config, profile))
        served = sum(vendor.served.values())
    records = [codec.encode_step(pack.game, step) for step in run.steps]
    assert any(call.failure == "unasked" for call in run.calls)
    again = await rerun(pack, config, 1, {}, dict.fromkeys(range(3), profile), reversed(run.calls), records)
    assert str(again) == "identical 9/9"
    assert sum(vendor.served.values()) == served
