"""An experiment of the site as a run folder: the same files as if `polity run` had played it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from agents_app.ports import CallRecord
from games.errors.requests import BadRequest
from games.lab.folders.additions import Aggregates
from games.lab.folders.folder import Gathering, manifest_of, stamp
from games.lab.folders.place import UNFINISHED, fresh
from games.lab.folders.playing import Account
from games.lab.folders.recorder import Recorder
from games.lab.folders.runspec import Played, RunSpec, specs_of
from games.lab.folders.sealing import write_manifest
from games.site.experiments.declaring import experiment_freeze
from games.site.experiments.registering import registered
from games.site.models import Call, Cell, Experiment, Run, RunStatus
from games.site.record import selectors

CALL: Mapping[str, Any] = {one.name: one for one in fields(CallRecord)}


def experiment_folder(*, experiment: Experiment, out: Path, force: bool = False) -> int:
    """Write its finished runs as a run folder; how many there are.

    A folder of an experiment that is not played to its end says so in its manifest. Raises `BadFolder` where ``out`` is
    taken, `BadRequest` where nothing is finished yet or its presets are no longer those that were played.
    """
    if experiment.frozen_at is None:
        raise BadRequest("no_runs", f"{experiment.slug}: nothing has been played yet; start it", slug=experiment.slug)
    loaded = experiment_freeze(experiment)
    cells = {(cell.condition, cell.replicate): cell for cell in _finished(experiment)}
    if not cells:
        raise BadRequest("no_runs", f"{experiment.slug}: no run is finished yet", slug=experiment.slug)
    specs = [one for one in specs_of(loaded, are_played=True) if (one.condition, one.replicate) in cells]
    of = Cell.objects.filter(experiment=experiment).count()
    with fresh(out, force) as folder:
        gathering = Gathering(folder, len(specs))
        played: list[Played] = []
        for number, spec in enumerate(specs):
            run = cells[spec.condition, spec.replicate].run
            assert run is not None
            played.append(run_written(run, replace(spec, seed=run.seed), gathering.part(number)))
            gathering.add(number, played[-1])
        manifest = manifest_of(loaded, played, gathering.close(), experiment.frozen_at)
        whole = {} if len(played) == of else {UNFINISHED: {"why": experiment.status, "runs": len(played), "of": of}}
        write_manifest(folder, {**Aggregates().finish(folder, played, manifest), **whole, **_as_it_was(experiment)})
    return len(played)


def _as_it_was(experiment: Experiment) -> dict[str, Any]:
    """What the manifest says of the experiment itself, as it was when it was played, not as it is now."""
    told: dict[str, Any] = {"plan_hash": experiment.plan_hash}
    if experiment.declared.keys() > {"conditions"}:
        told["experiment"] = experiment.declared
    if experiment.frozen_at is not None and experiment.ended is not None:
        told["timestamps"] = {"started": stamp(experiment.frozen_at), "finished": stamp(experiment.ended)}
    entry = registered(experiment)
    kept = (
        {}
        if entry is None
        else {name: entry.document.get(name) for name in ("timestamps", "versions", "platform", "prices")}
    )
    return told | {name: value for name, value in kept.items() if value}


def _finished(experiment: Experiment) -> Iterator[Cell]:
    rows = Cell.objects.filter(experiment=experiment, run__status=RunStatus.FINISHED)
    return iter(rows.select_related("run", "run__scenario"))


def run_written(run: Run, spec: RunSpec, part: Path) -> Played:
    """One run's logs, from what is stored of it."""
    play = selectors.playing(run)
    made, account = _calls(run), Account(spec.agents)
    series: list[Mapping[str, Any]] = []
    with Recorder(play.pack, spec, play.config, part) as recorder:
        for stored in selectors.steps(play, -1, run.head):
            step = stored.step
            account.add(made.pop(step.index, []), step, recorder)
            if step.index > 0:
                series.append(stored.metrics)
            recorder.add(step, None if step.index == 0 else stored.metrics)
        for left in made.values():
            account.add(left, None, recorder)
    summary = dict(play.pack.metrics.summarise(play.config, series))
    return Played(spec.condition, spec.replicate, spec.seed, run.head, recorder.hash, summary, account.plain())


def _calls(run: Run) -> dict[int, list[CallRecord]]:
    """What its models were asked, by step."""
    found: dict[int, list[CallRecord]] = defaultdict(list)
    for row in Call.objects.filter(run=run).order_by("step", "seat", "purpose", "attempt"):
        found[row.step].append(CallRecord(**{name: getattr(row, name) for name in CALL}))
    return found
