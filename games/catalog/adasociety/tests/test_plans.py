"""Plans as data and as the paper's lines, and the controller that carries them out."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.adasociety import PACK
from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.plans import BadPlan, Craft, DumpPlan, Explore, Gather, Go, read_plan, write_plan
from games.catalog.adasociety.rules.observe import Observation, observe
from games.catalog.adasociety.rules.state import STAY, SYNTHESIZE, Dump, Move, Pick, State
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME, WORDS, bag, held, start, step, world
from games.core.agents import Act, Decision, Replan, Request
from games.core.engine import play
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config


@pytest.mark.parametrize(
    ("raw", "plan"),
    [
        ("GATHER 3 WOOD", Gather("wood", 3)),
        ("Plan: GATHER 5 STONE.", Gather("stone", 5)),
        ("CRAFT 1 HAMMER.", Craft("hammer")),
        ("craft hammer", Craft("hammer")),
        ("DUMP HAMMER", DumpPlan("hammer")),
        ("EXPLORE MAP", Explore()),
        ("GO 2 5", Go(2, 5)),
        ({"plan": "gather", "resource": "wood", "n": 2}, Gather("wood", 2)),
        ({"plan": "explore"}, Explore()),
    ],
)
def test_plans_are_read_from_data_and_from_the_papers_lines(raw: Any, plan: Any) -> None:
    assert read_plan(raw) == plan
    assert read_plan(write_plan(plan)) == plan


@pytest.mark.parametrize(
    "raw",
    ["", "I would like some wood", "GATHER 11 WOOD", "GATHER 0 WOOD", {"plan": "fly"}, {}, None, 3, "GATHER x WOOD",
     {"plan": "go", "row": -1, "column": 0}, "x" * 10_000],
)  # fmt: skip
def test_what_is_no_plan_is_refused_in_one_line(raw: Any) -> None:
    with pytest.raises(BadPlan) as refused:
        read_plan(raw)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def carried(config: AdaSocietyConfig, state: State, plan: Any, limit: int = 30) -> tuple[State, list[Any], str]:
    """Seat 0 follows the plan until it ends: the state, the actions, and why it ended."""
    actions: list[Any] = []
    for turn in range(limit):
        acted = controller(observe(config, state, 0), plan, Rng(turn))
        if isinstance(acted, Replan):
            return state, actions, WORDS.note(acted.reason, voice=WORDS.exact("en"))
        actions.append(acted.action)
        plan = acted.plan
        state = step(config, state, s0=acted.action).state
        if plan is None:
            return state, actions, "finished"
    return state, actions, "still going"


WIDE = "0 . . . .\n. . . . .\n. . . . .\n. . . . .\n. . H . ."


def test_gather_walks_the_shortest_way_round_the_torus_and_picks_until_done() -> None:
    config = world(WIDE, piles={(4, 4): ("wood", 5)}, sight=2)
    state, actions, end = carried(config, start(config), "GATHER 2 WOOD")
    assert actions == [Move("up"), Move("left"), Pick("wood"), Pick("wood")]
    assert end == "finished"
    assert bag(config, state, 0) == {"wood": 2}


def test_gather_goes_on_to_the_next_pile_when_one_is_used_up() -> None:
    config = world(WIDE, piles={(0, 1): ("wood", 1), (0, 2): ("wood", 3)}, sight=2)
    _state, actions, end = carried(config, start(config), "GATHER 2 WOOD")
    assert actions == [Move("right"), Pick("wood"), Move("right"), Pick("wood")]
    assert end == "finished"


def test_craft_goes_to_the_nearest_grid_and_does_the_event_once() -> None:
    config = world(WIDE, sight=2)
    state = held(config, start(config), s0={"wood": 2, "stone": 2})
    state, actions, end = carried(config, state, "CRAFT 1 HAMMER")
    assert actions == [Move("up"), Move("right"), Move("right"), SYNTHESIZE]
    assert end == "finished"
    assert bag(config, state, 0) == {"wood": 1, "stone": 1, "hammer": 1}


def test_dump_puts_one_down_at_once() -> None:
    config = world(WIDE, sight=2)
    _, actions, end = carried(config, held(config, start(config), s0={"hammer": 1}), "DUMP HAMMER")
    assert (actions, end) == ([Dump("hammer")], "finished")


def test_explore_keeps_one_direction_for_five_steps() -> None:
    config = world(WIDE, sight=2)
    _, actions, end = carried(config, start(config), "EXPLORE MAP")
    assert len(actions) == 5
    assert len(set(actions)) == 1
    assert end == "finished"


@pytest.mark.parametrize(
    ("plan", "holds", "reason"),
    [
        ("GATHER 1 IRON", {}, "gather: no iron is in sight"),
        ("GATHER 1 COAL", {}, "gather: 1 coal would be held; at most 0 (capacity)"),
        ("GATHER 1 GOLD", {}, "gather: gold is not known"),
        ("CRAFT 1 HAMMER", {"wood": 1}, "craft: hammer_craft needs 1 stone; 0 held"),
        ("CRAFT 1 HAMMER", {"wood": 1, "stone": 1, "hammer": 1},
         "craft: hammer_craft would make it 2 × hammer; at most 1 (capacity)"),
        ("CRAFT 1 TOTEM", {}, "craft: no event that makes totem is known"),
        ("DUMP HAMMER", {}, "dump hammer: none is held"),
        ("GO 9 9", {}, "go: (9,9) lies off the map of 5x5"),
        ("GO 0 0", {}, "go: done"),
    ],
)  # fmt: skip
def test_an_impossible_plan_asks_for_another_before_its_first_action(
    plan: str, holds: dict[str, int], reason: str
) -> None:
    config = world(WIDE, sight=2)
    assert carried(config, held(config, start(config), s0=holds), plan) == (
        held(config, start(config), s0=holds), [], reason,
    )  # fmt: skip


def test_blocks_are_walked_around() -> None:
    config = world("0 # . . .\n. # . . .\n. # . . .\n. # . . .\n. # . . #", piles={(0, 2): ("wood", 1)}, sight=2)
    _state, actions, end = carried(config, start(config), "GATHER 1 WOOD")
    assert end == "finished"
    assert next(action for action in actions if action != STAY) == Move("left"), "the other way round the torus"


def test_a_step_that_failed_is_followed_by_a_random_one() -> None:
    config = world(WIDE, piles={(0, 2): ("wood", 1)}, sight=2)
    observation = observe(config, start(config), 0)
    plan = write_plan(Gather("wood", 1, 1, 2, observation.cell))
    moves = {controller(observation, plan, Rng(key)).action for key in range(100)}  # type: ignore[union-attr]
    assert len(moves) == 5


def test_plans_act_on_the_map_alone() -> None:
    config = AdaSocietyConfig()
    observation: Observation = observe(config, start(config), 0)
    assert isinstance(controller(observation, {"plan": "explore"}, Rng(1)), Replan)


# --- a whole match on plans -----------------------------------------------------------------------


def test_one_call_runs_five_steps_is_interrupted_when_impossible_and_made_anew() -> None:
    """Seat 0 means to gather ten wood; somebody takes the last of the pile; it is asked again and explores."""
    config = world(WIDE + "\n. . . . .", "carpenter", piles={(0, 0): ("wood", 6)}, sight=2, steps=20)
    calls: list[int] = []

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        calls.append(request.index)
        wood = "GATHER 10 WOOD" if len(calls) == 1 else "EXPLORE MAP"
        return Decision(None, plan=write_plan(read_plan(wood)))

    steps = list(play(GAME, config, 1, {0: planner}, controller=controller))[1:]
    assert [taken.actions[0] for taken in steps[:6]] == [Pick("wood")] * 6, "one call, six steps"
    assert calls[:2] == [1, 7], "asked again when no wood was in sight"
    assert calls == [1, 7, 12, 17]
    assert len(calls) / len(steps) * 100 == 20.0


def test_a_planner_with_the_controller_needs_far_fewer_calls_than_steps() -> None:
    config = preset_config("contract-easy")
    calls = 0

    def planner(request: Request[Any, Any]) -> Decision[Any]:
        nonlocal calls
        calls += 1
        observation: Observation = request.observation
        if observation.stage == "contract":
            return Decision(observation.legal()[0])
        for line in ("GATHER 5 WOOD", "GATHER 5 STONE", "GATHER 5 HAMMER", "EXPLORE MAP"):
            if isinstance(controller(observation, line, request.rng), Act):
                return Decision(None, plan=write_plan(read_plan(line)))
        return Decision(STAY)

    assert PACK.controller is controller
    played = play(GAME, config, 3, dict.fromkeys(range(4), planner), controller=controller)
    steps = [taken for taken in played if taken.index > 20]
    assert sum(len(taken.actions) for taken in steps) == 400
    assert calls < 150
