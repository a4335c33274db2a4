"""What settings and what choices of the analysis an answer depends on."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from SALib.analyze import morris as salib_morris
from SALib.analyze import sobol as salib_sobol
from SALib.sample import morris as salib_points
from SALib.test_functions import Ishigami

import polity
from games.errors.faults import Refused
from games.lab.analysis.sensitivity import indices
from games.lab.folders.reporting import result_of, write_report
from games.lab.scenarios.sampling import METHODS, Method, points
from games.lab.scenarios.scenario import load
from tests.analysis.recomputing import rows

LINE = {"steep": (0.0, 1.0), "flat": (0.0, 2.0), "idle": (0.0, 1.0)}


def line(row: dict[str, float]) -> float:
    """6 of each steep, 1 of each flat (over a range of 2), nothing of idle."""
    return 6 * row["steep"] + row["flat"]


def found(method: Method, samples: int) -> dict[tuple[str, str], float]:
    at = points(method, LINE, samples)
    return {(one.setting, one.kind): one.value for one in indices(method, LINE, at, [line(row) for row in at])}


@pytest.mark.parametrize("method", METHODS)
def test_the_steepest_setting_comes_first_and_an_idle_one_last(method: Method) -> None:
    at = points(method, LINE, 64)
    told = indices(method, LINE, at, [line(row) for row in at])
    assert [one.setting for one in told[:3]] == ["steep", "flat", "idle"]


def test_steps_of_a_line_are_its_slopes_over_the_ranges() -> None:
    told = found("morris", 8)
    assert told["steep", "mu_star"] == pytest.approx(6)
    assert told["flat", "mu_star"] == pytest.approx(2)
    assert told["steep", "sigma"] == pytest.approx(0, abs=1e-9)


def test_one_at_a_time_moves_a_line_by_its_slope() -> None:
    told = found("one_at_a_time", 3)
    assert (told["steep", "range"], told["flat", "range"], told["idle", "range"]) == (6, 2, 0)


def test_shares_of_a_lines_variance_are_those_of_its_squares() -> None:
    told = found("sobol", 256)
    assert told["steep", "first"] == pytest.approx(36 / 40, abs=0.03)
    assert told["flat", "total"] == pytest.approx(4 / 40, abs=0.03)


def test_shares_are_those_of_the_library_on_ishigamis_function() -> None:
    ranges = {f"x{k}": (-np.pi, np.pi) for k in (1, 2, 3)}
    at = points("sobol", ranges, 256)
    values = Ishigami.evaluate(np.array([list(row.values()) for row in at]))
    told = {(one.setting, one.kind): one.value for one in indices("sobol", ranges, at, list(values))}
    problem = {"num_vars": 3, "names": list(ranges), "bounds": [list(one) for one in ranges.values()]}
    again = salib_sobol.analyze(problem, values, calc_second_order=False, seed=1)
    for place, name in enumerate(ranges):
        assert told[name, "first"] == pytest.approx(float(again["S1"][place]), rel=1e-9)
    assert told["x3", "total"] == pytest.approx(0.24, abs=0.08)


def test_whole_ranges_give_whole_numbers_and_the_same_points_again() -> None:
    ranges = {"rounds": (2, 9), "noise_a": (0.0, 0.2)}
    at = points("latin_hypercube", ranges, 5)
    assert all(isinstance(row["rounds"], int) for row in at)
    assert at == points("latin_hypercube", ranges, 5)


@pytest.mark.parametrize(
    ("method", "ranges", "samples", "why"),
    [
        ("anova", LINE, 8, "method: 'anova'"),
        ("sobol", LINE, 12, "of sobol a power of 2"),
        ("morris", {"a": (1.0, 1.0), "b": (0.0, 1.0)}, 8, "the least value comes first"),
        ("morris", {"a": (0.0, 1.0)}, 8, "compares at least two"),
    ],
)
def test_what_is_no_design_is_refused(
    method: Method, ranges: dict[str, tuple[float, float]], samples: int, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        points(method, ranges, samples)


def test_a_games_settings_are_ordered_by_what_they_do_to_a_measure() -> None:
    told = polity.sensitivity(
        "dilemma/tft-vs-alld", {"noise_b": (0.0, 0.4), "collapse_k": (5, 10)}, "cooperation_rate",
        method="one_at_a_time", samples=2, jobs=1,
    )  # fmt: skip
    assert told.indices[0].setting == "noise_b"
    assert told.indices[1].value == 0
    assert len(told.rows()) == 4
    ElementTree.fromstring(told.svg())
    with pytest.raises(Refused, match="did you mean cooperation_rate"):
        polity.sensitivity(
            "dilemma/demo", {"noise_b": (0.0, 0.4)}, "cooperation_rat", method="one_at_a_time", samples=2
        )


def test_a_question_is_asked_under_every_measure_test_and_exclusion(tmp_path: Path) -> None:
    document = tmp_path / "e.yaml"
    document.write_text(
        "game: dilemma\nconfig: {rounds: 20, noise_a: 0.05}\nseats: {default: {policy: TFT}}\nseeds: 1..6\n"
        "factors: {noise: {field: noise_b, levels: [0.0, 0.3]}}\n"
        "hypotheses: {slips: {metric: cooperation_rate, of: noise-0.3}}\n"
    )
    runs = polity.play(document, out=tmp_path / "runs", jobs=1)
    choices = polity.multiverse(runs.path, "slips", ["both_cooperate_rate"])
    assert len(choices) == 2 * 3, "every decision was a seat's own: no bound leaves out other runs"
    assert {one.metric for one in choices} == {"cooperation_rate", "both_cooperate_rate"}
    sizes = [one.found.effect.estimate for one in choices if one.found.effect and one.found.effect.estimate is not None]
    assert sizes == sorted(sizes)
    ElementTree.fromstring(polity.multiverse_svg(choices))
    with pytest.raises(Refused, match="hypothesis: 'slip'"):
        polity.multiverse(runs.path, "slip")


def test_a_file_declares_a_design_and_its_report_tells_what_the_library_finds_in_its_tables(tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text(
        "game: dilemma\nconfig: {rounds: 20, noise_a: 0.05}\nseats: {default: {policy: TFT}}\nseeds: 1..3\n"
        "sensitivity: {method: morris, settings: {noise_b: [0.0, 0.4], noise_a: [0.0, 0.1]}, samples: 4, "
        "metrics: [cooperation_rate, time_to_collapse]}\n"
    )
    runs = polity.play(tmp_path / "e.yaml", out=tmp_path / "runs", jobs=1)
    page = write_report(runs.folder, result_of(runs.folder), tmp_path / "report")
    told = {(row["metric"], row["setting"], row["index"]): row for row in rows(page.parent, "sensitivity")}
    means = {
        row["condition"]: row["mean"] for row in rows(page.parent, "summaries") if row["metric"] == "cooperation_rate"
    }
    at = {
        (float(row["noise_b"]), float(row["noise_a"])): float(means[row["condition"]])
        for row in rows(page.parent, "points")
    }
    problem = {"num_vars": 2, "names": ["noise_b", "noise_a"], "bounds": [[0.0, 0.4], [0.0, 0.1]]}
    table = salib_points.sample(problem, 4, num_levels=4, seed=1)
    again = salib_morris.analyze(problem, table, np.array([at[tuple(row)] for row in table]), num_levels=4, seed=1)
    for place, name in enumerate(problem["names"]):
        for index in ("mu_star", "sigma"):
            assert float(told["cooperation_rate", name, index]["value"]) == pytest.approx(again[index][place], rel=1e-9)
    text = page.read_text("utf-8")
    assert "Morris’ elementary effects" in text or "Morris&#x27; elementary effects" in text
    assert "undefined at" in text
    assert (page.parent / "sensitivity-cooperation_rate.svg").is_file()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("sensitivity: {settings: {noise_c: [0, 1], noise_b: [0, 1]}}", "did you mean noise"),
        ("sensitivity: {settings: {noise_b: [0.3, 0.1], noise_a: [0, 1]}}", "the least value comes first"),
        ("sensitivity: {settings: {noise_b: low, noise_a: [0, 1]}}", "two finite numbers"),
        ("sensitivity: {settings: {noise_b: [0, 0.5], noise_a: [0, 0.5]}, metrics: luck}", "sensitivity.metrics.0"),
        ("sensitivity: {settings: {noise_b: [0, 1], noise_a: [0, 1]}}\nfactors: {n: {field: rounds, levels: [5, 6]}}",
         "its points are the conditions"),
        ("factors: {n: {field: rounds, levels: [5, 6]}}\nreport: {multiverse: {h: []}}", "report.multiverse.h"),
    ],
)  # fmt: skip
def test_a_design_that_cannot_be_played_is_refused_where_it_stands(line: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text(f"game: dilemma\nseats: {{default: {{policy: TFT}}}}\nseeds: 1..3\n{line}\n")
    with pytest.raises(Refused, match=told):
        load(str(tmp_path / "e.yaml"))


def test_a_question_with_a_multiverse_tells_in_how_many_analyses_it_is_shown(tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text(
        "game: dilemma\nconfig: {rounds: 20, noise_a: 0.05}\nseats: {default: {policy: TFT}}\nseeds: 1..6\n"
        "factors: {noise: {field: noise_b, levels: [0.0, 0.3]}}\n"
        "hypotheses: {slips: {metric: cooperation_rate, of: noise-0.3}}\n"
        "report: {multiverse: {slips: [both_cooperate_rate]}}\n"
    )
    runs = polity.play(tmp_path / "e.yaml", out=tmp_path / "runs", jobs=1)
    page = write_report(runs.folder, result_of(runs.folder), tmp_path / "report")
    told = rows(page.parent, "multiverse")
    shown = sum(row["verdict"] == "shown" for row in told)
    assert len(told) == 2 * 3
    assert f"slips: shown in {shown} of 6 analyses." in page.read_text("utf-8")
    declared = rows(page.parent, "comparisons")[0]
    assert declared["p"] in {row["p"] for row in told if row["metric"] == "cooperation_rate" and row["test"] == "t"}
