"""Addresses of demo matches last: one that was let go is played again when it is opened. Of those that were opened the
newest are kept as they are, and those that somebody tagged or forked all.

Only policies play a demo, so that seed, settings and rules give every step again; its last hash says whether they did.
"""

from __future__ import annotations

import logging
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games.core import codec
from games.core.registry import packs
from games.site.audience import audience_checked
from games.site.models import ENDED, Demo, DemoLink, Run, RunStatus, Seat
from games.site.notify.queueing import enqueue
from games.site.record import selectors

log = logging.getLogger(__name__)


def to_let_go(runs: QuerySet[Run], unopened: int, opened: int) -> list[Run]:
    """Of those that nobody tagged or forked, all but the newest that nobody opened, and that somebody did. Whoever
    copies, clips or shares one has opened it; one that was opened is let go only where it can be played again.
    """
    free = runs.filter(tags=None, forks=None).select_related("scenario").order_by("-created")
    links = DemoLink.objects.values("run_id")
    old = free.filter(pk__in=links, status=RunStatus.FINISHED).order_by("-ended")[opened:]
    return [*free.exclude(pk__in=links)[unopened:], *(run for run in old if _is_replayable(run))]


def _is_replayable(run: Run) -> bool:
    """Whether it was played to its end, by rules that still are, and shown to everybody."""
    pack = packs().get(run.game)
    ended = run.status == RunStatus.FINISHED and run.audience == audience_checked(None)
    return ended and pack is not None and pack.game.rules_version == run.rules_version


def let_go(run: Run) -> None:
    """Delete a demo that is over; what plays it again stays, if it can be."""
    with transaction.atomic():
        if _is_replayable(run):
            again = {name: getattr(run, name) for name in ("scenario", "seed", "rules_version", "head", "head_hash")}
            DemoLink.objects.update_or_create(run_id=run.pk, defaults={**again, "created": run.created})
        run.delete()


def run_opened(run_id: str) -> Run:
    """The run of an address that somebody opens; a demo is kept from now on, and begun anew where it was let go.

    Raises `NotFound`, also where it cannot be the same match any more.
    """
    try:
        run = selectors.run_get(run_id)
    except selectors.NotFound:
        link = DemoLink.objects.select_related("scenario").filter(pk=run_id).first()
        if link is None or link.scenario is None:
            raise
        return _play_again(link, link.scenario.document)
    if run.demo:
        DemoLink.objects.get_or_create(run_id=run.pk)
    return run


def _play_again(link: DemoLink, document: dict[str, Any]) -> Run:
    scenario = link.scenario
    assert scenario is not None
    pack = packs().get(scenario.game)
    if pack is None or pack.game.rules_version != link.rules_version:
        told = f"run {link.run_id}: a demo of rules {link.rules_version}, which are no more; it cannot be played again"
        raise selectors.NotFound(told, why="rules", run=link.run_id)
    config = pack.game.config_type.model_validate(document["config"])
    seats = zip(pack.game.seats(config), document["seats"], strict=True)
    try:
        with transaction.atomic():
            run = Run.objects.create(
                pk=link.run_id,
                scenario=scenario,
                condition=document["condition"],
                game=scenario.game,
                rules_version=link.rules_version,
                schema_version=codec.SCHEMA,
                config=document["config"],
                config_hash=codec.config_hash(pack.game, config),
                seed=link.seed,
                audience=audience_checked(None),
                demo=Demo.PAST,
                status=RunStatus.QUEUED,
            )
            Run.objects.filter(pk=run.pk).update(created=link.created)
            Seat.objects.bulk_create(
                Seat(run=run, index=index, name=spec.name, role=spec.role, kind=agent["kind"], agent=agent)
                for index, (spec, agent) in enumerate(seats)
            )
            transaction.on_commit(lambda: enqueue(run.pk, run.queue))
    except IntegrityError:  # somebody else opened it at the same moment
        pass
    return selectors.run_get(link.run_id)


def replayed_check() -> None:
    """Compare the demos that were played again, and are over, with what they were. Idempotent, from whichever process.

    One that came to something else is deleted, with its address: it is not the match that the address was given for.
    """
    waiting = DemoLink.objects.exclude(head_hash="")
    ended = Run.objects.filter(pk__in=waiting.values("run_id"), status__in=ENDED)
    for run in ended:
        link = waiting.filter(pk=run.pk).first()
        if link is None:
            continue
        if (run.head, run.head_hash) != (link.head, link.head_hash):
            log.error("demo %s was played again and came to %s at %s", run.pk, run.head_hash, run.head)
            with transaction.atomic():
                run.delete()
                link.delete()
            continue
        waiting.filter(pk=run.pk).update(head_hash="", scenario=None)
