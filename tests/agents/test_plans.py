"""Games with plans: a model is asked for one, and asked again only when it is done or cannot go on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents_app.budget import Tally
from agents_app.profile import Profile
from games.core import codec
from tests.agents.company import Run, Scripted, played, seated
from tests.core.toys import PARADE, Trek, TrekConfig, walk_on

TREK = replace(PARADE, game=Trek(), title="Trek", controller=walk_on)


async def trek(replies: list[str], **settings: Any) -> tuple[Run, Scripted]:
    provider = Scripted(replies)
    config = TrekConfig(**settings)
    agent = seated(TREK, config, Profile(model="openai/none", output="plan"), provider)
    return await played(TREK, config, {0: agent}), provider


async def test_a_plan_of_several_steps_costs_one_call_and_the_next_call_says_why_it_comes() -> None:
    run, provider = await trek(['I walk.\nPLAN: {"walk": 4}', 'PLAN: {"walk": 5}'], length=9)
    assert run.steps[-1].state.place == 9
    assert [call.step for call in run.calls] == [1, 5]
    assert "Your last plan ended: arrived" in provider.asked[1].messages[1].text
    tally = Tally.of(run.calls, [codec.encode_step(TREK.game, step) for step in run.steps], (0,))
    assert tally.calls_per_100_steps == 100 * 2 / 9


async def test_a_plan_that_became_impossible_is_asked_for_anew() -> None:
    run, provider = await trek(['PLAN: {"walk": 9}', 'PLAN: {"walk": 0}'], length=5, rockfall=2)
    assert [call.step for call in run.calls[:2]] == [1, 3]
    assert "Your last plan ended: path blocked" in provider.asked[1].messages[1].text


async def test_a_plan_that_cannot_begin_is_illegal_and_corrected() -> None:
    run, provider = await trek(['PLAN: {"walk": 0}', 'PLAN: {"walk": 3}'], length=3)
    assert [call.failure for call in run.calls] == ["illegal", ""]
    assert "cannot be carried out: arrived" in provider.asked[1].messages[-1].text
    assert run.steps[1].flags == {0: ("corrected",)}
    assert run.steps[-1].state.place == 3


async def test_a_reply_without_a_plan_is_corrected_in_the_form_that_was_asked_for() -> None:
    run, provider = await trek(["I had rather walk on.", 'PLAN: {"walk": 3}'], length=3)
    assert [call.failure for call in run.calls] == ["unparseable", ""]
    assert "no line begins with PLAN:" in provider.asked[1].messages[-1].text
    assert json.loads(run.calls[0].prompt)["schema"] is None


async def test_a_reply_over_which_a_controller_breaks_is_kept_all_the_same() -> None:
    config = TrekConfig(length=3)
    agent = seated(TREK, config, Profile(model="openai/none", output="plan"), Scripted(["PLAN: nothing"]))
    run = Run()
    with pytest.raises(AssertionError):
        await played(TREK, config, {0: agent}, run=run)
    assert [(call.reply, call.failure) for call in run.calls] == [("PLAN: nothing", "bug")]
