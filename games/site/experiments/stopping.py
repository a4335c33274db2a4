"""Looks at an experiment that runs: those that its rule allows, by which it stops, and those taken besides."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import Any

from django.utils import timezone

from games.lab.analysis.plan import Plan
from games.lab.analysis.result import Result, analyse
from games.site.models import ENDED, Cell, Experiment, ExperimentStatus

BY_RULE = "rule"
"""Why an experiment is over that its declared rule stopped."""
GOING = (ExperimentStatus.RUNNING, ExperimentStatus.PAUSED)


def plan_of(experiment: Experiment) -> Plan:
    """What was declared when it was frozen."""
    return Plan.read(experiment.declared)


def whole_seeds(experiment: Experiment) -> int:
    """How many seeds are over in every condition, counted from the first without a gap."""
    cells = Cell.objects.filter(experiment=experiment)
    is_over: dict[int, bool] = {}
    for replicate, status in cells.order_by("replicate").values_list("replicate", "run__status"):
        is_over[replicate] = is_over.get(replicate, True) and status in ENDED
    return sum(1 for _ in takewhile(bool, is_over.values()))


def room_before_look(experiment: Experiment, plan: Plan) -> int:
    """The last seed that may be begun before the experiment has been looked at."""
    return plan.stopping.next_after(whole_seeds(experiment))


def due_to_stop(experiment: Experiment) -> dict[str, Any] | None:
    """The reason why its rule stops it now; None where it goes on. A look is taken once by a process."""
    plan = plan_of(experiment)
    if plan.stopping.rule == "fixed":
        return None
    look = plan.stopping.due(whole_seeds(experiment))
    if look is None or look >= plan.stopping.planned or not _is_shown(experiment.pk, look):
        return None
    number = plan.stopping.looks.index(look) + 1 if plan.stopping.looks else look
    return {"why": BY_RULE, "rule": plan.stopping.rule, "look": number, "seeds": look, "planned": plan.stopping.planned}


@lru_cache(maxsize=4096)
def _is_shown(pk: int, seeds: int) -> bool:
    """Whether so many seeds show every test of the hypotheses that it stops on."""
    from games.site.experiments.reading import samples_of  # it reads what runs, which asks here whether to stop

    experiment = Experiment.objects.get(pk=pk)
    plan = plan_of(experiment)
    result = analyse(plan, [run for run in samples_of(experiment, plan) if run.replicate <= seeds])
    wanted = [
        one for one in result.comparisons if not plan.stopping.on or one.comparison.hypothesis in plan.stopping.on
    ]
    return bool(wanted) and all(one.verdict == "shown" for one in wanted)


def told(experiment: Experiment, result: Result, peek: bool) -> dict[str, Any]:
    """The result as plain values. While it runs no test is told, unless its rule holds whenever one looks or somebody
    asks for them all the same (``peek``): that is kept, and stands in the report.
    """
    is_open = experiment.status in GOING and result.plan.stopping.rule != "always_valid"
    if is_open and not peek:
        return {**_untested(result.plain()), "held": True}
    peeked(experiment)
    return result.plain()


def _untested(told: dict[str, Any]) -> dict[str, Any]:
    """Without any p: also not that of other analyses of the same question, or with every run counted."""
    for each in filter(None, (told, told.get("everything"))):
        each.pop("multiverse", None)
        each["comparisons"] = []
    return told


def peeked(experiment: Experiment) -> None:
    """Keep that its tests were looked at before it was over, the first time."""
    is_over = experiment.status in (ExperimentStatus.FINISHED, ExperimentStatus.CANCELLED)
    if is_over or experiment.peeked or experiment.frozen_at is None:
        return
    plan = plan_of(experiment)
    if not plan.comparisons or plan.stopping.rule == "always_valid":
        return
    played = Cell.objects.filter(experiment=experiment, run__status__in=ENDED).count()
    at = timezone.now().isoformat(timespec="seconds")
    Experiment.objects.filter(pk=experiment.pk, peeked={}).update(peeked={"at": at, "runs": played})
