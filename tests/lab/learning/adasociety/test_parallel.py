"""The door for learners, by PettingZoo's own tests and against the game's own rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pettingzoo = pytest.importorskip("pettingzoo", reason="the extra polity[rl] is not installed")

from pettingzoo.test import (  # type: ignore[import-untyped]  # noqa: E402
    api_test,
    parallel_api_test,
    parallel_seed_test,
)
from pettingzoo.utils import parallel_to_aec  # type: ignore[import-untyped]  # noqa: E402

from games.catalog.adasociety.arrays.layout import layout  # noqa: E402
from games.catalog.adasociety.arrays.tensors import encode  # noqa: E402
from games.catalog.adasociety.rules.graph import WHOLE, Edge, Message  # noqa: E402
from games.catalog.adasociety.rules.observe import observe  # noqa: E402
from games.catalog.adasociety.rules.state import (  # noqa: E402
    BLOCK,
    STAY,
    Action,
    Invite,
    Join,
    Land,
    Pick,
    Propose,
    Send,
    ShowMap,
    State,
)
from games.catalog.adasociety.setup.config import AdaSocietyConfig  # noqa: E402
from games.catalog.adasociety.setup.task import task_of  # noqa: E402
from games.catalog.adasociety.tests.build import start, world  # noqa: E402
from games.lab.learning.adasociety.parallel import AdaSocietyEnv, parallel_env  # noqa: E402

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


def arrays_after(config: AdaSocietyConfig, *rounds: dict[str, int]) -> dict[str, dict[str, np.ndarray]]:
    env = parallel_env(config)
    observations, _ = env.reset(seed=3)
    for actions in rounds:
        observations, *_ = env.step(actions)
    return observations


NEGOTIATION = AdaSocietyConfig(mini_game="negotiation")


def numbered(config: AdaSocietyConfig, *actions: Action) -> dict[str, int]:
    """The numbers of actions, the first one's that of the first seat, and so on."""
    shape, names = layout(config).actions, [spec.name for spec in task_of(config).seats]
    return {name: shape.index(action) for name, action in zip(names, actions, strict=False)}


def test_who_bargains_with_whom_is_seen_by_all() -> None:
    here = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(2), Invite(3), Invite(0), Invite(1)))
    there = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(3), Invite(2), Invite(1), Invite(0)))
    for name in here:
        assert here[name]["bargains"].tolist() == [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]
        assert there[name]["bargains"].tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    matched = numbered(NEGOTIATION, Invite(2), Invite(3), Invite(0), Invite(1))
    offered = arrays_after(NEGOTIATION, matched, numbered(NEGOTIATION, STAY, STAY, Propose(70), Propose(20)))
    for told in offered.values():
        assert np.argwhere(told["proposals"]).tolist() == [[2, 0], [3, 1]]
        assert told["proposals"][2, 0] == pytest.approx(0.7)
    assert [round(float(told["offers"].sum()), 2) for told in offered.values()] == [0.7, 0.2, 0, 0]


def test_who_bargains_and_is_on_turn_may_not_stay() -> None:
    matched = arrays_after(NEGOTIATION, numbered(NEGOTIATION, Invite(1), Invite(0)))
    stays = [int(told["action_mask"][4]) for told in matched.values()]
    on_turn = [int(told["action_mask"].sum()) > 1 for told in matched.values()]
    assert sorted(zip(stays, on_turn, strict=True)) == [(0, True), (1, False), (1, True), (1, True)]


def test_a_message_is_heard_and_says_its_numbers() -> None:
    config = AdaSocietyConfig(mini_game="exploration", message_numbers=2)
    silent = arrays_after(config, {})
    spoken = arrays_after(config, numbered(config, Send(1)))
    names = list(silent)
    assert silent[names[1]]["messages"].tolist() == [[0, 0, 0]] * 4
    assert spoken[names[1]]["messages"].tolist() == [[1, 0, 0], *[[0, 0, 0]] * 3]
    assert spoken[names[2]]["messages"].sum() == 0
    env = parallel_env(config, speech=True)
    env.reset(seed=3)
    said = {"action": numbered(config, Send(1))[names[0]], "message": np.array([0.5, -1], np.float32)}
    heard, *_ = env.step({names[0]: said})
    assert heard[names[1]]["messages"][0].tolist() == [1, 0.5, -1]
    assert env.action_space(names[0]).contains(said)
    assert all(env.observation_space(name).contains(heard[name]) for name in names)


