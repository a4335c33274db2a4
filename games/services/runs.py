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
from django.utils import timezone
from pydantic import ValidationError

from agents_app.people import PeopleSettings
from agents_app.pricing import unpriced
from agents_app.profile import Limits, Profile, read_profile
from games.audience import KINDS
from games.core import codec
from games.core.answers import first_error, first_note
from games.core.rng import SEED_MAX
from games.doorbell import ring
from games.doors import code_new
from games.lab.costing import estimate_condition
from games.lab.scenario import Condition
from games.lab.scenario import Scenario as Loaded
from games.lab.seating import ModelSeat
from games.models import ACTIVE, ENDED, Demo, Queue, Run, RunStatus, Scenario, Seat, SeatKind
from games.queueing import enqueue
from games.services.faults import BadRequest

PACE_MAX = 1000.0
DELAY_MAX = 10_000


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
) -> Run:
    """A run of one condition and seed of a loaded scenario, started unless told otherwise."""
    chosen = _condition(scenario, condition)
    pack = scenario.pack
    config = chosen.config.model_dump(mode="json")
    spending = _limits(limits or {}, [agent.profile for agent in chosen.seats if isinstance(agent, ModelSeat)])
    people = chosen.people if any(agent.kind == SeatKind.PERSON for agent in chosen.seats) else None
    room = people is not None and start
    number = seed if seed is not None else _any_seed() if people is not None else scenario.seeds[0]
    if not 0 <= number <= SEED_MAX:
        raise BadRequest("bad_seed", f"seed: {number}; a whole number from 0 to {SEED_MAX}", "seed", most=str(SEED_MAX))
    with transaction.atomic():
        kept, _ = Scenario.objects.get_or_create(
            game=pack.slug,
            name=scenario.name,
            document={
                "condition": chosen.name,
                "config": config,
                "seats": [agent.plain() for agent in chosen.seats],
                "about": dict(scenario.about),
            },
            defaults={"title": dict(scenario.title)},
        )
        run = Run.objects.create(
            scenario=kept,
            condition=chosen.name,
            game=pack.slug,
            rules_version=pack.game.rules_version,
            schema_version=codec.SCHEMA,
            config=config,
            config_hash=codec.config_hash(pack.game, chosen.config),
            seed=number,
            audience=_audience(audience, has_people=people is not None),
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
        if start and not room:
            transaction.on_commit(lambda: enqueue(run.pk, run.queue))
    return run


def _any_seed() -> int:
    """For a match of people, who could guess a preset's."""
    return secrets.randbelow(2**53)


def _room_end(people: PeopleSettings | None) -> datetime | None:
    """When the waiting room begins the match by itself."""
    if people is None or people.room_s is None:
        return None
    return timezone.now() + timedelta(seconds=people.room_s)


def run_play(*, run_id: str) -> None:
    """Go on, until something stops it."""
    changed = Run.objects.filter(pk=run_id, status=RunStatus.PAUSED)
    room = changed.filter(begun=False).update(status=RunStatus.WAITING, wake_at=None)
    done = room or changed.update(status=RunStatus.QUEUED, pause_at=None, wake_at=None)
    _changed(run_id, done, "play", "paused")


def run_pause(*, run_id: str) -> None:
    """Stop after the step that is being made; a second pause changes nothing."""
    changed = Run.objects.filter(pk=run_id, status__in=[*ACTIVE, RunStatus.PAUSED])
    with transaction.atomic():
        done = changed.update(status=RunStatus.PAUSED)
        _stop_clock(run_id)
    _changed(run_id, done, "pause", "under way")


def _stop_clock(run_id: str) -> None:
    """What people have left of their turn is kept, and runs again when the run goes on."""
    turn = Run.objects.values_list("open_turn", flat=True).filter(pk=run_id).first()
    if turn is not None and turn.get("deadline"):
        left = (datetime.fromisoformat(turn["deadline"]) - timezone.now()).total_seconds()
        Run.objects.filter(pk=run_id).update(open_turn={**turn, "deadline": None, "left_s": max(1.0, left)})


def run_step(*, run_id: str, steps: int = 1) -> None:
    """Go on for so many steps, then pause."""
    if not 1 <= steps <= 10_000:
        raise BadRequest(
            "bad_steps", f"steps: {steps}; a whole number from 1 to 10000", "steps", steps=steps, most=10_000
        )
    changed = Run.objects.filter(pk=run_id, status=RunStatus.PAUSED)
    changes = changed.update(status=RunStatus.QUEUED, pause_at=F("head") + steps, wake_at=None)
    _changed(run_id, changes, "step", "paused")


def run_stop(*, run_id: str) -> None:
    """End it for good, where it stands."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    _changed(run_id, changed.update(status=RunStatus.STOPPED, ended=timezone.now()), "stop", "under way")


def run_pace(*, run_id: str, pace: float) -> None:
    """Set how many rounds a second it makes at the most; 0: as fast as it goes."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    _changed(run_id, changed.update(pace=pace_checked(pace), wake_at=None), "pace", "under way")


def run_limits(*, run_id: str, limits: Mapping[str, Any]) -> None:
    """Set what its models may spend in all: ``usd``, ``tokens``, ``calls``; what is absent is not limited."""
    changed = Run.objects.filter(pk=run_id).exclude(status__in=ENDED)
    seats = Seat.objects.filter(run_id=run_id, kind=SeatKind.MODEL)
    profiles = [read_profile(seat.agent["profile"]) for seat in seats]
    _changed(run_id, changed.update(limits=_limits(limits, profiles)), "limits", "under way")


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


def _limits(limits: Mapping[str, Any], profiles: list[Profile]) -> dict[str, Any]:
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
        told = f"limits.{first_error(error)}"
        raise BadRequest("bad_limits", told, "limits", first_note(error)) from None


def pace_checked(pace: float) -> float:
    """Rounds a second within bounds; raises `BadRequest`."""
    if not (math.isfinite(pace) and 0 <= pace <= PACE_MAX):
        told = f"pace: {pace}; from 0 (as fast as it goes) to {PACE_MAX:g} rounds a second"
        raise BadRequest("bad_pace", told, "pace", most=PACE_MAX)
    return float(pace)


def _audience(audience: Mapping[str, Any] | None, *, has_people: bool = False) -> dict[str, Any]:
    """Where nothing is said, spectators see everything, but of a match of people what is public alone."""
    given = dict(audience or {"kind": "public" if has_people else "omniscient"})
    kind, delay, prompts = given.pop("kind", None), given.pop("delay", None), given.pop("prompts", False)
    if kind not in KINDS or given:
        told = f"audience: {kind!r}; one of {', '.join(KINDS)}"
        raise BadRequest("bad_audience", told, "audience", why="kind", known=list(KINDS))
    if not isinstance(prompts, bool):
        raise BadRequest("bad_audience", f"audience.prompts: {prompts!r}; true or false", "audience", why="prompts")
    shown = {"prompts": True} if prompts else {}
    if kind != "delayed":
        return {"kind": kind, **shown}
    if not isinstance(delay, int) or not 1 <= delay <= DELAY_MAX:
        told = f"audience.delay: {delay!r}; 1 to {DELAY_MAX} rounds"
        raise BadRequest("bad_audience", told, "audience", why="delay", most=DELAY_MAX)
    return {"kind": kind, "delay": delay, **shown}
