"""The pages. Django gives the frame and what the page starts from; the bundle fills it."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from agents_app.people import PeopleSettings
from games.core.pack import Pack
from games.core.registry import packs
from games.errors.requests import BadRequest
from games.site.accounts.roles import Role, role_of
from games.site.audience import Forbidden, check_member, sees
from games.site.experiments import reading
from games.site.experiments.latest import latest
from games.site.experiments.registering import entries_out, faults
from games.site.models import Run, Seat
from games.site.people.invites import NoSuchInvite, invite_of
from games.site.people.openseats import open_seats
from games.site.people.seat_page import join_out
from games.site.record import selectors
from games.site.record.selectors import NotFound
from games.site.runs.gallery import gallery
from games.site.runs.links import run_opened
from games.site.runs.operators import entry_use
from games.site.runs.siblings import siblings
from games.site.runs.visiting import playable
from games.site.studies import teaching
from games.site.web import catalogue, populations, trainings
from games.site.web import phenomena as claims
from games.site.web import sources as stated
from games.site.web.access import holder_of, seat_in_session, viewer_of
from games.site.web.accounts import let_in
from games.site.web.csp import policy
from games.site.web.plugins import rows
from games.site.web.preview import about, title_of
from games.site.web.refusals import for_operators, language, refusal_page
from games.site.web.signedin import AT_THE_MACHINE

LISTED: Final = 200
"""Experiments on the list, and entries of the register."""
FAULTS_SHOWN: Final = 5


def _boot(request: HttpRequest, page: str, **more: Any) -> dict[str, Any]:
    """What every page tells its bundle."""
    return {
        "lang": language(),
        "page": page,
        "user": _user(request.user),
        "csrf": get_token(request),
        **more,
    }


def _user(user: Any) -> dict[str, Any]:
    """Who is signed in: by name, by role, and whether they may make and steer runs."""
    role = role_of(user)
    name = str(user) if user.is_authenticated else ""
    return {"operator": role >= Role.EXPERIMENTER, "role": role.word, "name": name}


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """A match that is moving, the games, the latest runs."""
    viewer = viewer_of(request.user)
    featured = selectors.featured_run(viewer)
    games, broken = catalogue.cards()
    boot = _boot(
        request,
        "lobby",
        featured=featured.pk if featured else None,
        runs=latest(viewer, 8),
        gallery=gallery(viewer),
        games=games,
        # the reason may hold paths and code of the machine, which are the operators' alone
        broken=[{**one, "why": one["why"] if viewer.operator else ""} for one in broken],
        counts=selectors.run_counts(viewer),
        robins=reading.newest_robins(viewer),
        open_seats=open_seats(viewer),
        playable=[slug for slug, pack in packs().items() if playable(pack)] if settings.POLITY_VISITORS else [],
        classes=list(teaching.SCENARIOS),
    )
    return render(request, "lobby.html", {"boot": boot})


@require_safe
@never_cache
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """One run, live or replayed."""
    try:
        found = run_opened(run_id)
        viewer = viewer_of(request.user, request.session, found.pk)
        check_member(found.audience, viewer)
    except (selectors.NotFound, Forbidden) as error:
        return refusal_page(request, error)
    told = found.experiment if sees(found, viewer) else None
    part_of = None if told is None else {"slug": told.slug, "title": told.title, "near": siblings(found, viewer)}
    session = found.session_id if viewer.operator else None
    boot = _boot(request, "run", run_id=found.pk, game=found.game, experiment=part_of, of_session=session)
    title = title_of(found, language(), to_operator=viewer.operator)
    return render(request, "run.html", {"boot": boot, "title": title, "about": about(request, found)})


@require_safe
@never_cache
def tv(request: HttpRequest) -> HttpResponse:
    """The liveliest match, for a hall to watch; it changes by itself."""
    return render(request, "tv.html", {"boot": _boot(request, "tv", games=catalogue.cards()[0])})


@require_safe
@never_cache
@for_operators
def projector(request: HttpRequest, run_id: str) -> HttpResponse:
    """How a class joins a match and who is there, for its teacher to show: the code stands on it."""
    try:
        found = selectors.run_get(run_id)
    except selectors.NotFound as error:
        return refusal_page(request, error)
    return render(request, "tv.html", {"boot": _boot(request, "projector", run_id=found.pk), "page": "projector"})


@xframe_options_exempt
@require_safe
@never_cache
def embed(request: HttpRequest, run_id: str) -> HttpResponse:
    """The stage of a run alone, the one page that other sites may frame: nothing on it can be pressed to any effect."""
    try:
        found = run_opened(run_id)
        check_member(found.audience, viewer_of(request.user, request.session, found.pk))
    except (selectors.NotFound, Forbidden) as error:
        return refusal_page(request, error)
    boot = {"lang": language(), "page": "embed", "run_id": found.pk, "game": found.game}
    response = render(request, "embed.html", {"boot": boot, "title": title_of(found, language())})
    response.headers["Content-Security-Policy"] = policy(framed_by="*")
    return response


@require_safe
@never_cache
def new(request: HttpRequest, game: str) -> HttpResponse:
    """The form for a run of a game, for operators; `?like=ID` fills it in from another run."""
    pack = packs().get(game)
    if pack is None:
        here = f"{game}: there is no such game here; there are {', '.join(packs())}"
        return refusal_page(request, BadRequest("no_such_game", here, game=game, known=list(packs())))
    return _form(request, pack)


@for_operators
def _form(request: HttpRequest, pack: Pack) -> HttpResponse:
    like = None
    if "like" in request.GET:
        try:
            like = _made_of(selectors.run_get(request.GET["like"]))
        except selectors.NotFound as error:
            return refusal_page(request, error)
    return render(request, "new.html", {"boot": _boot(request, "new", game=pack.slug, like=like), "name": pack.title})


@require_safe
@never_cache
def runs(request: HttpRequest) -> HttpResponse:
    """Every run; what is searched, filtered and shown stands in the address."""
    boot = _boot(request, "runs", games=catalogue.cards()[0])
    return render(request, "experiments.html", {"boot": boot, "page": "runs"})


@require_safe
@never_cache
@for_operators
def models(request: HttpRequest) -> HttpResponse:
    """The named models, for operators: read, changed, tried."""
    boot = _boot(request, "models", games=catalogue.cards()[0])
    return render(request, "models.html", {"boot": boot, "page": "models"})


@require_safe
@never_cache
@for_operators
def plugins(request: HttpRequest) -> HttpResponse:
    """What packages plug in, and what of it is broken."""
    return render(request, "plugins.html", {"lang": language(), "rows": rows()})


@require_safe
@never_cache
def calls(request: HttpRequest, run_id: str) -> HttpResponse:
    """The calls of a run's models; what of them a visitor may see, the API says."""
    try:
        found = run_opened(run_id)
        check_member(found.audience, viewer_of(request.user, request.session, found.pk))
    except (selectors.NotFound, Forbidden) as error:
        return refusal_page(request, error)
    return render(request, "models.html", {"boot": _boot(request, "calls", run_id=found.pk), "page": "calls"})


