"""An experiment's rows held to what was registered and to what its steps come to: all that its report reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.core.codec import canonical, config_hash
from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import Scenario
from games.site.experiments.declaring import loaded_of
from games.site.experiments.registering import declaration, faults, registered, subject_of
from games.site.models import Cell, Experiment, RegisterEntry, RegisterKind, RunStatus
from games.site.record.selectors import NotFound
from games.site.record.verification import verify_run

PLANNED = ("title", "game", "rules_version", "plan_hash", "conditions", "seeds", "stop", "limits", "planned")
"""Parts of a declaration that the experiment's rows tell as well; limits and the stop rule may be changed later."""
MAY_CHANGE = ("stop", "limits")


def experiment_faults(experiment: Experiment, tell: Callable[[int, int], None]) -> Iterator[str]:
    """A line for each row that is not what was registered or played; ``tell`` hears how many runs are done."""
    yield from (f"register: {line}" for line in faults())
    try:
        loaded = loaded_of(experiment.document, experiment.game)
    except (Refused, BadRequest) as error:
        yield f"{experiment.slug}: its document cannot be read: {error}"
        return
    yield from _plan_faults(experiment, loaded)
    places = {one.name: place for place, one in enumerate(loaded.conditions)}
    cells = list(Cell.objects.filter(experiment=experiment).select_related("run").order_by("order"))
    for number, cell in enumerate(cells, 1):
        tell(number, len(cells))
        where = f"condition {cell.condition}, replicate {cell.replicate}"
        if cell.condition not in places or not 0 < cell.replicate <= len(loaded.seeds):
            yield f"{where}: not of the plan"
            continue
        if cell.seed != (seed := loaded.seed(places[cell.condition], cell.replicate - 1)):
            yield f"{where}: seed {cell.seed}; by the plan it is {seed}"
        if (run := cell.run) is None:
            continue
        settings = config_hash(loaded.pack.game, loaded.conditions[places[cell.condition]].config)
        for name, stands, right in (
            ("seed", run.seed, cell.seed), ("game", run.game, experiment.game), ("settings", run.config_hash, settings),
        ):  # fmt: skip
            if stands != right:
                yield f"{where}: run {run.pk} has {name} {stands}; by the plan it is {right}"
        try:
            verdict = verify_run(run.pk)
        except (NotFound, ValueError, KeyError, TypeError) as error:
            yield f"{where}: {run.pk}: {error}"
            continue
        if verdict.difference is not None:
            yield f"{where}: {verdict}"


def _plan_faults(experiment: Experiment, loaded: Scenario) -> Iterator[str]:
    entry = registered(experiment)
    if entry is None:
        yield f"{experiment.slug}: no entry of the register"
        return
    now: Mapping[str, Any] = declaration(experiment, loaded)
    told = {"declared": dict(experiment.declared)}
    if entry.kind == RegisterKind.DECLARED:
        told |= {name: now[name] for name in PLANNED if name not in MAY_CHANGE} | {"plan_hash ": experiment.plan_hash}
    for name, stands in told.items():
        there = entry.document.get(name.strip())
        if canonical(there or {}) != canonical(stands or {}) and not (name == "declared" and not there):
            yield f"{experiment.slug}: its {name.strip()} is not that of entry {entry.number}"
    cells = Cell.objects.filter(experiment=experiment)
    ends = RegisterEntry.objects.filter(subject=subject_of(experiment), kind=RegisterKind.ENDED).order_by("-number")
    if (end := ends.first()) is None:
        return
    facts = {
        "status": str(experiment.status),
        "reason": experiment.reason,
        "planned": cells.count(),
        "played": cells.filter(run__status=RunStatus.FINISHED).count(),
    }
    for name, stands in facts.items():
        if end.document[name] != stands:
            yield f"{experiment.slug}: {name} is {stands}; entry {end.number} says {end.document[name]}"
