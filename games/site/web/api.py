"""The REST door, `/api/v1`. Reads go to the selectors, writes to the services; one shape for every error."""

from __future__ import annotations

from typing import Annotated, Any, Final

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from ninja.errors import HttpError

from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import Scenario, load_preset
from games.lab.wire.frames import FRAMES_MAX, BriefPage, FramePage, Snapshot
from games.lab.wire.plainjson import encoded
from games.lab.wire.run import RunSummary
from games.site.accounts.purse import key_of
from games.site.accounts.trail import note
from games.site.audience import listed
from games.site.models import Run
from games.site.record import selectors, summary
from games.site.record.cursors import after, cursor_of, last_of, ordered, place_of
from games.site.record.listing import SORTS, order_of
from games.site.record.recordings import recordings_found
from games.site.record.search import RunFilter
from games.site.runs import creating as services
from games.site.runs import deleting
from games.site.runs.forks import run_fork
from games.site.web import catalogue, steering
from games.site.web.access import Access, look, viewer_of
from games.site.web.caching import answered, etag_of
from games.site.web.calls import EstimateOut
from games.site.web.calls import router as calls_router
from games.site.web.comments import router as comments_router
from games.site.web.designs import router as designs_router
from games.site.web.docs import OfflineSwagger
from games.site.web.document import PolityAPI
from games.site.web.errors import PlainParser, install
from games.site.web.experiments import router as experiments_router
from games.site.web.exports import router as exports_router
from games.site.web.guesses import router as guesses_router
from games.site.web.holders import experimenters, operators
from games.site.web.jobs import router as jobs_router
from games.site.web.keys import router as keys_router
from games.site.web.lists import router as lists_router
from games.site.web.listshapes import Cursor, RunPatch
from games.site.web.matching import tagged, unchanged
from games.site.web.models import router as models_router
from games.site.web.paging import link_next
from games.site.web.people import router as people_router
from games.site.web.phenomena import router as phenomena_router
from games.site.web.plugins import router as plugins_router
from games.site.web.populations import router as population_router
from games.site.web.programs import router as programs_router
from games.site.web.register import router as register_router
from games.site.web.replays import replay
from games.site.web.runs import router as runs_router
from games.site.web.screens import router as screens_router
from games.site.web.shapes import (
    ControlIn,
    ForkIn,
    GameDetailOut,
    GameOut,
    PresetDetailOut,
    RulesOut,
    RunIn,
)
from games.site.web.sources import router as sources_router
from games.site.web.streams import router as streams_router
from games.site.web.studyapi import router as studies_router
from games.site.web.tables import router as tables_router
from games.site.web.trainings import router as learning_router
from games.site.web.trials import router as trials_router
from games.site.web.webhooks import router as webhooks_router

api = PolityAPI(
    parser=PlainParser(),
    title="Polity",
    version="1",
    description="Games, runs and their frames. Every error is a problem (RFC 9457) with "
    "`error: {code, message, field?, why?, says?}` and the values that its message names; `says` is what is "
    "wrong with a value, by language.\n\n"
    "Programs come with `Authorization: Bearer`: a user's own key, or the token of a seat. Lists end with a cursor: "
    "`next` in the body, or a `Link` with rel=next where the body is a list. A POST with an `Idempotency-Key` may be "
    "sent twice and is carried out once. PATCH, PUT and DELETE with `If-Match` change what was read, and nothing that "
    "somebody else has changed since.\n\n"
    "A run is followed by server-sent events (`/runs/{run_id}/stream`) or by websocket "
    "(`/ws/runs/{run_id}/?after=N&as=SEAT`, with the same token): ServerMessage and ClientMessage are what is said "
    "there. `/docs/rest` tells of both, of webhooks, and of clients that are generated from this.",
    urls_namespace="api",
    docs=OfflineSwagger(),
)
router = Router()
CONTROLLED: Final = {
    "play": "run_resumed", "pause": "run_paused", "step": "run_stepped", "stop": "run_stopped",
    "pace": "run_changed", "limits": "run_changed", "open": "run_opened",
}  # fmt: skip
"""What the trail calls each act of steering."""


Seat = Annotated[int | None, Query(None, alias="as", description="See as this seat.")]
After = Annotated[int, Query(-1, ge=-1, description="The number of the last frame that is known; -1: none.")]
Limit = Annotated[int, Query(200, ge=1, le=FRAMES_MAX)]


# --- reads ----------------------------------------------------------------------------------------


@router.get("/games", response=list[GameOut], url_name="games")
def games(request: HttpRequest) -> list[dict[str, Any]]:
    """Every game that can be played here."""
    return catalogue.games()


