"""Experiments read: how far each cell is, and what the runs that are over say of what was declared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from django.utils import timezone

from games.errors.requests import BadRequest
from games.lab.analysis.plan import Plan
from games.lab.analysis.power import power_curve, smallest_difference
from games.lab.analysis.result import Result, analyse
from games.lab.analysis.runs import Run as Sample
from games.lab.analysis.tally import ByRound, conduct_of, defined
from games.site.audience import Viewer, check_figures, listed_experiments, sees, sees_costs, sees_figures, sight
from games.site.experiments.declaring import family_of, loaded_of
from games.site.experiments.running import not_own_most, spent_of
from games.site.experiments.stopping import BY_RULE, plan_of
from games.site.models import ENDED, Cell, Experiment, ExperimentStatus, Run, RunStatus, Seat, SeatKind
from games.site.record.conduct import decided, tally_of
from games.site.record.outcome import records
from games.site.record.selectors import shown_head


def experiment_get(slug: str) -> Experiment:
    """By its name in addresses; raises `BadRequest` (no_such_experiment)."""
    found = Experiment.objects.filter(slug=slug).first()
    if found is None:
        raise BadRequest("no_such_experiment", f"experiment {slug[:70]!r}: there is none", slug=slug[:70])
    return found


def experiment_out(experiment: Experiment, viewer: Viewer) -> dict[str, Any]:
    """The experiment in a line: what it is, how it stands, how far it is; what it costs as far as prompts are shown."""
    cells = Cell.objects.filter(experiment=experiment)
    statuses = list(cells.values_list("run__status", flat=True))
    done = sum(status in ENDED for status in statuses)
    has_costs = viewer.operator or not _has_models(experiment) or bool((experiment.audience or {}).get("prompts"))
    return {
        "slug": experiment.slug,
        "title": experiment.title,
        "game": experiment.game,
        "status": experiment.status,
        "reason": experiment.reason if has_costs or experiment.reason.get("why") != "limit" else {"why": "held"},
        "queue": experiment.queue,
        "pace": experiment.pace,
        "limits": experiment.limits if has_costs else {},
        "stop": experiment.stop,
        "at_once": experiment.at_once,
        "audience": experiment.audience or {"kind": "omniscient"},
        "figures": sees_figures(experiment, viewer),
        "parent": experiment.parent.slug if experiment.parent is not None else None,
        "created": experiment.created.isoformat(),
        "frozen_at": experiment.frozen_at.isoformat() if experiment.frozen_at else None,
        "ended": experiment.ended.isoformat() if experiment.ended else None,
        "conditions": experiment.declared.get("conditions", []),
        "runs": len(statuses),
        "done": done,
        "failed": statuses.count(RunStatus.FAILED),
        "left_s": _left_s(experiment, len(statuses), done),
        "spent": {name: float(value) for name, value in spent_of(experiment).items()} if has_costs else None,
    }


def _left_s(experiment: Experiment, runs: int, done: int) -> float | None:
    """What is left at the pace of the runs that are over; None before the third is, or where nothing goes on."""
    if experiment.status != ExperimentStatus.RUNNING or done < 3:
        return None
    over = Run.objects.filter(cell__experiment=experiment, status__in=ENDED, started__isnull=False)
    times = list(over.order_by("ended").values_list("started", "ended"))
    begun = min((start for start, _ in times if start is not None), default=None)
    if begun is None or len(times) < 3:
        return None
    return (timezone.now() - begun).total_seconds() / len(times) * (runs - done)


def cells_out(experiment: Experiment, viewer: Viewer) -> list[dict[str, Any]]:
    """Every cell in the order of play, with its run where it has one, as the viewer may see it."""
    rows = Cell.objects.filter(experiment=experiment).select_related("run").order_by("order")
    figures = sees_figures(experiment, viewer)
    most = not_own_most(experiment)
    return [_cell_out(cell, viewer, figures, most) for cell in rows]


def _cell_out(cell: Cell, viewer: Viewer, figures: bool, most: float) -> dict[str, Any]:
    run = cell.run
    is_seen = run is None or sees(run, viewer)
    is_secret = not viewer.operator and run is not None and bool(run.people) and run.status not in ENDED
    has_costs = run is not None and sees_costs(run, control=viewer.operator)
    is_told = run is not None and (run.status in ENDED or (run.status == RunStatus.PAUSED and bool(run.error)))
    counts = decided(run) if run is not None and figures and is_told else None
    return {
        "condition": cell.condition,
        "replicate": cell.replicate,
        "seed": None if is_secret else str(cell.seed) if cell.seed > 2**53 else cell.seed,
        "run": cell.run_id if is_seen else None,
        "status": run.status if run is not None else "waiting",
        "head": shown_head(run, sight(run, viewer)) if run is not None and is_seen else -1,
        "metrics": run.metrics if run is not None and figures else None,
        "error": (run.error or None) if run is not None and has_costs else None,
        "not_own": counts.share() if counts is not None else None,
        "unsound": counts.is_unsound(most) if counts is not None else None,
    }


def check_begun(experiment: Experiment) -> None:
    """Raises `BadRequest` (no_runs) where nothing of it has been played."""
    if experiment.frozen_at is None:
        raise BadRequest("no_runs", f"{experiment.slug}: nothing has been played yet; start it", slug=experiment.slug)


def result_of(experiment: Experiment) -> Result:
    """What the runs that are finished say."""
    check_begun(experiment)
    plan = plan_of(experiment)
    return analyse(plan, samples_of(experiment, plan), _elsewhere(experiment, plan))


def _elsewhere(experiment: Experiment, plan: Plan) -> dict[str, list[float | None]]:
    """By family that is corrected over experiments, the p of its tests in those that are on the same question.

    Each counts that has begun, also one that was cancelled: it was looked at.
    """
    wanted = [name for name, family in plan.families.items() if family.across]
    found: dict[str, list[float | None]] = {name: [] for name in wanted}
    for other in family_of(experiment) if wanted else ():
        if other.pk == experiment.pk or other.frozen_at is None:
            continue
        declared = plan_of(other)
        for one in analyse(declared, samples_of(other, declared)).comparisons:
            if one.comparison.family in found:
                found[one.comparison.family].append(one.outcome.p)
    return found


def samples_of(experiment: Experiment, plan: Plan) -> list[Sample]:
    """Every finished run as statistics see it."""
    cells = Cell.objects.filter(experiment=experiment, run__status=RunStatus.FINISHED).select_related("run")
    if experiment.reason.get("why") == BY_RULE:  # what was under way when its rule stopped it is no answer
        cells = cells.filter(replicate__lte=experiment.reason["seeds"])
    wanted = plan.round_metrics()
    return [_sample(cell, wanted) for cell in cells.order_by("order") if cell.run is not None]


def _sample(cell: Cell, wanted: tuple[str, ...]) -> Sample:
    run = cell.run
    assert run is not None
    tally = run.tally or {}
    return Sample(
        cell.condition,
        cell.replicate,
        cell.seed,
        run.head,
        {name: defined(value) for name, value in (run.metrics or {}).items()},
        dict(rounds_of(run.pk, wanted)) if wanted else {},
        tuple(float(payoff) for payoff in tally.get("payoffs", ())),
        conduct_of(tally_of(run)),
    )


@lru_cache(maxsize=4096)
def rounds_of(run_id: str, names: tuple[str, ...]) -> Mapping[str, Mapping[int, float | None]]:
    """Each measure by round, of a run that is over: the mean over the round's steps in which it is defined."""
    found = ByRound(names)
    for record in records(run_id):
        found.add(record["step"], record["clock"], record["metrics"] or {})
    return found.means()


