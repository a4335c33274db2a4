"""The report's numbers are those that scipy and statsmodels find in its CSV files."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from games.core.registry import Registry
from games.lab.analysis.report.tables import tables
from games.lab.analysis.resampling import permutation_groups
from games.lab.analysis.result import analyse
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import result_of, write_report
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load
from tests.analysis.experiments import drawn, plan
from tests.analysis.recomputing import check

ORCHARD = Registry(("tests.toygames",))
SHIFTS = {"silent": 0.0, "talk": 0.8, "tax": -0.3}


def written(folder: Path, is_paired: bool, n: int = 20) -> Path:
    result = analyse(plan(is_paired), drawn(7, SHIFTS, n, is_paired, rounds=9))
    for table in tables(result):
        (folder / f"{table.name}.csv").write_text(table.csv())
    return folder


@pytest.mark.parametrize("unit", [10, 80, 3, 0.07])
def test_a_permutation_test_says_the_same_in_every_unit(unit: float) -> None:
    rng = np.random.default_rng(5)
    for of, against in rng.integers(20, 60, size=(8, 2, 8)):
        whole = permutation_groups(of.tolist(), against.tolist(), "lower")
        told = permutation_groups((of / unit).tolist(), (against / unit).tolist(), "lower")
        assert told.p == whole.p


@pytest.mark.parametrize("is_paired", [True, False], ids=["paired", "unpaired"])
@pytest.mark.parametrize("n", [3, 6, 20])
def test_every_number_is_what_the_libraries_find_in_the_csv(is_paired: bool, n: int, tmp_path: Path) -> None:
    assert check(written(tmp_path, is_paired, n)) > 120


def test_a_number_that_is_off_in_the_ninth_place_is_found_out(tmp_path: Path) -> None:
    folder = written(tmp_path, True)
    path = folder / "comparisons.csv"
    head, first, *rest = path.read_text().splitlines()
    cells = first.split(",")
    at = head.split(",").index("p")
    cells[at] = repr(float(cells[at]) * (1 + 3e-9) + 3e-9)
    path.write_text("\n".join([head, ",".join(cells), *rest]) + "\n")
    with pytest.raises(AssertionError, match="H1"):
        check(folder)


def test_a_played_experiments_report_is_reckoned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("e.yaml").write_text(
        textwrap.dedent("""
        base: orchard/baseline
        seats: {default: {policy: random}, 0: {policy: greedy}}
        seeds: 1..6
        factors:
          growth: {field: growth, levels: [20, 5]}
          crowd: {field: pickers, levels: [4, 6]}
        hypotheses:
          H1: {metric: harvest, factor: growth, of: growth-5, direction: lower}
          H2: {metric: gini, of: "*", test: rank}
          H3: {metric: harvest, halves: true, of: ["growth-20_crowd-4"], direction: lower}
          H4: {metric: harvest, of: growth-5_crowd-4, direction: lower, test: proportion, over: 40}
          H5: {metric: gini, of: growth-5_crowd-4, direction: differs, test: mixed}
          H6: {metric: harvest, of: growth-5_crowd-4, direction: lower, test: clustered}
          H7: {metric: harvest, of: growth-20_crowd-6, direction: equivalent, interest: 8}
          H8: {metric: harvest, of: growth-20_crowd-6, direction: equivalent, interest: 8, test: permutation}
        report: {trends: [harvest], bootstrap: true, multiverse: {H6: [gini]}}
        """)
    )
    run(load("e.yaml", ORCHARD), tmp_path / "out", jobs=1)
    folder = RunFolder(tmp_path / "out", ORCHARD)
    result = result_of(folder)
    assert [len(one.n) for one in result.comparisons] == [1] * 6 + [2] * 2 + [1] * 2
    assert write_report(folder, result, tmp_path / "report").is_file()
    assert check(tmp_path / "report") > 100
