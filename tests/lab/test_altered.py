"""Whatever is altered in a run folder is named by verification, and no report is made from it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import polity as polity_package
from games.errors.faults import BadFolder
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import result_of
from games.lab.folders.running import run
from games.lab.folders.sealing import FILES, SEAL, files_beside, seal_again, seal_of
from games.lab.folders.verifying import unexplained, verify
from games.lab.scenarios.scenario import load
from tests.lab.conftest import Said

FLIPS = 12
"""Bytes that are flipped in each file, spread over its length."""


@pytest.fixture(scope="module", params=[True, False], ids=["plain", "packed"])
def written(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Mining, whose source names files of its own, with two conditions of two seeds and a mock model's calls."""
    place = tmp_path_factory.mktemp("altered")
    (place / "asked.yaml").write_text(
        """
        game: mining
        config: {miners: 3, rows: 3, cols: 3, rounds: 4}
        seats: {0: {model: mock/default}}
        factors: {tax: {field: raid_tax, levels: [0, 2]}}
        hypotheses:
          less: {metric: output, factor: tax, of: tax-2, direction: lower, title: {en: A tax lowers output.}}
        seeds: 1..2
        """,
        encoding="utf-8",
    )
    run(load(str(place / "asked.yaml")), place / "folder", jobs=1, is_plain=request.param)
    return place / "folder"


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "folder"))


def named(folder: Path) -> str:
    """All that verification has to say against a folder; a folder that cannot be opened says it itself."""
    try:
        opened = RunFolder(folder)
        wrong = [str(verdict) for verdict in verify(opened) if verdict.difference is not None]
        return "; ".join(wrong + unexplained(opened))
    except BadFolder as error:
        return str(error)


def is_reported(folder: Path) -> bool:
    try:
        result_of(RunFolder(folder))
    except BadFolder:
        return False
    return True


def test_an_unaltered_folder_is_reported_and_every_file_of_it_is_covered(folder: Path) -> None:
    opened = RunFolder(folder)
    assert named(folder) == ""
    assert is_reported(folder)
    assert set(files_beside(folder)) == set(opened.manifest[FILES])
    logs = opened.logs.files("rounds.jsonl") + opened.logs.files("calls.jsonl")
    assert {*logs, "aggregates.parquet"} < set(opened.manifest[FILES])
    assert len(logs) == 2
    assert opened.is_packed != any(name.startswith("runs/") for name in opened.manifest[FILES])


