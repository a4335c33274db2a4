"""The report: a page that opens from disk and asks no network, in both languages, with its numbers beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from games.core.words import placeholders
from games.lab.analysis.intervals import describe
from games.lab.analysis.multiverse import choices
from games.lab.analysis.plan import Comparison, Plan
from games.lab.analysis.report import sentences
from games.lab.analysis.report.figures import NAME, SHOWN, Legend, intervals
from games.lab.analysis.report.labels import WORDS, Labels, probability
from games.lab.analysis.report.page import report
from games.lab.analysis.report.printing import pdf
from games.lab.analysis.result import analyse
from games.lab.analysis.runs import Conduct, Run
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import differing, print_figures
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load
from simsite.cli import main
from tests.analysis.experiments import drawn, plan
from tests.sites import ROOT

SHIFTS = {"silent": 0.0, "talk": 0.8, "tax": -0.3}


class Reader(HTMLParser):
    """Whatever a browser would fetch or run."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag in ("script", "link", "img", "iframe", "object", "embed"):
            self.fetched.append((tag, told.get("src") or told.get("href")))
        if tag == "a" and not re.fullmatch(r"[\w.-]+", told.get("href") or ""):
            self.fetched.append((tag, told.get("href")))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_fetches_and_runs_nothing(language: str) -> None:
    made = report(analyse(plan(), drawn(5, SHIFTS, 8, rounds=6)), Labels(language, "Mining", "Does <talk> help?"))
    reader = Reader()
    reader.feed(made.page)
    assert reader.fetched == []
    assert "Does &lt;talk&gt; help?" in made.page
    assert "http" not in re.sub(r'http-equiv|xmlns="http://www.w3.org/2000/svg"', "", made.page)
    for figure in made.figures.values():
        ElementTree.fromstring(figure)
    assert {"mean-x", "trend-y", "time-t"} <= set(made.figures)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_figure_says_its_axes_with_units_its_n_and_what_is_drawn(language: str) -> None:
    metrics = {"x": {"label": "Profit", "unit": "coins"}, "y": {"label": "Calm", "unit": "%"}, "t": {"label": "End"}}
    result = analyse(plan(), drawn(5, SHIFTS, 8, rounds=6))
    made = report(result, Labels(language, "Mining", "title", metrics=metrics))
    mean, trend, time = (made.figures[name] for name in ("mean-x", "trend-y", "time-t"))
    assert re.search(r"<text[^>]*>Profit \(coins\)</text>", mean), "the title of the axis"
    assert mean.count("n = 8") == 3
    assert "95%" in mean
    assert "silent" in mean
    for figure, words in ((trend, ("Calm (%)", "n = 8")), (time, ("End", "n = 8"))):
        assert all(word in figure for word in words), figure[:500]
    assert ("x: round" if language == "en" else "x: 回合") in trend


@pytest.mark.parametrize("language", ["en", "zh"])
def test_figures_are_printed_as_svg_and_pdf_with_the_numbers_that_they_show(tmp_path: Path, language: str) -> None:
    result = analyse(plan(), drawn(5, SHIFTS, 8, rounds=6))
    figures = report(result, Labels(language, "Mining", "title")).figures
    print_figures(figures, result, tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"mean-x.svg", "mean-x.pdf", "mean-x.csv", "mean-x-seeds.csv", "trend-y.pdf", "time-t.csv"} <= names
    again = pdf(figures["mean-x"], "mean-x")
    assert again.startswith(b"%PDF-")
    assert (tmp_path / "mean-x.pdf").read_bytes() == again  # the same bytes each time
    rows = (tmp_path / "mean-x.csv").read_text().splitlines()
    assert [row.split(",")[:3] for row in rows[1:]] == [[name, "x", "8"] for name in SHIFTS]
    assert len((tmp_path / "mean-x-seeds.csv").read_text().splitlines()) == 1 + 3 * 8


