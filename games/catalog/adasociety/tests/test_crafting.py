"""Pick, dump, synthesize: gating, capacity, hand-over, and what they pay."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.catalog.adasociety.rules.crafting import with_one_less
from games.catalog.adasociety.rules.knowledge import kit
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.rules.state import STAY, Dump, Move, Pick, Synthesize
from games.catalog.adasociety.setup.task import task_of
from games.catalog.adasociety.tests.build import GAME, bag, held, reasons, refused, start, step, world
from games.core.rng import Rng

EASY = {
    "carpenter": {"capacity": {"hammer": 1}},
    "miner": {"preferences": {"hammer": 2}, "capacity": {"wood": 0, "stone": 0}},
}
PLAIN = "0H 1 .\n. . .\n. . ."


def test_a_pick_takes_one_unit_and_pays_its_worth() -> None:
    config = world(PLAIN, piles={(0, 0): ("wood", 3)})
    resolved = step(config, start(config), s0=Pick("wood"))
    assert bag(config, resolved.state, 0) == {"wood": 1}
    assert resolved.state.land.stacks[0] == ((0, 2),)
    assert resolved.payoffs == {0: 1.0, 1: 0.0}


def test_the_last_unit_takes_the_pile_away_and_a_dump_lays_it_down_again() -> None:
    config = world(PLAIN, piles={(0, 0): ("wood", 1)})
    taken = step(config, start(config), s0=Pick("wood")).state
    assert taken.land.stacks[0] == ()
    laid = step(config, taken, s0=Dump("wood"))
    assert laid.state.land.stacks[0] == ((0, 1),)
    assert laid.payoffs[0] == -1.0


@pytest.mark.parametrize(
    ("resource", "tool"), [("coal", "hammer"), ("iron", "torch")], ids=["coal needs a hammer", "iron needs a torch"]
)
def test_what_needs_a_tool_is_neither_seen_nor_picked_without_it(resource: str, tool: str) -> None:
    config = world(PLAIN, roles={"carpenter": {}}, piles={(0, 0): (resource, 2)})
    state = start(config)
    index = task_of(config).resource_index[resource]
    assert observe(config, state, 0).here[1] == ()
    assert refused(config, state, 0, Pick(resource))
    armed = held(config, state, s0={tool: 1})
    assert observe(config, armed, 0).here[1] == ((index, 2),)
    assert bag(config, step(config, armed, s0=Pick(resource)).state, 0) == {tool: 1, resource: 1}


def test_dumping_the_tool_hides_what_it_showed() -> None:
    config = world(PLAIN, "miner miner", piles={(0, 0): ("coal", 2)})
    armed = held(config, start(config), s0={"hammer": 1})
    assert observe(config, armed, 0).here[1] == ((3, 2),)
    after = step(config, armed, s0=Dump("hammer")).state
    assert observe(config, after, 0).here[1] == ((2, 1),), "the hammer lies there, the coal is out of sight"


def test_making_the_tool_shows_what_lay_there_all_the_time() -> None:
    config = world(PLAIN, piles={(0, 1): ("coal", 2)})
    state = held(config, start(config), s0={"wood": 1, "stone": 1})
    assert ((3, 2),) not in [stack for _, stack in observe(config, state, 0).sight.things]
    after = step(config, state, s0=Synthesize()).state
    assert after.land is state.land
    assert ((3, 2),) in [stack for _, stack in observe(config, after, 0).sight.things]


def test_an_event_is_seen_only_by_who_holds_what_it_requires() -> None:
    config = world("0T 1 .\n. . .\n. . .", "miner miner")
    state = start(config)
    assert observe(config, state, 0).here[0] == -1
    assert refused(config, state, 0, Synthesize())
    armed = held(config, state, s0={"wood": 1, "coal": 1})
    assert observe(config, armed, 0).here[0] == 0
    assert bag(config, step(config, armed, s0=Synthesize()).state, 0) == {"torch": 1}


def test_synthesis_consumes_its_inputs_and_pays_the_difference() -> None:
    config = world(PLAIN)
    state = held(config, start(config), s0={"wood": 2, "stone": 1})
    resolved = step(config, state, s0=Synthesize())
    assert bag(config, resolved.state, 0) == {"wood": 1, "hammer": 1}
    assert resolved.payoffs[0] == 3.0, "-1 -1 +5"
    assert resolved.state.made == (1,)


def test_synthesis_without_inputs_is_refused_with_the_missing_input() -> None:
    config = world(PLAIN)
    state = held(config, start(config), s0={"wood": 2})
    assert reasons(config, state, 0, Synthesize()) == ("Synthesize: hammer making needs 1 stone; 0 held. Stayed.",)


@pytest.mark.parametrize(
    ("kept", "payoff"), [(True, 196.0), (False, 96.0)], ids=["cutter kept: -4 +200", "cutter consumed: -100 -4 +200"]
)
def test_gem_cutting_keeps_the_cutter_as_the_paper_says_unless_told_to_consume_it(kept: bool, payoff: float) -> None:
    config = world(
        "0G 1 .\n. . .\n. . .",
        roles={"carpenter": {}},
        resources=["gem_mine", "cutter", "gem", "pickaxe"],
        consume_cutter=not kept,
    )
    state = held(config, start(config), s0={"cutter": 1, "gem_mine": 1})
    resolved = step(config, state, s0=Synthesize())
    assert resolved.payoffs[0] == payoff
    assert bag(config, resolved.state, 0) == ({"cutter": 1, "gem": 1} if kept else {"gem": 1})
    without = held(config, start(config), s0={"gem_mine": 1})
    assert refused(config, without, 0, Synthesize())


def test_a_capacity_is_kept_by_the_environment() -> None:
    config = world(PLAIN, roles=EASY, piles={(0, 0): ("hammer", 2)})
    first = step(config, start(config), s0=Pick("hammer")).state
    assert reasons(config, first, 0, Pick("hammer")) == ("Pick up hammer: 1 held; at most 1 (capacity). Stayed.",)
    assert step(config, first, s0=Pick("hammer")).state.bags == first.bags


def test_a_carpenter_with_a_hammer_must_dump_it_before_the_next() -> None:
    config = world(PLAIN, roles=EASY)
    state = held(config, start(config), s0={"wood": 1, "stone": 1, "hammer": 1})
    assert reasons(config, state, 0, Synthesize()) == (
        "Synthesize: hammer making would make it 2 × hammer; at most 1 (capacity). Stayed.",
    )


def test_a_miner_cannot_pick_wood() -> None:
    config = world(PLAIN, "miner carpenter", roles=EASY, piles={(0, 0): ("wood", 2)})
    assert refused(config, start(config), 0, Pick("wood"))


def test_handing_a_hammer_over_pays_three_minus_five_and_ten() -> None:
    config = world(PLAIN, "carpenter miner", roles=EASY)
    state = held(config, start(config), s0={"wood": 1, "stone": 1})
    payoffs = []
    script: Sequence[tuple[object, object]] = [
        (Synthesize(), STAY),
        (Dump("hammer"), STAY),
        (Move("down"), Move("left")),
        (STAY, Pick("hammer")),
    ]
    for carpenter, miner in script:
        resolved = step(config, state, s0=carpenter, s1=miner)
        payoffs.append((resolved.payoffs[0], resolved.payoffs[1]))
        state = resolved.state
    assert payoffs == [(3.0, 0.0), (-5.0, 0.0), (0.0, 0.0), (0.0, 10.0)]
    assert bag(config, state, 1) == {"hammer": 1}


def test_dumped_units_of_one_kind_lie_as_one_pile() -> None:
    config = world(PLAIN, piles={(0, 0): ("stone", 1)})
    state = held(config, start(config), s0={"wood": 2})
    for _ in range(2):
        state = step(config, state, s0=Dump("wood")).state
    assert state.land.stacks[0] == ((1, 1), (0, 2))


def test_a_seat_may_do_exactly_what_cleaning_leaves_alone() -> None:
    config = world(PLAIN, piles={(0, 0): ("wood", 2)})
    state = held(config, start(config), s0={"wood": 1, "stone": 1})
    every = [Synthesize(), *(act(name) for act in (Pick, Dump) for name in task_of(config).resources)]
    legal = observe(config, state, 0).legal()
    for action in every:
        assert (action in legal) == (not refused(config, state, 0, action)), action


def test_what_a_role_starts_with_is_paid_at_the_start() -> None:
    config = world(PLAIN, roles={"carpenter": {"inventory": {"hammer": 2}}})
    assert start(config).returns == (10_000_000, 10_000_000)


def test_a_kit_has_values_by_preference_for_what_is_known() -> None:
    config = world(PLAIN, "carpenter miner", roles=EASY, piles={(0, 0): ("hammer", 1)})
    state = start(config)
    values = [kit(task_of(config), seat, state.known[seat]).values[2] for seat in (0, 1)]
    assert values == [5.0, 10.0]


def test_no_unit_is_taken_where_none_lies() -> None:
    with pytest.raises(ValueError, match="no unit of it lies here"):
        with_one_less(((0, 1),), 1)


def test_a_long_name_is_noted_by_its_first_letters_alone() -> None:
    config = world("0 . .\n. . .\n. . .")
    state = start(config)
    for answer in (Pick("w" * 5000), Dump("w" * 5000)):
        _, (note,) = GAME.clean(config, state, 0, answer, Rng(0))
        _, notes = GAME.clean_all(config, state, {0: answer}, Rng(0))
        assert note.data["resource"] == "w" * 40 + "…"
        assert notes == {0: (note,)}
