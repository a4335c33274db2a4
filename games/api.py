"""The REST door, `/api/v1`. Reads go to the selectors, writes to the services; one shape for every error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Field, NinjaAPI, Query, Router, Schema, Status
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import django_auth_is_staff
from pydantic import ConfigDict

from games import selectors
from games.access import viewer_of
from games.audience import Refused, Viewer, sight
from games.callsapi import EstimateOut
from games.callsapi import router as calls_router
from games.core.registry import packs
from games.doors import NoSuchDoor
from games.lab.faults import BadScenario
from games.lab.faults import Refused as LabRefused
from games.lab.form import read_seats
from games.lab.layers import Layer
from games.lab.scenario import Scenario, load
from games.peopleapi import router as people_router
from games.replays import replay
from games.services import runs as services
from games.services.faults import BadRequest
from games.services.forks import run_fork
from games.services.recordings import recordings_found

api = NinjaAPI(
    title="Polity",
    version="1",
    description="Games, runs and their frames. Every error is `{error: {code, message, field?}}`.",
    urls_namespace="api",
)
router = Router()


# --- shapes ---------------------------------------------------------------------------------------


class SeatOut(Schema):
    seat: int
    name: str
    role: str
    kind: Literal["policy", "model", "person", "recording"]
    agent: str = Field(description="Who sits there, in a word.")


class ScenarioOut(Schema):
    name: str
    title: dict[str, str] = Field(description="By language.")


class WaitingOut(Schema):
    seat: int
    since_s: float
    left_s: float | None = Field(None, description="Until the deadline; null: none.")


class PeopleOut(Schema):
    of: int = Field(description="Seats of people.")
    ready: int = Field(description="Of these, whose holder is there.")
    open: int = Field(description="Seats that can still be taken.")


class NoticeOut(Schema):
    """Something that befell the run from outside its rules."""

    n: int
    step: int = Field(description="The last stored step at that time.")
    kind: str
    seat: int | None
    data: dict[str, Any]
    at: str


class CanOut(Schema):
    control: bool = Field(description="Whether the asker may steer the run.")


class RunOut(Schema):
    id: str
    game: str
    scenario: ScenarioOut
    condition: str
    replicate: int
    seed: int | str | None = Field(
        description="As text above 2**53, which JavaScript cannot hold; null while people play: for operators alone."
    )
    status: Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]
    head: int = Field(description="Number of the last frame that the asker may see; -1: none yet.")
    horizon: int | None = Field(description="Number of the last step, where it is fixed and may be known.")
    pace: float = Field(description="Rounds a second at the most; 0: as fast as it goes.")
    seats: list[SeatOut]
    config: dict[str, Any] | None
    rules_version: int
    audience: dict[str, Any]
    error: str | None
    can: CanOut
    waiting_for: list[WaitingOut]
    people: PeopleOut | None = Field(None, description="Null where nobody but policies and models plays.")
    notices: list[NoticeOut] = Field([], description="The latest hundred.")
    created: str
    ended: str | None
    cost_usd: float | None = Field(description="What its models have cost so far; null where none plays.")
    limits: dict[str, Any]
    parent: str | None
    fork_at: int | None


class EventOut(Schema):
    kind: str
    data: dict[str, Any]
    to: list[int] | None = Field(None, description="Seats that may know it; absent: everyone.")


class FrameOut(Schema):
    """One resolved step through the asker's eyes. Pairs are [seat, value], in seat order."""

    n: int
    clock: list[tuple[str, int]]
    stage: str
    seats: list[int] = Field(description="Who decided.")
    view: dict[str, Any] = Field(description="What is drawn; see the game's rule sheet.")
    events: list[EventOut]
    payoffs: list[tuple[int, float]]
    actions: list[tuple[int, Any]]
    notes: list[tuple[int, list[str]]] = Field(description="What was struck out of an answer, and why.")
    flags: list[tuple[int, list[str]]]
    metrics: dict[str, Any] | None
    hash: str


class SnapshotOut(Schema):
    run: RunOut
    frame: FrameOut | None


class FramesOut(Schema):
    head: int
    frames: list[FrameOut]