def power_out(experiment: Experiment, seeds: int) -> list[dict[str, Any]]:
    """What so many seeds would show of each declared comparison, by the spread of the runs that are finished."""
    result = result_of(experiment)
    told = []
    for found in result.comparisons:
        if found.outcome.method == "log_rank":
            continue
        one = found.comparison
        is_paired = result.plan.is_paired or one.kind == "halves"
        design = (one.direction, is_paired, result.plan.family(one.family).alpha)
        smallest = smallest_difference(found.spread, seeds, *design)
        curve = power_curve(smallest, found.spread, seeds, *design)
        told.append(
            {
                "hypothesis": one.hypothesis,
                "metric": one.metric,
                "weights": dict(one.weights),
                "direction": one.direction,
                "n": list(found.n),
                "spread": found.spread,
                "smallest": smallest,
                "curve": [{"seeds": count, "share": share} for count, share in curve],
            }
        )
    return told


def conditions_out(experiment: Experiment) -> list[dict[str, Any]]:
    """Each condition with its settings, defaults filled in, and its seats."""
    return [
        {
            "name": one.name,
            "title": dict(one.title),
            "config": one.config.model_dump(mode="json"),
            "seats": [agent.plain() for agent in one.seats],
        }
        for one in loaded_of(experiment.document, experiment.game).conditions
    ]


def _has_models(experiment: Experiment) -> bool:
    return Seat.objects.filter(run__experiment=experiment, kind=SeatKind.MODEL).exists()


def table_of(experiment: Experiment, viewer: Viewer) -> Iterator[list[str]]:
    """The runs as a table: a head, then a row a cell; measures as JSON writes them, "" where there is none."""
    check_figures(experiment, viewer)
    cells = cells_out(experiment, viewer)
    names = list(dict.fromkeys(name for cell in cells for name in cell["metrics"] or ()))
    yield ["condition", "replicate", "seed", "run", "status", "steps", *names, "not_own", "unsound"]
    for cell in cells:
        first = [cell["condition"], cell["replicate"], _cell(cell["seed"]), cell["run"] or "", cell["status"]]
        measures = [_cell((cell["metrics"] or {}).get(name)) for name in names]
        others = [_cell(cell["not_own"]), "" if cell["unsound"] is None else str(int(cell["unsound"]))]
        yield [*(str(value) for value in first), str(max(cell["head"], 0)), *measures, *others]


def _cell(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


LOOKED_AT: Final = 50
"""Finished experiments among which a round robin is looked for."""


def newest_robins(viewer: Viewer) -> dict[str, str]:
    """By game, the newest round robin that is over, stands in the viewer's lists and shows them its matrix."""
    over = Experiment.objects.filter(listed_experiments(viewer), status=ExperimentStatus.FINISHED).order_by("-ended")
    found: dict[str, str] = {}
    for one in over[:LOOKED_AT]:
        if one.game not in found and one.declared.get("robin") and sees_figures(one, viewer):
            found[one.game] = one.slug
    return found


def recent(viewer: Viewer, limit: int) -> Iterable[Experiment]:
    """The latest that stand in lists for the viewer, newest first."""
    return Experiment.objects.filter(listed_experiments(viewer)).order_by("-created")[:limit]
