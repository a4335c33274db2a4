"""Many calls at once: the first are on their way while the last are written, and none is left behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest

from agents_app.deciders.llm import ModelAgent
from agents_app.profile import Profile
from agents_app.providers.protocol import Prompt, Reply
from agents_app.staggered import AT_ONCE, gathered
from games.core.bulk import YOUNG
from tests.agents.company import Scripted, mining, played, seated
from tests.agents.server import IDLE

MANY = 3 * AT_ONCE


@pytest.fixture
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


async def test_the_first_call_is_out_before_the_last_prompt_is_written() -> None:
    told: list[str] = []

    async def call(number: int) -> int:
        told.append(f"written {number}")
        await asyncio.sleep(0)
        told.append(f"out {number}")
        return number

    assert await gathered(call(number) for number in range(MANY)) == list(range(MANY))
    assert told.index("out 0") < told.index(f"written {2 * AT_ONCE}")


async def test_the_prompts_of_all_seats_are_written_in_a_row_before_the_first_of_them_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    made = ModelAgent.prompt

    def written(agent: ModelAgent, request: Any, asked: Any) -> Prompt:
        told.append("written")
        return made(agent, request, asked)

    class Noting(Scripted):
        async def complete(self, prompt: Prompt, timeout_s: float, hint: object) -> Reply:
            told.append("asked")
            return await super().complete(prompt, timeout_s, hint)

    monkeypatch.setattr(ModelAgent, "prompt", written)
    pack, config = mining(miners=MANY, rows=8, cols=8, rounds=1)
    profile, provider = Profile(model="openai/m", output="json"), Noting([IDLE])
    await played(pack, config, {seat: seated(pack, config, profile, provider) for seat in range(MANY)})
    assert told == ["written"] * MANY + ["asked"] * MANY


async def test_each_is_awaited_and_what_one_raises_stands_in_its_place() -> None:
    async def call(number: int) -> int:
        await asyncio.sleep(0.01 * (3 - number))
        if number == 1:
            raise ValueError("one")
        return number

    first, second, third = await gathered(call(number) for number in range(3))
    assert (first, repr(second), third) == (0, "ValueError('one')", 2)


@pytest.mark.parametrize("steps", [0, 1, 100])
async def test_cancelled_it_leaves_none_behind_whether_begun_or_not(steps: int) -> None:
    ended: list[int] = []

    async def call(number: int) -> None:
        try:
            await asyncio.sleep(30)
        finally:
            ended.append(number)

    before = asyncio.all_tasks()
    waiting = asyncio.ensure_future(gathered(call(number) for number in range(MANY)))
    for _ in range(steps + 1):
        await asyncio.sleep(0)
    begun = len(asyncio.all_tasks() - before) - 1
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(0.01)
    assert asyncio.all_tasks() == before
    assert len(ended) <= begun == min(MANY, AT_ONCE * (steps + 1))


@pytest.mark.parametrize(("young", "then"), [(700, YOUNG), (2 * YOUNG, 2 * YOUNG), (0, 0)])
async def test_what_many_calls_hold_is_not_searched_over_and_over(usual: None, young: int, then: int) -> None:
    gc.set_threshold(young, 9, 8)
    await gathered(asyncio.sleep(0) for _ in range(3))
    assert gc.get_threshold() == (then, 9, 8), "a larger number, and none, are somebody's own choice"