class BriefOut(Schema):
    """Of a frame what stands on the time axis."""

    n: int
    clock: list[tuple[str, int]]
    payoffs: list[tuple[int, float]]
    metrics: dict[str, Any] | None
    kinds: list[str] = Field(description="Kinds of its events, each once.")
    hash: str


class BriefsOut(Schema):
    head: int
    briefs: list[BriefOut]


class PresetOut(Schema):
    name: str
    title: dict[str, str]


class PresetDetailOut(Schema):
    name: str
    title: dict[str, str]
    about: dict[str, str]
    condition: str = Field(description="Whose settings and seats these are.")
    config: dict[str, Any] = Field(description="All its settings, defaults filled in.")
    seats: list[dict[str, Any]] = Field(description="Who sits where, in seat order.")
    seat_names: list[str]
    seeds: list[int]
    conditions: list[str]


class PolicyOut(Schema):
    name: str
    rule: str
    source: str
    aka: list[str]
    params: dict[str, Any] = Field(description="JSON Schema of its parameters.")


class GameDetailOut(Schema):
    slug: str
    title: str
    tagline: str
    rules_version: int
    config: dict[str, Any] = Field(description="JSON Schema of the settings, with unit and group of each.")
    default_policy: str
    policies: list[PolicyOut]
    presets: list[PresetDetailOut]
    words: dict[str, dict[str, Any]] = Field(description="The game's words by language.")


class GameOut(Schema):
    slug: str
    title: str
    tagline: str
    policies: list[str]
    presets: list[str]


class FaultOut(Schema):
    path: str = Field(description="Where in what was sent, such as config.rounds or seats.4.policy.")
    message: str


class ErrorBody(Schema):
    code: str
    message: str
    field: str | None = None
    faults: list[FaultOut] | None = Field(None, description="Every fault of a scenario, each with its place.")


class ErrorOut(Schema):
    error: ErrorBody


class RunIn(Schema):
    scenario: str = Field(description="A preset, as GAME/NAME.", max_length=200)
    condition: str | None = Field(None, max_length=120)
    config: dict[str, Any] = Field({}, description="What differs from the preset's settings.")
    seats: dict[str, Any] = Field(
        {},
        description='By number, name, or "default": {"policy": NAME, "params": {}}, {"model": …, "profile": {}}, or '
        '{"recording": {"run": ID, "seat": N}}: what a model said in that seat, step by step.',
    )
    seed: int | None = None
    pace: float = 0
    audience: dict[str, Any] | None = None
    people: dict[str, Any] = Field({}, description="Terms for people, where a seat is a person's.")
    limits: dict[str, Any] | None = Field(None, description="Of what its models may spend: usd, tokens, calls.")
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ForkIn(Schema):
    at: int = Field(description="The step after which the fork goes its own way.")
    config: dict[str, Any] = Field({}, description="What differs from then on.")
    seats: dict[str, Any] = Field({}, description="Who plays from then on, by number or name.")
    pace: float | None = None
    start: bool = True

    model_config = ConfigDict(extra="forbid")


class ControlIn(Schema):
    action: Literal["play", "pause", "step", "stop", "pace", "limits"]
    pace: float | None = Field(None, description="With action pace: rounds a second; 0: as fast as it goes.")
    steps: int = Field(1, description="With action step.")
    limits: dict[str, Any] | None = Field(None, description="With action limits: usd, tokens, calls; absent: none.")

    model_config = ConfigDict(extra="forbid")


Seat = Annotated[int | None, Query(None, alias="as", description="See as this seat.")]


# --- reads ----------------------------------------------------------------------------------------


@router.get("/games", response=list[GameOut], url_name="games")
def games(request: HttpRequest) -> list[dict[str, Any]]:
    """Every game that can be played here."""
    return [
        {
            "slug": slug,
            "title": pack.title,
            "tagline": pack.tagline,
            "policies": list(pack.policies),
            "presets": list(pack.scenario_files()),
        }
        for slug, pack in packs().items()
    ]