@require_safe
@never_cache
def experiments(request: HttpRequest) -> HttpResponse:
    """Every experiment, newest first."""
    viewer = viewer_of(request.user)
    listed = [reading.experiment_out(one, viewer) for one in reading.recent(viewer, LISTED)]
    boot = _boot(request, "experiments", experiments=listed, games=catalogue.cards()[0])
    return render(request, "experiments.html", {"boot": boot, "page": "experiments"})


@require_safe
@never_cache
@for_operators
def experiment_new(request: HttpRequest) -> HttpResponse:
    """The form for an experiment, for operators: `?like=SLUG` fills it in from another, `?draft=SLUG` changes it."""
    boot = _boot(request, "experimentnew", games=catalogue.cards()[0])
    return render(request, "experiments.html", {"boot": boot, "page": "experimentnew"})


@require_safe
@never_cache
def experiment(request: HttpRequest, slug: str) -> HttpResponse:
    """One experiment: its cells as they fill, its runs, and what they say."""
    try:
        found = reading.experiment_get(slug)
        check_member(found.audience, viewer_of(request.user))
    except (BadRequest, Forbidden) as error:
        return refusal_page(request, error)
    boot = _boot(request, "experiment", slug=found.slug, game=found.game)
    return render(request, "experiments.html", {"boot": boot, "page": "experiment", "name": found.slug})


@require_safe
@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """What was declared when, newest first, and whether its chain holds."""
    entries = entries_out(viewer_of(request.user), 0, LISTED, newest_first=True)
    context = {"lang": language(), "entries": entries, "faults": list(islice(faults(), FAULTS_SHOWN))}
    return render(request, "register.html", context)


