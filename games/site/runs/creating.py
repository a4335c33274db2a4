"""Runs: made from a scenario, and steered."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from pydantic import ValidationError

from agents_app.people import PeopleSettings
from agents_app.pricing import unpriced
from agents_app.profile import Limits, Profile, read_profile
from games.core import codec
from games.core.answers import first_fault
from games.core.rng import SEED_MAX
from games.errors.requests import BadRequest
from games.lab.scenarios.costing import estimate_condition
from games.lab.scenarios.scenario import Condition
from games.lab.scenarios.scenario import Scenario as Loaded
from games.lab.scenarios.seating import ModelSeat
from games.site.accounts.purse import cost_of, purse_check, share_check
from games.site.accounts.webhooks import run_happened
from games.site.audience import audience_checked
from games.site.drive.person_seats import stop_clock
from games.site.models import (
    ACTIVE,
    ENDED,
    JOINED,
    ApiKey,
    Demo,
    Experiment,
    Queue,
    Run,
    RunStatus,
    Scenario,
    Seat,
    SeatKind,
)
from games.site.notify.doorbell import ring
from games.site.notify.queueing import enqueue
from games.site.people.invites import code_new
from games.site.record import clock

PACE_MAX = 1000.0
STEPS_MAX = 10_000
"""Steps or rounds that one order plays at most."""


def run_create(
    *,
    scenario: Loaded,
    condition: str | None = None,
    seed: int | None = None,
    pace: float = 0,
    queue: str = Queue.LIVE,
    audience: Mapping[str, Any] | None = None,
    start: bool = True,
    limits: Mapping[str, Any] | None = None,
    demo: str = Demo.NOT,
    experiment: Experiment | None = None,
    replicate: int = 1,
    key: ApiKey | None = None,
) -> Run:
    """A run of one condition and seed of a loaded scenario, started unless told otherwise. ``key``: who pays for it."""
    chosen = _condition(scenario, condition)
    pack = scenario.pack
    config = chosen.config.model_dump(mode="json")
    profiles = [agent.profile for agent in chosen.seats if isinstance(agent, ModelSeat)]
    spending = spending_checked(limits or {}, profiles)
    if queue != Queue.BULK:
        batches_refused(profiles)
    people = chosen.people if any(agent.kind in JOINED for agent in chosen.seats) else None
    if people is None and (terms := chosen.people.model_dump(exclude_defaults=True)):
        told = f"people: terms for people ({', '.join(terms)}), but no seat is a person's; seat one, or leave them out"
        raise BadRequest("no_person", told, "people", terms=list(terms), seats=_seat_names(scenario, chosen))
    room = people is not None and start
    number = seed if seed is not None else any_seed() if people is not None else scenario.seeds[0]
    if not 0 <= number <= SEED_MAX:
        raise BadRequest("bad_seed", f"seed: {number}; a whole number from 0 to {SEED_MAX}", "seed", most=str(SEED_MAX))
    document = {
        "condition": chosen.name,
        "config": config,
        "seats": [agent.plain() for agent in chosen.seats],
        "about": dict(scenario.about),
        **({"look": dict(scenario.look)} if scenario.look else {}),
    }
    with transaction.atomic():
        kept, _ = Scenario.objects.get_or_create(
            game=pack.slug,
            name=scenario.name,
            document_hash=codec.digest(document),
            defaults={"title": dict(scenario.title), "document": document},
        )
        run = Run.objects.create(
            scenario=kept,
            condition=chosen.name,
            experiment=experiment,
            key=key,
            replicate=replicate,
            game=pack.slug,
            rules_version=pack.game.rules_version,
            schema_version=codec.SCHEMA,
            config=config,
            config_hash=codec.config_hash(pack.game, chosen.config),
            seed=number,
            audience=audience_checked(audience, has_people=people is not None),
            people=people.model_dump(mode="json") if people is not None else {},
            code=code_new() if people is not None else None,
            begun=people is None,
            wake_at=_room_end(people) if room else None,
            limits=spending,
            demo=demo,
            queue=queue,
            pace=pace_checked(pace),
            status=(RunStatus.WAITING if room else RunStatus.QUEUED) if start else RunStatus.PAUSED,
        )
        Seat.objects.bulk_create(
            Seat(run=run, index=index, name=spec.name, role=spec.role, kind=agent.kind, agent=agent.plain())
            for index, (spec, agent) in enumerate(zip(pack.game.seats(chosen.config), chosen.seats, strict=True))
        )
        if experiment is None:
            purse_check(key, spending, profiles)
        if start and not room:
            transaction.on_commit(lambda: enqueue(run.pk, run.queue))
    return run


def batches_refused(profiles: Sequence[Profile]) -> None:
    """Raises `BadRequest` where one of them is asked by batch, in a run that cannot wait so long."""
    if asked := [profile.model for profile in profiles if profile.batch is not None]:
        told = (
            f"batch: {asked[0]} is asked through the vendor's batch interface, which takes minutes to hours; only runs "
            "of an experiment without people, pace and models that are called one by one wait so long. Leave batch out"
        )
        raise BadRequest("batch_live", told, "seats", seat=asked[0])


def _seat_names(scenario: Loaded, chosen: Condition) -> list[str]:
    return [spec.name for spec in scenario.pack.game.seats(chosen.config)]


def any_seed() -> int:
    """For a match of people, who could guess a preset's."""
    return secrets.randbelow(2**53)


