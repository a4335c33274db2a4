"""Scenario files: what they mean, and what is refused with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import Registry
from games.errors.faults import BadScenario, Refused
from games.lab.scenarios.form import read_seeds
from games.lab.scenarios.layers import merged, set_layer
from games.lab.scenarios.scenario import load, load_data, load_text

Write = Callable[[str, str], Path]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(name: str, registry: Registry) -> list[str]:
    with pytest.raises(BadScenario) as error:
        load(name, registry)
    return str(error.value).splitlines()


def test_a_preset_without_conditions_has_one_named_base(registry: Registry) -> None:
    scenario = load("orchard/baseline", registry)
    assert [one.name for one in scenario.conditions] == ["base"]
    assert scenario.seeds == (1,)
    assert [agent.policy for agent in scenario.conditions[0].seats] == ["sustain"] * 4


def test_conditions_are_merged_over_the_base_key_by_key(registry: Registry, write: Write) -> None:
    write(
        "e.yaml",
        """
        base: orchard/baseline
        config: {pickers: 3, growth: 30}
        seats: {default: {policy: greedy}, 1: {policy: random}}
        conditions:
          as-it-is: {}
          slow: {config: {growth: 5}, seats: {"picker 3": {policy: sustain}}}
          all-sustain: {seats: {default: {policy: sustain}}}
        replicates: 4
        """,
    )
    scenario = load("e.yaml", registry)
    told = {one.name: (one.config.growth, [a.policy for a in one.seats]) for one in scenario.conditions}  # type: ignore[attr-defined]
    assert told == {
        "as-it-is": (30, ["greedy", "random", "greedy"]),
        "slow": (5, ["greedy", "random", "sustain"]),
        "all-sustain": (30, ["sustain", "random", "sustain"]),
    }
    assert scenario.seeds == (1, 2, 3, 4)
    assert scenario.name == "e"


def test_an_experiment_on_a_file_keeps_its_conditions_and_seeds(registry: Registry, write: Write) -> None:
    write("below.yaml", "{game: orchard, conditions: {a: {}, b: {config: {growth: 1}}}, seeds: [5, 9]}")
    write("above.yaml", "{base: below.yaml, config: {rounds: 3}}")
    scenario = load("above.yaml", registry)
    assert [one.name for one in scenario.conditions] == ["a", "b"]
    assert [one.config.rounds for one in scenario.conditions] == [3, 3]  # type: ignore[attr-defined]
    assert scenario.seeds == (5, 9)


def test_agent_files_are_found_beside_the_file_that_names_them(registry: Registry, write: Write) -> None:
    write("study/agents/half.yaml", "{policy: greedy, params: {share: 0.5}}")
    write(
        "study/e.yaml",
        """
        game: orchard
        seats:
          0: {ref: agents/half.yaml}
          1: {ref: agents/half.yaml, overrides: {params: {share: 0.25}}}
        """,
    )
    seats = load("study/e.yaml", registry).conditions[0].seats
    assert [(one.policy, dict(one.params)) for one in seats[:3]] == [
        ("greedy", {"share": 0.5}),
        ("greedy", {"share": 0.25}),
        ("sustain", {}),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("game: orchard\nconfgi: {}", ["e.yaml: confgi: unknown; did you mean config?"]),
        ("game: orchard\nconfig: {growth: -1}", ["e.yaml: config.growth: -1; at least 0"]),
        ("game: orchard\nconfig: {growth: 1.5}", ["e.yaml: config.growth: 1.5; a whole number is needed"]),
        ("game: orchard\nconfig: {grwth: 1}", ["e.yaml: config.grwth: unknown; did you mean growth?"]),
        (
            "game: orchard\nconfig: {apples: 200}",
            ["e.yaml: config: apples: 200; at most room, 100. Lower apples or raise room"],
        ),
        (
            "game: orchard\nconditions: {cold: {config: {frost: 2}}, huge: {config: {pickers: 1000}}}",
            [
                "e.yaml: conditions.cold.config.frost: 2; at most 1",
                "e.yaml: conditions.huge.config.pickers: 1000; at most 100",
            ],
        ),
        (
            "game: orchard\nseats: {default: {policy: greed}}",
            ["e.yaml: seats.default.policy: 'greed'; did you mean greedy?"],
        ),
        (
            "game: orchard\nseats: {0: {policy: greedy, params: {share: 7}}}",
            ["e.yaml: seats.0.params.share: 7; at most 1"],
        ),
        (
            "game: orchard\nseats: {0: {ref: nobody.yaml}}",
            ["e.yaml: seats.0.ref: 'nobody.yaml'; there is no such file"],
        ),
        (
            "game: orchard\nseats: {9: {policy: greedy}}",
            ["e.yaml: seats.9: there is no such seat; seats are 0 to 3, by name, as role:NAME, or default"],
        ),
        (
            "game: orchard\nseats: {0: {policy: greedy}, picker 1: {policy: random}}",
            ["e.yaml: seats.picker 1: seat 0 is named twice, as 0 too; keep one"],
        ),
        ("game: orhcard", ["e.yaml: game: game 'orhcard': there is none of that name; did you mean orchard?"]),
        ("config: {}", ["e.yaml: game: missing; name the game, or a base"]),
        (
            "base: orchard/baselin",
            [
                "e.yaml: base: scenario 'orchard/baselin': orchard has no preset of that name; "
                "did you mean baseline?"
            ],
        ),
        ("base: nowhere.yaml", ["e.yaml: base: nowhere.yaml: there is no such file"]),
        ("game: orchard\ngame: orchard", ["e.yaml: line 2: key 'game' stands twice; keep one"]),
        ("game: &a orchard\nbase: *a", ["e.yaml: line 2: *a: references are not allowed; write it out"]),
        ("game: orchard: x", ["e.yaml: line 1: mapping values are not allowed in this context"]),
        ("just a text", ["e.yaml: 'just a text'; a mapping of keys is needed"]),
        ("game: orchard\nconfig: {frost: .nan}", ["e.yaml: config.frost: nan; a finite number is needed"]),
        ("game: orchard\nseeds: 20..1", ["e.yaml: seeds: '20..1'; the last seed comes before the first: write 1..20"]),
        ("game: orchard\nseeds: [1, 1]", ["e.yaml: seeds: seed 1 stands twice; replicates need different seeds"]),
        ("game: orchard\nreplicates: 0", ["e.yaml: replicates: 0; at least 1"]),
        (
            "game: orchard\nseeds: 3\nreplicates: 2",
            ["e.yaml: seeds and replicates: both count the runs; give one"],
        ),
        (
            "game: orchard\nconditions: {../x: {}}",
            ["e.yaml: condition '../x': letters, digits, dot, dash and underscore, at most 64"],
        ),
        (
            "game: orchard\nconditions: {a: {}, A: {}}",
            ["e.yaml: conditions 'a' and 'A' differ in case alone; rename one"],
        ),
        (
            "game: orchard\nseats: {0: {kind: robot, policy: greedy}}",
            ["e.yaml: seats.0.kind: 'robot'; one of 'policy', 'model', 'recording', 'person', 'program'"],
        ),
        (
            "game: orchard\nseats: {0: {kind: model, policy: x}}",
            ["e.yaml: seats.0: kind: model, but no model is named"],
        ),
        (
            "game: orchard\nseats: {0: {policy: greedy, profile: {seed: 1}}}",
            ["e.yaml: seats.0: profile: it belongs to a model; name one under model, or set params"],
        ),
        (
            "game: orchard\nseats: {0: {model: mock/greedy, profile: {retries: 11}}}",
            ["e.yaml: seats.0.profile.retries: 11; at most 10"],
        ),
        (
            "game: orchard\nseats: {0: {model: mock/nobody}}",
            ["e.yaml: seats.0: model: 'mock/nobody'; Orchard has mock/default and mock/ with sustain, greedy, random"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line_with_its_place(
    text: str, expected: list[str], registry: Registry, write: Write
) -> None:
    write("e.yaml", text)
    assert refused("e.yaml", registry) == expected


def test_each_mistake_is_told_where_the_file_s_form_is_wrong_too(registry: Registry, write: Write) -> None:
    write("below.yaml", "{game: orchard, config: {growth: 101}, people: 3}")
    write("e.yaml", "{base: below.yaml, colour: red, replicates: 0, seats: {0: {policy: x}, 1: {}}}")
    assert [line.split(";")[0] for line in refused("e.yaml", registry)] == [
        "e.yaml: seats.1: an agent is one of {policy: NAME, params: {}}, {model: PROVIDER/MODEL, profile: {}}, "
        "{recording: {run: ID, seat: N}}, {person: true, substitute: POLICY}, "
        "{program: true, substitute: POLICY}, {ref: FILE, overrides: {}}",
        "e.yaml: replicates: 0",
        "e.yaml: colour: unknown",
        "below.yaml: people: 3",
        "below.yaml: config.growth: 101",
        "e.yaml: seats.0.policy: 'x'",
    ]


def test_a_fault_of_a_base_is_told_once_and_in_the_bases_name(registry: Registry, write: Write) -> None:
    write("below.yaml", "{game: orchard, config: {growth: 101}, conditions: {a: {}, b: {}}}")
    write("e.yaml", "base: below.yaml")
    assert refused("e.yaml", registry) == ["below.yaml: config.growth: 101; at most 100"]


def test_files_that_rest_on_each_other_are_refused(registry: Registry, write: Write) -> None:
    write("a.yaml", "base: b.yaml")
    write("b.yaml", "base: a.yaml")
    assert refused("a.yaml", registry)[0].endswith("more than 8 files in a row")


def test_a_fault_of_an_agent_file_names_that_file(registry: Registry, write: Write) -> None:
    write("agent.yaml", "{policy: greedy, params: {shar: 1}}")
    write("e.yaml", "{game: orchard, seats: {2: {ref: agent.yaml}}}")
    assert refused("e.yaml", registry) == [
        "agent.yaml (from e.yaml, seats.2): params.shar: unknown; did you mean share?"
    ]


@pytest.mark.parametrize(
    "text", ["x: " + "[" * 100 + "]" * 100, "x: " + "a" * 300_000, "x: !!python/object:os.system {}", b"\xff"]
)
def test_hostile_files_are_refused_before_anything_is_built(
    text: str | bytes, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "e.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert len(refused("e.yaml", registry)) == 1


def test_text_without_a_folder_may_not_name_files(registry: Registry) -> None:
    with pytest.raises(Refused, match=r"form: seats\.0\.ref: 'x\.yaml'; files cannot be referred to from here"):
        load_text("seats: {0: {ref: x.yaml}}", "form", "orchard", registry)
    with pytest.raises(Refused, match="files cannot be referred to"):
        load_text("base: ../../secret.yaml", "form", "orchard", registry)
    assert load_text("config: {growth: 3}", "form", "orchard", registry).pack.slug == "orchard"


@pytest.mark.parametrize(
    ("written", "seeds"),
    [("1..3", (1, 2, 3)), ("7", (7,)), (0, (0,)), ("3,5, 9..10", (3, 5, 9, 10)), ([4, "6..7"], (4, 6, 7))],
)
def test_seeds_are_written_as_numbers_spans_or_lists(written: object, seeds: tuple[int, ...]) -> None:
    assert read_seeds(written) == seeds


@pytest.mark.parametrize("written", ["", "a", "-1", -1, 1.5, True, "1..", "1..9999999999", [], 2**63, "1...2"])
def test_other_seeds_are_refused(written: object) -> None:
    with pytest.raises(ValueError):
        read_seeds(written)


def test_settings_of_the_shell_reach_into_nested_keys_and_the_last_wins() -> None:
    assert set_layer(["a.b=1", "a.c=[x, 2]", "a.b=true"]).config == {"a": {"b": True, "c": ["x", 2]}}


def test_merging_replaces_lists_whole_and_mappings_key_by_key() -> None:
    assert merged({"a": {"x": 1, "y": [1, 2]}, "b": 1}, {"a": {"y": [3]}, "c": None}) == {
        "a": {"x": 1, "y": [3]},
        "b": 1,
        "c": None,
    }


def test_a_layer_takes_a_free_name_out_by_null_and_a_setting_that_may_be_null_stays() -> None:
    roles = "roles={miner: null, smith: {capacity: {wood: 3, stone: null}}}"
    layer = set_layer([roles, "agents=[{role: smith, count: 4}]", "groups=null"])
    scenario = load("adasociety/contract-easy", Registry(), [layer, set_layer(["roles.carpenter=null"])])
    config = scenario.conditions[0].config.model_dump(mode="json")
    assert [*config["roles"]] == ["smith"]
    assert (config["roles"]["smith"]["capacity"], config["groups"]) == ({"wood": 3}, None)


def test_null_in_place_of_a_setting_is_refused_with_its_place() -> None:
    with pytest.raises(BadScenario, match=r"height"):
        load("adasociety/contract-easy", Registry(), [set_layer(["height=null"])])


def test_the_plan_hash_changes_with_whatever_decides_the_outcome(registry: Registry) -> None:
    def plan(*settings: str, seeds: tuple[int, ...] = (1,)) -> str:
        return load("orchard/baseline", registry, [set_layer(settings)], seeds).plan_hash()

    hashes = [plan(), plan("growth=21"), plan(seeds=(2,)), plan(seeds=(1, 2))]
    assert len(set(hashes)) == 4
    assert plan() == plan("growth=20")


@pytest.mark.parametrize(
    ("game", "config", "expected"),
    [
        ("mining", "{miners: true}", "miners: True; a whole number is needed"),
        ("mining", "{miners: '10'}", "miners: '10'; a whole number is needed"),
        ("dilemma", "{temptation: '5'}", "temptation: '5'; a number is needed"),
        ("dilemma", "{sucker: false}", "sucker: False; a number is needed"),
        ("dilemma", "{talk: 1}", "talk: 1; true or false is needed"),
    ],
)
def test_neither_a_truth_nor_a_text_is_a_number(game: str, config: str, expected: str, write: Write) -> None:
    write("e.yaml", f"{{game: {game}, config: {config}}}")
    with pytest.raises(BadScenario) as error:
        load("e.yaml")
    assert str(error.value) == f"e.yaml: config.{expected}"


def test_a_list_of_labels_and_a_consent_in_two_languages_are_terms_for_people(registry: Registry, write: Write) -> None:
    terms = "{labels: [Ann, Bo], consent: {en: I agree., zh: 我同意。}}"
    write("e.yaml", f"{{game: orchard, seats: {{0: {{person: true}}}}, people: {terms}}}")
    assert load("e.yaml", registry).conditions[0].people.labels == ("Ann", "Bo")


def test_a_setting_inside_a_list_is_reached_by_its_entrys_name_or_number() -> None:
    base = "adasociety/contract-easy"  # piles of wood and of stone, four of each

    def piles(changed: dict[str, Any]) -> list[tuple[str, int, int]]:
        loaded = load_data({"base": base, "config": {"piles": changed}}, "form", "")
        config: Any = loaded.conditions[0].config
        return [(one.resource, one.count, one.units) for one in config.piles]

    assert piles({"stone": {"count": 2}}) == [("wood", 4, 5), ("stone", 2, 5)]
    assert piles({"0": {"units": 9}, "stone": {"count": 1}}) == [("wood", 4, 9), ("stone", 1, 5)]
    for nobody in ("clay", "2"):
        with pytest.raises(BadScenario, match="piles"):
            piles({nobody: {"count": 1}})
    with pytest.raises(BadScenario, match=r"piles\.1\.count"):
        piles({"stone": {"count": -1}})


def test_a_factor_may_be_a_setting_inside_a_list() -> None:
    factor = {"field": "piles.wood.count", "levels": [2, 6]}
    loaded = load_data({"base": "adasociety/contract-easy", "factors": {"wood": factor}}, "form", "")
    configs: list[Any] = [one.config for one in loaded.conditions]
    assert [[one.count for one in config.piles] for config in configs] == [[2, 4], [6, 4]]


def test_what_is_changed_of_a_preset_is_part_of_its_title() -> None:
    changed = load("mining/rounds-500", Registry(), [set_layer(["rounds=60", "raid_tax=2"])])
    assert changed.changes == {"rounds": 60, "raid_tax": 2}
    plain = load("mining/rounds-500", Registry())
    assert changed.title["en"] == f"{plain.title['en']} (Rounds 60, Raid tax 2)"
    assert changed.title["zh"].startswith(plain.title["zh"])
    assert "60" in changed.title["zh"]


def test_a_setting_that_is_set_to_what_it_is_already_changes_no_title() -> None:
    plain = load("mining/rounds-500", Registry())
    again = load("mining/rounds-500", Registry(), [set_layer(["rounds=500"])])
    assert (again.title, again.changes) == (plain.title, {})


def test_many_changes_are_counted_in_the_title() -> None:
    settings = ["rounds=60", "raid_tax=2", "capture_fine=3", "share_out=true", "messages=2"]
    assert "and 3 more" in load("mining/baseline", Registry(), [set_layer(settings)]).title["en"]
