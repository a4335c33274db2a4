"""What the sources state, beside what is measured: verdicts, rows, what is kept, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from games.core.registry import get
from games.errors.faults import BadScenario
from games.lab.analysis.plan import Reference
from games.lab.analysis.references import held
from games.lab.folders.running import run
from games.lab.scenarios.scenario import load, load_text
from games.lab.scenarios.stated import SourceForm, notes_of, source_of
from games.lab.sources.playing import reproduced, rows_in
from games.lab.sources.rows import DIFFERS, LEARNT, Row, contrast, filled, kept_of, rows_of, sources, stated_in
from tests.lab.test_shell import Polity

ROOT = Path(__file__).parents[2]
GAMES = ("adasociety", "dilemma", "economist", "mining", "nations")
TEXT = """
seeds: 1..3
config: {rounds: 5}
seats: {default: {policy: TFT}}
references:
  cooperation: {place: "table 1, TFT", metric: cooperation_rate, theirs: 1}
"""


def number(theirs: float, values: list[float | None], **more: dict[str, str]) -> str:
    return held(Reference("one", "table 1", "m", "base", theirs, **more), values).verdict


def test_a_verdict_says_where_their_number_lies_and_whether_ours_can_tell() -> None:
    close = [0.99, 1.0, 1.01, 1.0]
    assert number(1.0, close) == "within"
    assert number(1.2, close) == "below"
    assert number(0.8, close) == "above"
    assert number(1.0, [0.5, 1.5, 0.9]) == "inconclusive", "it contains theirs, and would contain much else"
    assert number(1.0, [1.0, None]) == "untestable"
    assert number(1.0, close, incomparable={"en": "another machine"}) == "incomparable"


def test_a_scenario_file_holds_numbers_of_its_source_and_its_runs_answer_them() -> None:
    scenario = load_text(TEXT, "one.yaml", "dilemma")
    (row,) = stated_in(scenario, "one")
    assert (row.key, row.table, row.theirs, row.verdict) == ("one#cooperation", "table 1", 1, "open")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("metric: cooperation_rate", "metric: coperation_rate"), "coperation_rate"),
        (("theirs: 1", "theirs: 1, of: nobody"), "nobody"),
        (("theirs: 1", "theirs: .inf"), "finite"),
        (("theirs: 1", "theirs: 1, incomparable: weather"), "weather"),
    ],
)
def test_a_reference_that_cannot_be_measured_is_named(change: tuple[str, str], said: str) -> None:
    with pytest.raises(BadScenario, match=said):
        load_text(TEXT.replace(*change), "one.yaml", "dilemma")


def test_every_source_is_read_and_every_row_has_a_place_and_a_reason_where_it_is_not_played() -> None:
    found = sources()
    assert {one.game for one in found} >= set(GAMES)
    rows = [row for one in found for row in one.rows]
    assert len(rows) >= 60
    for row in rows:
        assert row.place
        assert row.theirs is not None or row.claim
        assert row.key or row.why or row.by, row


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_was_played_by_the_plan_that_stands_and_no_number_of_ours_stands_anywhere_else(game: str) -> None:
    pack = get(game)
    kept = kept_of(pack)
    assert kept
    for preset, entry in kept.items():
        if preset.startswith(LEARNT):
            continue
        scenario = load(f"{game}/{preset}")
        assert entry["plan"] == scenario.plan_hash(), f"polity reproduce {game} {preset} --write"
        assert all(row["verdict"] != "untestable" for row in entry["rows"].values()), preset
        assert set(entry["rows"]) == {row.key.partition("#")[2] for row in stated_in(scenario, preset)}
    form = source_of(pack)
    assert form is not None
    assert all(row.ours is None for row in rows_of(pack, SourceForm(title="x")) if row.preset not in kept)


@pytest.mark.parametrize("preset", ["paper-contract-easy", "paper-contract-hard", "llm-c-negotiation-easy"])
def test_the_first_seed_gives_the_numbers_that_are_kept(preset: str) -> None:
    kept = kept_of(get("adasociety"))[preset]["rows"]
    scenario = load(f"adasociety/{preset}", seeds=(1,))
    played = {one.condition: one.metrics for one in run(scenario, jobs=1)}
    assert scenario.experiment is not None
    for one in scenario.experiment.references:
        assert kept[one["name"]]["values"][0] == played[one["condition"]][one["metric"]], one["name"]


@pytest.mark.parametrize(
    "preset",
    [
        "mining/settling",
        "nations/trade",
        "economist/detection",
        "adasociety/paper-exploration",
        "dilemma/first-tournament",
    ],
)
def test_cheap_rows_are_played_whole_and_come_to_what_is_kept(preset: str) -> None:
    """A preset of each source; of the tournament's five seeds the first."""
    game, _, name = preset.partition("/")
    kept, seeds = kept_of(get(game))[name], (1,) if game == "dilemma" else None
    found = reproduced(load(preset, seeds=seeds), jobs=1)
    if seeds is None:
        assert (found["plan"], found["rows"]) == (kept["plan"], kept["rows"])
    else:
        assert found["runs"] == 120
        assert {one: row["values"] for one, row in found["rows"].items()} == {
            one: row["values"][:1] for one, row in kept["rows"].items()
        }


