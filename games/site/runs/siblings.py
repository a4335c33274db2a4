"""The ways on from a run of an experiment: the same condition's neighbours, and the same replicate elsewhere."""

from __future__ import annotations

from typing import TypedDict

from django.db.models import QuerySet

from games.site.audience import Viewer, sees
from games.site.models import Cell, Run


class Sibling(TypedDict):
    id: str
    condition: str
    replicate: int


class Siblings(TypedDict):
    """``previous`` and ``next`` replicate of the condition; ``beside``: the same replicate in the other conditions."""

    previous: Sibling | None
    next: Sibling | None
    beside: list[Sibling]


def siblings(run: Run, viewer: Viewer) -> Siblings | None:
    """Of those that the viewer sees, in the experiment's order; None of a run that is no cell."""
    cell = Cell.objects.filter(run=run).first()
    if cell is None:
        return None
    near = Cell.objects.filter(experiment=cell.experiment_id, run__isnull=False).select_related("run").order_by("order")
    own = near.filter(condition=cell.condition)
    before = _seen(own.filter(replicate__lt=cell.replicate).order_by("-replicate"), viewer)
    after = _seen(own.filter(replicate__gt=cell.replicate).order_by("replicate"), viewer)
    others = near.filter(replicate=cell.replicate).exclude(pk=cell.pk)
    beside = [one for one in others if one.run is not None and sees(one.run, viewer)]
    return {"previous": before, "next": after, "beside": list(map(_out, beside))}


def _seen(cells: QuerySet[Cell], viewer: Viewer) -> Sibling | None:
    """The first of them, where the viewer sees it."""
    found = cells.first()
    return _out(found) if found is not None and found.run is not None and sees(found.run, viewer) else None


def _out(cell: Cell) -> Sibling:
    return {"id": str(cell.run_id), "condition": cell.condition, "replicate": cell.replicate}
