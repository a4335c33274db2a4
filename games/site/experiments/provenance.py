"""How an experiment's answer came about, for the first lines of its page and its report."""

from __future__ import annotations

from typing import Any

from games.core.prompts import LANGUAGES
from games.lab.analysis.provenance import Provenance, Registered, StoppedBy
from games.lab.analysis.report.labels import Labels
from games.lab.folders.reporting import are_mocks
from games.site.experiments.declaring import family_of
from games.site.experiments.registering import registered
from games.site.models import (
    ENDED,
    AuditEntry,
    Cell,
    Experiment,
    ExperimentStatus,
    RegisterKind,
    Run,
    RunStatus,
    Seat,
    SeatKind,
)


def provenance_of(experiment: Experiment) -> Provenance:
    """What stands in the register, what was planned and played, what had been seen, who ended it."""
    cells = Cell.objects.filter(experiment=experiment)
    planned, played = cells.count(), cells.filter(run__status=RunStatus.FINISHED).count()
    entry = registered(experiment)
    how: Registered = "not"
    done = 0
    if entry is not None and entry.kind == RegisterKind.IMPORTED:
        how = "elsewhere"
    elif entry is not None:
        done = Run.objects.filter(experiment=experiment, status__in=ENDED, ended__lt=entry.at).count()
        how = "after" if done else "before"
    document = entry.document if entry is not None else {}
    seen = document.get("seen", {})
    relatives = (*(one.slug for one in family_of(experiment) if one.pk != experiment.pk), *document.get("alike", ()))
    claims = [one["written"] for one in experiment.declared.get("comparisons", ()) if one.get("written")]
    seats = Seat.objects.filter(run__experiment=experiment, kind=SeatKind.MODEL).order_by()
    is_whole = experiment.status == ExperimentStatus.FINISHED
    return Provenance(
        how,
        planned,
        played,
        None if entry is None else entry.number,
        None if entry is None else entry.at.isoformat(timespec="seconds"),
        done,
        max(claims, default=None),
        "" if is_whole and played == planned else "stopped" if is_whole else str(experiment.status),
        _ended_by(experiment),
        experiment.ended.isoformat(timespec="seconds") if experiment.ended else None,
        int(seen.get("runs", 0)),
        tuple(seen.get("in", ())),
        tuple(dict.fromkeys(relatives)),
        _stopping_of(experiment),
        (experiment.peeked["runs"], experiment.peeked["at"]) if experiment.peeked else None,
        (document["alike"][0], tuple(document["changed"])) if document.get("changed") else None,
        are_mocks(set(seats.values_list("agent__profile__model", flat=True).distinct())),
    )


def _stopping_of(experiment: Experiment) -> StoppedBy | None:
    declared = experiment.declared.get("stopping")
    if declared is None:
        return None
    seeds = experiment.reason.get("seeds") if experiment.reason.get("why") == "rule" else None
    return StoppedBy(declared["rule"], tuple(declared["looks"]), declared["planned"], seeds)


def _ended_by(experiment: Experiment) -> str:
    """The account that cancelled it, without its key; "" where nobody did."""
    if experiment.status != ExperimentStatus.CANCELLED:
        return ""
    acts = AuditEntry.objects.filter(on=f"experiment {experiment.slug}", what="experiment_cancelled")
    last = acts.order_by("-at").first()
    return "" if last is None else last.who.partition(" by ")[0]


def provenance_out(experiment: Experiment) -> dict[str, Any]:
    """The same as plain values, with its sentences."""
    found = provenance_of(experiment)
    return {
        "registered": found.registered,
        "entry": found.entry,
        "at": found.at,
        "planned": found.planned,
        "played": found.played,
        "seen": found.seen,
        "family": list(found.family),
        "exploratory": found.is_exploratory,
        "marked": found.is_marked,
        "sentences": {language: Labels(language, "", "", provenance=found).came_about() for language in LANGUAGES},
    }
