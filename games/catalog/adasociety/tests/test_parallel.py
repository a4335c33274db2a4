"""The door for learners, by PettingZoo's own tests and against the game's own rules."""

from __future__ import annotations

import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo", reason="the extra polity[rl] is not installed")

from pettingzoo.test import (  # type: ignore[import-untyped]  # noqa: E402
    api_test,
    parallel_api_test,
    parallel_seed_test,
)
from pettingzoo.utils import parallel_to_aec  # type: ignore[import-untyped]  # noqa: E402

from games.catalog.adasociety.config import AdaSocietyConfig  # noqa: E402
from games.catalog.adasociety.parallel import parallel_env  # noqa: E402
from games.catalog.adasociety.state import Invite, Join, Pick, Propose, ShowMap  # noqa: E402
from games.catalog.adasociety.tensors import layout  # noqa: E402

GAMES = ["social-structure-easy", "contract-easy", "negotiation-easy", "invented"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_tests_pass(name: str) -> None:
    parallel_api_test(parallel_env(name), num_cycles=150)
    parallel_seed_test(lambda: parallel_env(name), num_cycles=60)
    api_test(parallel_to_aec(parallel_env(name)), num_cycles=60)


@pytest.mark.full
@pytest.mark.parametrize("name", ["contract-hard", "negotiation-hard", "social-structure-hard", "exploration"])
@pytest.mark.filterwarnings("ignore")
def test_pettingzoos_own_tests_pass_in_the_large_games(name: str) -> None:
    parallel_api_test(parallel_env(name), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(name), num_cycles=30)
    api_test(parallel_to_aec(parallel_env(name)), num_cycles=30)


def test_actions_are_numbered_as_in_the_authors_code() -> None:
    easy = {"resources": ("wood", "stone", "hammer")}
    contract = layout(AdaSocietyConfig(mini_game="contract", **easy)).actions
    assert contract[6:9] == (Pick("wood"), Pick("stone"), Pick("hammer"))
    assert contract[12:] == tuple(Join(group) for group in range(4))
    negotiation = layout(AdaSocietyConfig(mini_game="negotiation", **easy)).actions
    assert negotiation[12:16] == tuple(Invite(seat) for seat in range(4))
    assert negotiation[18:] == tuple(Propose(share) for share in range(10, 100, 10))
    exploration = layout(AdaSocietyConfig(mini_game="exploration", **easy)).actions
    assert len(exploration) == 12 + 4 + 4 + 4
    assert exploration[16] == ShowMap(0)


@pytest.mark.parametrize("name", GAMES)
def test_what_the_mask_allows_needs_no_repair_and_rewards_add_up(name: str) -> None:
    env = parallel_env(name)
    observations, _ = env.reset(seed=5)
    chance = np.random.default_rng(1)
    total = sum(env.state_now.returns) / 1e6 if env.state_now else 0.0
    while env.agents:
        actions = {
            agent: int(chance.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in env.agents
        }
        observations, rewards, _, _, infos = env.step(actions)
        total += sum(rewards.values())
        assert not any(info.get("reasons") for info in infos.values()), infos
    assert env.state_now is not None
    assert total == pytest.approx(sum(env.state_now.returns) / 1e6)


def test_groups_that_the_first_structure_brings_can_be_joined() -> None:
    groups = [{"members": [seat]} for seat in range(4)] + [{"members": []}] * 2
    config = AdaSocietyConfig.model_validate(
        {"mini_game": "exploration", "groups": 2, "schedule": [{"at": 0, "structure": {"groups": groups}}]}
    )
    observations, _ = parallel_env(config).reset(seed=1)
    assert observations["carpenter_0"]["action_mask"][-6:].tolist() == [1] * 6


def test_offers_are_seen_by_whom_they_are_made_to() -> None:
    env = parallel_env("negotiation-easy")
    env.reset(seed=1)
    shape = layout(env.config)
    number = {action: index for index, action in enumerate(shape.actions)}
    env.step({"carpenter_0": number[Invite(2)], "miner_0": number[Invite(0)]})
    observations, *_ = env.step({"miner_0": number[Propose(60)]})
    assert observations["carpenter_0"]["offers"].tolist() == pytest.approx([0, 0, 0.6, 0])
    assert observations["carpenter_0"]["free"].tolist() == [0, 1, 0, 1]


def test_the_map_is_centred_on_the_agent_and_merges_what_it_is_shown() -> None:
    env = parallel_env("social-structure-easy")
    observations, _ = env.reset(seed=2)
    for agent in env.agents:
        assert observations[agent]["map"].shape == (8, 7, 7)
        assert observations[agent]["map"][0, 3, 3] == 1
        assert observations[agent]["map"][0].sum() == 4
