"""The REST door, `/api/v1`. Reads go to the selectors, writes to the services; one shape for every error."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI, Query, Router, Status
from ninja.errors import HttpError
from ninja.security import django_auth_is_staff

from games import catalogue, describing, selectors
from games.access import Look, look, viewer_of
from games.apierrors import install
from games.callsapi import EstimateOut
from games.callsapi import router as calls_router
from games.lab.faults import Refused as LabRefused
from games.lab.form import read_seats
from games.lab.layers import Layer
from games.lab.plainjson import encoded
from games.lab.scenario import Scenario, load
from games.peopleapi import router as people_router
from games.replays import replay
from games.services import runs as services
from games.services.faults import BadRequest
from games.services.forks import run_fork
from games.services.recordings import recordings_found
from games.shapes import (
    BriefsOut,
    ControlIn,
    ForkIn,
    FramesOut,
    GameDetailOut,
    GameOut,
    PresetDetailOut,
    RunIn,
    RunOut,
    SnapshotOut,
)

api = NinjaAPI(
    title="Polity",
    version="1",
    description="Games, runs and their frames. Every error is `{error: {code, message, field?, why?, says?}}`, "
    "with the values that its message names; `says` is what is wrong with a value, by language.",
    urls_namespace="api",
)
router = Router()


Seat = Annotated[int | None, Query(None, alias="as", description="See as this seat.")]
After = Annotated[int, Query(-1, ge=-1, description="The number of the last frame that is known; -1: none.")]
Limit = Annotated[int, Query(200, ge=1, le=selectors.FRAMES_MAX)]


# --- reads ----------------------------------------------------------------------------------------


@router.get("/games", response=list[GameOut], url_name="games")
def games(request: HttpRequest) -> list[dict[str, Any]]:
    """Every game that can be played here."""
    return catalogue.games()


@router.get("/games/{slug}", response=GameDetailOut, url_name="game")
def game(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One game: what can be set, who can play, and its presets."""
    return catalogue.game_detail(slug)


