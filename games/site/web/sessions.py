"""The operator's pages of studies: what there is, a file checked and previewed, a session, its screen and data."""

from __future__ import annotations

from typing import Any

import yaml
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import sentences
from games.errors.faults import BadScenario, Fault
from games.errors.requests import Refusal
from games.site.accounts.trail import note, who_of
from games.site.exports.sessionfiles import data_zip, labels_csv, payments_csv
from games.site.exports.sessionpublishing import games_of
from games.site.models import Member, RunStatus, Session
from games.site.models import Study as StudyRow
from games.site.studies import presets, teaching
from games.site.studies.keys import file_keys
from games.site.studies.knocking import waiting_for
from games.site.studies.leading import next_match
from games.site.studies.loading import Study, study_read, study_text
from games.site.studies.operating import session_act
from games.site.studies.standing import GROUPS, Standing, standing
from games.site.studies.walking import Place, session_open, study_of
from games.site.web import sessionview as view
from games.site.web import waywords
from games.site.web.refusals import for_operators
from games.site.web.sessionlog import log_of
from games.site.web.studypreview import page_at, page_of, pages_of
from games.site.web.studyshown import language_of, nowhere, study_response, text_in
from games.site.web.studywords import words

# --- studies ----------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
@for_operators
def studies(request: HttpRequest) -> HttpResponse:
    """What studies there are; a file is checked, shown as its members will see it, and opened."""
    lang = language_of(request)
    text = request.POST.get("file", "")
    if (preset := request.GET.get("preset", "")) in presets.names():
        text = presets.text_of(preset)
    taught = _taught(request)
    if taught["teach"]:
        text = teaching.class_text(*taught.values())
    faults: list[str] = []
    study: Study | None = None
    if kept := request.GET.get("study", ""):
        row = StudyRow.objects.filter(pk=kept).first() if kept.isdecimal() else None
        if row is None:
            return nowhere(request, "There is no such study.")
        study, text = study_read(row.document), yaml.safe_dump(row.document, allow_unicode=True, sort_keys=False)
    elif text:
        try:
            study = study_text(text)
        except BadScenario as error:
            faults = [_worded(one, lang) for one in error.faults]
    if study is not None and request.POST.get("do") in ("open", "class"):
        session = session_open(study)
        note(request, "session_opened", f"session {session.code}", study=study.hash)
        return redirect("session", session=session.pk)
    rows = StudyRow.objects.order_by("-created").prefetch_related("sessions")[:100]
    at = page_at(study, request.POST.get("at", "")) if study else ""
    return study_response(
        request, "study_studies.html", lang, text=text, faults=faults, arms=pages_of(study, lang) if study else [],
        at=at, shown=page_of(request, study, at, lang) if study else "",
        presets=presets.titles(lang), taught=taught, classes=teaching.names(lang), all_minutes=teaching.MINUTES,
        matches=[(name, words(lang)[f"match_{name}"]) for name in teaching.RULES], is_operator=True,
        kept=[(row, text_in(row.title, lang) or row.slug) for row in rows], s=waywords.words(lang),
    )  # fmt: skip


def _taught(request: HttpRequest) -> dict[str, Any]:
    """What is chosen of a class; `teach` is "" where none is. A choice that there is not is the usual one's."""
    given = request.POST if "teach" in request.POST else request.GET
    minutes = given.get("minutes", "")
    return {
        "teach": given.get("teach", "") if given.get("teach", "") in teaching.SCENARIOS else "",
        "minutes": int(minutes) if minutes in map(str, teaching.MINUTES) else 20,
        "match": given["match"] if given.get("match") in teaching.RULES else "stranger",
        "names": "minutes" not in given or "names" in given,
    }


def _worded(one: Fault, lang: str) -> str:
    said = one.message if one.note is None else sentences.fault(one.note, lang)
    return ": ".join(part for part in (one.path, said) if part)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Every key of a study's file, from its schema: for anyone, as the documentation is."""
    lang = language_of(request)
    return study_response(request, "study_keys.html", lang, keys=file_keys(lang))