def _room_end(people: PeopleSettings | None) -> datetime | None:
    """When the waiting room begins the match by itself."""
    if people is None or people.room_s is None:
        return None
    return clock.now() + timedelta(seconds=people.room_s)


def run_play(*, run_id: str) -> None:
    """Go on, until something stops it."""
    changed = Run.objects.filter(pk=run_id, status=RunStatus.PAUSED)
    room = changed.filter(begun=False).update(status=RunStatus.WAITING, wake_at=None)
    done = room or changed.update(
        status=RunStatus.QUEUED, rounds_left=None, pause_at=None, wake_at=None, away_since=None
    )
    _changed(run_id, done, "play", "paused")


def run_pause(*, run_id: str) -> None:
    """Stop after the step that is being made; a second pause changes nothing."""
    changed = Run.objects.filter(pk=run_id, status__in=[*ACTIVE, RunStatus.PAUSED])
    with transaction.atomic():
        done = changed.update(status=RunStatus.PAUSED)
        stop_clock(run_id)
    _changed(run_id, done, "pause", "under way")


def run_step(*, run_id: str, rounds: int = 1, steps: int | None = None) -> None:
    """Go on to the end of so many rounds, the one under way counted, or for so many steps; then pause.

    The start is a round of its own.
    """
    name, n = ("rounds", rounds) if steps is None else ("steps", steps)
    if not 1 <= n <= STEPS_MAX:
        given: dict[str, Any] = {name: n, "most": STEPS_MAX}
        raise BadRequest(f"bad_{name}", f"{name}: {n}; a whole number from 1 to {STEPS_MAX}", name, **given)
    until = {"rounds_left": n, "pause_at": None} if steps is None else {"rounds_left": None, "pause_at": F("head") + n}
    changed = Run.objects.filter(pk=run_id, status=RunStatus.PAUSED)
    changes = changed.update(status=RunStatus.QUEUED, wake_at=None, **until)
    _changed(run_id, changes, "step", "paused")


def run_stop(*, run_id: str) -> None:
    """End it for good, where it stands."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    with transaction.atomic():
        if done := changed.update(status=RunStatus.STOPPED, ended=clock.now()):
            run_happened("run.ended", run_id)
    _changed(run_id, done, "stop", "under way")


def run_pace(*, run_id: str, pace: float) -> None:
    """Set how many rounds a second it makes at the most; 0: as fast as it goes."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    _changed(run_id, changed.update(pace=pace_checked(pace), wake_at=None), "pace", "under way")