@router.get("/games/{slug}", response=GameDetailOut, url_name="game")
def game(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One game: what can be set, who can play, and its presets."""
    return selectors.game_detail(slug)


@router.get("/games/{slug}/presets/{name}", response=PresetDetailOut, url_name="preset")
def preset(request: HttpRequest, slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions."""
    return selectors.preset_detail(slug, name, condition)


@router.get("/runs", response=list[RunOut], url_name="runs")
def runs(
    request: HttpRequest, limit: Annotated[int, Query(20, ge=1, le=200)], game: str | None = None
) -> list[dict[str, Any]]:
    """The latest runs, newest first."""
    viewer = _viewer(request)
    return [
        selectors.run_meta(run, sight(run, viewer), control=viewer.operator)
        for run in selectors.recent_runs(limit, game)
    ]


@router.get("/runs/{run_id}", response=RunOut, url_name="run")
def run(request: HttpRequest, run_id: str, seat: Seat) -> dict[str, Any]:
    """One run."""
    found, viewer = selectors.run_get(run_id), _viewer(request, run_id)
    return selectors.run_meta(found, sight(found, viewer, seat), control=viewer.operator)


@router.get("/runs/{run_id}/snapshot", response=SnapshotOut, url_name="snapshot")
def snapshot(request: HttpRequest, run_id: str, seat: Seat, n: int | None = None) -> dict[str, Any]:
    """The run and one frame of it: the last, or number n."""
    found, viewer = selectors.run_get(run_id), _viewer(request, run_id)
    seen = sight(found, viewer, seat)
    return {
        "run": selectors.run_meta(found, seen, control=viewer.operator),
        "frame": selectors.snapshot(selectors.playing(found), seen, n),
    }


@router.get("/runs/{run_id}/frames", response=FramesOut, url_name="frames")
def frames(
    request: HttpRequest,
    run_id: str,
    seat: Seat,
    after: Annotated[int, Query(-1, ge=-1)],
    limit: Annotated[int, Query(200, ge=1, le=selectors.FRAMES_MAX)],
) -> dict[str, Any]:
    """The frames after a number, in order."""
    found, viewer = selectors.run_get(run_id), _viewer(request, run_id)
    seen = sight(found, viewer, seat)
    return {"head": seen.head(found), "frames": selectors.frames(selectors.playing(found), seen, after, limit)}


@router.get(
    "/runs/{run_id}/replay.html",
    url_name="replay",
    openapi_extra={
        "responses": {200: {"description": "The file.", "content": {"text/html": {"schema": {"type": "string"}}}}}
    },
)
def replay_file(request: HttpRequest, run_id: str, seat: Seat) -> HttpResponse:
    """The run as one HTML file that opens from disk: the frames that the asker may see, and the page to see them on."""
    found = selectors.run_get(run_id)
    seen = sight(found, _viewer(request, run_id), seat)
    try:
        body = replay(selectors.playing(found), seen)
    except LabRefused:
        raise HttpError(503, "the page's bundle is not built on this server; polity serve builds it") from None
    name = f"{found.game}-{found.pk}{'' if seat is None else f'-seat-{seat}'}.html"
    return HttpResponse(
        body,
        content_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


@router.get("/runs/{run_id}/briefs", response=BriefsOut, url_name="briefs")
def briefs(
    request: HttpRequest,
    run_id: str,
    seat: Seat,
    after: Annotated[int, Query(-1, ge=-1)],
    limit: Annotated[int, Query(200, ge=1, le=selectors.FRAMES_MAX)],
) -> dict[str, Any]:
    """What stands on the time axis of a run, after a number, in order: metrics, payoffs, kinds of events."""
    found, viewer = selectors.run_get(run_id), _viewer(request)
    seen = sight(found, viewer, seat)
    return {"head": seen.head(found), "briefs": selectors.briefs(selectors.playing(found), seen, after, limit)}


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
    made = selectors.run_get(made.pk)
    return Status(201, selectors.run_meta(made, sight(made, _viewer(request)), control=True))


@router.post("/runs/{run_id}/fork", response={201: RunOut}, auth=django_auth_is_staff, url_name="fork")
def fork(request: HttpRequest, run_id: str, body: ForkIn) -> Status[dict[str, Any]]:
    """Take a run up again from one of its steps, with other settings or seats from there on, or unchanged."""
    made = run_fork(run_id=run_id, at=body.at, config=body.config, seats=body.seats, pace=body.pace, start=body.start)
    made = selectors.run_get(made.pk)
    return Status(201, selectors.run_meta(made, sight(made, _viewer(request)), control=True))


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
                raise BadRequest("bad_pace", "pace: missing; give rounds a second, 0 for as fast as it goes", "pace")
            services.run_pace(run_id=run_id, pace=body.pace)
        case "limits":
            services.run_limits(run_id=run_id, limits=body.limits or {})
    found = selectors.run_get(run_id)
    return selectors.run_meta(found, sight(found, _viewer(request)), control=True)


STATUS = {
    "no_such_run": 404,
    "wrong_status": 409,
    "full": 409,
    "over": 409,
    "late": 409,
    "early": 409,
    "not_asked": 409,
    "already_moved": 409,
    "other_tab": 409,
    "not_playing": 409,
    "still_playing": 409,
    "no_deadline": 409,
    "used": 403,
    "too_big": 413,
}
"""The HTTP status of each refusal; 422 for the rest."""


# --- who asks, and errors -------------------------------------------------------------------------


def _scenario(body: RunIn) -> Scenario:
    """The preset with what the form changes."""
    if body.scenario.endswith((".yaml", ".yml")):
        raise BadRequest("bad_scenario", f"scenario: {body.scenario!r}; a preset as GAME/NAME", "scenario")
    game = body.scenario.partition("/")[0]
    seats = recordings_found(game, read_seats({"seats": body.seats}, "form"), "form") if body.seats else {}
    return load(body.scenario, extra=[Layer("form", body.config, seats, people=body.people)])


def _viewer(request: HttpRequest, run_id: str | None = None) -> Viewer:
    return viewer_of(getattr(request, "user", None), getattr(request, "session", None), run_id)


def _error(
    request: HttpRequest,
    status: int,
    code: str,
    message: str,
    field: str | None = None,
    faults: Any = None,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    body: dict[str, Any] = {"code": code, "message": message, **(more or {})}
    if field:
        body["field"] = field
    if faults:
        body["faults"] = faults
    return api.create_response(request, {"error": body}, status=status)


@api.exception_handler(selectors.NotFound)
def not_found(request: HttpRequest, error: Exception) -> HttpResponse:
    return _error(request, 404, "not_found", str(error))


@api.exception_handler(Refused)
def refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return _error(request, 403, error.code, str(error))


@api.exception_handler(BadRequest)
def bad_request(request: HttpRequest, error: BadRequest) -> HttpResponse:
    return _error(request, STATUS.get(error.code, 422), error.code, str(error), error.field, more=error.more)


@api.exception_handler(NoSuchDoor)
def no_such_door(request: HttpRequest, error: Exception) -> HttpResponse:
    return _error(request, 404, "no_such_code", str(error))


@api.exception_handler(LabRefused)
def bad_scenario(request: HttpRequest, error: LabRefused) -> HttpResponse:
    if not isinstance(error, BadScenario):
        return _error(request, 422, "bad_scenario", str(error), "scenario")
    faults = [{"path": fault.path, "message": fault.message} for fault in error.faults]
    return _error(request, 422, "bad_scenario", str(error.faults[0]), faults[0]["path"] or "scenario", faults)


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    fault = error.errors[0]
    field = ".".join(str(part) for part in fault["loc"][1:] if part != "body")
    return _error(request, 422, "invalid", f"{field}: {fault['msg']}", field)


@api.exception_handler(AuthenticationError)
def unauthenticated(request: HttpRequest, error: Exception) -> HttpResponse:
    if {"play", "join"} & set(request.path.split("/")):
        return _error(request, 403, "csrf", "the page's own token is missing; load the page again")
    return _error(request, 403, "operators_only", "only a signed-in operator may do this")


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return _error(request, error.status_code, "csrf" if "CSRF" in str(error) else "http_error", str(error))


api.add_router("", router)
api.add_router("", calls_router)
api.add_router("", people_router)
