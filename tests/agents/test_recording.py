"""A run once more from its stored calls: nobody is asked, and what differs is named."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from agents_app.deciders import seated_agent
from agents_app.deciders.recording import read_calls
from agents_app.deciders.rerun import Rerun, rerun
from agents_app.ports import CallRecord
from agents_app.profile import MockSettings, Profile
from games.core import codec
from games.core.game import SeatSpec
from tests.agents.company import Run, everyone, mining, played

SMALL = {"miners": 3, "rows": 4, "cols": 4, "rounds": 8}
FAULTY = Profile(
    memory="summary",
    mock=MockSettings(faults={"prose": 0.2, "truncated": 0.1, "illegal": 0.1, "server_error": 0.1}),
    call_retries=8,
)


async def recorded(profile: Profile = FAULTY) -> tuple[Any, Any, Run, list[dict[str, Any]]]:
    pack, config = mining(**SMALL)
    run = await played(pack, config, everyone(pack, config, profile))
    return pack, config, run, [codec.encode_step(pack.game, step) for step in run.steps]


async def again(profile: Profile, calls: list[CallRecord], records: list[dict[str, Any]]) -> Rerun:
    pack, config = mining(**SMALL)
    return await rerun(pack, config, 1, {}, dict.fromkeys(range(3), profile), calls, records)


async def test_a_run_is_identical_from_its_recording_whatever_order_the_calls_are_kept_in() -> None:
    _, _, run, records = await recorded()
    assert any(call.failure for call in run.calls)
    assert any("fallback" in flags or "corrected" in flags for step in run.steps for flags in step.flags.values())
    told = await again(FAULTY, list(reversed(run.calls)), records)
    assert str(told) == "identical 9/9"


async def test_the_first_step_that_an_edited_reply_changes_is_named() -> None:
    _, _, run, records = await recorded(Profile())
    at = next(n for n, call in enumerate(run.calls) if (call.step, call.seat) == (5, 2))
    calls = list(run.calls)
    calls[at] = replace(calls[at], reply='{"items": []}')
    told = await again(Profile(), calls, records)
    assert (told.identical, told.steps) == (5, 9)
    assert told.difference.startswith("step 5: actions of seat 2: now {")


async def test_a_prompt_that_was_never_recorded_is_named() -> None:
    _, _, run, records = await recorded(Profile())
    told = await again(Profile(language="zh"), list(run.calls), records)
    assert told.identical == 1
    assert "was asked something that is not in the recording" in told.difference


async def test_a_recording_can_sit_in_one_seat() -> None:
    pack, config, run, records = await recorded(Profile())
    agents = everyone(pack, config, Profile(), seats=(0, 1))
    calls = read_calls([asdict(call) for call in run.calls if call.seat == 2])
    agents[2] = seated_agent(pack, config, SeatSpec("miner-03"), {"kind": "recording", "profile": {}}, lambda: calls)
    once_more = await played(pack, config, agents)
    assert [codec.encode_step(pack.game, step) for step in once_more.steps] == records
