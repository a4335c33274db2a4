"""The benchmark: which cases it takes, and what a timing holds. How fast anything is, no test asserts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from games.core.pack import FolderFiles, Pack
from games.core.registry import Registry
from games.errors.faults import BadScenario
from games.lab.folders.benching import calibrate, cases_of, measure, player_of
from games.lab.folders.recorder import Recorder
from tests.lab.conftest import Said


@pytest.fixture
def pack(registry: Registry) -> Pack:
    return registry.get("orchard")


def written(pack: Pack, folder: Path, text: str) -> Pack:
    (folder / "bench.yaml").write_text(text)
    return replace(pack, files=FolderFiles(folder))


def test_a_case_of_all_policies_is_one_for_each(pack: Pack) -> None:
    assert [(case.name, case.policy, len(case.agents)) for case in cases_of(pack)] == [
        ("4 pickers", "sustain", 4),
        ("4 pickers", "greedy", 4),
        ("4 pickers", "random", 4),
        ("40 pickers", "sustain", 40),
    ]


def test_a_game_that_names_no_cases_is_measured_on_its_default_config(pack: Pack, tmp_path: Path) -> None:
    bare = replace(pack, files=FolderFiles(tmp_path))
    assert [case.policy for case in cases_of(bare)] == ["sustain", "greedy", "random"]


def test_a_case_lies_over_what_a_preset_sets(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "many.yaml").write_text("config: {pickers: 7, rounds: 9}")
    (tmp_path / "scenarios" / "more.yaml").write_text("{base: many, config: {pickers: 8}}")
    case, _ = cases_of(
        written(pack, tmp_path, "- {name: m, preset: many, config: {rounds: 2}, policies: [random, greedy]}")
    )
    assert (len(case.agents), case.config.model_dump()["rounds"]) == (7, 2)
    with pytest.raises(BadScenario, match=r"0.preset: preset 'more'; it rests on many, name that"):
        cases_of(written(pack, tmp_path, "- {name: m, preset: more}"))


def test_a_case_may_seat_policies_side_by_side(pack: Pack, tmp_path: Path) -> None:
    mixed = written(pack, tmp_path, "- {name: m, seats: {default: {policy: random}, 0: {policy: greedy}}}")
    (case,) = cases_of(mixed)
    assert (case.policy, [one.policy for one in case.agents[:2]]) == ("greedy+random", ["greedy", "random"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {name: x, config: {pickers: 0}}", "orchard/bench.yaml: 0.config.pickers: 0; at least 1"),
        ("- {name: x, policies: [greed]}", "policy 'greed'; did you mean greedy?"),
        ("- {nme: x}", "orchard/bench.yaml: 0.name: missing; it is required"),
        ("- {name: x, preset: basline}", "orchard/bench.yaml: 0.preset: preset 'basline'; there are none"),
    ],
)
def test_a_case_that_cannot_be_measured_is_refused(text: str, told: str, pack: Pack, tmp_path: Path) -> None:
    with pytest.raises(BadScenario) as error:
        cases_of(written(pack, tmp_path, text))
    assert told in str(error.value)


def test_the_shell_gives_a_timing_for_each_case_of_mining_at_ten_and_twenty(polity: Callable[..., Said]) -> None:
    told = json.loads(polity("bench", "mining", "--seconds", "0.01", "--json").out)
    policies = {name for name, spec in Registry().get("mining").policies.items() if not spec.reckons}
    for seats in (10, 20):
        measured = {one["policy"] for one in told["cases"] if one["seats"] == seats and one["rounds_per_s"] > 0}
        assert policies <= measured
    assert "per 1000 loops" in polity("bench", "orchard", "--seconds", "0.01").out


def test_a_timing_is_rounds_over_seconds_beside_the_machines_own_pace(pack: Pack) -> None:
    timing = measure(cases_of(pack)[0], 0.02)
    assert timing.rounds > 0
    assert timing.rounds_per_s == timing.rounds / timing.seconds
    assert timing.per_loop == timing.rounds_per_s / timing.loops_per_s
    assert calibrate() > 0
    assert json.loads(json.dumps(timing.plain()))["policy"] == "sustain"


def test_a_case_goes_on_where_the_seconds_ended_so_that_the_last_rounds_of_a_run_count_too(
    pack: Pack, tmp_path: Path
) -> None:
    (case,) = cases_of(written(pack, tmp_path, "- {name: m, config: {rounds: 12}, policies: [sustain]}"))
    play_for = player_of(case)
    assert [play_for(0.0)[0] for _ in range(4)] == [8, 4, 8, 4]


def test_a_case_may_include_what_storing_takes(pack: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[int] = []
    add = Recorder.add
    monkeypatch.setattr(Recorder, "add", lambda self, step, *told: (added.append(step.index), add(self, step, *told)))
    stored = written(pack, tmp_path, "- {name: m, policies: [greedy]}\n- {name: m, policies: [greedy], stored: true}")
    played, written_down = cases_of(stored)
    assert not measure(played, 0.02).stored
    assert added == []
    timing = measure(written_down, 0.02)
    assert timing.stored
    assert len([step for step in added if step]) >= timing.rounds > 0
