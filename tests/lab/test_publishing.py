"""A publication: whole, without what is private, made again from its runs; whatever is bent in it is named."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from games.core.codec import digest
from games.core.registry import Registry
from games.errors.faults import BadFolder
from games.lab.folders.bundle import Bundle
from games.lab.folders.crate import METADATA
from games.lab.folders.packing import RUNS_LOG, lines_in
from games.lab.folders.publishing import Wanted, chosen, publish
from games.lab.folders.reading import RunFolder
from games.lab.folders.recorder import LEVEL, PACKED
from games.lab.folders.reproducing import opened, reproduce
from games.lab.folders.running import run
from games.lab.folders.scrubbing import private_in
from games.lab.folders.sealing import seal_again
from games.lab.scenarios.scenario import load
from games.lab.wire import zst
from tests.agents.server import IDLE, Vendor, threaded
from tests.analysis.published import check_crate
from tests.lab.conftest import Said
from tests.lab.test_view import bundle

__all__ = ["bundle"]
ASKED = """
game: mining
config: {miners: 3, rows: 3, cols: 3, rounds: 4}
seats: {0: {model: mock/default}}
factors: {tax: {field: raid_tax, levels: [0, 2]}}
hypotheses:
  less: {metric: output, factor: tax, of: tax-2, direction: lower, title: {en: A tax lowers output.}}
