import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from typer.testing import CliRunner, Result

from games.catalog.dilemma.prompts import FILES
from games.errors.faults import BadFolder, BadScenario, Refused
from games.lab.folders.reading import RunFolder
from games.lab.folders.running import run as play_scenario
from games.lab.folders.runspec import specs_of
from games.lab.folders.verifying import unexplained, verify
from games.lab.pdbench.agents import ModelSeat
from games.lab.pdbench.averages import average
from games.lab.pdbench.plan import HOME, load
from games.lab.scenarios.layers import set_layer
from games.lab.scenarios.scenario import load as load_scenario
from simsite.commands.pdbench import app, main

FIELDS = {
    "run_id", "condition", "replicate", "round_index", "agent_a_action", "agent_b_action", "agent_a_payoff",
    "agent_b_payoff", "agent_a_cum_payoff", "agent_b_cum_payoff", "horizon_type", "fixed_n", "stop_prob",
    "timestamp_utc",
}  # fmt: skip
RUN = ("run", "configs/experiment.yaml", "--replicates", "2")
FOLDER = Path("data/runs/personas")


@pytest.fixture
def pdbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(app, list(words), catch_exceptions=False)


@pytest.fixture
def configs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the experiment's files, to spoil."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(HOME / "configs", tmp_path / "configs")
    return tmp_path / "configs"


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / "rounds.jsonl").read_text("utf-8").splitlines()]


def timeless() -> dict[str, str]:
    """Every file of the run folder, without its timestamps and the seal over them."""
    texts = {}
    for path in sorted(FOLDER.iterdir()):
        text = path.read_bytes().decode("latin-1")
        text = re.sub(r'"timestamp_utc":"[^"]*"', "", text)
        texts[path.name] = re.sub(r'"timestamps": \{[^}]*\}|"seal": "\w+"', "", text)
    return texts


def test_the_source_s_lines_run_from_anywhere_and_twice_give_the_same_bytes(pdbench: Callable[..., Result]) -> None:
    assert "4 conditions x 3 replicates" in pdbench("validate", "configs/experiment.yaml").output
    assert pdbench(*RUN).exit_code == 0
    assert {path.name for path in FOLDER.iterdir()} == {
        "run_manifest.json", "rounds.jsonl", "aggregates.parquet", "condition_averages.parquet", "events.jsonl",
        "decisions.jsonl", "steps.jsonl",
    }  # fmt: skip
    first = timeless()
    assert pdbench(*RUN).exit_code == 0
    assert timeless() == first
    assert pdbench("aggregate", str(FOLDER)).exit_code == 0
    assert timeless() == first
    assert pdbench("ui", str(FOLDER), "--print").output == f"polity view {FOLDER}\n"


def test_a_dry_run_writes_nothing(pdbench: Callable[..., Result]) -> None:
    assert "would be written to data/runs/personas" in pdbench(*RUN, "--dry-run").output
    assert list(Path().iterdir()) == []


def test_every_round_has_the_source_s_fields(pdbench: Callable[..., Result]) -> None:
    pdbench(*RUN)
    rounds = records()
    assert all(set(record) >= FIELDS and record["round_index"] is not None for record in rounds)
    others = [json.loads(line) for line in (FOLDER / "steps.jsonl").read_text("utf-8").splitlines()]
    assert [(one["step"], one["round_index"]) for one in others] == [(0, None)] * 8
    always = [one["agent_a_action"] for one in rounds if one["condition"] == "cooperative-vs-tft"]
    assert set(always) == {"C"}, "who always cooperates did so in all of its rounds"
    fixed = [one for one in rounds if one["condition"] == "cooperative-vs-tft" and one["replicate"] == 2]
    assert [one["round_index"] for one in fixed] == list(range(50))
    assert {one["fixed_n"] for one in fixed} == {50}
    assert fixed[-1]["agent_a_cum_payoff"] == 150
    open_end = [one for one in rounds if one["condition"] == "generous-vs-alld-open-end"]
    assert {(one["horizon_type"], one["fixed_n"], one["stop_prob"]) for one in open_end} == {("geometric", None, 0.02)}
    slipped = [one for one in rounds if one["agent_a_action"] != one["agent_a_intended"]]
    assert {one["condition"] for one in slipped} == {"grim-vs-wsls-slips"}
    assert all(one["raw_responses"]["agent_a"] == [one["agent_a_intended"]] for one in rounds)


