"""Steering a run, an address for each: start, pause, resume, step, stop; its pace and limits by PATCH."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.core.answers import first_fault
from games.errors.requests import BadRequest
from games.lab.wire.run import RunSummary
from games.site.accounts.trail import audit, who_of
from games.site.record import selectors, summary
from games.site.record.jobs import Tell
from games.site.record.notices import Kind, notice
from games.site.record.selectors import NotFound
from games.site.record.verification import rerun_run, verify_run
from games.site.runs import creating as services
from games.site.web.access import look
from games.site.web.catalogue import game_types
from games.site.web.holders import experimenters
from games.site.web.jobs import JobOut, by_worker
from games.site.web.listshapes import ConfigCheckIn, ConfigCheckOut, RunPatch, StepIn, TypesOut

router = Router()
STEERED: Any = {"response": RunSummary, "auth": experimenters}


def _done(request: HttpRequest, run_id: str, what: str, **data: Any) -> RunSummary:
    """The run as it stands now, with a line in the trail."""
    audit(who=who_of(request), what=what, on=f"run {run_id}", data=data)
    seen = look(request, run_id)
    return summary.run_summary(seen.run, seen.sight, control=seen.viewer.operator)


@router.post("/runs/{run_id}/start", url_name="run_start", **STEERED)
def start(request: HttpRequest, run_id: str) -> RunSummary:
    """Let a run that was made with `start: false`, or that stands still, go on."""
    selectors.run_get(run_id)
    services.run_play(run_id=run_id)
    return _done(request, run_id, "run_started")


@router.post("/runs/{run_id}/resume", url_name="run_resume", **STEERED)
def resume(request: HttpRequest, run_id: str) -> RunSummary:
    """Go on where it stands."""
    selectors.run_get(run_id)
    services.run_play(run_id=run_id)
    return _done(request, run_id, "run_resumed")


@router.post("/runs/{run_id}/pause", url_name="run_pause", **STEERED)
def pause(request: HttpRequest, run_id: str) -> RunSummary:
    """Stand still after the step that is being made."""
    selectors.run_get(run_id)
    services.run_pause(run_id=run_id)
    return _done(request, run_id, "run_paused")


@router.post("/runs/{run_id}/step", url_name="run_step", **STEERED)
def step(request: HttpRequest, run_id: str, body: StepIn) -> RunSummary:
    """Go on for so many rounds or steps, then stand still."""
    selectors.run_get(run_id)
    services.run_step(run_id=run_id, rounds=body.rounds, steps=body.steps)
    return _done(request, run_id, "run_stepped", rounds=body.rounds, steps=body.steps)


@router.post("/runs/{run_id}/stop", url_name="run_stop", **STEERED)
def stop(request: HttpRequest, run_id: str) -> RunSummary:
    """End it for good where it stands."""
    selectors.run_get(run_id)
    services.run_stop(run_id=run_id)
    return _done(request, run_id, "run_stopped")


class VerdictOut(Schema):
    """What a run came to when it was played once more."""

    identical: int = Field(description="Steps that are the same, before the first that is not.")
    steps: int
    difference: str = Field(description='What differs first; "": nothing.')
    calls: int = Field(0, description="Calls of models that were made for it.")


CHECKED: Any = {"response": {200: VerdictOut, 202: JobOut}, "auth": experimenters}


@router.post("/runs/{run_id}/verify", url_name="run_verify", **CHECKED)
def verify(request: HttpRequest, run_id: str) -> Any:
    """Resolve it again from its seed and its stored actions, and compare every hash. The verdict stays with the run."""
    selectors.run_get(run_id)

    def again(tell: Tell) -> dict[str, Any]:
        told = verify_run(run_id, tell)
        return _checked(request, run_id, "verified", told.identical, told.steps, told.difference or "")

    return by_worker(request, again)


@router.post("/runs/{run_id}/rerun", url_name="run_rerun", **CHECKED)
def rerun(request: HttpRequest, run_id: str) -> Any:
    """Play it again with the stored replies of its models in place of calls, and compare every step."""
    selectors.run_get(run_id)

    def again(_: Tell) -> dict[str, Any]:
        told = rerun_run(run_id)
        return _checked(request, run_id, "rerun", told.identical, told.steps, told.difference)

    return by_worker(request, again)


def _checked(
    request: HttpRequest, run_id: str, kind: Kind, identical: int, steps: int, difference: str
) -> dict[str, Any]:
    told = {"identical": identical, "steps": steps, "difference": difference}
    audit(who=who_of(request), what=f"run_{kind}", on=f"run {run_id}", data=told)
    notice(run_id, kind, data=told)
    return told


def change(request: HttpRequest, run_id: str, body: RunPatch) -> RunSummary:
    """Its pace and its limits of spending: both, or neither where one of them is refused."""
    selectors.run_get(run_id)
    with transaction.atomic():
        if body.pace is not None:
            services.run_pace(run_id=run_id, pace=body.pace)
        if body.limits is not None:
            services.run_limits(run_id=run_id, limits=body.limits)
    return _done(request, run_id, "run_changed", **body.model_dump(exclude_none=True))


@router.get("/games/{slug}/types", response=TypesOut, url_name="game_types")
def types(request: HttpRequest, slug: str) -> dict[str, Any]:
    """A game's settings and actions as JSON Schema; the API's description holds them all, as unions by game."""
    return game_types(slug)


@router.post("/configs/check", response=ConfigCheckOut, url_name="config_check")
def config_check(request: HttpRequest, body: ConfigCheckIn) -> dict[str, Any]:
    """A game's settings with all defaults filled in, or what is wrong with them. Nothing is made."""
    from pydantic import ValidationError

    from games.core.registry import BrokenGame, UnknownGame, get

    try:
        pack = get(body.game)
    except (UnknownGame, BrokenGame) as error:
        raise NotFound(str(error)) from None
    try:
        config = pack.game.config_type.model_validate(body.config)
    except ValidationError as error:
        text, note = first_fault(error)
        raise BadRequest("bad_config", f"config.{text}", "config", note) from None
    return {
        "game": body.game,
        "config": config.model_dump(mode="json"),
        "seats": [{"name": spec.name, "role": spec.role} for spec in pack.game.seats(config)],
        "steps": pack.game.horizon(config),
        "rounds": pack.game.rounds(config),
    }
