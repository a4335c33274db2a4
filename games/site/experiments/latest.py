"""The latest runs as the lobby lists them: those of one experiment share a row, so that none fills the list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from django.db.models import Count, OuterRef, Q, Subquery, Sum

from games.lab.wire.run import LatestExperiment, LatestRow
from games.site.audience import Viewer, listed, listed_experiments
from games.site.models import ENDED, Cell, Experiment, Run, RunStatus
from games.site.record.summary import run_list


def latest(viewer: Viewer, limit: int) -> list[LatestRow]:
    """The newest first: runs by themselves, and experiments at the place of their newest run.

    A run whose experiment stands in none of the viewer's lists is a run by itself.
    """
    found, known = _newest(viewer, limit)
    told = _experiments(
        [run.experiment for run in found if run.experiment is not None and run.experiment_id in known], viewer
    )
    part_of = {run.pk: told.get(run.experiment_id or 0) for run in found}
    return [{"run": said, "experiment": part_of[said["id"]]} for said in run_list(found, viewer)]


def _newest(viewer: Viewer, limit: int) -> tuple[list[Run], set[int]]:
    """The newest run of each row, and which experiments are rows. However many runs an experiment has, one is read."""
    rows = Run.objects.filter(listed(viewer)).select_related("scenario", "experiment").prefetch_related("seats")
    rows = rows.order_by("-created", "-pk")
    shown = Experiment.objects.filter(listed_experiments(viewer))
    last = Run.objects.filter(experiment=OuterRef("pk")).order_by("-created").values("created")[:1]
    known = set(
        shown.annotate(last=Subquery(last)).exclude(last=None).order_by("-last").values_list("pk", flat=True)[:limit]
    )
    hidden = Experiment.objects.exclude(pk__in=shown)
    alone = [*rows.filter(experiment=None)[:limit], *rows.filter(experiment__in=hidden)[:limit]]
    found = [*alone, *(run for pk in known if (run := rows.filter(experiment=pk).first()) is not None)]
    return sorted(found, key=lambda run: (run.created, run.pk), reverse=True)[:limit], known


def _experiments(experiments: Iterable[Experiment], viewer: Viewer) -> dict[int, LatestExperiment]:
    """How far each is, all of them counted in one query."""
    by_id = {one.pk: one for one in experiments}
    cells = Cell.objects.filter(experiment__in=by_id).order_by().values("experiment")
    counted = {
        row["experiment"]: row
        for row in cells.annotate(
            runs=Count("pk"),
            done=Count("pk", filter=Q(run__status__in=ENDED)),
            failed=Count("pk", filter=Q(run__status=RunStatus.FAILED)),
            cost=Sum("run__cost_usd"),
        )
    }
    return {
        pk: {
            "slug": one.slug,
            "title": one.title,
            "status": cast(Any, str(one.status)),
            "conditions": len(one.declared.get("conditions", [])),
            "runs": counted[pk]["runs"],
            "done": counted[pk]["done"],
            "failed": counted[pk]["failed"],
            "cost_usd": float(counted[pk]["cost"] or 0) or None if viewer.operator else None,
        }
        for pk, one in by_id.items()
        if pk in counted
    }
