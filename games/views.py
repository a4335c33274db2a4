"""The pages. Django gives the frame and what the page starts from; the bundle fills it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from agents_app.people import PeopleSettings
from games import catalogue, describing, refusing, selectors
from games.access import held_in, holder_of, viewer_of
from games.apierrors import told
from games.audience import Refused
from games.core.registry import packs
from games.csp import policy
from games.doors import NoSuchDoor, door_of
from games.lab.scenario import load
from games.models import Run, Seat
from games.services.faults import BadRequest
from games.services.operators import entry_use
from games.sitting import join_out


def _language() -> str:
    return "zh" if (get_language() or "en").startswith("zh") else "en"


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    """A page that says, in the visitor's language, why there is nothing else to see."""
    said, language = told(error, request.path), _language()
    about = {
        "title": refusing.title(language, said.code),
        "message": refusing.sentence(language, said.code, said.message, said.more),
    }
    return render(request, "message.html", about, status=said.status)


def _boot(request: HttpRequest, page: str, **more: Any) -> dict[str, Any]:
    """What every page tells its bundle."""
    return {
        "lang": _language(),
        "page": page,
        "user": {"operator": viewer_of(request.user).operator},
        "csrf": get_token(request),
        **more,
    }


@lru_cache(maxsize=1)
def _games() -> list[dict[str, Any]]:
    """Every game with its words and presets, for the cards."""
    cards = []
    for slug, pack in packs().items():
        words = {lang: catalogue.words(pack, lang) for lang in ("en", "zh")}
        cards.append(
            {
                "slug": slug,
                "name": {lang: book["name"] for lang, book in words.items()},
                "tagline": {lang: book["tagline"] for lang, book in words.items()},
                "presets": [
                    {"name": name, "title": dict(load(f"{slug}/{name}").title)} for name in pack.scenario_files()
                ],
            }
        )
    return cards


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """A match that is moving, the games, the latest runs."""
    viewer = viewer_of(request.user)
    featured = selectors.featured_run()
    boot = _boot(
        request,
        "lobby",
        featured=featured.pk if featured else None,
        runs=describing.run_list(selectors.recent_runs(8), viewer),
        games=_games(),
        counts=selectors.run_counts(),
    )
    return render(request, "lobby.html", {"boot": boot})


@require_safe
@never_cache
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """One run, live or replayed."""
    try:
        found = selectors.run_get(run_id)
    except selectors.NotFound as error:
        return _refused(request, error)
    return render(request, "run.html", {"boot": _boot(request, "run", run_id=found.pk), "run": found})


@xframe_options_exempt
@require_safe
@never_cache
def embed(request: HttpRequest, run_id: str) -> HttpResponse:
    """The stage of a run alone, the one page that other sites may frame: nothing on it can be pressed to any effect."""
    try:
        found = selectors.run_get(run_id)
    except selectors.NotFound as error:
        return _refused(request, error)
    boot = {"lang": _language(), "page": "embed", "run_id": found.pk}
    response = render(request, "embed.html", {"boot": boot, "run": found})
    response.headers["Content-Security-Policy"] = policy(framed_by="*")
    return response


@require_safe
@never_cache
def new(request: HttpRequest, game: str) -> HttpResponse:
    """The form for a run of a game, for operators; `?like=ID` fills it in from another run."""
    pack = packs().get(game)
    if pack is None:
        here = f"{game}: there is no such game here; there are {', '.join(packs())}"
        return _refused(request, BadRequest("no_such_game", here, game=game, known=list(packs())))
    if not viewer_of(request.user).operator:
        return render(request, "signin.html", {"next": request.get_full_path()}, status=403)
    like = None
    if "like" in request.GET:
        try:
            like = _made_of(selectors.run_get(request.GET["like"]))
        except selectors.NotFound as error:
            return _refused(request, error)
    return render(request, "new.html", {"boot": _boot(request, "new", game=game, like=like), "name": pack.title})


def _made_of(run: Run) -> dict[str, Any]:
    """What a run was started with, for another like it."""
    seats = list(Seat.objects.filter(run=run).order_by("index"))
    return {
        "id": run.pk,
        "scenario": run.scenario.name,
        "config": run.config,
        "seats": [seat.agent for seat in seats],
        "seat_names": [seat.name for seat in seats],
        "seed": str(run.seed),
        "pace": run.pace,
        "audience": run.audience or {"kind": "omniscient"},
        "people": PeopleSettings.model_validate(run.people).model_dump(mode="json") if run.people else None,
    }


@require_safe
@never_cache
def join(request: HttpRequest, code: str) -> HttpResponse:
    """The door to a person's seat."""
    try:
        door = door_of(code)
    except NoSuchDoor as error:
        return _private(_refused(request, error))
    mine = held_in(request.session, door.run.pk)
    if mine is not None and (door.seat is None or door.seat.index == mine.seat):
        return _private(redirect("play", participant=mine.pk))
    boot = _boot(request, "join", code=code, join=join_out(door))
    return _private(render(request, "join.html", {"boot": boot}))


@require_safe
@never_cache
def play(request: HttpRequest, participant: str) -> HttpResponse:
    """A person's seat, for the browser that holds it."""
    try:
        one = holder_of(request.session, participant)
    except Refused as error:
        return _private(_refused(request, error))
    return _private(render(request, "play.html", {"boot": _boot(request, "play", id=one.pk, game=one.run.game)}))


def _private(response: HttpResponse) -> HttpResponse:
    """No other site learns the address from which somebody came."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@require_http_methods(["GET", "POST"])
@never_cache
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Sign the operator in by the launcher's one-time address. The click on the button spends it, not the visit."""
    if request.method == "GET":
        return render(request, "enter.html", {"token": token})
    user = entry_use(token=token)
    if user is None:
        spent = "This address has been used, or is too old. Start `polity serve` again for a new one."
        return _refused(request, Refused("bad_entry", spent))
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("lobby")
