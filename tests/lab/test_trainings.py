"""What trainings came to stands in the rows of the source, a value a seed, until somebody changes it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import get
from games.errors.faults import Refused
from games.lab.learning.plan import Plan
from games.lab.scenarios.stated import source_of
from games.lab.sources.rows import LEARNT, Row, kept_of, learnt, rows_of, seal_of
from games.lab.sources.trainings import entry_of

ROW = Row("adasociety", "", "table 2, Contract Easy, CL", theirs=0.9)


def trained(place: Path, seed: int, after: dict[str, float], **changed: Any) -> Path:
    folder = place / f"contract-easy-curriculum-{seed}"
    folder.mkdir()
    judged = {name: {"runs": 64, "reward": reward, "deviation": 0.01} for name, reward in after.items()}
    manifest = {
        "game": "adasociety", "preset": "contract-easy", "algorithm": "curriculum", "seed": seed, "steps": 100,
        "worlds": 32, "held_out": 64, "changed": {}, "hyperparameters": {"epochs": 3}, "lessons": [*after],
        "played": {"steps": 120, "processor_seconds": 1.5, "after": judged}, "judged": [*judged.values()][-1],
        "digest": f"net{seed}",
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps({**manifest, **changed}))
    return folder


def test_the_seeds_of_a_training_are_the_values_of_its_rows(tmp_path: Path) -> None:
    ends = [{"one group": 0.9, "free": free} for free in (0.88, 0.9, 0.92)]
    game, name, entry = entry_of([trained(tmp_path, seed, after) for seed, after in enumerate(ends, 1)])
    assert (game, name, entry["runs"], entry["seconds"]) == ("adasociety", f"{LEARNT}contract-easy/curriculum", 3, 4.5)
    sealed = {**entry, "seal": seal_of(entry)}
    row = learnt(ROW, "contract-easy/curriculum", {name: sealed})
    assert (row.n, row.values, row.verdict) == (3, [0.88, 0.9, 0.92], "within")
    assert row.ours == pytest.approx(0.9)
    assert "--seeds 1..3" in row.by
    first = learnt(ROW, "contract-easy/curriculum/one group", {name: sealed})
    assert first.values == [0.9, 0.9, 0.9]
    altered = {**sealed, "rows": {**entry["rows"], "last": {**entry["rows"]["last"], "ours": 0.99}}}
    assert learnt(ROW, "contract-easy/curriculum", {name: altered}).verdict == "open"
    assert learnt(ROW, "contract-easy/ppo", {name: sealed}).verdict == "open"


def test_a_claim_of_learners_is_held_to_the_difference_seed_by_seed(tmp_path: Path) -> None:
    kept = {}
    for algorithm, ends in (("ppo", (0.5, 0.6, 0.7)), ("rainbow", (0.4, 0.5, 0.6)), ("rppo", (0.4, 0.7, 0.6))):
        place = tmp_path / algorithm
        place.mkdir()
        folders = [trained(place, seed, {"free": end}, algorithm=algorithm) for seed, end in enumerate(ends, 1)]
        _, name, entry = entry_of(folders)
        kept[name] = {**entry, "seal": seal_of(entry)}
    claim = Row("adasociety", "", "figure 3, b", {"en": "PPO is above Rainbow."})

    def verdict(one: str, over: str = "") -> str:
        return learnt(claim, f"contract-easy/{one}", kept, over and f"contract-easy/{over}").verdict

    assert (verdict("ppo", "rainbow"), verdict("rainbow", "ppo")) == ("holds", "opposite")
    assert (verdict("ppo", "rppo"), verdict("ppo", "mappo")) == ("inconclusive", "open")
    steps = learnt(replace(ROW, verdict="incomparable"), "contract-easy/ppo/steps", kept)
    assert (steps.ours, steps.n, steps.verdict) == (120 / 1e6, 3, "incomparable")


def test_what_was_played_beside_a_training_is_held_against_it_in_the_same_runs(tmp_path: Path) -> None:
    beside = {"learnt": [16.0, 18.0], "saez": [15.0, 18.0]}
    folders = [trained(tmp_path, seed, {"all": 3.0}, beside=beside, measure="welfare") for seed in (1, 2, 3)]
    _, _, entry = entry_of(folders)
    assert entry["rows"]["over saez"]["values"] == [0.5, 0.5, 0.5]
    assert "over learnt" not in entry["rows"]
    assert entry["measure"] == "welfare"
    alone = [trained(tmp_path, seed, {"all": 3.0}, beside={"saez": [15.0, 18.0]}) for seed in (4, 5)]
    assert entry_of(alone)[2]["rows"]["over saez"]["values"] == [-13.5, -13.5]


def test_unlike_or_unfinished_trainings_are_not_kept_together(tmp_path: Path) -> None:
    first = trained(tmp_path, 1, {"free": 0.9})
    with pytest.raises(Refused, match="hyperparameters is another"):
        entry_of([first, trained(tmp_path, 2, {"free": 0.9}, hyperparameters={"epochs": 4})])
    unfinished = trained(tmp_path, 3, {"free": 0.9})
    manifest = json.loads((unfinished / "manifest.json").read_text())
    del manifest["judged"]
    (unfinished / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(Refused, match="not over"):
        entry_of([first, unfinished])


def test_every_training_that_is_kept_has_a_row_and_stands_in_it() -> None:
    pack = get("adasociety")
    form = source_of(pack)
    assert form is not None
    trainings = [name for one in form.unplayed for name in (one.learnt, one.over) if name]
    named = {"/".join(name.split("/")[:2]) for name in trainings}
    kept = {name.removeprefix(LEARNT) for name in kept_of(pack) if name.startswith(LEARNT)}
    assert kept <= named
    for name in kept:
        preset, algorithm = name.split("/")
        entry = kept_of(pack)[f"{LEARNT}{name}"]
        plan = Plan("adasociety", preset, algorithm, 1, 1, changed=entry.get("changed", {}))  # type: ignore[arg-type]
        usual: Any = plan.settings
        assert entry["hyperparameters"] == asdict(usual), f"{entry['command']}: not learnt as one would now"
    told = [row for row in rows_of(pack, form) if row.by]
    assert len(told) >= len(kept) > 0
    assert all(row.n >= 3 for row in told)