def test_every_flipped_byte_of_every_file_is_named_and_no_report_is_made_of_it(folder: Path) -> None:
    flipped = 0
    for name, path in {**files_beside(folder), "run_manifest.json": folder / "run_manifest.json"}.items():
        if name.startswith("runs/") and not name.startswith("runs/tax-0/1/"):
            continue  # one run's files stand for those of the others
        whole = path.read_bytes()
        for at in {len(whole) * n // FLIPS for n in range(FLIPS)} if whole else ():
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert name in named(folder), (name, at, whole[max(0, at - 20) : at + 20])
            assert not is_reported(folder), (name, at)
            flipped += 1
        path.write_bytes(whole)
    assert flipped >= 55
    assert named(folder) == ""


def test_a_missing_file_is_named(folder: Path) -> None:
    for name, path in files_beside(folder).items():
        whole = path.read_bytes()
        path.unlink()
        assert name in named(folder)
        assert not is_reported(folder)
        path.write_bytes(whole)


def _seed(manifest: dict[str, Any]) -> None:
    manifest["seeds"] = [1, 3]


def _title(manifest: dict[str, Any]) -> None:
    manifest["scenario"]["title"] = {"en": "Something else"}


def _direction(manifest: dict[str, Any]) -> None:
    manifest["experiment"]["comparisons"][0]["direction"] = "greater"


def _agent(manifest: dict[str, Any]) -> None:
    manifest["conditions"][0]["agents"][1]["label"] = "A strategist"


def _finished(manifest: dict[str, Any]) -> None:
    manifest["timestamps"]["finished"] = "2020-01-01T00:00:00.000Z"


def _version(manifest: dict[str, Any]) -> None:
    manifest["versions"]["numpy"] = "9.9.9"


@pytest.mark.parametrize("change", [_seed, _title, _direction, _agent, _finished, _version])
def test_a_changed_statement_of_the_manifest_is_named(change: Callable[[dict[str, Any]], None], folder: Path) -> None:
    path = folder / "run_manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), "utf-8")
    assert "run_manifest.json: not the bytes that were written" in named(folder)
    assert not is_reported(folder)


def _improved(folder: Path) -> None:
    """The measures of the second condition, made twice as good."""
    path = folder / "aggregates.parquet"
    rows = pyarrow.parquet.read_table(path).to_pylist()
    for row in rows:
        if row["condition"] == "tax-2":
            row["output"] *= 2
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def test_altered_measures_are_not_reported(folder: Path) -> None:
    _improved(folder)
    assert "aggregates.parquet: not the bytes that were written" in named(folder)
    assert not is_reported(folder)


def test_altered_measures_with_new_digests_and_a_new_seal_are_found_by_measuring_again(folder: Path) -> None:
    _improved(folder)
    seal_again(folder, RunFolder(folder).manifest, ("aggregates.parquet",))
    assert RunFolder(folder).altered() == []
    assert "aggregates.parquet differs: output is" in named(folder)


def test_a_folder_without_a_digest_of_its_aggregates_is_measured_again_for_its_report(folder: Path) -> None:
    """As older folders are: what its aggregates say is not asked."""
    before = result_of(RunFolder(folder)).plain()
    _improved(folder)
    manifest = json.loads((folder / "run_manifest.json").read_text("utf-8"))
    manifest[FILES] = {name: digest for name, digest in manifest[FILES].items() if name.endswith(".jsonl")}
    del manifest[SEAL]
    (folder / "run_manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert result_of(RunFolder(folder)).plain() == before


def test_aggregating_anew_mends_the_aggregates_and_seals_the_folder(folder: Path, polity: Callable[..., Said]) -> None:
    _improved(folder)
    assert polity("verify", str(folder)).status == 1
    assert polity("aggregate", str(folder)).status == 0
    assert polity("verify", str(folder)).status == 0
    manifest = RunFolder(folder).manifest
    assert manifest[SEAL] == seal_of(manifest)


def test_a_report_is_held_to_its_folder(folder: Path, polity: Callable[..., Said]) -> None:
    assert polity("report", str(folder)).status == 0
    page = folder / "report" / "report.html"
    assert polity("verify", str(page)).status == 0
    assert polity("verify", str(folder)).status == 0
    whole = page.read_text("utf-8")
    for old, new in (("not shown", "shown"), ("No hypothesis", "A hypothesis"), ("planned", "played"), ("0.", "1.")):
        if old not in whole:
            continue
        page.write_text(whole.replace(old, new, 1), "utf-8")
        said = polity("verify", str(page))
        assert said.status == 1
        assert "report.html: differs from what the folder says, first at character" in said.out
    page.write_text(whole, "utf-8")
    table = folder / "report" / "comparisons.csv"
    table.write_text(table.read_text("utf-8").replace("tax-2", "tax-9", 1), "utf-8")
    assert "comparisons.csv: differs" in polity("verify", str(page)).out
    said = polity("verify", str(folder))
    assert (said.status, "report/comparisons.csv: differs" in said.out) == (1, True)


def test_a_report_of_an_altered_folder_is_refused(folder: Path, polity: Callable[..., Said]) -> None:
    assert polity("report", str(folder)).status == 0
    _improved(folder)
    said = polity("verify", str(folder / "report" / "report.html"))
    assert said.status != 0
    assert "aggregates.parquet: not the bytes that were written" in said.err


def test_no_table_of_a_notebook_is_read_from_an_altered_file(folder: Path) -> None:
    runs = polity_package.load(folder)
    assert len(list(runs.rows("runs"))) == 4
    assert list(runs.rows("events"))
    _improved(folder)
    (folder / runs.folder.logs.files("events.jsonl")[0]).write_text("{}\n", "utf-8")
    for table in ("runs", "events"):
        with pytest.raises(polity_package.Refused, match="not the bytes that were written"):
            list(polity_package.load(folder).rows(table))
