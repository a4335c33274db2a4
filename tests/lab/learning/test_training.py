"""Policies that learn: each algorithm gets better, a run that was killed ends in the same bytes, a match plays what was
learnt. Needs polity[learn].
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax")
import jax
import jax.numpy as jnp
from flax import serialization

from games.catalog.adasociety.arrays.network import Network
from games.catalog.adasociety.play.trained_policy import TRAINED
from games.catalog.adasociety.rules.game import AdaSociety
from games.core.agents import deciding
from games.core.engine import play
from games.errors.faults import Refused
from games.lab.learning.adasociety import preset_config
from games.lab.learning.adasociety.field import field
from games.lab.learning.nets import nothing_remembered, stored
from games.lab.learning.plan import Plan, PPOSettings
from games.lab.learning.ppo import PPO
from games.lab.learning.training import Point, trained
from games.lab.wire import zst

pytestmark = pytest.mark.full
RANDOM = 0.0046
"""Table 2."""


def plan(algorithm: str, steps: int, **changed: object) -> Plan:
    return Plan("adasociety", "contract-easy", algorithm, 1, steps, 16, 16, changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("algorithm", "steps", "changed"),
    [
        ("ppo", 16_000, {}),
        ("ppo", 16_000, {"body": "paper"}),
        ("rppo", 16_000, {}),
        ("mappo", 16_000, {}),
        ("curriculum", 40_000, {}),
        ("rainbow", 30_000, {"warm": 4_000, "learning_rate": 1e-3}),
    ],
)
def test_each_algorithm_earns_many_times_what_chance_does(
    algorithm: str, steps: int, changed: dict[str, object], tmp_path: Path
) -> None:
    points: list[Point] = []
    manifest = trained(plan(algorithm, steps, **changed), tmp_path, lambda point, seconds: points.append(point))
    assert manifest["judged"]["reward"] > 10 * RANDOM
    assert manifest["played"]["steps"] == points[-1].steps >= steps
    folder = tmp_path / f"contract-easy-{algorithm}-1"
    assert len((folder / "curve.csv").read_text("utf-8").splitlines()) == len(points) + 1
    assert (manifest["network"] is None) == (algorithm == "rainbow" or "body" in changed)
    if algorithm == "curriculum":
        assert list(manifest["played"]["after"]) == ["one group", "forced less and less", "free"]


@pytest.mark.parametrize("algorithm", ["rppo", "curriculum", "rainbow"])
def test_a_training_that_was_killed_goes_on_to_the_same_bytes(algorithm: str, tmp_path: Path) -> None:
    changed = {"warm": 1_000, "memory": 5_000, "updates": 1} if algorithm == "rainbow" else {}
    what = plan(algorithm, 12_000, **changed)
    code = (
        "import sys, json\nfrom pathlib import Path\nfrom games.lab.learning import training\n"
        "from games.lab.learning.plan import Plan\ntraining.CHECKPOINT_S = 0\n"
        "asked = json.loads(sys.argv[1])\n"
        "training.trained(Plan(**asked), Path(sys.argv[2]), lambda point, seconds: print(point.steps, flush=True))\n"
    )
    asked = json.dumps({name: getattr(what, name) for name in what.__dataclass_fields__})
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run([sys.executable, "-c", code, asked, str(whole)], check=True, stdout=subprocess.DEVNULL)
    with subprocess.Popen([sys.executable, "-c", code, asked, str(broken)], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        for _ in range(3):
            assert first.stdout.readline()
        time.sleep(0.05)
        os.kill(first.pid, signal.SIGKILL)
    seen = subprocess.run([sys.executable, "-c", code, asked, str(broken)], check=True, capture_output=True, text=True)
    assert int(seen.stdout.split()[0]) > 1920, "it began anew instead of going on"
    for name in ("curve.csv", *(f.name for f in (whole / what.name).glob("*.npz"))):
        assert (whole / what.name / name).read_bytes() == (broken / what.name / name).read_bytes()
    weights = [zst.unpack((folder / what.name / "checkpoint.zst").read_bytes()) for folder in (whole, broken)]
    first, other = (serialization.msgpack_serialize(serialization.msgpack_restore(raw)["learner"]) for raw in weights)
    assert first == other


def test_other_settings_in_the_same_folder_are_refused(tmp_path: Path) -> None:
    trained(plan("ppo", 1_000), tmp_path, lambda point, seconds: None)
    with pytest.raises(Refused, match="epochs"):
        trained(plan("ppo", 1_000, epochs=2), tmp_path, lambda point, seconds: None)


@pytest.mark.parametrize("recurrent", [False, True])
def test_a_match_prefers_what_the_learner_does(recurrent: bool) -> None:
    worlds = field("contract-easy", 2)
    learner = PPO(worlds.sizes, PPOSettings(), 3, recurrent)
    network = Network.rounded(stored(learner.params)[0], {}, stored(learner.params)[1])
    worlds.begin([1, 2])
    carry = nothing_remembered(2, 4, 64)
    whole = network.cell.begun((2, 4)) if network.cell else None
    none = jnp.zeros((1, 2, 4), jnp.int32)
    for _ in range(30):
        rows, mask = worlds.see()
        liked, _, carry = learner.net.apply({"params": learner.params}, rows[None], mask[None], carry, none)
        if whole is not None:
            whole = np.where((mask.sum(-1) > 1)[..., None, None], network.remembered(rows, whole), whole)
        odds = network.odds(rows, mask, whole)
        exact = np.asarray(jax.nn.softmax(liked[0]))
        assert np.abs(odds / odds.sum(-1, keepdims=True) - exact).max() < 0.01
        worlds.act(exact.argmax(-1))


def test_what_was_learnt_with_memory_is_seated_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = plan("rppo", 4_000)
    trained(what, tmp_path, lambda point, seconds: None)
    monkeypatch.setenv("POLITY_TRAINED", str(tmp_path / what.name))
    config = preset_config("contract-easy")
    decider = deciding(TRAINED.bind({"weights": what.name}))
    matches = [list(play(AdaSociety(), config, 5, dict.fromkeys(range(4), decider))) for _ in range(2)]
    assert [step.actions for step in matches[0]] == [step.actions for step in matches[1]]
    assert len(matches[0]) == 120
