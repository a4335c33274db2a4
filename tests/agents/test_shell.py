"""Models in scenario files, played by the shell's host."""

from __future__ import annotations

from pathlib import Path

from agents_app.profile import Profile
from games.lab.folders.folder import MANIFEST
from games.lab.folders.reading import RunFolder
from games.lab.folders.running import run
from games.lab.folders.verifying import verify
from games.lab.scenarios.scenario import load


def test_the_mock_preset_gives_the_same_bytes_twice_and_resolves_again(tmp_path: Path) -> None:
    scenario = load("mining/llm-mock", seeds=(1, 2, 3))
    for name in ("one", "two"):
        run(scenario, tmp_path / name, jobs=1)
    files = sorted(path.name for path in (tmp_path / "one").iterdir() if path.is_file())
    assert "rounds-00000.jsonl.zst" in files
    for name in set(files) - {MANIFEST}:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert any(b'"corrected"' in line for line in RunFolder(tmp_path / "one").lines("rounds.jsonl"))
    assert all(str(told).endswith("identical 60/60") for told in verify(RunFolder(tmp_path / "one")))


def test_models_and_policies_sit_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(
        "kind: model\nmodel: mock/greedy-mine\nprofile: {language: zh, memory: rounds}\n", encoding="utf-8"
    )
    (tmp_path / "mixed.yaml").write_text(
        "game: mining\nconfig: {miners: 4, rows: 4, cols: 4, rounds: 6}\nseats:\n"
        "  default: {policy: guided}\n  1: {model: mock/random}\n"
        "  2: {ref: agent.yaml, overrides: {profile: {memory: none}}}\n",
        encoding="utf-8",
    )
    scenario = load(str(tmp_path / "mixed.yaml"), seeds=(1,))
    seats = scenario.conditions[0].seats
    assert [seat.kind for seat in seats] == ["policy", "model", "model", "policy"]
    told = seats[2].plain()
    assert (told["kind"], told["label"]) == ("model", "mock/greedy-mine")
    assert told["profile"] == Profile(model="mock/greedy-mine", language="zh").model_dump(mode="json")
    assert set(told["profile"]) == set(Profile.model_fields)
    (tmp_path / "plain.yaml").write_text(
        "game: mining\nconfig: {miners: 4, rows: 4, cols: 4, rounds: 6}\nseats:\n"
        "  default: {policy: guided}\n  1: {policy: random}\n  2: {policy: greedy-mine}\n",
        encoding="utf-8",
    )
    mixed = run(scenario, tmp_path / "a")
    plain = run(load(str(tmp_path / "plain.yaml"), seeds=(1,)), tmp_path / "b")
    assert [one.hash for one in mixed] == [one.hash for one in plain]
