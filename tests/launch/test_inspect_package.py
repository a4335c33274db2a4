"""Inspect beside a built wheel: a seat is evaluated as a task, and runs of models are read as its logs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.launch.wheels import built, fresh, uv
from tests.sites import ROOT

pytestmark = [
    pytest.mark.full,
    pytest.mark.timeout(900),
    pytest.mark.skipif(shutil.which("uv") is None, reason="uv builds and installs"),
]
EVALUATED = """
import json
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi
from polity_inspect import seat

@modelapi("house")
def house():
    class House(ModelAPI):
        async def generate(self, input, tools, tool_choice, config):
            output = ModelOutput.from_content("house/kind", "C")
            output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
            return output
    return House

[log] = eval(seat(scenario="dilemma/demo", seeds=2), model="house/kind", log_dir="logs", display="none")
print(json.dumps([
    {"status": log.status, "payoff": s.scores["payoff"].value, **s.metadata,
     "asked": sum(event.event == "model" for event in s.events)} for s in log.samples
]))
"""
READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
read = [[one.id, one.scores["payoff"].value, len(one.events)] for one in log.samples]
print(json.dumps([log.eval.model, log.eval.task, read]))
"""


def test_a_seat_is_an_inspect_task_and_runs_of_models_are_inspect_logs(tmp_path: Path) -> None:
    wheel = built(ROOT, tmp_path / "dist")
    programs = fresh(tmp_path / "env", f"polity-lab @ {wheel.as_uri()}")
    example = str(ROOT / "docs/examples/polity-inspect")  # at the versions that Inspect wants, which are not all ours
    uv("pip", "install", "--quiet", "--python", str(programs / "python"), example, cwd=tmp_path)

    def done(*words: str) -> str:
        return subprocess.run(words, cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True).stdout

    python, polity = str(programs / "python"), str(programs / "polity")
    samples = json.loads(done(python, "-c", EVALUATED).splitlines()[-1])
    assert [one["seed"] for one in samples] == [1, 2]
    for one in samples:
        assert (one["status"], one["turns"], one["not_its_own"], one["asked"]) == ("success", 60, 0, 60)
        assert one["payoff"] == one["payoffs"][0] > 0
    assert samples[0]["hash"] != samples[1]["hash"]

    seats = tmp_path / "seats.yaml"
    seats.write_text("seats:\n  0: {model: mock/TFT}\n")
    played = ["--agents", str(seats), "--yes", "--out", "runs", "--set", "rounds=5", "--seeds", "1"]
    done(polity, "run", "dilemma/demo", *played)
    done(polity, "export", "runs", "--exporter", "inspect", "--out", "logs.zip")
    shutil.unpack_archive(tmp_path / "logs.zip", tmp_path / "read")
    model, task, [[name, payoff, calls]] = json.loads(done(python, "-c", READ, "read/dilemma_mock_TFT.json"))
    assert (model, task, name, calls) == ("mock/TFT", "polity/dilemma", "base 1 seat 0", 5)
    assert payoff > 0