# --- a session --------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
@for_operators
def session_page(request: HttpRequest, session: int) -> HttpResponse:
    """Who is where, since when, what they wait for; what is done about it; the data."""
    found = Session.objects.select_related("study").filter(pk=session).first()
    if found is None:
        return nowhere(request, sentences.sentence(language_of(request), "no_such_session", "no such session"))
    lang, fault = language_of(request), ""
    if request.method == "POST":
        try:
            _operate(request, found)
            return redirect(request.get_full_path())
        except Refusal as error:
            fault = sentences.sentence(lang, error.code, str(error), error.more)
    stand, study = standing(found), study_of(found)
    asked = request.GET.get("show", "")
    shown, find = asked if asked in GROUPS else "all", " ".join(request.GET.get("find", "").split())[:40]
    chosen = next((row for row in stand.rows if row.member.pk == request.GET.get("chosen")), None)
    boards, rest = view.matches(stand, lang)
    knocks = view.knocks(waiting_for(found))
    return study_response(
        request, "study_session.html", lang, session=found, fault=fault, is_operator=True, stand=stand,
        address=_door(request, found), matches=view.counted(stand, lang),
        title=text_in(study.form.title, lang) or found.study.slug, lead=view.lead(stand, lang, len(knocks)),
        shown=shown, find=find,
        counts=view.strip(stand, study.names()), filters=view.filters(stand, shown),
        arms=view.arms(stand), has_arms=len(study.arms) > 1,
        groups=view.groups(stand, shown, find, lang), chosen=view.row_out(chosen, lang) if chosen else None,
        boards=boards, rest=rest, filling=view.filling(stand, lang), pays=view.money_out(stand, lang),
        log=log_of(found, stand, who_of(request), lang), coming=next_match(found, study), pauses=_pauses(stand),
        knocks=knocks, played=games_of(found),
    )  # fmt: skip


def _pauses(stand: Standing) -> str:
    """What the lead can do about matches under way: pause, resume; "" where none is."""
    going = {one.run.status for one in stand.matches if not one.is_over}
    return "resume" if RunStatus.PAUSED in going else "pause" if going else ""


def _operate(request: HttpRequest, found: Session) -> None:
    do = request.POST.get("do", "")
    wanted = Member.objects.select_related("session").filter(session=found, pk=request.POST.get("member") or "-")
    member = wanted.first()
    if request.POST.get("member") and member is None:
        return
    match = request.POST.get("match", "")
    session_act(
        found, do, member, Place.read(request.POST.get("at", "")), request.POST.get("text", ""),
        int(match) if match.isdecimal() else None, who_of(request),
    )  # fmt: skip
    on = f"session {found.code}" + (f" member {member.number}" if member else "")
    note(request, f"session_{do[:20]}", on)


def _door(request: HttpRequest, found: Session) -> str:
    return request.build_absolute_uri(f"/s/{found.code}")


@require_safe
@never_cache
@for_operators
def session_data(request: HttpRequest, session: int, what: str) -> HttpResponse:
    """The data as a zip, the payments as a panel takes them (with labels), receipts to sign, or the room's screen."""
    found = Session.objects.select_related("study").filter(pk=session).first()
    if found is None:
        return nowhere(request, sentences.sentence(language_of(request), "no_such_session", "no such session"))
    lang = language_of(request)
    if what in ("receipts", "screen"):
        return _screen(request, found) if what == "screen" else _receipts(request, found, lang)
    if what in ("payments.csv", "labels.csv"):
        note(request, "labels_read", f"session {found.code}")
        table = payments_csv(found) if what == "payments.csv" else labels_csv(found)
        answer = HttpResponse(table, content_type="text/csv; charset=utf-8")
    elif what == "data.zip":
        note(request, "exported", f"session {found.code}")
        answer = HttpResponse(data_zip(found), content_type="application/zip")
    else:
        return nowhere(request, sentences.sentence(lang, "no_such_code", "this address leads nowhere"))
    answer["Content-Disposition"] = f'attachment; filename="{found.study.slug}-{found.code}-{what}"'
    return answer


def _screen(request: HttpRequest, found: Session) -> HttpResponse:
    """For a projector: how to come in, who is here, what came of it. What stands on it, the API says."""
    lang = language_of(request)
    boot = {
        "lang": lang, "page": "class", "session": found.pk, "csrf": get_token(request), "door": _door(request, found),
        "entry": request.build_absolute_uri("/join"),
    }  # fmt: skip
    return study_response(request, "tv.html", lang, boot=boot, page="class")


def _receipts(request: HttpRequest, found: Session, lang: str) -> HttpResponse:
    rows = Member.objects.filter(session=found).exclude(ended=None).order_by("number")
    title = text_in(study_of(found).form.title, lang) or found.study.slug
    return study_response(request, "study_receipts.html", lang, session=found, rows=list(rows), title=title)