def test_aggregates_follow_from_the_rounds(pdbench: Callable[..., Result]) -> None:
    pdbench(*RUN)
    table = pq.read_table(FOLDER / "aggregates.parquet").to_pylist()
    assert len(table) == 8
    for row in table:
        played = [
            one for one in records() if (one["condition"], one["replicate"]) == (row["condition"], row["replicate"])
        ]
        moves = [one[f"agent_{name}_action"] for one in played for name in "ab"]
        assert row["cooperation_rate"] == moves.count("C") / len(moves)
        gap = played[-1]["agent_b_cum_payoff"] - played[-1]["agent_a_cum_payoff"]
        assert row["exploitability_payoff_gap_a"] == gap == -row["exploitability_payoff_gap_b"]
        assert len(json.loads(row["cooperation_rate_over_time"])) == len(played) == row["rounds"]
    first = table[0]
    assert (first["retaliation_rate_a"], first["time_to_collapse"], first["invalid_rate"]) == (None, None, 0)
    averages = {row["condition"]: row for row in pq.read_table(FOLDER / "condition_averages.parquet").to_pylist()}
    two = [row["cooperation_rate"] for row in table if row["condition"] == "grim-vs-wsls-slips"]
    assert averages["grim-vs-wsls-slips"]["cooperation_rate"] == pytest.approx(sum(two) / 2)


def test_averages_leave_out_what_is_undefined() -> None:
    assert average([{"x": 1, "y": None, "z": "text"}, {"x": 2, "y": None}, {"x": 6, "y": 4}]) == {
        "x": 3.0, "y": 4.0, "z": None,
    }  # fmt: skip
    assert average([{"y": None}]) == {"y": None}


def test_the_folder_verifies_and_keeps_its_parameters(pdbench: Callable[..., Result]) -> None:
    pdbench(*RUN)
    folder = RunFolder(FOLDER)
    assert all(verdict.difference is None for verdict in verify(folder))
    assert folder.altered() == []
    assert folder.manifest["experiment"]["metrics"]["collapse"] == {"k": 10, "threshold": 0.2}


def test_another_plan_never_overwrites_a_run_unless_forced(pdbench: Callable[..., Result]) -> None:
    pdbench(*RUN)
    before = timeless()
    runner = CliRunner().invoke(app, ["run", "configs/experiment.yaml", "--replicates", "3"])
    assert "already exists" in str(runner.exception)
    assert timeless() == before
    assert pdbench("run", "configs/experiment.yaml", "--replicates", "3", "--force").exit_code == 0


def test_seeds_are_common_to_conditions_unless_independent(configs: Path) -> None:
    common = load("configs/experiment.yaml", 2)
    assert len({spec.seed for spec in specs_of(common.scenario)}) == 2
    path = configs / "experiment.yaml"
    path.write_text(path.read_text().replace("  seed: 20\n", "  seed: 20\n  pairing: independent\n"))
    assert len({spec.seed for spec in specs_of(load("configs/experiment.yaml", 2).scenario)}) == 8


