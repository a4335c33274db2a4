"""The benchmark beside peers: a tiny peer by its path, and what is refused. How fast anything is, no test asserts."""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from games.core.pack import FolderFiles, Pack
from games.core.registry import Registry
from games.errors.faults import BadScenario, Refused
from games.lab.folders.benching import Case, cases_of, measure
from games.lab.speed import adapters
from games.lab.speed.beside import measure_beside, works_of
from games.lab.speed.peers import peer
from games.lab.speed.works import Work, works
from tests.lab.conftest import Said
from tests.sites import ROOT

ROOM = "swarm/domains/gather_trade_build"
CONFIG = """
class GTBConfig:
    def __init__(self, seed):
        print("a peer prints what it likes", flush=True)
"""
RUNNER = """
class GTBScenarioRunner:
    def __init__(self, config, agents, epochs, steps, seed):
        {body}

    def run(self):
        pass
"""
PEERS: dict[str, dict[str, Any]] = {
    "adasociety": {"players": 4, "steps": 5},
    "axelrod": {"players": ["TitForTat", "GTFT"], "turns": 20},
    "coopeval": {"rounds": 3},
    "meltingpot": {"players": 9, "steps": 5},
    "swarm": {"workers": 4, "epochs": 2, "steps": 5},
}


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[[str], Path]:
    """A checkout of a peer that looks like SWARM and does nothing, or what is said."""

    def made(body: str = "pass") -> Path:
        room = tmp_path / "theirs" / ROOM
        room.mkdir(parents=True)
        (room / "config.py").write_text(CONFIG)
        (room / "runner.py").write_text(RUNNER.format(body=body))
        return tmp_path / "theirs"

    return made


@pytest.fixture
def pack(registry: Registry, tmp_path: Path) -> Pack:
    return replace(registry.get("orchard"), files=FolderFiles(tmp_path))


def cases(pack: Pack, text: str) -> list[Case]:
    assert isinstance(pack.files, FolderFiles)
    (pack.files.folder / "bench.yaml").write_text(text)
    return cases_of(pack)


def beside_swarm(pack: Pack) -> Work:
    (work,) = works_of(
        cases(pack, "- {name: a}\n- {name: b, policies: [greedy], beside: {swarm: {workers: 2, epochs: 3, steps: 4}}}")
    )
    return work


def test_a_peer_plays_by_turns_with_a_case_in_a_process_of_its_own(
    pack: Pack, checkout: Callable[..., Path], tmp_path: Path
) -> None:
    body = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{__import__(\"os\").getpid()}} {{agents}}\\n')"
    with peer(f"swarm={checkout(body)}") as swarm:
        pair = measure_beside(beside_swarm(pack), swarm, 0.01)
    assert pair.times == pair.rounds_per_s / pair.peer_steps_per_s > 0
    assert (pair.game, pair.case, pair.policy, pair.peer) == ("orchard", "b", "greedy", "swarm")
    assert pair.theirs == {"workers": 2, "epochs": 3, "steps": 4}
    (line,) = set((tmp_path / "pids").read_text().splitlines())
    assert line.endswith(" [{'policy': 'honest', 'count': 2}]")
    assert int(line.split()[0]) != os.getpid()
    assert swarm.facts["python"]
    assert swarm.facts["where"] == "github.com/swarm-ai-safety/swarm"


def test_steps_that_a_peer_made_are_counted(checkout: Callable[..., Path]) -> None:
    with peer(f"swarm={checkout()}") as swarm:
        steps, seconds = swarm.play({"workers": 1, "epochs": 7, "steps": 11}, 0.001)
    assert steps % 77 == 0 < steps
    assert seconds >= 0.001


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('no land\\nat all')", "ValueError: no land"),
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that_name'"),
        ("__import__('os')._exit(3)", "its process ended with status 3: a peer prints what it likes"),
        ("print('out of coin', flush=True); __import__('os')._exit(1)", "its process ended with status 1: out of coin"),
    ],
)
def test_a_peer_that_fails_says_why_in_one_line(
    body: str, told: str, pack: Pack, checkout: Callable[..., Path]
) -> None:
    with pytest.raises(Refused) as refused, peer(f"swarm={checkout(body)}") as swarm:
        measure_beside(beside_swarm(pack), swarm, 0.01)
    assert str(refused.value).startswith(f"--beside swarm: {told}")
    assert "\n" not in str(refused.value)