def test_a_row_is_open_again_where_rules_or_plan_have_changed() -> None:
    pack = get("adasociety")
    preset = "paper-contract-easy"
    entry = kept_of(pack)[preset]
    row = stated_in(load(f"adasociety/{preset}"), preset)[0]
    assert filled(row, entry).ours is not None
    assert filled(Row("adasociety", f"{preset}#no-such", "table 2"), entry).verdict == "open"


def test_a_row_whose_kept_number_was_altered_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = get("adasociety")
    source = source_of(pack)
    assert source is not None
    text = pack.files.reproduced()
    assert text is not None
    monkeypatch.setattr(
        type(pack.files), "reproduced", lambda self: text.replace('"ppo": {"ours": 0.2', '"ppo": {"ours": 0.3', 1)
    )
    rows = {row.key: row for row in rows_of(pack, source)}
    assert rows["paper-contract-easy#ppo"].verdict == "open"
    assert rows["paper-contract-hard#ppo"].verdict == "within"


def test_the_command_shows_what_is_kept_and_refuses_what_is_not_there(polity: Polity) -> None:
    shown = polity("reproduce", "adasociety", "table-2", "--stored", "--json")
    assert shown.status == 0
    rows = json.loads(shown.out)
    assert {row["table"] for row in rows} == {"table 2"}
    assert sum(row["ours"] is not None for row in rows) >= 4
    assert "land that is not scarce" in polity("reproduce", "mining", "--stored").out
    assert "()" not in polity("reproduce", "adasociety", "--stored").out  # of a claim that has no condition
    assert polity("reproduce", "minning", "--stored").lines[0].startswith("minning: no game of that name has a source")
    assert "table-2" in polity("reproduce", "adasociety", "table-22", "--stored").lines[0]


def test_a_result_tells_each_row_of_its_preset() -> None:
    from games.lab.analysis.plan import Plan
    from games.lab.analysis.result import analyse
    from games.lab.analysis.runs import Run

    plan = Plan(("base",), references=(Reference("one", "table 1", "m", "base", 2.0),))
    found = rows_in(analyse(plan, [Run("base", n, n, 1, {"m": 2.0 + n / 100}) for n in (1, 2, 3)]))
    assert found["one"]["values"] == [2.01, 2.02, 2.03]
    assert (found["one"]["n"], found["one"]["verdict"]) == (3, "within")


def test_who_rests_on_a_preset_and_names_other_conditions_is_not_asked_its_questions() -> None:
    mine = load_text(
        "{base: dilemma/noisy, conditions: {quiet: {config: {noise_a: 0}}, loud: {}}}", "x.yaml", "dilemma"
    )
    same = load_text(
        "{base: dilemma/noisy, conditions: {tft: {}, gtft: {seats: {default: {policy: GTFT}}}}}", "x.yaml", "dilemma"
    )
    assert mine.experiment is not None
    assert same.experiment is not None
    assert mine.experiment.comparisons == ()
    assert not same.experiment.comparisons, "one that asks of more conditions than there are is left out whole"
    bare = load_text("{base: dilemma/noisy, seeds: 1..3}", "x.yaml", "dilemma")
    assert bare.experiment is not None
    assert {one["hypothesis"] for one in bare.experiment.comparisons} == {"mending-pays", "a-slip-for-ever"}