def test_the_preset_plays_the_same_moves(pdbench: Callable[..., Result]) -> None:
    pdbench("run", "configs/experiment.yaml")
    preset = load_scenario("dilemma/experiment")
    played = play_scenario(preset, Path("preset"), jobs=1)
    ours = [(entry.condition, entry.replicate, entry.seed, entry.hash) for entry in RunFolder(FOLDER).entries]
    assert ours == [(one.condition, one.replicate, one.seed, one.hash) for one in played]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("experiment.yaml", "DC: [5, 0]", "DC: [3, 0]",
         "configs/experiment.yaml: game.payoffs: CC [3, 3], CD [0, 5], DC [3, 0], DD [1, 1]: both players"),
        ("experiment.yaml", "CD: [0, 5], DC: [5, 0]", "CD: [0, 3], DC: [3, 0]",
         "configs/experiment.yaml: game.payoffs: payoffs T=3 R=3 P=1 S=0 are no dilemma: T > R > P > S is needed."),
        ("experiment.yaml", "policy: ALLD", "policy: ALLDD",
         "configs/experiment.yaml: conditions.3.agent_b.overrides.policy: 'ALLDD'; did you mean ALLD?"),
        ("experiment.yaml", "ref: agents/policies.yaml}", "ref: agents/absent.yaml}",
         "configs/experiment.yaml: conditions.0.agent_b.ref: 'agents/absent.yaml': there is no such file"),
        ("experiment.yaml", "stop_prob: 0.02", "stop_prob: 1.2",
         "configs/experiment.yaml: conditions.3.overrides.horizon.stop_prob: 1.2; at most 1"),
        ("experiment.yaml", "noise_b: 0.05", "noise_b: 1.2",
         "configs/experiment.yaml: conditions.2.overrides.game.noise_b: 1.2; at most 1"),
        ("experiment.yaml", "generous_prob: 0.1", "generous_prob: 1.2",
         "configs/experiment.yaml: conditions.1.agent_b.overrides.params: policy GTFT: generous_prob"),
        ("experiment.yaml", "persona: wsls", "persona: wsl",
         "configs/experiment.yaml: conditions.2.agent_b.overrides.persona: 'wsl'; did you mean wsls?"),
        ("experiment.yaml", "persona: wsls", "history_window: -1",
         "configs/experiment.yaml: conditions.2.agent_b.overrides.history_window: -1; at least 0"),
        ("experiment.yaml", "invalid_rate]", "invalid_rat]",
         "configs/experiment.yaml: metrics.names.6: 'invalid_rat'; did you mean invalid_rate?"),
        ("experiment.yaml", "threshold: 0.2", "threshold: 1.2",
         "configs/experiment.yaml: metrics.collapse.threshold: 1.2; at most 1"),
        ("experiment.yaml", "name: grim-vs-wsls-slips", "name: cooperative-vs-tft",
         "configs/experiment.yaml: conditions: 'cooperative-vs-tft' stands twice"),
        ("agents/llm_default.yaml", "history_window: 10", "history_window: -1",
         "agents/llm_default.yaml: history_window: -1; at least 0"),
        ("agents/llm_default.yaml", "prompts/pd_round.md", "prompts/pd_rund.md",
         "agents/llm_default.yaml: round_prompt: 'prompts/pd_rund.md': there is no such file"),
        ("prompts/pd_round.md", "{round}", "{rounds}",
         "agents/llm_default.yaml: round_prompt: 'prompts/pd_round.md': placeholder {rounds} is unknown"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_line_with_its_path(configs: Path, file: str, old: str, new: str, says: str) -> None:
    path = configs / file
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadScenario) as caught:
        load("configs/experiment.yaml")
    lines = [line for line in str(caught.value).splitlines() if line.startswith(says)]
    assert len(lines) == 1, str(caught.value)