@pytest.mark.parametrize("action", [-1, 3.7, 999])
def test_an_action_that_is_none_is_refused(action: float) -> None:
    env = parallel_env("contract-easy")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=rf"carpenter_0: action {action}; a whole number from 0 to 15"):
        env.step({"carpenter_0": action})


@pytest.mark.parametrize("name", [*GAMES, "exploration"])
def test_a_run_in_arrays_is_that_of_the_rules(name: str) -> None:
    """Every array, reward, reason and state; a fifth of the actions are drawn from all numbers, some are left out."""
    env, rules, chance = parallel_env(name), parallel_env(name, by_rules=True), np.random.default_rng(3)
    told = env.reset(seed=9), rules.reset(seed=9)
    reasons, steps = 0, 0
    while rules.agents and steps < 60:
        here, there = told[0][0], told[1][0]
        for agent in rules.agents:
            assert here[agent].keys() == there[agent].keys()
            for key, array in there[agent].items():
                assert here[agent][key].dtype == array.dtype
                assert np.array_equal(here[agent][key], array), f"step {steps}, {agent}: {key}"
        actions: dict[str, int] = {}
        for agent in rules.agents:
            mask = there[agent]["action_mask"]
            some = np.flatnonzero(mask) if chance.random() < (0.8 if steps % 3 else 1) else np.arange(len(mask))
            if chance.random() < 0.9:
                actions[agent] = int(chance.choice(some))
        one, other = env.step(actions), rules.step(actions)
        told = (one[0], one[4]), (other[0], other[4])
        assert one[1:] == other[1:], f"step {steps}"
        if steps % 7 == 0:
            assert env.state_now == rules.state_now
        reasons += sum("reasons" in info for info in one[4].values())
        steps += 1
    assert reasons, "repairs are compared too"
    assert env.state_now == rules.state_now
    assert env.agents == rules.agents


def test_environments_without_a_seed_play_different_runs_and_go_on_from_theirs() -> None:
    def lands(env: AdaSocietyEnv) -> list[object]:
        found: list[object] = []
        for _ in range(2):
            env.reset()
            assert env.state_now is not None
            found.append((env.state_now.land, env.state_now.cells))
        return found

    one, other = lands(parallel_env("exploration")), lands(parallel_env("exploration"))
    assert one[0] != one[1]
    assert one[0] != other[0]


def test_a_curriculum_changes_a_run_s_settings_at_its_reset() -> None:
    config = AdaSocietyConfig(mini_game="exploration", groups=2)
    env = parallel_env(config)
    free, _ = env.reset(seed=1)
    forced, _ = env.reset(seed=1, options={"config": {"social_control": "forced", "forced_probability": 1.0}})
    again, _ = env.reset(seed=1)
    name = env.agents[0]
    assert free[name]["members"].sum() == again[name]["members"].sum() == 0
    assert forced[name]["members"][:, 0].sum() == pytest.approx(1)
    with pytest.raises(ValueError, match=r"options\.config: 'sight'; there are forced_probability, social_control"):
        env.reset(seed=1, options={"config": {"sight": 1}})
    with pytest.raises(ValueError, match="forced_probability"):
        env.reset(seed=1, options={"config": {"social_control": "forced", "forced_probability": 2}})


def test_the_state_is_the_whole_world() -> None:
    env = parallel_env("contract-easy")
    with pytest.raises(RuntimeError, match="reset"):
        env.state()
    env.reset(seed=1)
    before, state = env.state(), env.state_now
    assert state is not None
    assert env.state_space.contains(before)
    grid = before[: 8 * 49].reshape(8, 49)
    assert np.flatnonzero(grid[0]).tolist() == sorted(state.cells)
    for resource in range(3):
        assert grid[5 + resource].sum() == sum(
            n for stack in state.land.stacks for kind, n in stack if kind == resource
        )
    env.step({"carpenter_0": 12})
    assert (env.state() != before).any()