@require_safe
def sources(request: HttpRequest, game: str = "") -> HttpResponse:
    """What the games' sources state beside what was measured: of one source, or where the two part."""
    lang = language()
    try:
        chosen = stated.one_of(game) if game else None
    except NotFound as error:
        return refusal_page(request, error)
    every = [row for one in stated.known() for row in one.rows]
    rows = chosen.rows if chosen else [row for row in every if stated.group_of(row) in ("differ", "unsure")]
    detail = stated.detail(rows, request.GET.get("row", ""), lang)
    context = {
        "lang": lang,
        "w": stated.WORDS[lang],
        "game": game,
        "all": len(every),
        "counts": stated.counts(every),
        "cards": stated.cards(lang, game),
        "source": chosen.form if chosen else None,
        "tables": list(stated.tables(rows, lang)),
        "detail": detail,
        "ran": stated.ran(detail["plan"], viewer_of(request.user)) if detail else [],
    }
    return render(request, "sources.html", context)


@require_safe
def sources_csv(request: HttpRequest) -> HttpResponse:
    """All rows as CSV, or those of ``?game=``."""
    game = request.GET.get("game", "")
    try:
        chosen = [stated.one_of(game)] if game else stated.known()
    except NotFound as error:
        return refusal_page(request, error)
    return stated.as_csv([row.plain() for one in chosen for row in one.rows], stated.COLUMNS, "sources")


@require_safe
def phenomena(request: HttpRequest) -> HttpResponse:
    """What is claimed of the games' societies, and which claims hold."""
    lang = language()
    return render(request, "phenomena.html", {"lang": lang, **claims.page(lang)})


@require_safe
def population(request: HttpRequest) -> HttpResponse:
    """Shares of policies by generation, and who meets whom: ``?game=`` and ``?dynamics=``."""
    game, dynamics = request.GET.get("game", populations.GAMES[0])[:120], request.GET.get("dynamics", "replicator")
    more = request.GET.get("policies", "")[:200], request.GET.get("noise", str(populations.NOISE))[:20]
    return render(request, "population.html", populations.page(game, dynamics, *more, language()))


@require_safe
@never_cache
def tables(request: HttpRequest) -> HttpResponse:
    """A game in normal form to edit: what it is, and a match in it, as one types."""
    return render(request, "models.html", {"boot": _boot(request, "tables"), "page": "tables"})


@require_safe
@never_cache
def learning(request: HttpRequest) -> HttpResponse:
    """Trainings in this site's folders, under way and over, each with its curve."""
    return render(request, "learning.html", {"lang": language(), **trainings.page()})


@require_safe
def phenomena_csv(request: HttpRequest) -> HttpResponse:
    """All claims as CSV."""
    return stated.as_csv([one.plain() for one in claims.known()], claims.COLUMNS, "phenomena")


def _made_of(run: Run) -> dict[str, Any]:
    """What a run was started with, for another like it."""
    seats = list(Seat.objects.filter(run=run).order_by("index"))
    return {
        "id": run.pk,
        "scenario": run.scenario.name,
        "config": run.config,
        "seats": [seat.agent for seat in seats],
        "seat_names": [seat.name for seat in seats],
        "seat_roles": [seat.role for seat in seats],
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
        door = invite_of(code)
    except NoSuchInvite as error:
        return _private(refusal_page(request, error))
    mine = seat_in_session(request.session, door.run.pk)
    if mine is not None and (door.seat is None or door.seat.index == mine.seat):
        return _private(redirect("play", participant=mine.pk))
    boot = _boot(request, "join", code=code, join=join_out(door))
    return _private(render(request, "join.html", {"boot": boot}))


@require_safe
@never_cache
def play(request: HttpRequest, participant: str) -> HttpResponse:
    """A person's seat, for the browser that holds it, in the language that its holder chose."""
    try:
        one = holder_of(request.session, participant)
    except Forbidden as error:
        return _private(refusal_page(request, error))
    with override(one.language):
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
    user: Any = entry_use(token=token)
    if user is None:
        spent = "This address has been used, or is too old. Start `polity serve` again for a new one."
        return refusal_page(request, Forbidden("bad_entry", spent))
    let_in(request, user, on="by the launcher's address")
    request.session[AT_THE_MACHINE] = True
    return redirect("lobby")