@router.get("/games/{slug}", response=GameDetailOut, url_name="game")
def game(request: HttpRequest, slug: str) -> dict[str, Any]:
    """One game: what can be set, who can play, and its presets."""
    return catalogue.game_detail(slug)


@router.get("/games/{slug}/rules", response=RulesOut, url_name="game_rules")
def game_rules(request: HttpRequest, slug: str) -> dict[str, Any]:
    """A game's rule sheet, in markdown."""
    return catalogue.rules(slug)


@router.get("/games/{slug}/presets/{name}", response=PresetDetailOut, url_name="preset")
def preset(request: HttpRequest, slug: str, name: str, condition: str | None = None) -> dict[str, Any]:
    """A preset with the settings and seats of one of its conditions."""
    return catalogue.preset_detail(slug, name, condition)


@router.get("/runs", response=list[RunSummary], url_name="runs")
def runs(
    request: HttpRequest,
    response: HttpResponse,
    wanted: Annotated[RunFilter, Query(...)],
    limit: Annotated[int, Query(20, ge=1, le=200)],
    cursor: Cursor,
    sort: Annotated[str, Query("-created", max_length=20, description=f"{', '.join(SORTS)}; with - downwards.")],
) -> list[RunSummary]:
    """The runs that are wanted, the newest first unless sorted otherwise; the next page is named in `Link`."""
    viewer = viewer_of(request.user)
    order = order_of(sort, viewer)
    named = f"runs {sort} {wanted.named()}"
    place = last_of(named, cursor)
    rows = ordered(wanted.found(viewer).filter(listed(viewer)).prefetch_related("seats"), order)
    if place is not None:
        rows = after(rows, order, place)
    found = list(rows[: limit + 1])
    if len(found) > limit:
        link_next(request, response, cursor_of(named, place_of(found[limit - 1], order)))
    return summary.run_list(found[:limit], viewer)


@router.get("/runs/{run_id}", response=RunSummary, url_name="run")
def run(request: HttpRequest, response: HttpResponse, run_id: str, seat: Seat) -> RunSummary:
    """One run."""
    seen = look(request, run_id, seat)
    tagged(request, response, seen.run)
    return _meta(seen)


@router.get("/runs/{run_id}/snapshot", response=Snapshot, url_name="snapshot")
def snapshot(request: HttpRequest, run_id: str, seat: Seat, n: int | None = None) -> HttpResponse:
    """The run and one frame of it: the last, or number n."""
    seen = look(request, run_id, seat)
    sent = {"run": _meta(seen), "frame": selectors.snapshot(selectors.playing(seen.run), seen.sight, n)}
    body = encoded(sent)
    return answered(request, etag_of(body), lambda: body)


