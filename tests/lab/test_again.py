"""A run folder holds its whole plan: it is played again from its manifest, which tells who computed and was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import labels_of, report_files, result_of
from tests.lab.conftest import Said

ASKED = """
game: dilemma
title: {en: Do slips end cooperation?}
config: {rounds: 6, noise_a: 0.05}
seats: {default: {policy: TFT}}
factors: {noise: {field: noise_b, levels: [0.0, 0.3]}}
seeds: 1..3
pairing: PAIRING
hypotheses:
  slips: {metric: cooperation_rate, of: noise-0.3, direction: lower, title: {en: Slips end it.}, written: 2026-01-02}
report: {multiverse: {slips: [both_cooperate_rate]}, leave_out: {cleaned: 0.2}}
"""


@pytest.mark.parametrize("pairing", ["common", "independent"])
def test_a_run_folder_is_played_again_with_its_hypotheses_and_name(
    pairing: str, polity: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "asked.yaml").write_text(ASKED.replace("PAIRING", pairing), "utf-8")
    one, two = tmp_path / "one", tmp_path / "two"
    assert polity("run", str(tmp_path / "asked.yaml"), "--set", "rounds=5", "--out", str(one)).status == 0
    assert polity("run", str(one), "--out", str(two)).status == 0
    first, second = (json.loads((folder / "run_manifest.json").read_text("utf-8")) for folder in (one, two))
    for told in (first, second):
        del told["timestamps"], told["seal"]
    assert second == first
    assert second["experiment"]["comparisons"][0]["hypothesis"] == "slips"
    assert "scipy" in second["versions"]
    refused = polity("run", str(one), "--set", "rounds=3")
    assert refused.status != 0
    assert "played again as it stands" in refused.err


def test_manifest_and_report_name_the_models_that_were_asked_and_what_they_cost(
    polity: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "asked.yaml").write_text(
        "game: dilemma\nconfig: {rounds: 2}\nseeds: 1..2\nseats:\n  0: {policy: TFT}\n"
        "  1: {model: mock/default, profile: {price: {input_usd: 3, output_usd: 15}}}\n",
        "utf-8",
    )
    assert polity("run", str(tmp_path / "asked.yaml"), "--out", str(tmp_path / "out")).status == 0
    folder = RunFolder(tmp_path / "out")
    assert folder.manifest["prices"] == {"mock/default": {"input_usd": "3", "output_usd": "15"}}
    page = report_files(result_of(folder), labels_of(folder, "en"))["report.html"]
    assert "mock/default" in page
    assert "it says nothing of language models" in page