def run_limits(*, run_id: str, limits: Mapping[str, Any]) -> None:
    """Set what its models may spend in all: ``usd``, ``tokens``, ``calls``; what is absent is not limited."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    seats = Seat.objects.filter(run_id=run_id, kind=SeatKind.MODEL)
    profiles = [read_profile(seat.agent["profile"]) for seat in seats]
    spending = spending_checked(limits, profiles)
    with transaction.atomic():
        done = changed.update(limits=spending)
        if done:
            run = Run.objects.select_related("key", "experiment").get(pk=run_id)
            if run.experiment is not None:
                share_check(run.key, run.experiment.slug)
            purse_check(run.key, spending, profiles, cost_of(Run.objects.filter(pk=run_id)))
    _changed(run_id, done, "limits", "under way")


def run_open(*, run_id: str, audience: Mapping[str, Any] | None = None) -> None:
    """Let others see a run, over or not; what is public alone, unless ``audience`` says more."""
    Run.objects.filter(pk=run_id).update(audience=audience_checked(audience or {"kind": "public"}))
    ring(run_id)


def _changed(run_id: str, changed: int, what: str, needed: str) -> None:
    run = Run.objects.filter(pk=run_id).only("status", "queue").first()
    if run is None:
        raise BadRequest("no_such_run", f"run {run_id[:20]!r}: there is none of that id", run=run_id[:20])
    if not changed:
        told = f"{what}: the run is {run.status}; it must be {needed}"
        raise BadRequest("wrong_status", told, why=what, status=str(run.status))
    ring(run_id)
    if run.status in (RunStatus.QUEUED, RunStatus.RUNNING):
        enqueue(run_id, run.queue)


def run_estimate(
    *, scenario: Loaded, condition: str | None = None, seed: int | None = None, limits: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What such a run's models are likely to cost, and which of the limits that is beyond. Nobody is called."""
    checked = limits_checked(limits or {})
    number = scenario.seeds[0] if seed is None else seed
    found = estimate_condition(scenario, _condition(scenario, condition), number)
    return {
        **asdict(found),
        "usd": None if found.usd is None else float(found.usd),
        "exceeds": list(found.exceeded(checked)),
    }


def _condition(scenario: Loaded, name: str | None) -> Condition:
    if name is None:
        return scenario.conditions[0]
    for condition in scenario.conditions:
        if condition.name == name:
            return condition
    names: Sequence[str] = [condition.name for condition in scenario.conditions]
    told = f"condition: {name!r}; there are {', '.join(names)}"
    raise BadRequest("no_such_condition", told, "condition", condition=name, known=list(names))


def spending_checked(limits: Mapping[str, Any], profiles: list[Profile]) -> dict[str, Any]:
    """The limits as they are stored; refused where they are none, or where they cannot be watched."""
    checked = limits_checked(limits)
    if checked.usd is not None and (models := unpriced(profiles)):
        told = f"limits.usd: no price is known for {', '.join(models)}; set price, or limit tokens or calls"
        raise BadRequest("bad_limits", told, "limits", why="unpriced", models=list(models))
    return checked.model_dump(mode="json", exclude_none=True)


def limits_checked(limits: Mapping[str, Any]) -> Limits:
    """What may be spent; raises `BadRequest`."""
    try:
        return Limits.model_validate(dict(limits))
    except ValidationError as error:
        text, note = first_fault(error)
        raise BadRequest("bad_limits", f"limits.{text}", "limits", note) from None


def pace_checked(pace: float) -> float:
    """Rounds a second within bounds; raises `BadRequest`."""
    if not (math.isfinite(pace) and 0 <= pace <= PACE_MAX):
        told = f"pace: {pace}; from 0 (as fast as it goes) to {PACE_MAX:g} rounds a second"
        raise BadRequest("bad_pace", told, "pace", most=PACE_MAX)
    return float(pace)