@router.get("/runs/{run_id}/frames", response=FramePage, url_name="frames")
def frames(request: HttpRequest, run_id: str, seat: Seat, after: After, limit: Limit) -> HttpResponse:
    """The frames after a number, in order."""
    seen = look(request, run_id, seat)
    head = selectors.shown_head(seen.run, seen.sight)

    def body() -> bytes:
        """Frames as they are: to check each against its shape costs more than all the rest; a test does it."""
        return encoded(
            {"head": head, "frames": selectors.frames(selectors.playing(seen.run), seen.sight, after, limit)}
        )

    return answered(request, etag_of("frames", run_id, head, seen.run.head_hash, seen.sight.key, after, limit), body)


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
    except Refused:
        raise HttpError(
            503, "the page of such a file is not built here; polity serve builds it in its first minute"
        ) from None
    name = f"{seen.run.game}-{run_id}{'' if seat is None else f'-seat-{seat}'}.html"
    return HttpResponse(
        body,
        content_type="text/html; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


@router.get("/runs/{run_id}/briefs", response=BriefPage, url_name="briefs")
def briefs(request: HttpRequest, run_id: str, seat: Seat, after: After, limit: Limit) -> HttpResponse:
    """What stands on the time axis of a run, after a number, in order: metrics, payoffs, kinds of events."""
    seen = look(request, run_id, seat)
    head = selectors.shown_head(seen.run, seen.sight)

    def body() -> bytes:
        return encoded(
            {"head": head, "briefs": selectors.briefs(selectors.playing(seen.run), seen.sight, after, limit)}
        )

    return answered(request, etag_of("briefs", run_id, head, seen.run.head_hash, seen.sight.key, after, limit), body)


# --- writes ---------------------------------------------------------------------------------------


@router.post("/estimate", response=EstimateOut, auth=experimenters, url_name="estimate")
def estimate(request: HttpRequest, body: RunIn) -> dict[str, Any]:
    """What the models of such a run are likely to cost, before it is started. Nobody is called, nothing is made."""
    return services.run_estimate(scenario=_scenario(body), condition=body.condition, seed=body.seed, limits=body.limits)


@router.post("/runs", response={201: RunSummary}, auth=experimenters, url_name="run_create")
def run_create(request: HttpRequest, body: RunIn) -> Status[RunSummary]:
    """Start a run of a preset."""
    made = services.run_create(
        scenario=_scenario(body),
        condition=body.condition,
        seed=body.seed,
        pace=body.pace,
        audience=body.audience,
        limits=body.limits,
        start=body.start,
        key=key_of(request),
    )
    note(request, "run_made", f"run {made.pk}", scenario=body.scenario)
    return Status(201, _meta(look(request, made.pk)))


@router.post("/runs/{run_id}/fork", response={201: RunSummary}, auth=experimenters, url_name="fork")
def fork(request: HttpRequest, run_id: str, body: ForkIn) -> Status[RunSummary]:
    """Take a run up again from one of its steps, with other settings or seats from there on, or unchanged."""
    made = run_fork(
        run_id=run_id,
        at=body.at,
        config=body.config,
        seats=body.seats,
        pace=body.pace,
        audience=body.audience,
        limits=body.limits,
        start=body.start,
        key=key_of(request),
    )
    note(request, "run_forked", f"run {run_id}", at=body.at, fork=made.pk)
    return Status(201, _meta(look(request, made.pk)))


@router.delete("/runs/{run_id}", response={204: None}, auth=operators, url_name="run_delete")
def run_delete(request: HttpRequest, run_id: str) -> Status[None]:
    """Delete a run that is over, with everything that was kept of it; the admin's log keeps that it was."""
    with unchanged(request, Run.objects.filter(pk=run_id)):
        deleting.run_delete(run_id=run_id, by=request.user)
    note(request, "run_deleted", f"run {run_id}")
    return Status(204, None)


@router.patch("/runs/{run_id}", response=RunSummary, auth=experimenters, url_name="run_change")
def run_change(request: HttpRequest, response: HttpResponse, run_id: str, body: RunPatch) -> RunSummary:
    """Set its pace and its limits of spending: both, or neither where one of them is refused."""
    with unchanged(request, Run.objects.filter(pk=run_id)):
        changed = steering.change(request, run_id, body)
    tagged(request, response, selectors.run_get(run_id))
    return changed


@router.post("/runs/{run_id}/control", response=RunSummary, auth=experimenters, url_name="control")
def control(request: HttpRequest, run_id: str, body: ControlIn) -> RunSummary:
    """Play, pause, step, stop, or set the pace or the limits of spending."""
    selectors.run_get(run_id)
    match body.action:
        case "play":
            services.run_play(run_id=run_id)
        case "pause":
            services.run_pause(run_id=run_id)
        case "step":
            services.run_step(run_id=run_id, rounds=body.rounds, steps=body.steps)
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
        case "open":
            services.run_open(run_id=run_id, audience=body.audience)
    note(request, CONTROLLED[body.action], f"run {run_id}")
    return _meta(look(request, run_id))


def _meta(seen: Access) -> RunSummary:
    return summary.run_summary(seen.run, seen.sight, control=seen.viewer.operator)


def _scenario(body: RunIn) -> Scenario:
    """The preset with what the form changes."""
    if body.scenario.endswith((".yaml", ".yml")):
        raise BadRequest("bad_scenario", f"scenario: {body.scenario!r}; a preset as GAME/NAME", "scenario", why="name")
    game = body.scenario.partition("/")[0]
    seats = recordings_found(game, read_seats({"seats": body.seats}, "form"), "form") if body.seats else {}
    return load_preset(body.scenario, extra=[Layer("form", body.config, seats, people=body.people)])


install(api)
ROOMS = {  # `/runs/table` before any id
    "many runs": runs_router,
    "games and runs": router,
    "stream": streams_router,
    "steering": steering.router,
    "what happened": lists_router,
    "guesses": guesses_router,
    "commentary": comments_router,
    "calls of models": calls_router,
    "models on trial": trials_router,  # `/models/try` before any name
    "models": models_router,
    "people": people_router,
    "programs": programs_router,
    "studies": studies_router,
    "sessions": screens_router,
    "designs": designs_router,  # `/experiments/check` before any slug
    "experiments": experiments_router,
    "register": register_router,
    "phenomena": phenomena_router,
    "sources": sources_router,
    "learning": learning_router,
    "tables": tables_router,
    "population": population_router,
    "exports": exports_router,
    "plug-ins": plugins_router,
    "jobs": jobs_router,
    "keys": keys_router,
    "webhooks": webhooks_router,
}
for name, rooms in ROOMS.items():
    api.add_router("", rooms, tags=[name])
