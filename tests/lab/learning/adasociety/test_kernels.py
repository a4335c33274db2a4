"""Compiled code gives what plain arrays give, step by step and byte by byte; and is used only where it is wanted.

What plain arrays give is held to the rules in `test_worlds`.
"""

from __future__ import annotations

import copy
import importlib.util
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.tests.test_laws import configs
from games.lab.learning.adasociety import compiled, preset_config
from games.lab.learning.adasociety.worlds import Worlds

pytestmark = pytest.mark.timeout(900)  # compiling takes some seconds of processor time, on a busy machine far longer
needs_numba = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="needs numba: uv sync --group dev, or the extra polity[fast]"
)


def crowded(**changed: Any) -> AdaSocietyConfig:
    """Exploration where much happens: many on a small map, with tools and losses, groups that share and maps shown."""
    raw = preset_config("exploration").model_dump(mode="json")
    raw.update(height=5, width=6, blocks=2, steps=60, message_numbers=2, groups=3, **changed)
    raw["piles"] = [{"resource": name, "count": 7, "units": 3} for name in ("wood", "stone", "coal", "iron")]
    raw["events"] = [{"event": name, "count": 5} for name in ("hammer_craft", "torch_craft", "steel_making")]
    tools = {"inventory": {"hammer": 1, "torch": 1}, "capacity": {"wood": 1}, "preferences": {"stone": -1.3}}
    raw["agents"] = [{"role": "explorer", "count": 5}, {"role": "explorer", "count": 7, **tools}]
    return AdaSocietyConfig.model_validate(raw)


def drawn(mask: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A fifth from all numbers, the others among what is open."""
    actions = chance.integers(0, mask.shape[2], mask.shape[:2])
    for place in np.ndindex(actions.shape):
        if chance.random() < 0.8:
            actions[place] = chance.choice(np.flatnonzero(mask[place]))
    return actions


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return list(one) == list(other) and all(
        (array.dtype, array.shape, array.tobytes()) == (other[name].dtype, other[name].shape, other[name].tobytes())
        for name, array in one.items()
    )


def compare(config: AdaSocietyConfig, worlds: int, steps: int) -> Worlds:
    """Play plain and compiled worlds side by side; the compiled ones, at the end."""
    plain, fast, chance = Worlds(config, worlds, "off"), Worlds(config, worlds, "on"), np.random.default_rng(2)
    for many in (plain, fast):
        many.begin(range(7, 7 + worlds))
    for step in range(steps):
        seen = plain.see()
        assert same(seen, fast.see()), f"step {step}"
        actions = drawn(seen["action_mask"], chance)
        paid = plain.act(actions)
        assert paid.tobytes() == fast.act(actions).tobytes(), f"step {step}"
        assert plain.returns.tobytes() == fast.returns.tobytes()
    assert same(plain.see(), fast.see())
    return fast


@needs_numba
@pytest.mark.parametrize("name", ["contract-easy", "contract-hard", "negotiation-easy", "invented"])
def test_compiled_worlds_are_the_plain_ones_to_the_end(name: str) -> None:
    config = preset_config(name)
    compare(config, 4, config.horizon)


@needs_numba
@pytest.mark.parametrize("changed", [{}, {"social_control": "forced", "forced_probability": 0.5}])
def test_compiled_worlds_are_the_plain_ones_where_much_happens(changed: dict[str, Any]) -> None:
    config = crowded(**changed)
    fast = compare(config, 6, config.horizon)
    assert (fast.returns < 0).any(), "losses are shared too"
    assert (fast.bags[..., 2:] > 0).any(), "something is made"


@needs_numba
@given(configs(is_learnt=True))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_compiled_worlds_are_the_plain_ones_whatever_is_configured(config: AdaSocietyConfig) -> None:
    compare(config, 2, config.horizon)


@needs_numba
@pytest.mark.parametrize("name", ["social-structure-easy", "exploration"])
def test_maps_that_are_shown_are_those_of_the_plain_worlds(name: str) -> None:
    fast = compare(preset_config(name), 2, 80)
    assert fast.see()["shown"].any()


@needs_numba
def test_a_broken_kernel_is_found() -> None:
    """The comparison can fail: here one who stays takes part in every step as if it went up."""
    config = crowded()
    plain, fast = Worlds(config, 2, "off"), Worlds(config, 2, "on")
    assert fast._fast is not None
    real = fast._fast.act
    fast._fast.act = lambda cells, block, actions, *rest: real(cells, block, np.where(actions == 4, 0, actions), *rest)
    for many in (plain, fast):
        many.begin([1, 2])
        many.see()
        many.act(np.full((2, 12), 4))
    assert not same(plain.see(), fast.see())


@needs_numba
@pytest.mark.parametrize("again", [copy.deepcopy, lambda worlds: pickle.loads(pickle.dumps(worlds))])
def test_a_copy_of_compiled_worlds_goes_its_own_way(again: Any) -> None:
    worlds = Worlds(preset_config("contract-easy"), 2, "on")
    worlds.begin([1, 2])
    before = {name: array.copy() for name, array in worlds.see().items()}
    other = again(worlds)
    other.see()
    other.act(np.full((2, 4), 12))
    assert not same(before, other.see())
    assert same(before, worlds.see())


@needs_numba
def test_what_is_no_action_is_refused_by_compiled_worlds_too() -> None:
    worlds = Worlds(preset_config("contract-easy"), 2, "on")
    worlds.begin([1, 2])
    worlds.see()
    for wrong in (-1, 16, 1.5):
        actions = np.full((2, 4), 4, type(wrong))
        actions[1, 2] = wrong
        with pytest.raises(ValueError, match=f"world 1, miner_0: action {wrong}; a whole number from 0 to 15"):
            worlds.act(actions)


def test_the_setting_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled.SETTING, "off")
    assert compiled.kernels() is None
    assert compiled.kernels("off") is None
    monkeypatch.setenv(compiled.SETTING, "quick")
    with pytest.raises(compiled.NoKernels, match="POLITY_KERNELS: 'quick'; there are auto, on, off"):
        compiled.kernels()
    with pytest.raises(compiled.NoKernels, match="kernels: 'yes'; there are auto, on, off"):
        Worlds(preset_config("contract-easy"), 1, "yes")


def test_compiled_code_that_is_wanted_and_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    assert compiled.kernels("auto") is None
    with pytest.raises(
        compiled.NoKernels, match=r"kernels: on, but numba is not installed: it comes with polity\[fast\]"
    ):
        compiled.kernels("on")


def test_nothing_imports_numba_unless_it_is_wanted() -> None:
    code = (
        "import sys\n"
        "from games.lab.learning.adasociety.worlds import Worlds\n"
        "from games.lab.learning.adasociety import preset_config\n"
        "worlds = Worlds(preset_config('contract-easy'), 1, 'off')\n"
        "worlds.begin([1]); worlds.see()\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
