"""A run folder as an experiment of the site, with every run to be watched, compared and verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.core import codec
from games.core.agents import deciding, teams_of
from games.core.engine import Carried, answered, drive, hosted
from games.core.rng import Rng
from games.errors.requests import BadRequest
from games.lab.folders.experiment import plan_of
from games.lab.folders.manifestplan import document_of
from games.lab.folders.place import UNFINISHED
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.sealing import SEAL
from games.lab.scenarios.scenario import Scenario
from games.site.experiments.declaring import CELLS_MAX, SLUG, experiment_create, loaded_of
from games.site.experiments.registering import imported, registered
from games.site.models import Cell, Experiment, ExperimentStatus, Queue, RegisterKind, Run, RunStatus
from games.site.record import selectors
from games.site.record.outcome import Account
from games.site.record.rows import NewStep, Rows, insert_all
from games.site.record.selectors import Playing
from games.site.runs.creating import run_create

BATCH: Final = 64
Told = Callable[[int, int], None]


def folder_import(*, path: Path, slug: str, tell: Told | None = None, is_again: bool = False) -> Experiment:
    """The folder's runs as a finished experiment; all of it or nothing. ``is_again``: it was begun before, and may have
    come to its end unheard; then it is what was made.

    Runs of policies alone are played again, step by step against the folder's chain of hashes; of others the stored
    steps are taken, whose agents then go on without what they kept in mind. Raises `BadFolder` where the folder is not
    what was written, `BadRequest` for the name or where it is no whole experiment.
    """
    folder = RunFolder(path)
    if UNFINISHED in folder.manifest:
        raise BadRequest("bad_folder", f"{path.name}: its runs are not all there; play it to its end", "folder")
    if len(folder.entries) > CELLS_MAX:
        told = f"{len(folder.entries)} runs; at most {CELLS_MAX}"
        raise BadRequest("too_many_cells", told, "folder", cells=len(folder.entries), most=CELLS_MAX)
    folder.check_unaltered()
    if is_again and (made := made_of(folder, slug)) is not None:
        return made
    plan, document = plan_of(folder), document_of(folder)
    loaded = loaded_of(document)
    if not SLUG.fullmatch(slug):
        slug_told = f"slug: {slug[:70]!r}; small letters, digits and hyphens, at most 64, a letter or digit first"
        raise BadRequest("bad_slug", slug_told, "slug")
    with transaction.atomic():
        made = experiment_create(slug=slug, document=document)
        for order, entry in enumerate(folder.entries):
            if tell is not None:
                tell(order, len(folder.entries))
            _cell(folder, made, loaded, entry, order)
        started = parse_datetime(str(folder.manifest.get("timestamps", {}).get("started"))) or timezone.now()
        declared = folder.manifest.get("experiment") or {"conditions": list(plan.conditions)}
        kept = {name: folder.manifest.get(name) for name in (SEAL, "timestamps", "versions", "platform", "prices")}
        imported(made, {**kept, "declared": declared})
        Experiment.objects.filter(pk=made.pk).update(
            status=ExperimentStatus.FINISHED,
            frozen_at=started,
            ended=timezone.now(),
            declared=declared,
            plan_hash=loaded.plan_hash(),
        )
    made.refresh_from_db()
    return made


def made_of(folder: RunFolder, slug: str) -> Experiment | None:
    """The experiment of that name, where it was brought in from this very folder."""
    made = Experiment.objects.filter(slug=slug).first()
    entry = None if made is None else registered(made)
    if entry is None or entry.kind != RegisterKind.IMPORTED or SEAL not in folder.manifest:
        return None
    return made if entry.document.get(SEAL) == folder.manifest[SEAL] else None


def _cell(folder: RunFolder, experiment: Experiment, loaded: Scenario, entry: Entry, order: int) -> None:
    run = run_create(
        scenario=loaded,
        condition=entry.condition,
        seed=entry.seed,
        queue=Queue.BULK,
        experiment=experiment,
        replicate=entry.replicate,
        start=False,
    )
    Cell.objects.create(
        experiment=experiment,
        order=order,
        condition=entry.condition,
        replicate=entry.replicate,
        seed=entry.seed,
        run=run,
    )
    play = selectors.playing(run)
    if play.config_hash(play.config) != folder.conditions[entry.condition]["config_hash"]:
        raise folder.bad("run_manifest.json", f"{entry}: its settings are read differently here")
    account, rows = Account.of(play), Rows(play, codec.GENESIS)
    last: NewStep | None = None
    for last in _steps(folder, play, run, entry):
        account.add(rows.add(last))
        if len(rows.steps) == BATCH:
            rows.close()
            insert_all([rows])
            rows = Rows(play, rows.hash)
    rows.close()
    insert_all([rows])
    if last is None or last.kept.index != entry.steps or (entry.hash and rows.hash != entry.hash):
        raise folder.bad("run_manifest.json", f"{entry}: resolved again it is another run than the folder's")
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        status=RunStatus.FINISHED,
        head=entry.steps,
        head_hash=rows.hash,
        clock=[list(label) for label in last.step.turn.clock],
        **account.outcome(play),
        started=now,
        ended=now,
    )


def _steps(folder: RunFolder, play: Playing, run: Run, entry: Entry) -> Iterator[NewStep]:
    """The run's steps in order, with what its seats carried on where that can be known."""
    seats = selectors.seats_of(run)
    before: Any = None
    if all(seat.kind == "policy" for seat in seats):
        carried = Carried()
        deciders = {
            seat.index: deciding(play.pack.policies[seat.agent["policy"]].bind(seat.agent.get("params")))
            for seat in seats
        }
        teams = teams_of(deciders, Rng.root(run.seed))
        loop = drive(play.game, play.config, run.seed, None, (), play.pack.controller, carried)
        for step in hosted(loop, lambda ask: answered(ask, deciders, teams)):
            measured = None if step.index == 0 else play.pack.metrics.measure(play.config, before, step)
            yield NewStep(step, measured, carried.memories, carried.plans)
            before = step.state
        return
    for _, step in folder.steps(entry):
        measured = None if step.index == 0 else play.pack.metrics.measure(play.config, before, step)
        yield NewStep(step, measured, {}, {})
        before = step.state