def changes() -> dict[str, tuple[Callable[[State], State], set[int]]]:
    """By name: one part of the state written anew, and the seats that may know it. No seat sees another."""

    def graph(*edges: Edge) -> Callable[[State], State]:
        return lambda state: replace(state, graph=state.graph.put(*edges))

    def land(cell: int, **parts: Any) -> Callable[[State], State]:
        def changed(state: State) -> State:
            spots = {name: list(getattr(state.land, name)) for name in ("terrain", "stacks")}
            for name, value in parts.items():
                spots[name][cell] = value
            return replace(state, land=Land(tuple(spots["terrain"]), tuple(spots["stacks"])))

        return changed

    def bag(state: State) -> State:
        return replace(state, bags=((1, *state.bags[0][1:]), *state.bags[1:]))

    everybody = {0, 1, 2, 3}
    return {
        "partner": (graph(Edge((0, 0), (0, 2), parity=0), Edge((0, 2), (0, 0), parity=1)), everybody),
        "whose turn": (graph(Edge((0, 1), (0, 3), parity=1), Edge((0, 3), (0, 1), parity=0)), everybody),
        "proposal": (graph(Edge((0, 1), (0, 3), parity=0, proposal=30)), everybody),
        "shown map": (graph(Edge((0, 0), (0, 1), shares_view=True)), everybody),
        "share of reward": (graph(Edge((0, 2), (0, 0), reward_share=WHOLE // 3)), everybody),
        "membership": (graph(Edge((0, 3), (1, 0), weight=WHOLE)), everybody),
        "weight": (graph(Edge((0, 0), (1, 0), weight=WHOLE // 2)), everybody),
        "layer": (graph(Edge((1, 1), (2, 0), weight=WHOLE // 2)), everybody),
        "that one speaks": (graph(Edge((0, 0), (0, 3), message=Message())), {3}),
        "what is said": (graph(Edge((0, 2), (0, 1), message=Message("", (0.5,)))), {1}),
        "order": (lambda state: replace(state, order=(3, 2, 1, 0)), everybody),
        "step": (lambda state: replace(state, step=state.step + 1), everybody),
        "bag": (bag, {0}),
        "pile": (land(8, stacks=((0, 4),)), {0}),
        "event": (land(8, terrain=0), {0}),
        "block": (land(9, terrain=BLOCK), {0}),
        "place": (lambda state: replace(state, cells=(9, *state.cells[1:])), {0}),
    }


@pytest.mark.parametrize("part", list(changes()))
def test_what_differs_in_the_state_differs_in_the_arrays_of_exactly_those_who_may_know(part: str) -> None:
    drawing = [". " * 7] * 7
    drawing[1], drawing[3], drawing[5] = ". 0 . . . 1 .", ". . . H . . .", ". 2 . . . 3 ."
    groups = [{"members": [0, 1]}, {"members": [2]}, {"layer": 2, "members": [0, 1]}]
    schedule = [{"at": 0, "structure": {"groups": groups}}]
    config = world(
        "\n".join(drawing),
        mini_game="exploration",
        sight=1,
        message_numbers=1,
        schedule=schedule,
        piles={(2, 1): ("wood", 2)},
    )
    first = start(config)
    bargains = (Edge((0, 1), (0, 3), parity=0), Edge((0, 3), (0, 1), parity=1))
    said = Edge((0, 2), (0, 1), message=Message("", (-0.5,)))
    before = replace(first, graph=first.graph.put(*bargains, said), order=(0, 1, 2, 3))
    change, knows = changes()[part]
    shape = layout(config)
    told = [encode(shape, observe(config, state, seat)) for state in (before, change(before)) for seat in range(4)]
    differ = {
        seat
        for seat in range(4)
        if any(not np.array_equal(told[seat][name], told[4 + seat][name]) for name in told[seat])
    }
    assert differ == knows