def test_the_api_describes_each_key_of_a_result_and_none_besides() -> None:
    shapes = json.loads((ROOT / "frontend" / "openapi.json").read_text())["components"]["schemas"]
    closed = {name: {**shape, "additionalProperties": False} for name, shape in shapes.items() if "Result" in name}
    asked = Draft202012Validator({"$ref": "#/components/schemas/Result", "components": {"schemas": closed}})
    told = json.loads(json.dumps(analyse(plan(), drawn(5, SHIFTS, 8, rounds=6)).plain()))
    assert [error.message for error in asked.iter_errors(told)] == []


def test_both_languages_say_the_same_things_with_the_same_values() -> None:
    en, zh = (
        {key: placeholders(text) for key, text in WORDS.book(language)["report"].items()} for language in ("en", "zh")
    )
    assert en == zh


def test_every_sentence_is_used_and_every_sentence_that_is_used_is_there() -> None:
    root = Path(WORDS.folder).parent
    paths = [*root.glob("*.py"), root.parent / "provenance.py", root.parents[1] / "folders" / "reporting.py"]
    sources = "".join(path.read_text("utf-8") for path in paths)
    told = set(WORDS.book("en")["report"])
    begun = tuple(re.findall(r"f['\"]([a-z_]+_)\{", sources))
    unused = {key for key in told if not re.search(rf"['\"]{key}['\"]", sources) and not key.startswith(begun)}
    assert unused == set()
    assert set(re.findall(r"say\(\s*['\"]([a-z_]+)['\"]", sources)) <= told


@pytest.mark.parametrize(("p", "told"), [(0.0004, "< 0.001"), (0.049, "0.049"), (None, "–"), (1.0, "1.000")])
def test_p_is_told_with_three_decimals(p: float | None, told: str) -> None:
    assert probability(p) == told


@pytest.mark.parametrize(
    ("form", "value", "told"),
    [("d", 3.25, "3.25"), (".1%", 0.1234, "12.3%"), (".3f", -0.00002, "−2e−05"), ("", 2, "2")],
)
def test_numbers_are_written_as_the_game_writes_them(form: str, value: float, told: str) -> None:
    assert Labels("en", "g", "t", metrics={"x": {"format": form}}).number("x", value) == told


# --- the command --------------------------------------------------------------------------------------


@pytest.fixture
def polity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    monkeypatch.setenv("POLITY_GAMES", "tests.toygames")
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(args)
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return call


EXPERIMENT = """
base: orchard/baseline
seeds: 1..4
factors: {first: {seats: 0, levels: {calm: {policy: sustain}, greedy: {policy: greedy}}}}
hypotheses: {H1: {metric: apples_left, of: greedy, direction: lower, title: {en: Greed ruins., zh: 贪婪致败。}}}
report: {trends: [apples], times: {rounds_lasted: steps}}
"""


def test_an_experiment_is_played_and_reported_by_two_commands(polity: Callable[..., Any]) -> None:
    Path("e.yaml").write_text(EXPERIMENT)
    assert polity("run", "e.yaml", "--jobs", "1", "--out", "out")[0] == 0
    status, out, _ = polity("report", "out")
    assert status == 0
    assert out.splitlines()[-1] == "written: out/report/report.html"
    assert {path.name for path in Path("out/report").glob("*.csv")} >= {"runs.csv", "comparisons.csv", "trends.csv"}
    told = json.loads(polity("report", "out", "--json")[1])
    assert told == json.loads(Path("out/report/result.json").read_text())
    assert told["comparisons"][0]["comparison"]["hypothesis"] == "H1"
    first = Path("out/report/report.html").read_bytes()
    assert polity("report", "out")[0] == 0
    assert Path("out/report/report.html").read_bytes() == first
    assert polity("report", "out", "--language", "zh", "--out", "zh")[0] == 0
    assert "贪婪致败。" in Path("zh/report.html").read_text()


