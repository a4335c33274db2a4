"""Whatever is answered and whatever the world: cleaning never raises, and what it lets through is legal."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.grid import grid
from games.catalog.mining.prompts import WORDS
from games.catalog.mining.reading import action_spec
from games.catalog.mining.state import NOBODY, Item, Plan
from games.catalog.mining.tests.builder import GAME, World, board
from games.core.answers import BadAction

NUMBERS = st.one_of(st.integers(-2, 6), st.integers(), st.floats(), st.booleans(), st.none(), st.text(max_size=3))
CELLS = st.one_of(st.lists(st.integers(-1, 4), min_size=2, max_size=2), st.lists(NUMBERS, max_size=3), NUMBERS)
ITEMS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["claim", "raid", "defend", "mine", "burn"]), "cell": CELLS},
        optional={"s": NUMBERS, "plot": NUMBERS},
    ),
    CELLS,
)
JUNK = st.recursive(
    st.one_of(NUMBERS, st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=12,
)
MESSAGES = st.one_of(JUNK, st.lists(st.fixed_dictionaries({"to": JUNK, "text": st.text(max_size=40)}), max_size=4))
FIELDS = st.dictionaries(
    st.sampled_from(["claim", "raid", "defend", "mine", "items", "thought"]),
    st.one_of(JUNK, st.lists(ITEMS, max_size=8)),
)
ANSWERS = st.one_of(JUNK, st.lists(ITEMS, max_size=12), FIELDS, st.builds(lambda m: {"messages": m}, MESSAGES))
OWNERS = st.lists(st.text("ABC.", min_size=4, max_size=4), min_size=2, max_size=4).map("/".join)
RULES = st.fixed_dictionaries(
    {
        "immunity_window": st.integers(0, 3),
        "defence": st.sampled_from(["block_all", "per_point"]),
        "rationalisation": st.sampled_from(["off", "seeded"]),
        "messages": st.integers(0, 2),
        "message_length": st.just(10),
        "stamina": st.integers(0, 12),
        "mine_cap": st.integers(1, 4),
        "raid_tax": st.integers(0, 2),
        "capture_fine": st.integers(0, 2),
        "share_out": st.booleans(),
        "adjudication": st.sampled_from([0.0, 0.5, 1.0]),
    }
)
WORLDS = st.builds(
    lambda owners, rules, seed: board(owners, miners=3, seed=seed, **rules), OWNERS, RULES, st.integers(0, 99)
)


def read(config: MiningConfig, raw: Any) -> Plan | None:
    try:
        return action_spec(config).read(raw)
    except BadAction as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert len(refusal) < 300
    return None


def assert_legal(world: World, seat: int, plan: Plan) -> None:
    """The source's constraints, said once more and independently of the cleaning."""
    state, config = world.state, world.config
    plot_of = grid(config.rows, config.cols).plot_of
    seen = set()
    for item in plan.items:
        assert isinstance(item, Item)
        plot = plot_of[item.cell]
        owner = state.owners[plot]
        assert (item.type, plot) not in seen
        seen.add((item.type, plot))
        if item.type in ("mine", "defend"):
            assert owner == seat
        elif item.type == "claim":
            assert owner == NOBODY
        else:
            assert owner != seat
            assert owner != NOBODY or config.immunity_window == 0
        assert 0 <= item.s <= (config.mine_cap if item.type == "mine" else state.stamina[seat])
    assert sum(item.s for item in plan.items if isinstance(item, Item)) <= state.stamina[seat]
    assert len(plan.messages) <= config.messages


@given(WORLDS, st.lists(ANSWERS, min_size=3, max_size=3))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_answer_in_any_world_is_repaired_to_a_legal_plan_and_played(world: World, answers: list[Any]) -> None:
    plans: dict[int, Plan] = {}
    for seat, raw in enumerate(answers):
        rng = world.rng.at("clean", seat)
        plan, notes = GAME.clean(world.config, world.state, seat, read(world.config, raw), rng)
        assert_legal(world, seat, plan)
        assert all("\n" not in told and len(told) < 300 for told in map(WORDS.note, notes))
        assert GAME.clean(world.config, world.state, seat, plan, rng) == (plan, ())
        plans[seat] = plan
    resolved = GAME.resolve(world.config, world.state, plans, world.rng)
    for law in GAME.invariants(world.config, resolved.state):
        assert law.holds, law
    paid = sum(resolved.payoffs.values()) + resolved.state.treasury - world.state.treasury
    assert paid == resolved.state.last.output, "gold comes from mining alone"
    backwards = {seat: plans[seat] for seat in reversed(plans)}
    other = GAME.resolve(world.config, world.state, backwards, world.rng)
    assert (other.state, list(other.events)) == (resolved.state, list(resolved.events))