def test_a_game_without_a_source_has_no_rows() -> None:
    assert source_of(get("stag_hunt")) is None


TYPED = ("README.md", "CHANGELOG.md", "docs/**/*.md", "games/catalog/**/*.md", "games/catalog/*/source.yaml",
         "games/catalog/*/scenarios/*.yaml", "templates/*.html", "games/site/web/*.py",
         "frontend/src/words/*.ts")  # fmt: skip
"""Where a number of ours might be typed beside one of theirs."""
BESIDE = re.compile(r"^\|.*\b(here|ours?)\b.*\b(paper|theirs|source)('s)?\b.*\|$", re.I | re.M)
"""The head of a table that sets ours beside theirs."""


def figures() -> dict[str, str]:
    """Ours as pages and command show it, with three digits that count at least, by the row; but what theirs is too."""
    every = [row for one in sources() for row in one.rows]
    stated = {f"{value:g}" for row in every for value in (row.theirs, row.spread) if value is not None}
    told = {f"{row.ours:.{digits}f}": row.key for row in every for digits in (4, 6) if row.ours is not None}
    return {text: key for text, key in told.items() if len(text.strip("-0.")) >= 3 and text.rstrip("0") not in stated}


def typed(text: str, ours: Mapping[str, str]) -> list[str]:
    """What a text says of ours: figures that the command keeps, and heads of tables that set ours beside theirs."""
    words = set(re.findall(r"-?\d+\.\d+", text.replace("−", "-")))
    heads = [one[0] for one in BESIDE.finditer(text)]
    return [f"{number}, of {ours[number]}" for number in sorted(words & set(ours))] + heads


def test_no_figure_of_ours_is_typed_by_hand() -> None:
    """Read as text: what is measured stands in reproduced.json, where the command writes it, and nowhere else."""
    ours = figures()
    assert len(ours) > 60
    read = {path: path.read_text("utf-8") for pattern in TYPED for path in sorted(ROOT.glob(pattern))}
    assert len(read) > 200
    found = [f"{path.relative_to(ROOT)}: {one}" for path, text in read.items() for one in typed(text, ours)]
    assert not found, found


def test_a_figure_of_ours_that_is_typed_is_found() -> None:
    ours = figures()
    number, row = next((text, key) for text, key in ours.items() if text.startswith("-"))
    assert typed(f"Raids fall by {number.replace('-', '−')} here.", ours) == [f"{number}, of {row}"]
    assert typed("| what | here | the paper |", ours) == ["| what | here | the paper |"]
    assert typed("Table 2 prints 0.2286.", ours) == []


def test_what_is_told_of_the_sources_sentences_names_what_there_is() -> None:
    """Every file, preset and decision that docs/sources.md names."""
    text = (ROOT / "docs" / "sources.md").read_text("utf-8")
    files = re.findall(r"`((?:tests|games)/[\w/.-]+)`", text)
    presets = re.findall(rf"`((?:{'|'.join(GAMES)})/[a-z-]+)`", text)
    decisions = re.findall(r"\((decisions/[\w.-]+)\)", text)
    assert len(files) > 25
    assert len(presets) > 15
    assert not [path for path in files if not (ROOT / path).exists()]
    assert not [path for path in decisions if not (ROOT / "docs" / path).exists()]
    assert not [name for name in presets if name.partition("/")[2] not in get(name.partition("/")[0]).scenarios]


def test_a_note_is_of_a_row_that_there_is_and_each_row_that_differs_has_one() -> None:
    for one in sources():
        keys = {row.key or row.place for row in one.rows}
        assert set(notes_of(one.form)) <= keys, one.game
        bare = [row.key or row.place for row in one.rows if row.verdict in DIFFERS and not row.note]
        assert not bare, bare


def test_a_contrast_is_named_by_the_levels_that_its_cells_share_and_by_all_where_they_share_none() -> None:
    assert contrast({"talk": 1.0, "baseline": -1.0}) == "talk − baseline"
    cells = {"us_none": 0.5, "us_four": 0.5, "saez_none": -0.5, "saez_four": -0.5}
    assert contrast(cells) == "us − saez"
    assert contrast({"neutral": 0.5, "framed": 0.5, "letters": -1.0}) == "neutral, framed − letters"
