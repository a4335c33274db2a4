"""An experiment's report beside its run folder: the page, the figures, the numbers, and the same as plain JSON."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias

from agents_app.profile import MOCK
from games.core.pack import Pack
from games.errors.faults import BadFolder, Fault, shown
from games.lab.analysis.provenance import Provenance
from games.lab.analysis.report.labels import Labels
from games.lab.analysis.report.page import report
from games.lab.analysis.report.printing import pdf
from games.lab.analysis.report.tables import behind
from games.lab.analysis.result import Result, analyse
from games.lab.folders.experiment import EXPERIMENT, Told, plan_of, runs_of
from games.lab.folders.packing import PACKING
from games.lab.folders.place import UNFINISHED
from games.lab.folders.reading import RunFolder
from games.lab.scenarios.naming import agent_label

PAGE: Final = "report.html"
RESULT: Final = "result.json"
DIFFERING_MAX: Final = 60
"""Characters of a setting that the table of differences shows."""


def result_of(folder: RunFolder, tell: Told | None = None) -> Result:
    """What the folder's runs say of what was declared; raises `BadFolder`, as where a file was altered."""
    folder.check_unaltered()
    if "part" in (told := folder.manifest.get(PACKING, {})):
        why = f"part {told['part']} of {told['of']}; a report is of the whole: polity merge puts the parts together"
        raise folder.bad("", why)
    plan = plan_of(folder)
    return analyse(plan, runs_of(folder, plan, tell))


def report_files(result: Result, labels: Labels) -> dict[str, str]:
    """All files of a report by name: the page, the figures, the numbers behind them, and the result as JSON."""
    made = report(result, labels)
    plain = json.dumps(result.plain(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return {
        **{f"{table.name}.csv": table.csv() for table in made.tables},
        **{f"{name}.svg": figure + "\n" for name, figure in made.figures.items()},
        RESULT: plain + "\n",
        PAGE: made.page,
    }


def print_figures(figures: Mapping[str, str], result: Result, out: Path) -> None:
    """Each figure as SVG and PDF, with the numbers that it shows as CSV. Raises `Refused` where PDF cannot be made."""
    printed = {name: pdf(svg, name) for name, svg in figures.items()}
    out.mkdir(parents=True, exist_ok=True)
    for name, svg in figures.items():
        (out / f"{name}.svg").write_text(svg + "\n", "utf-8")
        (out / f"{name}.pdf").write_bytes(printed[name])
        for table in behind(result, name):
            (out / f"{table.name}.csv").write_text(table.csv(), "utf-8")


def write_report(folder: RunFolder, result: Result, out: Path, language: str = "en") -> Path:
    """The report in a folder of its own, replaced if it was one; returns the page's path.

    Raises `BadFolder` where something else stands there.
    """
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / PAGE).is_file())):
        told = f"holds no {PAGE}, so it is no report and is left alone; name another --out"
        raise BadFolder([Fault(str(out), "", told)])
    files = report_files(result, labels_of(folder, language))
    building = out.with_name(f".{out.name}.partial")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    for name, text in files.items():
        (building / name).write_text(text, encoding="utf-8", newline="\n")
    shutil.rmtree(out, ignore_errors=True)
    building.rename(out)
    return out / PAGE


def report_faults(page: Path, folder: RunFolder) -> list[str]:
    """Files of a report that are not what is reported of the folder, one line each with where they part first.

    All of it is computed again. Raises `BadFolder` where the folder itself is not what was written, or where the page
    is no report.
    """
    text = page.read_text("utf-8", "replace")
    head = re.match(r'<!doctype html>\n<html lang="(en|zh)', text)
    if head is None:
        raise BadFolder(
            [Fault(str(page), "", "no report of an experiment; name the report.html that polity report wrote")]
        )
    files = report_files(result_of(folder), labels_of(folder, head[1]))
    faults = []
    for name, right in files.items():
        path = page.with_name(name) if name != PAGE else page
        if not path.is_file():
            faults.append(f"{name}: missing")
        elif (stands := path.read_text("utf-8", "replace")) != right:
            at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(stands, right, strict=False)))
            where = f"first at character {at}: {shown(stands[at : at + 40])}"
            faults.append(f"{name}: differs from what the folder says, {where}")
    return faults


