"""An experiment as a package for others: data, declaration, report, figures, replays and the runs, as an RO-Crate.

All but the runs is made of the runs, so that `reproducing` makes it again and compares. Addresses of servers and names
of keys are taken out; what people and models wrote stays, as it is data.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from games.core.registry import Registry
from games.errors.faults import BadFolder, Fault, Refused
from games.lab.analysis.report.printing import pdf
from games.lab.analysis.tally import round_of
from games.lab.folders.aggregates import write_rows
from games.lab.folders.bundle import Bundle
from games.lab.folders.calllog import CALLS
from games.lab.folders.crate import LICENCE, METADATA, measured, metadata
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.recorder import ROUNDS
from games.lab.folders.reel import FolderFrames, run_id
from games.lab.folders.replayfile import of_reel
from games.lab.folders.reporting import labels_of, report_files, result_of
from games.lab.folders.results import aggregates_of
from games.lab.folders.scrubbing import without_private

RUNS: Final = "runs/"
REGISTER: Final = "register.json"
STUDY: Final = "study/"
DATED: Final = (1980, 1, 1, 0, 0, 0)
ABOUT: Final = {
    "data/codebook": "What each column of each table means.",
    "data/": "A table, tidy: a row a run or a round, a column a variable.",
    "declaration": "What was declared: conditions, hypotheses, seeds, and its digest.",
    REGISTER: "The entry of the site's register with which it was declared.",
    STUDY: "The session with people: its tables by pseudonym, with codebook, the study and scripts that analyse them.",
    "requirements": "Versions of all that computed.",
    "prompts/": "What a model was asked first, by condition and seat.",
    "figures/": "A figure of the report, to be printed.",
    "report/": "The report, its figures, and the numbers behind them.",
    "replays/": "A run that plays in a browser, without a network.",
    RUNS: "The runs themselves, from which all else is made.",
    "README": "How to read this, and how to make it again.",
}
"""What a file holds, by the beginning of its name."""


@dataclass(frozen=True)
class Wanted:
    """How it is to be published; ``bundle`` draws the replays, ``register`` is the site's entry,
    ``study`` what stands beside the runs of a session with people."""

    language: str = "en"
    licence: str = LICENCE
    authors: tuple[str, ...] = ()
    replays: tuple[str, ...] = ()
    bundle: Bundle | None = None
    register: Mapping[str, Any] | None = None
    study: Mapping[str, bytes] = field(default_factory=dict)


def publish(folder: RunFolder, out: Path, wanted: Wanted, registry: Registry | None = None) -> list[str]:
    """Write the package to ``out``, a folder or a .zip file; the names of its files.

    Raises `BadFolder` where the folder is not what was written or not played to its end, and where ``out`` is taken.
    """
    if out.exists():
        raise BadFolder([Fault(str(out), "", "already exists; name another --out")])
    folder.check_unaltered()
    with tempfile.TemporaryDirectory(prefix=".polity-publish-", dir=out.absolute().parent) as held:
        place = Path(held) / "crate"
        without_private(folder, place / "runs")
        files = dict(contents(RunFolder(place / "runs", registry), wanted))
        for name, data in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        if out.suffix == ".zip":
            _zip(place, Path(held) / "crate.zip")
            place = Path(held) / "crate.zip"
        shutil.move(place, out)
    return list(files)


def contents(folder: RunFolder, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """Every file but the runs by name, the metadata last; the same bytes from the same runs."""
    sums = {}
    for name, data in _contents(folder, wanted):
        sums[name] = measured(data)
        yield name, data
    for path in sorted(path for path in folder.path.rglob("*") if path.is_file()):
        sums[RUNS + path.relative_to(folder.path).as_posix()] = measured(path.read_bytes())
    yield METADATA, metadata(dict(sorted(sums.items())), ABOUT, folder.manifest, wanted.licence, wanted.authors)


def _contents(folder: RunFolder, wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    result, labels = result_of(folder), labels_of(folder, wanted.language)
    for name, text in report_files(result, labels).items():
        yield f"report/{name}", text.encode()
        if name.endswith(".svg"):
            yield f"figures/{name}", text.encode()
            yield f"figures/{name[:-4]}.pdf", pdf(text, name[:-4])
    for table, rows in (("runs", _runs), ("rounds", _rounds)):
        yield from _table(table, partial(rows, folder))
    yield "data/codebook.csv", _codebook(folder, wanted.language)
    yield "declaration.json", _json({name: folder.manifest[name] for name in DECLARED if name in folder.manifest})
    yield "requirements.txt", _requirements(folder.manifest["versions"])
    yield from _prompts(folder)
    for entry in folder.entries:
        if run_id(entry) in wanted.replays and wanted.bundle is not None:
            yield f"replays/{run_id(entry)}.html", _replay(folder, entry, wanted.bundle)
    if wanted.register is not None:
        yield REGISTER, _json(wanted.register)
    yield from ((STUDY + name, data) for name, data in wanted.study.items())
    yield "README.md", _readme(folder, wanted).encode()


DECLARED: Final = ("game", "rules_version", "scenario", "plan_hash", "conditions", "experiment", "seeds", "tournament")


def chosen(folder: RunFolder, names: Sequence[str]) -> tuple[str, ...]:
    """The runs to be published as replays: those named, CONDITION-REPLICATE, or where none is the first of each
    condition. Raises `Refused` for one that there is not.
    """
    known = {run_id(entry): entry for entry in folder.entries}
    for name in names:
        if name not in known:
            raise Refused(f"--replay: {name!r}; CONDITION-REPLICATE, such as {next(iter(known))}")
    first = {entry.condition: name for name, entry in reversed(known.items())}
    return tuple(names) or tuple(first[name] for name in folder.conditions)


def _replay(folder: RunFolder, entry: Entry, bundle: Bundle) -> bytes:
    from games.core.game import Public

    return of_reel(bundle, FolderFrames(folder, entry, Public()))


def _runs(folder: RunFolder) -> Iterator[dict[str, Any]]:
    measures = aggregates_of(folder)
    for entry in folder.entries:
        key = {"condition": entry.condition, "replicate": entry.replicate, "seed": entry.seed, "steps": entry.steps}
        yield {**key, **measures.get((entry.condition, entry.replicate), {}), "hash": entry.hash}


def _rounds(folder: RunFolder) -> Iterator[dict[str, Any]]:
    for line in folder.lines(ROUNDS):
        record = json.loads(line)
        row = {name: record[name] for name in ("condition", "replicate", "seed", "step")}
        row["round"] = round_of(record["step"], record["clock"])
        measures = {
            name: value for name, value in (record["metrics"] or {}).items() if not isinstance(value, list | dict)
        }
        yield {**row, **{f"payoff_{seat}": value for seat, value in record["payoffs"]}, **measures}


def _table(name: str, rows: Any) -> Iterator[tuple[str, bytes]]:
    """One table in both forms."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "table.parquet"
        columns = write_rows(path, rows)
        yield f"data/{name}.parquet", path.read_bytes()
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows())
    yield f"data/{name}.csv", text.getvalue().encode()