@router.get("/games/{slug}/presets/{name}", response=PresetDetailOut, url_name="preset")
def preset(request: HttpRequest, slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions."""
    return catalogue.preset_detail(slug, name, condition)


@router.get("/runs", response=list[RunOut], url_name="runs")
def runs(
    request: HttpRequest, limit: Annotated[int, Query(20, ge=1, le=200)], game: str | None = None
) -> list[dict[str, Any]]:
    """The latest runs, newest first."""
    return describing.run_list(selectors.recent_runs(limit, game), viewer_of(request.user))


@router.get("/runs/{run_id}", response=RunOut, url_name="run")
def run(request: HttpRequest, run_id: str, seat: Seat) -> dict[str, Any]:
    """One run."""
    return _meta(look(request, run_id, seat))


@router.get("/runs/{run_id}/snapshot", response=SnapshotOut, url_name="snapshot")
def snapshot(request: HttpRequest, run_id: str, seat: Seat, n: int | None = None) -> HttpResponse:
    """The run and one frame of it: the last, or number n."""
    seen = look(request, run_id, seat)
    return _sent({"run": _meta(seen), "frame": selectors.snapshot(selectors.playing(seen.run), seen.sight, n)})


@router.get("/runs/{run_id}/frames", response=FramesOut, url_name="frames")
def frames(request: HttpRequest, run_id: str, seat: Seat, after: After, limit: Limit) -> HttpResponse:
    """The frames after a number, in order."""
    seen = look(request, run_id, seat)
    shown = selectors.frames(selectors.playing(seen.run), seen.sight, after, limit)
    return _sent({"head": seen.sight.head(seen.run), "frames": shown})


@router.get(
    "/runs/{run_id}/replay.html",
    url_name="replay",
    openapi_extra={
        "responses": {200: {"description": "The file.", "content": {"text/html": {"schema": {"type": "string"}}}}}
    },
)
def replay_file(request: HttpRequest, run_id: str, seat: Seat) -> HttpResponse:
    """The run as one HTML file that opens from disk: the frames that the asker may see, and the page to see them on."""
    seen = look(request, run_id, seat)
    try:
        body = replay(selectors.playing(seen.run), seen.sight)
    except LabRefused:
        raise HttpError(503, "the page's bundle is not built on this server; polity serve builds it") from None
    name = f"{seen.run.game}-{run_id}{'' if seat is None else f'-seat-{seat}'}.html"
    return HttpResponse(
        body,
        content_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


@router.get("/runs/{run_id}/briefs", response=BriefsOut, url_name="briefs")
def briefs(request: HttpRequest, run_id: str, seat: Seat, after: After, limit: Limit) -> dict[str, Any]:
    """What stands on the time axis of a run, after a number, in order: metrics, payoffs, kinds of events."""
    seen = look(request, run_id, seat)
    shown = selectors.briefs(selectors.playing(seen.run), seen.sight, after, limit)
    return {"head": seen.sight.head(seen.run), "briefs": shown}


# --- writes ---------------------------------------------------------------------------------------


@router.post("/estimate", response=EstimateOut, auth=django_auth_is_staff, url_name="estimate")
def estimate(request: HttpRequest, body: RunIn) -> dict[str, Any]:
    """What the models of such a run are likely to cost, before it is started. Nobody is called, nothing is made."""
    return services.run_estimate(scenario=_scenario(body), condition=body.condition, seed=body.seed, limits=body.limits)


@router.post("/runs", response={201: RunOut}, auth=django_auth_is_staff, url_name="run_create")
def run_create(request: HttpRequest, body: RunIn) -> Status[dict[str, Any]]:
    """Start a run of a preset."""
    made = services.run_create(
        scenario=_scenario(body),
        condition=body.condition,
        seed=body.seed,
        pace=body.pace,
        audience=body.audience,
        limits=body.limits,
        start=body.start,
    )
    return Status(201, _meta(look(request, made.pk)))


@router.post("/runs/{run_id}/fork", response={201: RunOut}, auth=django_auth_is_staff, url_name="fork")
def fork(request: HttpRequest, run_id: str, body: ForkIn) -> Status[dict[str, Any]]:
    """Take a run up again from one of its steps, with other settings or seats from there on, or unchanged."""
    made = run_fork(run_id=run_id, at=body.at, config=body.config, seats=body.seats, pace=body.pace, start=body.start)
    return Status(201, _meta(look(request, made.pk)))


@router.post("/runs/{run_id}/control", response=RunOut, auth=django_auth_is_staff, url_name="control")
def control(request: HttpRequest, run_id: str, body: ControlIn) -> dict[str, Any]:
    """Play, pause, step, stop, or set the pace or the limits of spending."""
    selectors.run_get(run_id)
    match body.action:
        case "play":
            services.run_play(run_id=run_id)
        case "pause":
            services.run_pause(run_id=run_id)
        case "step":
            services.run_step(run_id=run_id, steps=body.steps)
        case "stop":
            services.run_stop(run_id=run_id)
        case "pace":
            if body.pace is None:
                raise BadRequest(
                    "bad_pace", "pace: missing; give rounds a second, 0 for as fast as it goes", "pace", why="missing"
                )
            services.run_pace(run_id=run_id, pace=body.pace)
        case "limits":
            services.run_limits(run_id=run_id, limits=body.limits or {})
    return _meta(look(request, run_id))


def _sent(body: dict[str, Any]) -> HttpResponse:
    """Frames as they are: to check each against its shape costs more than all the rest; a test does it."""
    return HttpResponse(encoded(body), content_type="application/json; charset=utf-8")


def _meta(seen: Look) -> dict[str, Any]:
    return describing.run_meta(seen.run, seen.sight, control=seen.viewer.operator)


def _scenario(body: RunIn) -> Scenario:
    """The preset with what the form changes."""
    if body.scenario.endswith((".yaml", ".yml")):
        raise BadRequest("bad_scenario", f"scenario: {body.scenario!r}; a preset as GAME/NAME", "scenario", why="name")
    game = body.scenario.partition("/")[0]
    seats = recordings_found(game, read_seats({"seats": body.seats}, "form"), "form") if body.seats else {}
    return load(body.scenario, extra=[Layer("form", body.config, seats, people=body.people)])


install(api)
for rooms in (router, calls_router, people_router):
    api.add_router("", rooms)