def labels_of(folder: RunFolder, language: str) -> Labels:
    """The game's words and the manifest's facts, for a report in a language."""
    manifest, book = folder.manifest, folder.pack.words.book(language)
    told: Mapping[str, Any] = manifest.get("scenario", {})
    stamps: Mapping[str, Any] = manifest.get("timestamps", {})
    title, about = (_in(told.get(name), language) for name in ("title", "about"))
    bare = Labels(language, folder.game, "")
    versions = ", ".join(f"{name} {version}" for name, version in manifest.get("versions", {}).items())
    seeds = manifest.get("seeds", [])
    facts = (
        ("game", str(book.get("name", folder.game))),
        ("rules", str(manifest.get("rules_version"))),
        ("plan", str(manifest.get("plan_hash"))),
        ("seeds", ", ".join(map(str, seeds[:40])) + (" …" if len(seeds) > 40 else "")),
        ("started", str(stamps.get("started"))),
        ("finished", str(stamps.get("finished"))),
        ("versions", versions),
        ("models", models_of(agent for one in folder.conditions.values() for agent in one["agents"])),
    )
    return Labels(
        language,
        str(book.get("name", folder.game)),
        title or str(told.get("name", folder.game)),
        about,
        book.get("metrics", {}),
        folder.pack.metrics.about(),
        tuple((bare.say(f"prov_{name}"), value) for name, value in facts if value),
        differing(folder),
        provenance_of(folder),
    )


def models_of(agents: Iterable[Mapping[str, Any]]) -> str:
    """The models that were asked, each once; "" where none was."""
    return ", ".join(models_in(agents))


def models_in(agents: Iterable[Mapping[str, Any]]) -> list[str]:
    """The same as a list."""
    return list(dict.fromkeys(agent["profile"]["model"] for agent in agents if agent.get("profile")))


def are_mocks(models: Collection[str]) -> bool:
    """Whether models were asked, and none of them was real."""
    return bool(models) and all(model.startswith(f"{MOCK}/") for model in models)


def provenance_of(folder: RunFolder) -> Provenance:
    """A folder stands in no register; it knows how many runs it was to have."""
    unfinished: Mapping[str, Any] = folder.manifest.get(UNFINISHED, {})
    played = int(unfinished.get("runs") or folder.manifest.get(PACKING, {}).get("runs") or len(folder.entries))
    comparisons = folder.manifest.get(EXPERIMENT, {}).get("comparisons", ())
    claims = [str(one["written"]) for one in comparisons if one.get("written")]
    stamps: Mapping[str, Any] = folder.manifest.get("timestamps", {})
    return Provenance(
        "not",
        int(unfinished.get("of", played)),
        played,
        claimed=max(claims, default=None),
        ended="broken_off" if unfinished else "",
        when=stamps.get("finished"),
        mocked=are_mocks(models_in(agent for one in folder.conditions.values() for agent in one["agents"])),
    )


def differing(folder: RunFolder) -> dict[str, dict[str, str]]:
    """By condition, the settings and seats that are not the same in all of them."""
    return differing_of(
        folder.pack,
        {name: (told["config"], folder.config(name), told["agents"]) for name, told in folder.conditions.items()},
    )


Setting: TypeAlias = tuple[Mapping[str, Any], Any, Sequence[Mapping[str, Any]]]
"""A condition's settings as plain data and as the game's own, and its agents by seat."""


def differing_of(pack: Pack, conditions: Mapping[str, Setting]) -> dict[str, dict[str, str]]:
    """As `differing`, of conditions that stand in no folder."""
    flat = {
        name: {**_flat(plain), **_seated(pack, config, agents)} for name, (plain, config, agents) in conditions.items()
    }
    names = list(dict.fromkeys(name for settings in flat.values() for name in settings))
    unlike = [name for name in names if len({settings.get(name) for settings in flat.values()}) > 1]
    for name in unlike:
        short = {condition: _rounded(told[name]) for condition, told in flat.items() if name in told}
        if len(set(short.values())) == len({told[name] for told in flat.values() if name in told}):
            flat = {condition: {**told, **({name: short[condition]} if name in told else {})}
                    for condition, told in flat.items()}  # fmt: skip
    return (
        {condition: {name: told[name] for name in unlike if name in told} for condition, told in flat.items()}
        if unlike
        else {}
    )


def _rounded(text: str) -> str:
    return re.sub(r"\d+\.\d{7,}", lambda found: f"{float(found[0]):.6g}", text)


def _flat(config: Mapping[str, Any], under: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            found.update(_flat(value, f"{under}{name}."))
        else:
            text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
            found[f"{under}{name}"] = text if len(text) <= DIFFERING_MAX else text[: DIFFERING_MAX - 1] + "…"
    return found


def _seated(pack: Pack, config: Any, agents: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Who sits there, counted by name."""
    names = [agent_label(pack, config, agent) for agent in agents]
    counted = {name: names.count(name) for name in dict.fromkeys(names)}
    profiles = [agent["profile"] for agent in agents if agent.get("profile")]
    languages = [profile.get("language") for profile in profiles]
    told = {"seats": ", ".join(name if n == 1 else f"{n} {name}" for name, n in counted.items())}
    return {**told, "language": ", ".join(dict.fromkeys(map(str, languages)))} if languages else told


def _in(texts: Any, language: str) -> str:
    return str(texts.get(language) or texts.get("en") or "") if isinstance(texts, Mapping) else ""