def test_what_cannot_stand_beside_is_refused_in_one_line(polity: Callable[..., Said], tmp_path: Path) -> None:
    for asked, told in {
        "swarms=here": "--beside swarms: did you mean swarm?",
        "swarm": "--beside swarm: give its checkout, swarm=FOLDER (github.com/swarm-ai-safety/swarm)",
        f"swarm={tmp_path}": f"it holds no {ROOM}; give a checkout of github.com/swarm-ai-safety/swarm",
        "loop=here": "--beside loop=here: plain arithmetic in Python needs no folder",
        "loop": "--beside loop: it plays nothing beside orchard",
    }.items():
        said = polity("bench", "orchard", "--beside", asked)
        assert said.status == 2, said
        assert told in said.err
        assert len(said.lines) == 1, said.err
    said = polity("bench", "orchard", "--keep", "absent/kept.json")
    assert "--keep absent/kept.json: there is no folder absent" in said.err


def test_a_peer_that_is_not_installed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapters, "version_of", lambda name: None)
    with pytest.raises(Refused, match="it is not installed; uv pip install axelrod, or"), peer("axelrod"):
        pass


def test_the_shell_keeps_machine_peers_and_pairs(
    polity: Callable[..., Said], checkout: Callable[..., Path], tmp_path: Path
) -> None:
    place = checkout()
    asked = ("bench", "economist", "--beside", f"swarm={place}", "--seconds", "0.01", "--keep", "kept.json", "--json")
    said = polity(*asked)
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert json.loads(said.out) == kept
    assert [one["case"].split()[0] for one in kept["pairs"]] == ["4", "14", "100"] * 2
    assert {one["peer"] for one in kept["pairs"]} == {"swarm"} == set(kept["peers"])
    assert kept["cases"] == []
    assert {"processor", "cores", "python", "numpy", "polity", "commit", "load", "load_after"} <= set(kept["machine"])
    assert str(place) not in said.out


def test_what_a_peer_fails_at_is_told_and_the_rest_is_kept(
    polity: Callable[..., Said], checkout: Callable[..., Path], tmp_path: Path
) -> None:
    place = checkout("if agents[0]['count'] == 14: raise ValueError('too many')")
    said = polity("bench", "economist", "--beside", f"swarm={place}", "--seconds", "0.01", "--keep", "kept.json")
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert [one["case"].split()[0] for one in kept["pairs"]] == ["4", "100"] * 2
    cases = ("14 honest, events logged", "14 honest, 128 worlds, events logged as columns")
    assert kept["failed"] == [f"economist, {case}: --beside swarm: ValueError: too many" for case in cases]
    assert (said.status, said.err.strip().splitlines()[-1]) == (2, "; ".join(kept["failed"]))


def test_a_declared_game_stands_beside_the_one_by_hand() -> None:
    pack = Registry().get("prisoners_dilemma")
    (work,) = (one for one in works_of(cases_of(pack)) if "polity" in one.beside)
    with peer("polity") as own:
        steps, _ = own.play(work.beside["polity"], 0.01)
    assert work.beside["polity"]["game"] == "dilemma"
    assert steps > 0


def test_an_older_checkout_plays_the_same_case(pack: Pack) -> None:
    (work,) = works_of(cases(pack, "- {name: a, config: {pickers: 2}, policies: [greedy], beside: {before: {}}}"))
    assert work.beside["before"] == {
        "game": "orchard", "config": {"pickers": 2}, "policies": ["greedy", "greedy"], "events": False,
    }  # fmt: skip


