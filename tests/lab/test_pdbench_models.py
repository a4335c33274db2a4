"""The source's own files with real models in the seats, and with classes of its two shapes."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agents_app.ports import ModelStop
from agents_app.profile import Profile
from games.lab.folders.reading import RunFolder
from games.lab.folders.verifying import verify
from games.lab.pdbench import clients
from games.lab.pdbench.plan import HOME
from simsite.commands.pdbench import app
from tests.agents.server import Vendor, threaded

FOLDER = Path("data/runs/personas")
CLASSES = """
class Client:
    def complete(self, *, system, prompt, temperature, max_tokens):
        return "D"

class Turncoat:
    def __init__(self, after=3):
        self.after = after
    def reset(self, seed=None):
        self.seed = seed
    def act(self, obs):
        return "C" if len(obs.mine) < self.after else "DD"
"""


@pytest.fixture
def pdbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Result]]:
    """The command beside the source's files, of which one experiment of one pair is left."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(HOME / "configs", tmp_path / "configs")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-test")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_classes.py").write_text(CLASSES, "utf-8")
    file = Path("configs/experiment.yaml")
    head, _, rest = file.read_text("utf-8").partition("  - name: exploitative-vs-gtft")
    file.write_text(head.replace("rounds: 50", "rounds: 8") + rest[rest.index("\nmetrics:") :], "utf-8")
    yield lambda *words: CliRunner().invoke(app, list(words), catch_exceptions=False)
    sys.modules.pop("own_classes", None)


def agent(**changes: Any) -> None:
    """Other lines of the model's agent file."""
    path = Path("configs/agents/llm_default.yaml")
    lines = [line for line in path.read_text("utf-8").splitlines() if line.partition(":")[0] not in changes]
    path.write_text("\n".join([*lines, *(f"{name}: {json.dumps(value)}" for name, value in changes.items())]), "utf-8")


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / "rounds.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "named",
    [{"provider": "openai", "model": "some-model"}, {"provider": "litellm", "model": "openai/some-model"}],
)
def test_a_server_s_model_plays_by_the_prompts_and_settings_of_the_file(
    named: dict[str, str], pdbench: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    with threaded(Vendor(content="c")) as vendor:
        monkeypatch.setenv("POLITY_MODEL_HOSTS", f"{vendor.url}=OPENAI_API_KEY")
        own = {"base_url": vendor.url, "key_env": "OPENAI_API_KEY", "temperature": 0.5}
        agent(**named, **own)
        told = pdbench("validate", "configs/experiment.yaml").output
        assert "openai/some-model (cooperative) vs TFT" in told
        run = pdbench("run", "configs/experiment.yaml", "--replicates", "2", "--yes")
    *_, played, cost = run.output.splitlines()
    assert played == "data/runs/personas: personas: 1 conditions x 2 replicates, 16 rounds"
    assert cost.endswith("16 calls, 14400 tokens in, 320 out, 0.000000 USD, 16 of them without a known price")
    assert "16 calls, at most 48" in run.output
    assert len(vendor.seen) == 16
    first = vendor.seen[0]
    assert (first["model"], first["temperature"], first.get("max_tokens") or first["max_completion_tokens"]) == (
        "some-model", 0.5, 4,
    )  # fmt: skip
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert vendor.keys == {"Bearer sk-of-the-test"}
    rounds = records()
    assert {record["agent_a_action"] for record in rounds} == {"C"}
    assert "sk-of-the-test" not in (FOLDER / "rounds.jsonl").read_text("utf-8")
    assert [verdict.difference for verdict in verify(RunFolder(FOLDER))] == [None, None]


def test_what_cannot_be_read_is_asked_again_with_a_correction_and_each_attempt_is_kept(
    pdbench: Callable[..., Result],
) -> None:
    with threaded(Vendor(content="D", faults={"prose": 0.4})) as vendor:
        agent(provider="openai", model="some-model", base_url=vendor.url)
        pdbench("run", "configs/experiment.yaml", "--replicates", "2", "--yes")
    assert len(vendor.seen) > 16
    tried = [record["raw_responses"]["agent_a"] for record in records()]
    assert sum(map(len, tried)) == len(vendor.seen)
    assert any(len(replies) > 1 and replies[-1] == "D" for replies in tried)


def test_a_model_that_refuses_every_time_ends_no_run_as_cooperation(pdbench: Callable[..., Result]) -> None:
    with threaded(Vendor(content="I cannot help with that.")) as vendor:
        agent(provider="openai", model="some-model", base_url=vendor.url)
        stopped = CliRunner().invoke(app, ["run", "configs/experiment.yaml", "--replicates", "2", "--yes"])
    assert "openai/some-model: none of its first 3 answers could be used" in str(stopped.exception)
    assert len(vendor.seen) <= 18, "three answers of three attempts in each of two matches"
    assert not FOLDER.exists()


def test_nobody_is_called_without_leave_or_without_a_key(
    pdbench: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    with threaded(Vendor(content="C")) as vendor:
        agent(provider="openai", model="some-model", base_url=vendor.url)
        refused = CliRunner().invoke(app, ["run", "configs/experiment.yaml"])
        assert "--yes" in str(refused.exception)
        agent(key_env="OTHER_API_KEY")
        refused = CliRunner().invoke(app, ["run", "configs/experiment.yaml", "--yes"])
        assert "OTHER_API_KEY" in str(refused.exception)
    assert vendor.seen == []
    assert not FOLDER.exists()


def test_a_server_that_says_nothing_is_asked_again_and_then_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "WAIT_S", 0)
    with threaded(Vendor(faults={"hang": 1})) as vendor:
        client = clients.ModelClient(Profile(model="openai/some-model", base_url=vendor.url, timeout_s=0.1))
        with pytest.raises(ModelStop, match="openai/some-model: timeout: no reply in time"):
            client.complete(system="", prompt="?", temperature=0, max_tokens=4)
        assert len(vendor.seen) == clients.TRIES


def test_a_setting_that_no_model_takes_is_told_with_its_place(pdbench: Callable[..., Result]) -> None:
    agent(provider="openai", model="some-model", base_url="not an address")
    refused = CliRunner().invoke(app, ["validate", "configs/experiment.yaml"])
    assert "base_url" in str(refused.exception)
    agent(provider="own_classes:Nobody", base_url="")
    refused = CliRunner().invoke(app, ["validate", "configs/experiment.yaml"])
    assert "own_classes:Nobody" in str(refused.exception)


def test_a_client_and_an_agent_of_one_s_own_are_plugged_in_by_their_names(pdbench: Callable[..., Result]) -> None:
    agent(provider="own_classes:Client")
    pdbench("run", "configs/experiment.yaml", "--replicates", "1")
    assert {record["agent_a_action"] for record in records()} == {"D"}
    Path("configs/agents/llm_default.yaml").write_text("type: python\nagent: own_classes:Turncoat\n", "utf-8")
    file = Path("configs/experiment.yaml")
    file.write_text(file.read_text("utf-8").replace(", overrides: {persona: cooperative}", ""), "utf-8")
    pdbench("run", "configs/experiment.yaml", "--replicates", "1", "--force")
    played = records()
    assert [record["agent_a_valid"] for record in played] == [True] * 3 + [False] * 5


def test_a_tournament_calls_no_real_model(pdbench: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    agent(provider="openai", model="some-model")
    monkeypatch.chdir("configs")
    refused = CliRunner().invoke(app, ["tournament", "--policies", "TFT,agents/llm_default.yaml"])
    assert "pdbench run" in str(refused.exception)