def _codebook(folder: RunFolder, language: str) -> bytes:
    pack = folder.pack
    names, about = pack.words.book(language).get("metrics", {}), pack.metrics.about()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("table", "column", "name", "about"))
    for table, rows in (("runs", _runs), ("rounds", _rounds)):
        for column in dict.fromkeys(name for row in rows(folder) for name in row):
            payoff = re.fullmatch(r"payoff_(\d+)", column)
            told = f"what seat {payoff[1]} got in this step" if payoff else KEYS.get(column) or about.get(column, "")
            writer.writerow((table, column, names.get(column, column), told))
    return text.getvalue().encode()


KEYS: Final = {
    "condition": "name of the condition, as in declaration.json",
    "replicate": "number of the run within its condition, from 1; paired designs have the same seed for one number",
    "seed": "whole number that all chance of the run follows from",
    "steps": "steps after the start",
    "step": "number of the step; 0 is the start",
    "round": "number of the round of the step, over which trends and halves are told; empty at the start",
    "hash": "digest that all records of the run are chained into; empty where rounds are not kept",
}


def _prompts(folder: RunFolder) -> Iterator[tuple[str, bytes]]:
    """The first call of each seat in each condition, where texts of prompts were kept."""
    seen: set[tuple[str, int, str]] = set()
    for line in folder.lines(CALLS) if folder.logs.files(CALLS) else ():
        call = json.loads(line)
        key = call["condition"], call["seat"], call["purpose"]
        if key not in seen and "prompt" in call:
            seen.add(key)
            yield "prompts/" + "-".join(map(str, key)) + ".json", _json(call["prompt"])


def _requirements(versions: Mapping[str, str]) -> bytes:
    lines = [f"# {name} {value}" for name, value in versions.items() if name in ("python", "commit")]
    lines += [f"{name}=={value}" for name, value in versions.items() if value[:1].isdigit() and name != "python"]
    return "\n".join([*lines, ""]).encode()


def _readme(folder: RunFolder, wanted: Wanted) -> str:
    told: Mapping[str, Any] = folder.manifest["scenario"]
    title = told.get("title", {}).get(wanted.language) or told["name"]
    about = told.get("about", {}).get(wanted.language, "")
    parts = "\n".join(f"- `{name}`: {text}" for name, text in ABOUT.items() if name != STUDY or wanted.study)
    return (
        f"# {title}\n\n{about}\n\nThe game {folder.game}; runs: {len(folder.entries)}; "
        f"conditions: {len(folder.conditions)}; plan {folder.manifest.get('plan_hash')}.\n\n{parts}\n\n"
        "`polity reproduce` with this folder or zip file resolves every run again from its seed and decisions, makes "
        "all tables, figures and the report anew, and says whether each is the same. "
        f"Licence: {wanted.licence}. Authors: {', '.join(wanted.authors) or 'not named'}.\n"
    )


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _zip(place: Path, out: Path) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in place.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(path.relative_to(place).as_posix(), DATED)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, path.read_bytes())