def test_every_peer_that_is_named_is_known_and_takes_what_it_is_asked() -> None:
    found = Registry()
    named = [*works_of(case for slug in found.modules() for case in cases_of(found.get(slug))), *works(found.modules())]
    assert {name for work in named for name in work.beside} == set(adapters.PEERS)
    for work in named:
        for name, case in work.beside.items():
            adapters.PEERS[name].play(**case)  # a generator: nothing is played


def test_a_case_is_measured_at_each_value_that_it_grows_with(pack: Pack) -> None:
    text = """
    - {name: p, policies: [greedy], grows: {pickers: [2, 5]}}
    - {name: w, policies: [greedy], grows: {worlds: [1, 64]}}
    """
    found = cases(pack, text)
    assert [(one.grows_with, one.at, len(one.agents), one.worlds, one.runs) for one in found[:2]] == [
        ("pickers", 2, 2, 1, 0), ("pickers", 5, 5, 1, 0),
    ]  # fmt: skip
    assert [one.worlds for one in found[2:]] == [1, 64]


def test_a_case_of_runs_is_an_experiment_that_is_written_whole(pack: Pack) -> None:
    declared = replace(Registry().get("prisoners_dilemma"), files=pack.files)
    _, case = cases(declared, "- {name: r, config: {rounds: 4}, policies: [cooperator], grows: {runs: [1, 3]}}")
    timing = measure(case, 0.01)
    assert timing.rounds % 12 == 0 < timing.rounds
    assert timing.runs_s is not None
    assert timing.runs_s * timing.rounds_per_s == pytest.approx(12)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {name: x, policies: [greedy], grows: {pickers: [0]}}", "0.config.pickers: 0; at least 1"),
        ("- {name: x, policies: [greedy], grows: {worlds: [4000]}}", "0.grows: 4000; at most 1024"),
        ("- {name: x, policies: [greedy], grows: {pickers: [1], worlds: [1]}}", "0.grows"),
    ],
)
def test_growth_that_cannot_be_is_refused(text: str, told: str, pack: Pack) -> None:
    with pytest.raises(BadScenario) as error:
        cases(pack, text)
    assert told in str(error.value)


def test_growth_is_measured_where_it_is_asked_for_alone(polity: Callable[..., Said]) -> None:
    usual = json.loads(polity("bench", "public_goods", "--seconds", "0.01", "--json").out)
    assert [one["case"] for one in usual["cases"]] == ["4 matchers, 1000 rounds"]
    grown = json.loads(polity("bench", "dilemma", "--growth", "--seconds", "0.01", "--json").out)["cases"]
    assert {one["grows_with"] for one in grown} == {"rounds", "worlds"}
    assert "TFT and GTFT, 256 worlds" in polity("bench", "dilemma", "--growth", "--seconds", "0.01").out


@pytest.mark.full
@pytest.mark.parametrize("name", PEERS)
def test_each_peer_plays_from_its_checkout(name: str) -> None:
    """POLITY_PEERS holds them, as `--beside` takes them: "swarm=FOLDER meltingpot=FOLDER"."""
    named = dict.fromkeys(["axelrod"]) | dict(one.split("=", 1) for one in os.environ.get("POLITY_PEERS", "").split())
    if name not in named:
        pytest.skip(f"{name}: POLITY_PEERS names no checkout of it")
    with peer(f"{name}={named[name]}" if named[name] else name) as one:
        steps, _ = one.play(PEERS[name], 0.01)
    assert steps > 0


def page_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("speed_page", ROOT / ".ci" / "speed.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_page_of_speed_is_what_the_kept_results_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = page_maker()
    monkeypatch.setattr("sys.argv", ["speed.py", "--check"])
    assert made.main() == 0
    kept = json.loads(made.KEPT.read_text("utf-8"))
    kept["pairs"][0]["rounds_per_s"] *= 2
    monkeypatch.setattr(made, "KEPT", tmp_path / "speed.json")
    made.KEPT.write_text(json.dumps(kept), "utf-8")
    assert made.main() == 1
