"""Experiments under way: a few runs at a time, until every cell has been played or something stops it.

Nothing waits here. `experiments_continue` is called each second, by any number of processes: it looks at what has ended
and begins what is next. One begins a run at a time, so that no cell has two, and no budget is given away twice.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from decimal import ROUND_DOWN, Decimal
from typing import Any, Final, Literal, TypeAlias

from django.db import transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from agents_app.profile import Limits
from games.core.conduct import UNSOUND
from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import Scenario
from games.site.accounts.purse import cost_of, unspent
from games.site.accounts.webhooks import experiment_happened
from games.site.experiments.declaring import experiment_freeze, experiment_purse_check, loaded_of
from games.site.experiments.registering import ended
from games.site.experiments.stopping import BY_RULE, due_to_stop, plan_of, room_before_look
from games.site.experiments.width import AHEAD, Width
from games.site.models import ACTIVE, ENDED, Call, Cell, Experiment, ExperimentStatus, Run, RunStatus
from games.site.record.calls import SENT
from games.site.record.capacity import capacity
from games.site.record.conduct import decided
from games.site.runs.creating import run_create, run_pause, run_play, run_stop

log = logging.getLogger(__name__)

Which: TypeAlias = Literal["failed", "unsound"]
GOES_ON: Final = (ExperimentStatus.DRAFT, ExperimentStatus.PAUSED, ExperimentStatus.STOPPED)


def experiment_start(*, experiment: Experiment) -> None:
    """Begin, or go on where it stood; raises `BadRequest` where it is over or under way."""
    if experiment.status not in GOES_ON:
        told = f"start: the experiment is {experiment.status}; it must be a draft or stand still"
        raise BadRequest("wrong_status", told, why="experiment", status=str(experiment.status))
    loaded = experiment_freeze(experiment)
    with transaction.atomic():
        Experiment.objects.filter(pk=experiment.pk, status__in=GOES_ON).update(
            status=ExperimentStatus.RUNNING, reason={}, ended=None
        )
        experiment_purse_check(experiment, loaded)
    for run in _runs(experiment).filter(status=RunStatus.PAUSED):
        with _one_at_a_time(experiment):
            if (share := share_of(experiment)) is not None:
                Run.objects.filter(pk=run.pk).update(limits={"usd": f"{Decimal(run.limits['usd']) + share:f}"})
        run_play(run_id=run.pk)
    experiment_continue(experiment.pk)


def experiment_pause(*, experiment: Experiment, reason: dict[str, Any] | None = None) -> None:
    """Stand still: nothing new begins, and what is under way pauses after its step."""
    running = Experiment.objects.filter(pk=experiment.pk, status=ExperimentStatus.RUNNING)
    with transaction.atomic():
        done = running.update(status=ExperimentStatus.PAUSED, reason=reason or {})
        if done and reason:
            experiment_happened("experiment.paused", experiment.pk, reason["why"])
    if not done:
        told = f"pause: the experiment is {experiment.status}; it must be running"
        raise BadRequest("wrong_status", told, why="experiment", status=str(experiment.status))
    for run in _runs(experiment).filter(status__in=ACTIVE):
        run_pause(run_id=run.pk)


def experiment_cancel(*, experiment: Experiment) -> None:
    """End it for good where it stands; the runs that are over are kept and still answer."""
    going = Experiment.objects.filter(pk=experiment.pk).exclude(
        status__in=(ExperimentStatus.FINISHED, ExperimentStatus.CANCELLED)
    )
    with transaction.atomic():
        if not going.update(status=ExperimentStatus.CANCELLED, ended=timezone.now()):
            told = f"cancel: the experiment is {experiment.status} already"
            raise BadRequest("wrong_status", told, why="experiment", status=str(experiment.status))
        _stop_runs(experiment)
        ended(experiment.pk)


def experiment_rerun(*, experiment: Experiment, which: Which = "failed") -> int:
    """Play cells once more; how many there are. The old runs are kept.

    ``failed``: whose run failed or was stopped. ``unsound``: whose run is over, or paused by a bound, and was decided
    by others than its seats to more than the plan's share.
    """
    if experiment.status == ExperimentStatus.CANCELLED:
        told = "rerun: the experiment is cancelled; clone it"
        raise BadRequest("wrong_status", told, why="experiment", status=str(experiment.status))
    cells = Cell.objects.filter(experiment=experiment)
    if experiment.reason.get("why") == BY_RULE:
        cells = cells.filter(replicate__lte=experiment.reason["seeds"])
    if which == "unsound":
        broken = unsound_cells(experiment)
        for cell in broken:
            if cell.run is not None and cell.run.status not in ENDED:
                with suppress(BadRequest):
                    run_stop(run_id=cell.run.pk)
        chosen = cells.filter(pk__in=[cell.pk for cell in broken])
    else:
        chosen = cells.filter(run__status__in=(RunStatus.FAILED, RunStatus.STOPPED))
    count: int = chosen.update(run=None)
    if count:
        with transaction.atomic():
            Experiment.objects.filter(pk=experiment.pk).update(status=ExperimentStatus.RUNNING, reason={}, ended=None)
            experiment_purse_check(experiment, loaded_of(experiment.document, experiment.game))
        experiment_continue(experiment.pk)
    return count


def unsound_cells(experiment: Experiment) -> list[Cell]:
    """The cells whose run is not what its seats decided: finished, or paused with a reason."""
    over = Q(run__status=RunStatus.FINISHED) | (Q(run__status=RunStatus.PAUSED) & ~Q(run__error=""))
    cells = Cell.objects.filter(over, experiment=experiment).select_related("run").order_by("order")
    most = not_own_most(experiment)
    return [cell for cell in cells if cell.run is not None and decided(cell.run).is_unsound(most)]


def not_own_most(experiment: Experiment) -> float:
    """The share of decisions beyond which the plan leaves a run out."""
    most: float = experiment.declared.get("leave_out", {}).get("not_own", UNSOUND)
    return most


def experiments_continue() -> None:
    """Every experiment that is under way; what goes wrong with one stops no other."""
    for pk in Experiment.objects.filter(status=ExperimentStatus.RUNNING).values_list("pk", flat=True):
        try:
            experiment_continue(pk)
        except (BadRequest, Refused) as error:
            _stop(pk, {"why": "refused", "message": str(error)[:1000]})
            log.warning("experiment %s stops: %s", pk, error)


def experiment_continue(pk: int) -> None:
    """Stop it where a bound is passed, begin what is next, end it where nothing is left. Idempotent."""
    experiment = Experiment.objects.filter(pk=pk, status=ExperimentStatus.RUNNING).first()
    if experiment is None or _is_beyond(experiment) or _is_stopped_by_rule(experiment):
        return
    open_runs = list(_runs(experiment).exclude(status__in=ENDED).values_list("condition", "status", "error"))
    held = [condition for condition, status, error in open_runs if status == RunStatus.PAUSED and error]
    under_way = [condition for condition, status, error in open_runs if not (status == RunStatus.PAUSED and error)]
    room = capacity()
    if len(under_way) >= (experiment.at_once or max(room.threads, *AHEAD.values())):
        return
    unplayed = Cell.objects.filter(experiment=experiment, run=None)
    if "stopping" in experiment.declared:
        unplayed = unplayed.filter(replicate__lte=room_before_look(experiment, plan_of(experiment)))
    waiting = list(unplayed.order_by("order"))
    if not waiting and not open_runs:
        running = Experiment.objects.filter(pk=pk, status=ExperimentStatus.RUNNING)
        with transaction.atomic():
            if running.update(status=ExperimentStatus.FINISHED, ended=timezone.now()):
                ended(pk)
        return
    chosen: list[Cell] = []
    if waiting:
        loaded = experiment_freeze(experiment)
        chosen = list(Width.of(experiment, loaded, room).chosen(waiting, under_way, held))
        for cell in chosen:
            if not _begin(experiment, loaded, cell):
                experiment_pause(
                    experiment=experiment,
                    reason=_limit_reason("usd", spent_of(experiment)["usd"], experiment.limits["usd"]),
                )
                return
    if held and not under_way and not chosen:
        experiment_pause(experiment=experiment, reason={"why": "held_runs", "runs": len(held)})


def share_of(experiment: Experiment) -> Decimal | None:
    """USD that one more of its runs may spend, where a purse pays: an equal share of what its runs so far have neither
    spent nor may still spend. So all of them at once stay within the limit. None: a limit of its own is not needed.

    What is spent while this is reckoned counts twice rather than not at all.
    """
    key, most = experiment.key, experiment.limits.get("usd")
    if key is None or key.budget_usd is None or most is None:
        return None
    runs = Run.objects.filter(experiment=experiment)
    open_runs = runs.exclude(status__in=ENDED).annotate(cost=Sum("calls__cost_usd")).values_list("limits", "cost")
    held = sum((unspent(limits, cost) for limits, cost in open_runs), Decimal(0))
    rest = Decimal(most) - held - cost_of(runs)
    unplayed = Cell.objects.filter(experiment=experiment).filter(Q(run=None) | Q(run__status=RunStatus.PAUSED)).count()
    return (rest / max(unplayed, 1)).quantize(Decimal("1e-8"), ROUND_DOWN)


@contextmanager
def _one_at_a_time(experiment: Experiment) -> Iterator[None]:
    """Of several processes that begin runs of an experiment each reckons with what the others have begun."""
    with transaction.atomic():
        Experiment.objects.select_for_update(no_key=True).get(pk=experiment.pk)
        yield


def _begin(experiment: Experiment, loaded: Scenario, cell: Cell) -> bool:
    """Let a cell have its run, unless another process was first; False where nothing is left that it may spend."""
    unplayed = Cell.objects.filter(pk=cell.pk, run=None)
    with _one_at_a_time(experiment):
        if not unplayed.exists():
            return True
        share = share_of(experiment)
        if share is not None and share <= 0:
            return False
        run = run_create(
            scenario=loaded,
            condition=cell.condition,
            seed=cell.seed,
            pace=experiment.pace,
            queue=experiment.queue,
            audience=experiment.audience or None,
            experiment=experiment,
            replicate=cell.replicate,
            key=experiment.key,
            limits=None if share is None else {"usd": share},
        )
        unplayed.update(run=run)
    return True


def _is_beyond(experiment: Experiment) -> bool:
    """Whether a limit or the stop rule is passed; it then stands still, and says why."""
    limits = Limits.model_validate(experiment.limits)
    if limits != Limits():
        spent = spent_of(experiment)
        for name, most in (("usd", limits.usd), ("tokens", limits.tokens), ("calls", limits.calls)):
            if most is not None and spent[name] >= most:
                experiment_pause(experiment=experiment, reason=_limit_reason(name, spent[name], most))
                return True
    bound = experiment.stop.get("fallbacks")
    if bound is not None:
        decisions, fallbacks = _decided(experiment)
        if decisions >= experiment.stop.get("after", 20) and fallbacks > bound * decisions:
            told = {"why": "fallbacks", "share": fallbacks / decisions, "most": bound, "decisions": decisions}
            _stop(experiment.pk, told)
            for run in _runs(experiment).filter(status__in=ACTIVE):
                run_pause(run_id=run.pk)
            return True
    return False


def _limit_reason(name: str, spent: Any, most: Any) -> dict[str, Any]:
    return {"why": "limit", "limit": name, "spent": float(spent), "most": float(most)}


def _is_stopped_by_rule(experiment: Experiment) -> bool:
    """Whether its declared rule stops it now: it is then over, and what was under way beyond the look is broken off."""
    reason = due_to_stop(experiment) if "stopping" in experiment.declared else None
    if reason is None:
        return False
    running = Experiment.objects.filter(pk=experiment.pk, status=ExperimentStatus.RUNNING)
    with transaction.atomic():
        if running.update(status=ExperimentStatus.FINISHED, reason=reason, ended=timezone.now()):
            _stop_runs(experiment)
            ended(experiment.pk)
    return True


def _stop(pk: int, reason: dict[str, Any]) -> None:
    """Let it stand where it is, for a reason that nobody asked for."""
    running = Experiment.objects.filter(pk=pk, status=ExperimentStatus.RUNNING)
    with transaction.atomic():
        if running.update(status=ExperimentStatus.STOPPED, reason=reason):
            ended(pk)


def _decided(experiment: Experiment) -> tuple[int, int]:
    """Decisions and fallbacks of the runs that are over."""
    tallies = _runs(experiment).exclude(tally=None).values_list("tally", flat=True)
    found = [(one["decisions"], one["fallbacks"]) for one in tallies]
    return sum(decisions for decisions, _ in found), sum(fallbacks for _, fallbacks in found)


UNKNOWN: Final = Q(cost_usd=None) & (Q(tokens_in__gt=0) | Q(tokens_out__gt=0))
"""Calls whose price is not known."""


def spent_of(experiment: Experiment) -> dict[str, Any]:
    """Money, tokens, calls and calls without a price, of all its runs, also of those that were played again."""
    made = Call.objects.filter(run__experiment=experiment)
    told = made.aggregate(
        usd=Sum("cost_usd"),
        into=Sum("tokens_in"),
        out=Sum("tokens_out"),
        calls=Count("pk", filter=~Q(purpose="")),
        unpriced=Count("pk", filter=SENT & UNKNOWN),
    )
    return {
        "usd": told["usd"] or Decimal(0),
        "tokens": (told["into"] or 0) + (told["out"] or 0),
        "calls": told["calls"] or 0,
        "unpriced": told["unpriced"] or 0,
    }


def bill_of(experiment: Experiment) -> list[dict[str, Any]]:
    """What each model was asked and cost in all its runs, the dearest first. What nobody received costs nothing."""
    made = Call.objects.filter(run__experiment=experiment).filter(SENT)
    rows = made.values("model").annotate(
        usd=Sum("cost_usd"),
        into=Sum("tokens_in"),
        out=Sum("tokens_out"),
        calls=Count("pk"),
        unpriced=Count("pk", filter=UNKNOWN),
        guessed=Count("pk", filter=Q(estimated=True)),
    )
    told = [
        {
            "model": row["model"],
            "usd": float(row["usd"] or 0),
            "tokens_in": row["into"] or 0,
            "tokens_out": row["out"] or 0,
            "calls": row["calls"],
            "unpriced": row["unpriced"],
            "estimated": row["guessed"],
        }
        for row in rows
    ]
    return sorted(told, key=lambda row: (-row["usd"], row["model"]))


def _runs(experiment: Experiment) -> Any:
    """The runs that stand in its cells."""
    return Run.objects.filter(cell__experiment=experiment)


def _stop_runs(experiment: Experiment) -> None:
    for run in _runs(experiment).exclude(status__in=ENDED):
        with suppress(BadRequest):  # it came to its end just now
            run_stop(run_id=run.pk)