def test_each_mistake_is_told_where_the_file_s_form_is_wrong_too(configs: Path) -> None:
    path = configs / "experiment.yaml"
    text = path.read_text("utf-8")
    for old, new in (
        ("seed: 20", "seed: -1"),
        ("stop_prob: 0.02", "stop_prob: 1.2"),
        ("ref: agents/policies.yaml}", "reff: x}"),
        ("persona: wsls", "persona: wsl"),
        ("CC: [3, 3]", "CC: [true, 3]"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, "utf-8")
    with pytest.raises(BadScenario) as caught:
        load("configs/experiment.yaml", 0)
    told = [line.removeprefix("configs/experiment.yaml: ").split(";")[0] for line in str(caught.value).splitlines()]
    assert told == [
        "run.seed: -1",
        "conditions.0.agent_b.ref: missing",
        "conditions.0.agent_b.reff: unknown",
        "--replicates: 0",
        "game.payoffs.CC.0: True",
        "conditions.2.agent_b.overrides.persona: 'wsl'",
        "conditions.3.overrides.horizon.stop_prob: 1.2",
    ]


def test_a_persona_beside_the_experiment_goes_before_the_game_s_own(configs: Path) -> None:
    def persona() -> str:
        seat = load("configs/experiment.yaml").agents["cooperative-vs-tft"][0]
        assert isinstance(seat, ModelSeat)
        return seat.persona

    assert persona().strip() == FILES.personas()["cooperative"]["en"]
    (configs / "prompts" / "personas").mkdir()
    (configs / "prompts" / "personas" / "cooperative.md").write_text("Be good.\n", "utf-8")
    assert persona() == "Be good.\n"


def test_out_names_another_place_for_a_run(pdbench: Callable[..., Result]) -> None:
    told = pdbench("run", "configs/experiment.yaml", "--replicates", "1", "--out", "here/mine").output
    assert told == "here/mine: personas: 4 conditions x 1 replicates, 205 rounds\n"
    assert RunFolder(Path("here/mine")).manifest["experiment"]["run"]["output_dir"] == "data/runs/personas"
    assert not Path("data").exists()


def test_a_folder_of_another_game_is_not_measured(pdbench: Callable[..., Result]) -> None:
    play_scenario(load_scenario("mining/baseline", extra=[set_layer(["rounds=3"])]), Path("mine"), jobs=1)
    before = {path.name: path.read_bytes() for path in Path("mine").iterdir()}
    with pytest.raises(BadFolder, match="a folder of mining, not of the dilemma; polity aggregate measures it"):
        pdbench("aggregate", "mine")
    assert {path.name: path.read_bytes() for path in Path("mine").iterdir()} == before


def test_a_changed_round_is_neither_measured_nor_passed_over(pdbench: Callable[..., Result]) -> None:
    pdbench(*RUN)
    rounds = FOLDER / "rounds.jsonl"
    text = rounds.read_text("utf-8")
    rounds.write_text(re.sub(r'"timestamp_utc":"[^"]*"', '"timestamp_utc":"2001-01-01T00:00:00.000Z"', text), "utf-8")
    assert pdbench("aggregate", str(FOLDER)).exit_code == 0
    rounds.write_text(text.replace('"agent_a_action":"C"', '"agent_a_action":"D"', 1), "utf-8")
    with pytest.raises(BadFolder, match="not the bytes that were written"):
        pdbench("aggregate", str(FOLDER))
    assert unexplained(RunFolder(FOLDER))[0].startswith("rounds.jsonl: not the bytes that were written")


def test_noise_is_said_once(pdbench: Callable[..., Result]) -> None:
    said_twice = "--noise and --set noise_a: both say how often a seat slips; give one"
    with pytest.raises(Refused, match=said_twice):
        pdbench("tournament", "--noise", "0.1", "--set", "noise_a=0.5")


def test_bad_input_ends_with_status_two_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["pdbench", "validate", "absent.yaml"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "absent.yaml: there is no such file here, nor in the folder of pdbench\n"


def test_a_tournament_from_the_command_line(pdbench: Callable[..., Result]) -> None:
    told = json.loads(
        pdbench("tournament", "--policies", "ALLC,ALLD,GTFT:generous_prob=0.1", "--set", "rounds=20", "--json",
                "--out", "robin").output
    )  # fmt: skip
    assert told["names"] == ["ALLC", "ALLD", "GTFT(p=0.1)"]
    assert told["payoff_matrix"][1][0] == 5
    assert {path.name for path in Path("robin").iterdir()} == {
        "ranking.csv", "payoff_matrix.csv", "cooperation_matrix.csv", "matches.csv", "run_manifest.json",
        "aggregates.parquet",
    }  # fmt: skip


def test_the_timing_report_names_every_case(pdbench: Callable[..., Result]) -> None:
    told = json.loads(pdbench("bench", "--no-peer", "--repeats", "1", "--json").output)
    assert len(told["cases"]) == 6
    assert all(case["seconds"] > 0 and case["peer_seconds"] is None for case in told["cases"])


def test_a_tournament_of_policies_keeps_seeds_and_its_measures_are_those_of_play(
    pdbench: Callable[..., Result],
) -> None:
    asked = ("--policies", "TFT,GTFT,ALLD,TFT", "--set", "rounds=15", "--noise", "0.1", "--repetitions", "2")
    assert pdbench("tournament", *asked, "--out", "robin").exit_code == 0
    folder = RunFolder(Path("robin"))
    assert folder.is_seeded
    assert list(folder.conditions)[:2] == ["TFT-vs-TFT", "TFT-vs-GTFT"]
    kept = Path("robin/aggregates.parquet").read_bytes()
    assert pdbench("aggregate", "robin").exit_code == 0
    assert Path("robin/aggregates.parquet").read_bytes() == kept
    rows = list(csv.DictReader(Path("robin/matches.csv").read_text("utf-8").splitlines()))
    for row, entry in zip(rows, folder.entries, strict=True):
        *_, (record, last) = folder.steps(entry)
        assert last.state.moves == (row["moves_a"], row["moves_b"])
        assert record["step"] == entry.steps == 15
    assert [str(verdict).partition(": ")[2] for verdict in verify(folder)] == ["identical 15/15"] * len(rows)


def test_a_tournament_with_a_model_is_recorded_and_verified(pdbench: Callable[..., Result]) -> None:
    asked = ("--policies", "agents/llm_default.yaml:persona=wsls,ALLD,TFT", "--set", "rounds=8", "--repetitions", "2")
    assert pdbench("tournament", *asked, "--out", "robin").exit_code == 0
    folder = RunFolder(Path("robin"))
    assert not folder.is_seeded
    assert [str(verdict) for verdict in verify(folder) if verdict.difference] == []
    rows = list(csv.DictReader(Path("robin/matches.csv").read_text("utf-8").splitlines()))
    for row, entry in zip(rows, folder.entries, strict=True):
        *_, (_, last) = folder.steps(entry)
        assert last.state.moves == (row["moves_a"], row["moves_b"])
