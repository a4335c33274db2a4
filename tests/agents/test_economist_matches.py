"""Models in the economist's seats: a planner that answers with brackets, workers that answer with plans."""

from __future__ import annotations

from agents_app.profile import Profile
from games.core.agents import deciding
from games.core.registry import get
from tests.agents.company import Scripted, played, seated

PACK = get("economist")


async def test_a_model_plans_a_match_of_five_epochs() -> None:
    config = PACK.game.config_type(workers=3, epochs=5, steps_per_epoch=3)
    provider = Scripted(['{"brackets": [[0, 0.3], [20, 0.6]]}'])
    planner = seated(PACK, config, Profile(model="openai/none"), provider)
    workers = dict.fromkeys(range(3), deciding(PACK.policies["honest"].bind()))
    run = await played(PACK, config, {3: planner}, workers)
    assert [call.step for call in run.calls] == [4, 8, 12, 16]
    assert run.steps[-1].state.schedule == ((0, 300_000), (20_000_000, 600_000))


async def test_a_workers_plan_runs_for_several_steps_on_one_call() -> None:
    config = PACK.game.config_type(workers=1, epochs=1, steps_per_epoch=4)
    worker = seated(PACK, config, Profile(model="openai/none"), Scripted(['PLAN: {"plan": "wait", "steps": 4}']))
    run = await played(PACK, config, {0: worker}, {1: deciding(PACK.policies["fixed"].bind())})
    assert [call.step for call in run.calls] == [1]
    assert [step.actions[0].do for step in run.steps[1:]] == ["noop"] * 4
