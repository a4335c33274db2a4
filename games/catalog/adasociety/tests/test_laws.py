"""Random play, whatever the structure: rewards, goods, cells and capacities are kept at every step."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.catalog.adasociety import PACK
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.build import GAME
from games.core.agents import deciding
from games.core.engine import play


@st.composite
def configs(draw: st.DrawFn, is_learnt: bool = False) -> AdaSocietyConfig:
    """Small crowded worlds, in which much happens: tools in the first bags, groups of two layers, reward on edges.
    ``is_learnt``: without the settings of which learners are told nothing.
    """
    game = draw(st.sampled_from(["social_structure", "contract", "negotiation", "exploration"]))
    raw: dict[str, Any] = {
        "mini_game": game,
        "height": draw(st.integers(3, 5)),
        "width": draw(st.integers(3, 5)),
        "sight": 1,
        "blocks": draw(st.integers(0, 2)),
        "resources": ["wood", "stone", "hammer", "coal", "torch", "iron"],
        "piles": [{"resource": name, "count": 1, "units": 3} for name in ("wood", "stone", "coal", "iron")],
        "events": [{"event": "hammer_craft", "count": 4}, {"event": "torch_craft", "count": 2}],
        "roles": {
            "carpenter": {"capacity": {"hammer": 1, "coal": 0}, "inventory": {"wood": draw(st.integers(0, 2))}},
            "miner": {"preferences": {"hammer": draw(st.floats(-3, 3))}, "inventory": {"hammer": 1, "torch": 1}},
        },
        "agents": [{"role": "carpenter", "count": 2}, {"role": "miner", "count": 2}],
        "steps": 25,
    }
    if game == "negotiation":
        raw["negotiation_steps"] = 12
    if game == "exploration":
        raw["social_actions"] = draw(st.lists(st.sampled_from(["leave", "pass_on", "weigh"]), unique=True))
        if not is_learnt:
            raw["group_norm"] = draw(st.sampled_from(["none", "vote", "consensus", "delegation"]))
        raw["agents"][1:] = [{"role": "miner", "preferences": {"wood": -2}, "inventory": {"torch": 0, "coal": 2}}] * 2
    if game == "contract":
        raw["contract_rounds"] = 2
    if not is_learnt and draw(st.booleans()):
        raw["needs"] = [{"resource": "wood", "every": draw(st.integers(1, 5)), "loss": draw(st.floats(0, 3))}]
        raw["decay"] = {"stone": draw(st.integers(1, 6)), "hammer": 7}
        raw["creatures"] = draw(st.integers(0, 3))
    if game == "social_structure":
        groups = [{"members": [0, 1, 2]}, {"members": [2, 3], "weights": [0.3, 0.1]}, {"layer": 2, "members": [0, 1]}]
        shares = [{"tail": 0, "head": 3, "share": draw(st.floats(0.01, 1))}]
        raw["schedule"] = [{"at": draw(st.integers(0, 10)), "structure": {"groups": groups, "reward_shares": shares}}]
    return AdaSocietyConfig.model_validate(raw)


@given(configs(), st.integers(0, 2**40))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_laws_hold_in_random_play(config: AdaSocietyConfig, seed: int) -> None:
    decider = deciding(PACK.policies["random"].bind())
    for step in play(GAME, config, seed, dict.fromkeys(range(4), decider)):
        broken = [law for law in GAME.invariants(config, step.state) if not law.holds]
        assert not broken, (step.index, broken)
        assert not step.notes, "random play is legal"
