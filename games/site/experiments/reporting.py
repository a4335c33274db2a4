"""An experiment's report: one page that opens from disk, and the same with its figures and numbers as files."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from games.lab.analysis.report.labels import Labels
from games.lab.analysis.report.page import report
from games.lab.analysis.result import Result
from games.lab.folders.reporting import differing_of, models_of, report_files
from games.site.experiments.declaring import loaded_of
from games.site.experiments.provenance import provenance_of
from games.site.experiments.registering import registered
from games.site.models import Experiment

EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of a file in the archive: the same report is the same bytes."""
SEEDS_TOLD: Final = 40


def report_page(experiment: Experiment, result: Result, language: str) -> str:
    """The report as one HTML file."""
    return report(result, labels_of(experiment, language)).page


def report_archive(experiment: Experiment, result: Result, language: str) -> bytes:
    """The report with every figure as SVG and the CSV behind it, in a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in report_files(result, labels_of(experiment, language)).items():
            entry = zipfile.ZipInfo(f"{experiment.slug}-report/{name}", EPOCH)
            archive.writestr(entry, text.encode(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def labels_of(experiment: Experiment, language: str) -> Labels:
    """The game's words and what was played, for a report in a language."""
    loaded = loaded_of(experiment.document, experiment.game)
    pack, book = loaded.pack, loaded.pack.words.book(language)
    name = str(book.get("name", experiment.game))
    seeds = ", ".join(map(str, loaded.seeds[:SEEDS_TOLD])) + (" …" if len(loaded.seeds) > SEEDS_TOLD else "")
    facts = {
        "game": name,
        "rules": str(pack.game.rules_version),
        "plan": experiment.plan_hash,
        "seeds": seeds,
        "started": experiment.frozen_at.isoformat() if experiment.frozen_at else "",
        "finished": experiment.ended.isoformat() if experiment.ended else "",
    }
    versions = (getattr(registered(experiment), "document", None) or {}).get("versions") or {}
    seats = [agent.plain() for one in loaded.conditions for agent in one.seats]
    facts |= {"versions": ", ".join(f"{name} {one}" for name, one in versions.items()), "models": models_of(seats)}
    bare = Labels(language, name, "")
    title = experiment.title.get(language) or experiment.title.get("en") or experiment.slug
    conditions = {
        one.name: (one.config.model_dump(mode="json"), one.config, [agent.plain() for agent in one.seats])
        for one in loaded.conditions
    }
    return Labels(
        language,
        name,
        title,
        str(loaded.about.get(language) or loaded.about.get("en") or ""),
        book.get("metrics", {}),
        pack.metrics.about(),
        tuple((bare.say(f"prov_{key}"), value) for key, value in facts.items() if value),
        differing_of(pack, conditions),
        provenance_of(experiment),
    )