report: {metrics: [output, gini], trends: [output]}
seeds: 1..3
"""
ENTRY: dict[str, Any] = {"number": 7, "at": "2026-01-05T10:00:00+00:00", "kind": "declared", "subject": "experiment x"}


def entry(document: dict[str, Any]) -> dict[str, Any]:
    """An entry of a register as the site gives it."""
    told = {**ENTRY, "digest": digest(document), "previous": "0" * 32}
    order = [told[name] for name in ("number", "at", "kind", "subject", "digest", "previous")]
    return {**told, "hash": digest(order), "document": document}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Bundle]:
    place = tmp_path_factory.mktemp("published")
    drawn: Bundle = bundle.__wrapped__(place)  # type: ignore[attr-defined]
    (place / "asked.yaml").write_text(ASKED, "utf-8")
    run(load(str(place / "asked.yaml")), place / "runs", 1)
    folder = RunFolder(place / "runs")
    register = entry({"plan_hash": folder.manifest["plan_hash"], "seeds": [1, 2, 3]})
    wanted = Wanted(authors=("A. Researcher",), replays=chosen(folder, ()), bundle=drawn, register=register)
    publish(folder, place / "crate", wanted)
    return place / "crate", drawn


@pytest.fixture
def crate(published: tuple[Path, Bundle], tmp_path: Path) -> Path:
    return Path(shutil.copytree(published[0], tmp_path / "crate"))


def first_wrong(crate: Path, bundle: Bundle | None) -> str | None:
    """The first that is not what it should be."""
    try:
        found = reproduce(crate, Registry(), bundle)
        return next((f"{name}: {fault}" for name, fault in found if fault is not None), None)
    except BadFolder as error:
        return str(error)


def told_of(crate: Path, *names: str) -> None:
    """Make the metadata tell of these files as they stand now, or of them no more where they are gone."""
    path = crate / METADATA
    document = json.loads(path.read_bytes())
    for name in names:
        (one,) = (one for one in document["@graph"] if one["@id"] == name)
        if (crate / name).is_file():
            data = (crate / name).read_bytes()
            one |= {"sha256": sha256(data).hexdigest(), "contentSize": str(len(data))}
        else:
            document["@graph"].remove(one)
    path.write_bytes(json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n")


# --- whole ---------------------------------------------------------------------------------------------


def test_a_publication_is_made_again_whole(published: tuple[Path, Bundle]) -> None:
    crate, drawn = published
    told = list(reproduce(crate, Registry(), drawn))
    assert [name for name, fault in told if fault is not None] == []
    names = {name for name, _ in told}
    parts = ("README.md", "data/runs.csv", "data/runs.parquet", "data/rounds.csv", "data/codebook.csv", "register.json")
    assert {*parts, "declaration.json", "requirements.txt", "report/report.html", METADATA} < names
    assert {"replays/tax-0-1.html", "prompts/tax-0-0-act.json", "condition tax-2, replicate 3"} < names
    assert any(name.startswith("figures/") and name.endswith(".pdf") for name in names)
    assert "condition tax-0, replicate 1, from its models' replies" in names


def test_its_metadata_are_an_ro_crate_that_tells_of_every_file(published: tuple[Path, Bundle]) -> None:
    crate, _ = published
    document = json.loads((crate / METADATA).read_bytes())
    graph = {one["@id"]: one for one in document["@graph"]}
    assert document["@context"] == "https://w3id.org/ro/crate/1.2/context"
    assert graph[METADATA]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    root = graph[graph[METADATA]["about"]["@id"]]
    assert {"name", "url", "version"} < graph["#polity"].keys()
    assert {"name", "description", "datePublished", "license", "hasPart"} < root.keys()
    files = {path.relative_to(crate).as_posix() for path in crate.rglob("*") if path.is_file()} - {METADATA}
    assert {"declaration.json", "requirements.txt", "README.md", "data/codebook.csv"} < files
    assert {one["@id"] for one in root["hasPart"]} == files == {n for n, one in graph.items() if one["@type"] == "File"}
    used = set(re.findall(r'\{"@id": "([^"]+)"\}', json.dumps([one for n, one in graph.items() if n != METADATA])))
    assert used <= graph.keys()
    assert all(graph[name]["description"] for name in files)


def test_its_tables_hold_the_numbers_of_the_report(published: tuple[Path, Bundle]) -> None:
    crate, _ = published
    runs = pyarrow.parquet.read_table(crate / "data" / "runs.parquet").to_pylist()
    result = json.loads((crate / "report" / "result.json").read_text("utf-8"))
    mean = sum(row["output"] for row in runs if row["condition"] == "tax-0") / 3
    assert abs(result["summaries"]["tax-0"]["output"]["mean"] - mean) < 1e-12
    columns = (crate / "data" / "runs.csv").read_text().splitlines()[0].split(",")
    book = [line.split(",")[:2] for line in (crate / "data" / "codebook.csv").read_text().splitlines()[1:]]
    assert [column for table, column in book if table == "runs"] == columns


def test_every_number_of_its_report_follows_from_its_tables_alone(crate: Path) -> None:
    told = check_crate(crate)
    assert min(told["runs, comparisons, times"], told["trends, slopes, halves"]) > 20
    rounds = crate / "data" / "rounds.csv"
    head, *lines = rounds.read_text().splitlines()
    at = head.split(",").index("output")
    cells = lines[1].split(",")
    cells[at] = repr(float(cells[at]) * (1 + 3e-9) + 3e-9)
    rounds.write_text("\n".join([head, lines[0], ",".join(cells), *lines[2:]]) + "\n")
    with pytest.raises(AssertionError, match="output"):
        check_crate(crate)


def test_without_the_pages_replays_are_held_to_their_digests(crate: Path) -> None:
    assert first_wrong(crate, None) is None
    (crate / "replays" / "tax-0-1.html").write_text("another")
    assert first_wrong(crate, None) == "replays/tax-0-1.html: not the bytes that the metadata tell of"


def test_the_shell_publishes_a_zip_and_makes_it_again(polity: Callable[..., Said], write: Any) -> None:
    write("asked.yaml", ASKED)
    assert polity("run", "asked.yaml", "--out", "runs", "--plain").status == 0
    asked = polity("publish", "runs", "--out", "it.zip")
    assert (asked.status, Path("it.zip").exists()) == (2, False)
    assert "repeat the command with --yes" in asked.err
    assert polity("publish", "runs", "--out", "it.zip", "--yes").status == 0
    said = polity("reproduce", "it.zip")
    assert re.match(r"(\d+) of \1 equal", said.out), said.out
    with zipfile.ZipFile("it.zip", "a") as archive:
        archive.writestr("more.csv", "1,2\n")
    said = polity("reproduce", "it.zip")
    assert (said.status, said.out.splitlines()[0]) == (1, "more.csv: not told of in the metadata")
    assert polity("publish", "runs", "--out", "it.zip", "--yes").lines == ["--out: it.zip already exists; name another"]


def test_no_address_and_no_key_s_name_is_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", "sk-0123456789abcdef0123")
    with threaded(Vendor(content=IDLE)) as vendor:
        profile = {"base_url": vendor.url, "key_env": "HOUSE_API_KEY", "temperature": 0.5}
        seats = {"default": {"model": "openai/local", "profile": profile}}
        monkeypatch.setenv("POLITY_MODEL_HOSTS", f"{vendor.url}=HOUSE_API_KEY")
        (tmp_path / "asked.yaml").write_text(
            f"{ASKED}".replace("seats: {0: {model: mock/default}}", f"seats: {json.dumps(seats)}")
        )
        for is_plain in (False, True):
            run(load(str(tmp_path / "asked.yaml")), tmp_path / f"runs-{is_plain}", 1, is_plain=is_plain)
    for is_plain in (False, True):
        folder = RunFolder(tmp_path / f"runs-{is_plain}")
        assert "calls: addresses of servers: taken out" in private_in(folder)
        publish(folder, tmp_path / f"crate-{is_plain}", Wanted())
        assert first_wrong(tmp_path / f"crate-{is_plain}", None) is None
        seen = 0
        for path in (path for path in (tmp_path / f"crate-{is_plain}").rglob("*") if path.is_file()):
            with path.open("rb") as file:
                text = b"".join(lines_in(file)) if path.suffix == PACKED else file.read()
            assert not [word for word in (vendor.url, "HOUSE_API_KEY", "sk-0123") if word.encode() in text], path
            seen += b"openai/local" in text
        assert seen > 2


# --- bent ----------------------------------------------------------------------------------------------


def test_every_file_in_which_a_byte_is_flipped_is_named(crate: Path, published: tuple[Path, Bundle]) -> None:
    flipped = 0
    for path in sorted(path for path in crate.rglob("*") if path.is_file() and path.name != METADATA):
        whole, name = path.read_bytes(), path.relative_to(crate).as_posix()
        at = len(whole) // 2
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert first_wrong(crate, published[1]) == f"{name}: not the bytes that the metadata tell of"
        path.write_bytes(whole)
        flipped += 1
    assert flipped >= 30
    for name in ("data/runs.csv", "runs/run_manifest.json"):
        (crate / name).rename(crate / "away")
        assert first_wrong(crate, published[1]) == f"{name}: missing"
        (crate / "away").rename(crate / name)


def _number(name: str, pattern: str) -> Callable[[Path], list[str]]:
    """One number of a text made another."""

    def bend(crate: Path) -> list[str]:
        text = (crate / name).read_text("utf-8")
        found = re.search(pattern, text)
        assert found, name
        at = found.start(1)
        (crate / name).write_text(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :], "utf-8", newline="\n")
        return [name]

    return bend


def _replaced(name: str, old: str, new: str) -> Callable[[Path], list[str]]:
    def bend(crate: Path) -> list[str]:
        text = (crate / name).read_text("utf-8")
        assert old in text
        (crate / name).write_text(text.replace(old, new, 1), "utf-8", newline="\n")
        return [name]

    return bend


def _swapped(one: str, other: str) -> Callable[[Path], list[str]]:
    def bend(crate: Path) -> list[str]:
        first, second = (crate / one).read_bytes(), (crate / other).read_bytes()
        assert first != second
        (crate / one).write_bytes(second)
        (crate / other).write_bytes(first)
        return [one, other]

    return bend


def _row_removed(name: str) -> Callable[[Path], list[str]]:
    def bend(crate: Path) -> list[str]:
        lines = (crate / name).read_text("utf-8").splitlines(keepends=True)
        (crate / name).write_text("".join(lines[:-1]), "utf-8", newline="\n")
        return [name]

    return bend


def _gone(name: str) -> Callable[[Path], list[str]]:
    def bend(crate: Path) -> list[str]:
        (crate / name).unlink()
        return [name]

    return bend


def _parquet(crate: Path) -> list[str]:
    path = crate / "data" / "runs.parquet"
    rows = pyarrow.parquet.read_table(path).to_pylist()
    rows[0]["output"] += 1
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return ["data/runs.parquet"]


def _aggregates(crate: Path) -> list[str]:
    path = crate / "runs" / "aggregates.parquet"
    rows = pyarrow.parquet.read_table(path).to_pylist()
    for row in rows:
        row["output"] *= 1 + (row["condition"] == "tax-2")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return _sealed(crate, "aggregates.parquet")


def _tally(crate: Path) -> list[str]:
    """Payoffs in what is told of a run, which the report reads."""
    path = crate / "runs" / RUNS_LOG
    with path.open("rb") as file:
        rows = [json.loads(line) for line in lines_in(file)]
    rows[0]["told"]["payoffs"][0] += 1
    path.write_bytes(zst.pack("".join(json.dumps(row) + "\n" for row in rows).encode(), zst.compressor(LEVEL)))
    return _sealed(crate, RUNS_LOG)


def _by_round(crate: Path) -> list[str]:
    path = crate / "runs" / RUNS_LOG
    with path.open("rb") as file:
        rows = [json.loads(line) for line in lines_in(file)]
    rows[0]["told"]["rounds"]["output"][0][1] += 1
    path.write_bytes(zst.pack("".join(json.dumps(row) + "\n" for row in rows).encode(), zst.compressor(LEVEL)))
    return _sealed(crate, RUNS_LOG)


def _seed(crate: Path) -> list[str]:
    path = crate / "runs" / RUNS_LOG
    with path.open("rb") as file:
        rows = [json.loads(line) for line in lines_in(file)]
    rows[0]["seed"] = 9
    path.write_bytes(zst.pack("".join(json.dumps(row) + "\n" for row in rows).encode(), zst.compressor(LEVEL)))
    return _sealed(crate, RUNS_LOG)


def _sealed(crate: Path, name: str) -> list[str]:
    """Seal the runs anew, as somebody would who knows how."""
    manifest = json.loads((crate / "runs" / "run_manifest.json").read_text("utf-8"))
    seal_again(crate / "runs", manifest, (name,))
    return [f"runs/{name}", "runs/run_manifest.json"]


def _direction(crate: Path) -> list[str]:
    manifest = json.loads((crate / "runs" / "run_manifest.json").read_text("utf-8"))
    manifest["experiment"]["comparisons"][0]["direction"] = "higher"
    seal_again(crate / "runs", manifest, ())
    return ["runs/run_manifest.json"]


BENDS: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "a number in the table of runs": (_number("data/runs.csv", r"tax-0,1,1,4,(\d)"), "data/runs.csv"),
    "a number in the table of rounds": (_number("data/rounds.csv", r"tax-0,1,1,2,[\d.]*(\d)"), "data/rounds.csv"),
    "a run's row removed": (_row_removed("data/runs.csv"), "data/runs.csv"),
    "a round's row removed": (_row_removed("data/rounds.csv"), "data/rounds.csv"),
    "a number in the Parquet table": (_parquet, "data/runs.parquet"),
    "what a column means": (_replaced("data/codebook.csv", "of the run", "of the game"), "data/codebook.csv"),
    "the direction that was declared": (_replaced("declaration.json", '"less"', '"greater"'), "declaration.json"),
    "the seeds that were declared": (
        _replaced("declaration.json", '"seeds": [\n  1', '"seeds": [\n  4'),
        "declaration",
    ),
    "a version": (_replaced("requirements.txt", "numpy==", "numpy==1"), "requirements.txt"),
    "a figure's point": (_number("report/mean-output.svg", r'<circle cx="(\d)'), "report/mean-output.svg"),
    "two figures swapped": (_swapped("figures/mean-output.pdf", "figures/mean-gini.pdf"), "figures/mean-"),
    "a number of the report": (_replaced("report/report.html", "3 ", "30 "), "report/report.html"),
    "a number of the result": (_number("report/result.json", r'"mean":(\d)'), "report/result.json"),
    "a table behind the report": (_row_removed("report/runs.csv"), "report/runs.csv"),
    "two replays swapped": (_swapped("replays/tax-0-1.html", "replays/tax-2-1.html"), "replays/tax-0-1.html"),
    "a prompt": (_replaced("prompts/tax-0-0-act.json", "You are", "You were"), "prompts/tax-0-0-act.json"),
    "the README": (_replaced("README.md", "runs: 6", "runs: 60"), "README.md"),
    "the register's date": (_replaced("register.json", "2026-01-05", "2025-01-05"), "register.json"),
    "the register's document": (_replaced("register.json", '"seeds": [\n   1', '"seeds": [\n   4'), "register.json"),
    "a figure left out": (_gone("figures/mean-gini.svg"), "figures/mean-gini.svg"),
    "a replay left out of the metadata's list": (_gone("report/comparisons.csv"), "report/comparisons.csv"),
    "measures, sealed anew": (_aggregates, "condition tax-2, replicate 1: aggregates.parquet differs: output is"),
    "payoffs, sealed anew": (_tally, "condition tax-0, replicate 1: runs.jsonl.zst differs: payoffs is"),
    "a measure by round, sealed anew": (_by_round, "condition tax-0, replicate 1: runs.jsonl.zst differs: rounds is"),
    "a seed, sealed anew": (_seed, "condition tax-0, replicate 1"),
    "the direction in the manifest, sealed anew": (_direction, "report/"),
}


@pytest.mark.parametrize("name", BENDS)
def test_what_is_bent_along_with_its_digest_is_named_all_the_same(
    name: str, crate: Path, published: tuple[Path, Bundle]
) -> None:
    bend, told = BENDS[name]
    told_of(crate, *bend(crate))
    wrong = first_wrong(crate, published[1])
    assert wrong is not None
    assert wrong.startswith(told), wrong


@pytest.mark.parametrize("key", ["datePublished", "license", "author", "version"])
def test_what_the_metadata_say_is_held_to_the_runs(key: str, crate: Path, published: tuple[Path, Bundle]) -> None:
    path = crate / METADATA
    document = json.loads(path.read_bytes())
    graph = {one["@id"]: one for one in document["@graph"]}
    if key == "author":
        graph["#author-1"]["name"] = "Somebody Else"
    elif key == "license":
        graph["./"]["license"] = {"@id": "https://example.org/mine"}
    else:
        graph["./" if key == "datePublished" else "#polity"][key] = "2020-01-01T00:00:00.000Z"
    path.write_bytes(json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n")
    assert first_wrong(crate, published[1]) is not None


def test_what_is_no_publication_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BadFolder, match="no publication"), opened(tmp_path / "no.zip"):
        pass
    assert "ro-crate-metadata.json: cannot be read" in str(first_wrong(tmp_path, None))
