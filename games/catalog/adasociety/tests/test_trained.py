"""What a network has learnt sits in a seat: read without running anything, in whole numbers, refused by name."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from games.catalog.adasociety.arrays import shelf
from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.network import BadNetwork, Network
from games.catalog.adasociety.play.trained_policy import TRAINED, fits, label
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.tests.build import GAME, start
from games.core.agents import BadPolicy, deciding
from games.core.engine import play
from games.lab.learning.adasociety import preset_config

CONFIG = preset_config("contract-easy")


def small(about: dict[str, object] | None = None) -> Network:
    chance = np.random.default_rng(1)
    sizes = [(layout(CONFIG).features, 8), (8, len(layout(CONFIG).actions))]
    layers = [(chance.normal(0, 0.3, size), chance.normal(0, 0.3, size[1])) for size in sizes]
    return Network.rounded(layers, shelf.about("contract-easy", CONFIG) if about is None else about)


def test_a_network_in_whole_numbers_is_near_the_one_in_floats() -> None:
    network = small()
    rows = np.random.default_rng(2).integers(-9, 10, (20, layout(CONFIG).features)).astype(np.int16)
    (first, one), (second, two) = [(w / 65536, b / 65536) for w, b in network.layers]
    exact = np.maximum(rows @ first + one, 0) @ second + two
    assert np.abs(network.preferences(rows) / 256 - exact).max() < 0.05


def test_preferences_do_not_depend_on_who_else_is_asked() -> None:
    network = small()
    rows = np.random.default_rng(3).integers(-255, 256, (64, layout(CONFIG).features)).astype(np.int16)
    together = network.preferences(rows)
    assert all(np.array_equal(network.preferences(rows[[n]])[0], together[n]) for n in range(64))
    shuffled = network.preferences(rows[:, ::-1][:, ::-1])
    assert np.array_equal(shuffled, together)


def test_a_network_is_saved_as_the_same_bytes_and_read_back() -> None:
    raw = small().packed()
    assert raw == small().packed()
    again = Network.unpacked(raw, "again")
    assert again.packed() == raw
    assert again.about["roles"] == ["carpenter", "carpenter", "miner", "miner"]


def replaced(**arrays: object) -> bytes:
    """A network's file with some of its arrays replaced; None takes one out."""
    with np.load(io.BytesIO(small().packed()), allow_pickle=False) as file:
        held = {name: file[name] for name in file.files}
    file_ = io.BytesIO()
    np.savez(file_, **{name: array for name, array in {**held, **arrays}.items() if array is not None})  # type: ignore[arg-type]
    return file_.getvalue()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "no network of whole numbers"),
        (pickle.dumps([1]), "no network of whole numbers"),
        (replaced(w0=np.array([{}], object)), "no network of whole numbers"),
        (replaced(about=None), "no network of whole numbers"),
        (replaced(w0=np.zeros((3, 8))), "w0: whole numbers of 32 bits in 2 axes are needed"),
        (replaced(w1=np.zeros((9, 16), np.int32)), "layer 1 does not fit the one before it"),
        (replaced(b1=np.full(16, 1 << 30, np.int32)), "b1: a number beyond"),
        (replaced(b1=None), "3 arrays; w0, b0, w1, b1"),
    ],
)
def test_a_file_that_holds_no_network_is_refused(raw: bytes, said: str) -> None:
    with pytest.raises(BadNetwork, match=said):
        Network.unpacked(raw, "it")


def test_a_file_that_unpacks_beyond_measure_is_not_unpacked() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("w0.npy", bytes(33 << 20))
    with pytest.raises(BadNetwork, match="unpacks to more than 32 MiB"):
        Network.unpacked(file.getvalue(), "bomb")


def test_a_trained_policy_plays_the_same_match_twice_and_better_than_chance() -> None:
    policy = deciding(TRAINED.bind())
    assert fits(shelf.network("contract-easy")[0], observe(CONFIG, start(CONFIG), 0))
    played = [list(play(GAME, CONFIG, 4, dict.fromkeys(range(4), policy))) for _ in range(2)]
    assert [step.actions for step in played[0]] == [step.actions for step in played[1]]
    assert not any(step.notes for step in played[0])
    assert sum(played[0][-1].state.returns) / 1e6 / 200 > 0.15


MATCH = """
from hashlib import sha256
from games.catalog.adasociety.play.trained_policy import TRAINED
from games.catalog.adasociety.rules.game import AdaSociety
from games.core.agents import deciding
from games.core.engine import play
from games.lab.learning.adasociety import preset_config

policy = deciding(TRAINED.bind({"weights": "contract-easy-curriculum"}))
for step in play(AdaSociety(), preset_config("contract-easy"), 4, dict.fromkeys(range(4), policy)):
    print(sha256(repr((step.actions, step.payoffs, step.state.returns)).encode()).hexdigest())
"""


def test_fresh_processes_with_one_and_two_threads_play_the_same_match_from_the_same_weights() -> None:
    played = []
    for threads in ("1", "2"):
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, threads), "PYTHONHASHSEED": threads}
        command = [sys.executable, "-c", MATCH]
        played.append(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    assert len(played[0].splitlines()) == 121
    assert played[0] == played[1]


def test_in_a_game_of_other_sizes_any_legal_action_is_played() -> None:
    config = preset_config("negotiation-easy")
    policy = deciding(TRAINED.bind({"greedy": True}))
    steps = list(play(GAME, config, 1, dict.fromkeys(range(4), policy)))
    assert not any(step.notes for step in steps)


def test_a_trained_policy_is_called_by_its_network() -> None:
    assert label(CONFIG, "trained", TRAINED.bind().params.model_dump()) == "trained (contract-easy)"
    assert label(CONFIG, "trained", {"weights": "mine", "greedy": True}) == "trained (mine, greedy)"
    assert label(CONFIG, "crew", {}) == "crew"


def test_weights_are_found_by_name_alone_and_held_to_their_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.npz").write_bytes(small().packed())
    with pytest.raises(BadPolicy, match="weights: mine; there are none of that name"):
        TRAINED.bind({"weights": "mine"})
    with pytest.raises(BadPolicy, match="weights"):
        TRAINED.bind({"weights": "../mine"})
    monkeypatch.setenv(shelf.PLACES, str(tmp_path))
    bound = TRAINED.bind({"weights": "mine"})
    kept = bound.params.model_dump()
    assert len(kept["digest"]) == 16
    assert TRAINED.bind(kept).params == bound.params
    (tmp_path / "mine.npz").write_bytes(small({**shelf.about("x", CONFIG), "more": 1}).packed())
    with pytest.raises(BadPolicy, match="mine are others"):
        TRAINED.bind(kept)
    (tmp_path / "mine.npz").write_bytes(b"none")
    with pytest.raises(BadPolicy, match="mine cannot be used"):
        TRAINED.bind({"weights": "mine"})
