"""Which runs are exported, and how far: what was stored when the export was asked for, and nothing that comes later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Max

from games.core.pack import Pack
from games.errors.requests import BadRequest
from games.site.audience import Viewer
from games.site.models import Call, Message, Run
from games.site.record import selectors
from games.site.record.search import RunFilter

EVERYTHING: Final = Viewer(operator=True, member=True)
"""Who takes data away sees everything."""
RUNS_MAX: Final = 20_000
"""Runs of one export."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One run as it stood: ``until`` is its last step, ``calls`` and ``messages`` the numbers of the last rows."""

    run_id: str
    until: int
    calls: int
    messages: int

    def run(self) -> Run:
        return selectors.run_get(self.run_id)


def runs_chosen(runs: Sequence[str] | None, wanted: RunFilter | None) -> list[Chosen]:
    """The runs by id, or by filter, oldest first; raises `BadRequest` where there are none, or too many."""
    if (runs is None) == (wanted is None):
        raise BadRequest("bad_choice", "runs or filter: name the runs, or give a filter; one of the two", "runs")
    found = wanted.found(EVERYTHING) if wanted is not None else Run.objects.filter(pk__in=runs or ())
    rows = list(found.order_by("created", "pk").values_list("pk", "head")[: RUNS_MAX + 1])
    if runs is not None and (missing := sorted(set(runs) - {pk for pk, _ in rows})):
        raise BadRequest(
            "no_such_run", f"run {missing[0][:20]!r}: there is none of that id", "runs", run=missing[0][:20]
        )
    if not rows:
        raise BadRequest("no_runs_found", "filter: no run is like that; widen it", "filter")
    if len(rows) > RUNS_MAX:
        told = f"filter: more than {RUNS_MAX} runs; narrow it, by since and until"
        raise BadRequest("too_many_runs", told, "filter", most=RUNS_MAX)
    ids = [pk for pk, _ in rows]
    calls, messages = _last(Call, ids), _last(Message, ids)
    return [Chosen(pk, head, calls.get(pk, 0), messages.get(pk, 0)) for pk, head in rows]


def _last(kind: Any, ids: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(ids), 500):
        part = kind.objects.filter(run__in=ids[start : start + 500]).values("run").annotate(last=Max("pk"))
        found |= dict(part.values_list("run", "last"))
    return found


def pack_of(run: Run) -> Pack | None:
    """The run's game, where it is still there."""
    try:
        return selectors.playing(run).pack
    except selectors.NotFound:
        return None
