"""Phenomena: rows are read with their faults named, played beside their opposites, and tested together."""

from __future__ import annotations

import json
import linecache
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.core.codec import digest
from games.core.registry import Registry, get
from games.errors.faults import Refused
from games.lab import phenomena
from games.lab.analysis.testing import paired_difference
from games.lab.conduct import _told
from games.lab.phenomena import Phenomenon, compared, judged, phenomena_of, seen, store, stored

ROW = {
    "claim": {"en": "More.", "zh": "更多。"},
    "preset": "a",
    "against": "b",
    "measure": "m",
    "sign": "higher",
    "effect": 1,
    "source": "by hand",
}


def runs(*values: float | None) -> list[dict[str, float | None]]:
    return [{"m": value} for value in values]


def test_a_difference_that_is_shown_and_large_enough_holds() -> None:
    row = Phenomenon.model_validate(ROW)
    high, zero = runs(5, 6, 5, 6, 5), runs(0, 0, 0, 0, 0)
    slight = runs(0.5, 0.6, 0.5, 0.6, 0.5)
    rows = [compared("g", "r", row, *sides) for sides in ((high, zero), (slight, zero), (zero, high), (zero, zero))]
    assert [one.verdict for one in judged(rows)] == ["holds", "too_small", "opposite", "untestable"]


def test_p_is_corrected_over_all_rows() -> None:
    row = Phenomenon.model_validate(ROW)
    found = compared("g", "r", row, runs(5, 1, 4, 2), runs(0, 0, 0, 0))
    alone, twice = judged([found])[0], judged([found, found])[0]
    assert alone.p is not None
    assert twice.p == pytest.approx(2 * alone.p)


def test_pairs_in_which_the_measure_is_undefined_are_counted_apart() -> None:
    found = compared("g", "r", Phenomenon.model_validate(ROW), runs(5, None, 4), runs(0, 0, 0))
    assert (found.n, found.undefined) == (2, 1)


def test_an_unknown_measure_is_refused_by_name() -> None:
    with pytest.raises(Refused, match=r"r\.measure 'm'"):
        compared("g", "r", Phenomenon.model_validate(ROW), [{"n": 1}], [{"n": 1}])


def test_a_row_against_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="name its opposite"):
        Phenomenon.model_validate({**ROW, "against": "a"})


def test_a_claim_is_played_by_policies_who_always_move() -> None:
    from games.lab.phenomena import _side

    with pytest.raises(Refused, match="seats a model; a claim is played by policies"):
        _side(get("mining"), "llm-noise/noise-30", (1, 2), Registry())


def test_a_small_row_is_played_and_kept_runs_are_not_played_again(tmp_path: Path) -> None:
    keep = tmp_path / "runs.jsonl"
    first = seen(["dilemma"], Registry(), keep, 1, None, ["grim-never-mends"], (1, 4))
    size = keep.stat().st_size
    again = seen(["dilemma"], Registry(), keep, 1, None, ["grim-never-mends"], (1, 4))
    assert first == again
    assert keep.stat().st_size == size
    assert [(one.verdict, one.n) for one in first] == [("holds", 4)]


@pytest.mark.parametrize("game", ["dilemma", "mining", "nations"])
def test_each_game_of_several_seats_states_claims(game: str) -> None:
    assert phenomena_of(Registry().get(game))


def test_what_is_stored_is_read_again_and_open_where_it_was_altered_or_the_claim_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = tmp_path / "claims.yaml"
    monkeypatch.setattr(phenomena, "claims_at", lambda pack: claims)
    text = """grim: {claim: {en: Less., zh: 更少。}, preset: noisy/grim, against: noisy/tft,
        measure: both_cooperate_rate, sign: lower, effect: 0.1, seeds: [1, 4], source: by hand}"""
    claims.write_text(text, "utf-8")
    found = seen(["dilemma"], Registry(), None, 1)
    (path,) = store(found, Registry())
    assert stored(["dilemma"], Registry()) == found
    claims.write_text(text.replace("effect: 0.1", "effect: 0.2"), "utf-8")
    assert [one.verdict for one in stored(["dilemma"], Registry())] == ["open"]
    claims.write_text(text, "utf-8")
    path.write_text(path.read_text("utf-8").replace("-0.", "-1."), "utf-8")
    assert [one.verdict for one in stored(["dilemma"], Registry())] == ["open"]


def test_the_stored_claims_are_found_again_seed_by_seed() -> None:
    told = {one.name: one for one in stored(["dilemma", "nations"], Registry())}
    for game, name in (("dilemma", "generosity-mends"), ("nations", "land-gains")):
        first, last = told[name].row.seeds[0], told[name].row.seeds[0] + 1
        (again,) = seen([game], Registry(), None, 1, None, [name], (first, last))
        assert again.differences == told[name].differences[:2], name


def test_no_stored_claim_is_of_other_rules_or_settings() -> None:
    found = stored(list(Registry().modules()), Registry())
    assert [f"{one.game}/{one.name}" for one in found if one.verdict == "open"] == []


def test_a_stored_claim_is_open_once_a_policy_that_it_seats_plays_by_other_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pack = get("dilemma")
    other = replace(pack.policies["GTFT"], play=pack.policies["TIDEMAN"].play)
    changed = replace(pack, policies={**pack.policies, "GTFT": other})
    monkeypatch.setattr(phenomena, "pack_named", lambda registry, game: changed)
    verdicts = {one.name: one.verdict for one in stored(["dilemma"], Registry())}
    assert verdicts.pop("generosity-mends") == "open"
    assert set(verdicts.values()) == {"holds"}


def test_code_is_other_code_by_what_it_does_and_calls_and_not_by_how_it_is_told() -> None:
    def told(text: str) -> str:
        made = compile_policy(text)
        return digest(_told(made, "policy_of_a_test"))

    base = told("STEP = 2\ndef near(x):\n    return x + STEP\ndef play(x):\n    return near(x)\n")
    assert (
        told('STEP = 2\ndef near(x):\n    """Near."""\n    return x  +  STEP\ndef play(x):\n    return near(x)\n')
        == base
    )
    assert told("STEP = 3\ndef near(x):\n    return x + STEP\ndef play(x):\n    return near(x)\n") != base
    assert told("STEP = 2\ndef near(x):\n    return x - STEP\ndef play(x):\n    return near(x)\n") != base


def compile_policy(text: str) -> Any:
    """The function ``play`` of a module of this text, whose source can be read."""
    file = f"policy of {len(text)} {text!r}"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "policy_of_a_test.module"}
    exec(compile(text, file, "exec"), names)  # noqa: S102 - the text above
    return names["play"]


FIGURE = re.compile(r"([\d.,]+) ± ([\d.,]+) \(`([\w-]+)`\)")


@pytest.mark.parametrize(("game", "least"), [("economist", 7), ("nations", 6)])
def test_what_a_rule_sheet_says_agents_do_is_what_the_stored_claims_show(game: str, least: int) -> None:
    pack = Registry().get(game)
    claims = phenomena.claims_at(pack)
    assert claims is not None
    kept = json.loads(claims.with_suffix(".json").read_text("utf-8"))
    figures = FIGURE.findall(pack.files.rule_sheet())
    assert len(figures) >= least
    for *said, name in figures:
        found = paired_difference(kept[name]["differences"])
        assert found.estimate is not None
        assert found.high is not None
        for told, value in zip(said, (abs(found.estimate), found.high - found.estimate), strict=True):
            decimals = len(told.partition(".")[2])
            assert told == f"{value:.{decimals}f}", f"{name}: {told}, and {value} is kept"
