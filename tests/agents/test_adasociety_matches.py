"""Models in AdaSociety's seats: plans over many steps, made anew when they cannot go on; mocks in every mini-game."""

from __future__ import annotations

from collections import Counter

import pytest

from agents_app.budget import Tally
from agents_app.profile import Profile
from games.catalog.adasociety.rules.state import ACCEPT, END, Invite, Join, Move, Pick, Propose, Send
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import world
from games.core import codec
from games.core.agents import deciding
from games.core.registry import get
from games.lab.learning.adasociety import preset_config
from tests.agents.company import Run, Scripted, everyone, played, seated

PACK = get("adasociety")
STEPS = 40
WOODS = "0H . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . ."


def tally(run: Run, seats: tuple[int, ...]) -> Tally:
    return Tally.of(run.calls, [codec.encode_step(PACK.game, step) for step in run.steps], seats)


async def scripted(config: AdaSocietyConfig, replies: list[str], others: str = "crew") -> tuple[Run, Scripted]:
    """Seat 0 says these replies, whoever else there is plays a policy."""
    provider = Scripted(replies)
    agent = seated(PACK, config, Profile(model="openai/none", retries=2), provider)
    policy = deciding(PACK.policies[others].bind())
    deciders = dict.fromkeys(range(1, config.seat_count), policy)
    return await played(PACK, config, {0: agent}, deciders), provider


async def test_one_call_runs_six_steps_is_interrupted_when_impossible_and_made_anew() -> None:
    config = world(WOODS, piles={(0, 0): ("wood", 6)}, sight=2, steps=20)
    run, provider = await scripted(config, ["More wood.\nPLAN: GATHER 10 WOOD", "PLAN: EXPLORE MAP"])
    assert [step.actions[0] for step in run.steps[1:7]] == [Pick("wood")] * 6, "one call, six steps"
    assert [call.step for call in run.calls] == [1, 7, 12, 17]
    assert "Your last plan ended: gather: no wood is in sight" in provider.asked[1].messages[1].text
    assert tally(run, (0,)).calls_per_100_steps == 20


async def test_a_plan_that_cannot_begin_is_told_why_and_corrected() -> None:
    config = world(WOODS, sight=2, steps=10)
    run, provider = await scripted(config, ["PLAN: CRAFT 1 HAMMER", "PLAN: EXPLORE MAP"])
    assert [call.failure for call in run.calls[:2]] == ["illegal", ""]
    assert "craft: no event that makes hammer is known" in provider.asked[1].messages[-1].text
    assert run.steps[1].flags == {0: ("corrected",)}


async def test_several_plans_at_once_are_refused() -> None:
    config = world(WOODS, sight=2, steps=5)
    run, provider = await scripted(config, ["PLAN: GO 0 1, GO 0 2", "PLAN: GO 0 1"])
    assert run.calls[0].failure == "illegal"
    assert "2 of them; one plan at a time" in provider.asked[1].messages[-1].text


async def test_a_bargain_is_one_call_from_the_first_request_to_the_agreement() -> None:
    config = preset_config("negotiation-easy")
    run, _ = await scripted(config, ["PLAN: BARGAIN 1 60 40", "PLAN: EXPLORE MAP"])
    assert [run.steps[1].actions[0], run.steps[2].actions[1]] == [Invite(1, 60), ACCEPT]
    weights = {node[1]: weight for node, weight in run.steps[2].state.graph.members[1, 0]}
    assert weights == {0: 600_000_000, 1: 400_000_000}
    assert run.calls[0].step == 1
    assert run.calls[1].step > 2


async def test_a_bargain_that_leads_nowhere_is_one_call_and_ends() -> None:
    config = preset_config("negotiation-easy")
    run, _ = await scripted(config, ["PLAN: BARGAIN 1 90 70", "PLAN: EXPLORE MAP"])
    acted = [step.actions[0] for step in run.steps[1:] if 0 in step.actions]
    assert acted[:5] == [Invite(1, 90), Propose(90), Propose(90), Propose(90), END]
    assert [call.step for call in run.calls[:2]] == [1, 10]


async def test_groups_are_joined_and_messages_sent_by_the_same_answers() -> None:
    contract = preset_config("contract-easy")
    run, _ = await scripted(contract, ["PLAN: JOIN 3"] * 5 + ["PLAN: EXPLORE MAP"])
    joined = [step.actions[0] for step in run.steps[1:21] if 0 in step.actions]
    assert joined == [Join(3)] * 5
    exploring = AdaSocietyConfig(mini_game="exploration", steps=6)
    said = 'PLAN: {"do": "send", "seat": 2, "text": "Wood at [0, 1]."}'
    run, _ = await scripted(exploring, [said, "PLAN: EXPLORE MAP"], "random")
    assert run.steps[1].actions[0] == Send(2, "Wood at [0, 1].")


async def test_a_group_that_is_not_there_is_no_answer() -> None:
    config = preset_config("contract-easy")
    run, _ = await scripted(config, ["PLAN: JOIN 9"])
    first = next(step for step in run.steps[1:] if 0 in step.actions)
    assert first.flags[0] == ("fallback", "illegal")
    assert first.actions[0] == Join(0), "the game's default, flagged"


@pytest.mark.parametrize("preset", ["contract-easy", "negotiation-easy", "social-structure-easy", "exploration"])
async def test_a_mock_plays_every_mini_game_through_prompts_and_plans(preset: str) -> None:
    config = preset_config(preset)
    most = config.social_steps + STEPS
    run = await played(
        PACK, config, everyone(PACK, config, Profile(model="mock/crew")), until=lambda step: step.index == most
    )
    assert run.steps[-1].index == most
    assert not any(step.flags for step in run.steps), "a sound mock needs no correction and no fallback"
    on_map = [call for call in run.calls if call.step > config.social_steps]
    assert len(on_map) < 0.75 * STEPS * config.seat_count, "plans run on without a call"
    moves = Counter(type(action) for step in run.steps for action in step.actions.values())
    assert moves[Move] > 0
    assert moves[Pick] > 0


async def test_a_mock_s_faults_are_corrected_or_flagged_and_the_match_goes_on() -> None:
    config = AdaSocietyConfig(steps=20, contract_rounds=1)
    faults = {"prose": 0.1, "truncated": 0.1, "illegal": 0.1, "over_budget": 0.1}
    profile = Profile.model_validate({"model": "mock/crew", "retries": 1, "mock": {"faults": faults}})
    run = await played(PACK, config, everyone(PACK, config, profile))
    flags = Counter(flag for step in run.steps for each in step.flags.values() for flag in each)
    assert flags["corrected"] > 0
    assert flags["fallback"] > 0
    assert run.steps[-1].index == 24