def test_a_pilot_tells_before_the_start_what_the_seeds_would_show(polity: Callable[..., Any]) -> None:
    Path("e.yaml").write_text(EXPERIMENT.replace("policy: sustain}, greedy", "policy: random}, greedy"))
    polity("run", "e.yaml", "--jobs", "1", "--out", "pilot")
    status, out, _ = polity("run", "e.yaml", "--dry-run", "--seeds", "1..40", "--pilot", "pilot")
    assert status == 0
    assert "40 seeds show" in out
    assert re.search(r"H1 \(greedy, calm\) +4 ", out)
    assert polity("run", "e.yaml", "--pilot", "pilot")[0] == 2
    assert polity("run", "orchard/baseline", "--dry-run", "--pilot", "pilot")[0] == 2


def test_a_folder_that_declares_nothing_is_described(polity: Callable[..., Any]) -> None:
    polity("run", "orchard/tragedy", "--jobs", "1", "--out", "out")
    assert polity("report", "out")[0] == 0
    told = json.loads(Path("out/report/result.json").read_text())
    assert [told["runs"], told["comparisons"], len(told["summaries"])] == [9, [], 3]


def test_what_stands_in_the_way_is_left_alone(polity: Callable[..., Any]) -> None:
    polity("run", "orchard/baseline", "--jobs", "1", "--out", "out")
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("mine")
    status, _, err = polity("report", "out", "--out", "mine")
    assert (status, Path("mine/notes.txt").read_text()) == (2, "mine")
    assert "so it is no report and is left alone" in err
    assert polity("report", "out", "--language", "fr")[0] == 2
    assert polity("report", "nowhere")[0] == 2


def test_a_round_robin_is_reported_with_matrix_and_ranking(polity: Callable[..., Any]) -> None:
    Path("r.yaml").write_text(
        "base: orchard/baseline\nseeds: 1..3\nconfig: {rounds: 5}\nround_robin:\n  entrants:\n"
        "    a: {policy: greedy}\n    b: {policy: sustain}\n    c: {policy: random}\n  self_play: shown\n"
    )
    assert polity("run", "r.yaml", "--jobs", "1", "--out", "out")[0] == 0
    assert polity("report", "out")[0] == 0
    told = json.loads(Path("out/report/result.json").read_text())["standings"]
    assert told["places"][0]["name"] == "a"
    assert told["cells"][0][1] == ["a_vs_b", "b_vs_a"]
    assert told["cells"][0][0] == ["a_vs_a"]
    page = Path("out/report/report.html").read_text()
    assert "standings.csv" in page
    assert 'class="matrix"' in page


