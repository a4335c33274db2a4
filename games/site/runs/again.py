"""A run played once more from its start: the same condition, seed, agents and terms, as a run of its own."""

from __future__ import annotations

from django.db import transaction

from games.errors.requests import BadRequest
from games.site.models import JOINED, Run, RunStatus, Seat
from games.site.notify.queueing import enqueue
from games.site.record import selectors


def run_again(*, run_id: str) -> Run:
    """Begin it anew; raises `BadRequest` where that would be no such run: with people, of a fork, under other rules.

    Where only policies play it is the same run; models may answer differently. A failed cell of an experiment is
    played again by that, in its place.
    """
    run = selectors.run_get(run_id)
    seats = selectors.seats_of(run)
    _check_same(run, seats)
    with transaction.atomic():
        again = Run.objects.create(
            scenario=run.scenario,
            condition=run.condition,
            replicate=run.replicate,
            game=run.game,
            rules_version=run.rules_version,
            schema_version=run.schema_version,
            config=run.config,
            config_hash=run.config_hash,
            seed=run.seed,
            audience=run.audience,
            limits=run.limits,
            queue=run.queue,
            pace=run.pace,
            status=RunStatus.QUEUED,
        )
        Seat.objects.bulk_create(
            Seat(run=again, index=seat.index, name=seat.name, role=seat.role, kind=seat.kind, agent=seat.agent)
            for seat in seats
        )
        transaction.on_commit(lambda: enqueue(again.pk, again.queue))
    return again


def _check_same(run: Run, seats: list[Seat]) -> None:
    if any(seat.kind in JOINED for seat in seats):
        raise BadRequest("no_rerun", "rerun: people play in it; invite them to a new run like it", why="people")
    if run.parent is not None:
        told = f"rerun: it is a fork; fork {run.parent.pk} at step {run.fork_at} once more"
        raise BadRequest("no_rerun", told, why="fork", parent=run.parent.pk, step=run.fork_at)
    if not selectors.playing(run).is_current:
        told = f"rerun: it was played by rules {run.rules_version}, which are no more; begin a new run like it"
        raise BadRequest("no_rerun", told, why="rules", version=run.rules_version)
    of = Run.objects.filter(pk=run.pk, cell__isnull=False).values_list("cell__experiment__slug", flat=True).first()
    if of is not None and run.status in (RunStatus.FAILED, RunStatus.STOPPED):
        told = f"rerun: it is a cell of experiment {of}, which plays its failed cells again in their place"
        raise BadRequest("no_rerun", told, why="cell", experiment=of)