def test_the_sources_number_is_a_second_mark_within_the_axis() -> None:
    rows = [("base", describe([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0])]
    plain = intervals("m", rows, None, str, Legend("", "", "")).svg()
    marked = intervals("m", rows, None, str, Legend("", "", ""), {"base": 9.0}).svg()
    assert 'class="theirs"' in marked
    assert 'class="theirs"' not in plain
    place = re.search(r'd="M([\d.]+),[^"]*" class="theirs"', marked)
    assert place is not None
    assert NAME < float(place[1]) < NAME + SHOWN, "the axis has room for it"


TWO = """
base: orchard/baseline
seeds: 1..3
cells: full
factors:
  first: {seats: 0, levels: {calm: {policy: sustain}, greedy: {policy: greedy}}}
  trees: {field: rounds, levels: {short: 3, long: 6}}
report: {metrics: [apples_left, rounds_lasted], planes: [[apples_left, rounds_lasted]], maps: [apples_left]}
"""


def test_one_measure_is_drawn_against_another_and_as_a_map_over_two_factors(polity: Callable[..., Any]) -> None:
    Path("e.yaml").write_text(TWO)
    assert polity("run", "e.yaml", "--jobs", "1", "--out", "out")[0] == 0
    assert polity("report", "out")[0] == 0
    told = json.loads(Path("out/report/result.json").read_text())["summaries"]
    drawn = Path("out/report/map-apples_left.svg").read_text()
    assert {"calm", "greedy", "short", "long"} <= set(re.findall(r">([a-z]+)(?:<title>[a-z]+</title>)?</text>", drawn))
    assert len(re.findall(r'<rect [^>]*class="m\d"', drawn)) == len(told) == 4
    plane = Path("out/report/plane-apples_left-rounds_lasted.svg").read_text()
    assert plane.count("<rect") + plane.count("<circle") == 4
    for wrong, said in (("maps: [apples]", "apples"), ("planes: [[apples_left, x]]", "x")):
        Path("f.yaml").write_text(re.sub(r"planes: .*\]\], ", "", TWO).replace("maps: [apples_left]", wrong))
        status, _, told_wrong = polity("validate", "f.yaml")
        assert (status, said in told_wrong) == (2, True)
    Path("f.yaml").write_text(TWO.replace("  trees: {field: rounds, levels: {short: 3, long: 6}}\n", ""))
    assert "two factors" in polity("validate", "f.yaml")[2]


def test_a_contrast_of_many_cells_is_told_by_the_levels_that_they_share() -> None:
    labels = Labels("en", "Mining", "title")
    cells = {
        f"{noise}_{length}": sign / 2 for noise, sign in (("loud", 1), ("calm", -1)) for length in ("short", "long")
    }
    asked = Comparison("H", "contrast", "x", cells, "differs")
    assert sentences.contrast(labels, asked) == "loud (mean of 2) − calm (mean of 2)"
    odd = Comparison("H", "contrast", "x", {"a": 0.5, "b": 0.5, "c": -1.0}, "differs")
    assert sentences.contrast(labels, odd) == "mean of 2 conditions − c"
    unlike = Comparison("H", "contrast", "x", {"a": 0.7, "b": 0.3, "c": -1.0}, "differs")
    assert sentences.contrast(labels, unlike) == "0.7 a + 0.3 b − c"


def test_no_bar_of_a_share_goes_beyond_0_and_1() -> None:
    runs = [Run(name, n, n, 1, {"x": value}) for name in SHIFTS for n, value in enumerate((1.0, 1.0, 1.0, 0.6), 1)]
    result = analyse(Plan(tuple(SHIFTS)), runs)
    drawn = {
        form: report(result, Labels("en", "Mining", "title", metrics={"x": {"format": form}})).figures["mean-x"]
        for form in (".1%", ".3f")
    }
    assert "Bars end where shares do" in drawn[".1%"]
    assert "Bars end where shares do" not in drawn[".3f"]
    ends = {form: max(float(x) for x in re.findall(r'x2="([\d.]+)"[^>]*bar"', svg)) for form, svg in drawn.items()}
    seeds = {form: max(float(x) for x in re.findall(r'x2="([\d.]+)"[^>]*seed"', svg)) for form, svg in drawn.items()}
    assert ends[".1%"] == seeds[".1%"]
    assert ends[".3f"] > seeds[".3f"]


def test_settings_that_differ_are_told_with_six_digits_where_these_tell_them_apart(tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text(
        "game: dilemma\nconfig: {rounds: 2}\nseats: {default: {policy: TFT}}\nseeds: 1..2\n"
        f"factors: {{noise: {{field: noise_b, levels: [{2 / 15}, {0.7 + 0.1}]}}}}\n"
    )
    run(load(str(tmp_path / "e.yaml")), tmp_path / "out", jobs=1)
    told = differing(RunFolder(tmp_path / "out"))
    assert sorted(one["noise_b"] for one in told.values()) == ["0.133333", "0.8"]


def test_a_bound_that_leaves_out_other_runs_is_another_analysis() -> None:
    asked = Comparison("H", "contrast", "x", {"a": -1.0, "b": 1.0}, "differs")
    runs = [
        Run(name, n, n, 1, {"x": n + 0.01 * n * n * (name == "b")}, conduct=Conduct(10, worst=0.3 * (n == 1)))
        for name in "ab"
        for n in range(1, 7)
    ]
    found = choices(Plan(("a", "b"), "a", True, (asked,)), asked, [], runs)
    assert sorted({one.leave_out for one in found}) == [0.2, 1.0]
    assert {one.leave_out: one.found.n for one in found if one.test == "t"} == {0.2: (5,), 1.0: (6,)}
