"""The pages of a study for its members: the door, and the way through it. They work without scripts."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.core.instructions import instructions
from games.errors import sentences
from games.errors.requests import BadRequest
from games.models import NAME_MAX, Member, MemberState, Participant, Run, Session
from games.record import clock
from games.studies.answering import page_submit
from games.studies.form import Step
from games.studies.leading import next_match
from games.studies.loading import Study, scenario_of, silo_of
from games.studies.walking import Place, advance, member_join, member_seen, secret_of, study_of
from games.web.access import remember_seat
from games.web.studywords import words
from games.wire.firstboard import first_board

MINE: Final = "members"
"""Where a browser's session keeps ``{session: member}``, so that a door without a label leads back."""
LANGUAGES: Final = ("en", "zh")


def language_of(request: HttpRequest) -> str:
    asked = request.GET.get("lang") or request.POST.get("lang") or ""
    return asked if asked in LANGUAGES else "zh" if (get_language() or "en").startswith("zh") else "en"


def study_response(request: HttpRequest, template: str, lang: str, status: int = 200, **more: Any) -> HttpResponse:
    shown = render(request, template, {"lang": lang, "w": words(lang), **more}, status=status)
    shown.headers["Referrer-Policy"] = "same-origin"  # no other site learns the address; our own forms need it
    return shown


def nowhere(request: HttpRequest, message: str) -> HttpResponse:
    return study_response(request, "message.html", language_of(request), 404, title=message, message="")


def text_in(texts: Any, lang: str) -> str:
    return str((texts or {}).get(lang) or (texts or {}).get("en") or "")


# --- the door ---------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
def door(request: HttpRequest, code: str) -> HttpResponse:
    """Where a session's code leads. Only a press on the button makes somebody a member, no visit of a machine."""
    lang = language_of(request)
    session = Session.objects.select_related("study").filter(code=code.upper()).first()
    if session is None:
        return nowhere(request, sentences.sentence(lang, "no_such_code", "this address leads nowhere"))
    study = study_of(session)
    label = _label(request, study)
    known = Member.objects.filter(session=session, label=label).first() if label else None
    mine = (request.session.get(MINE) or {}).get(str(session.pk))
    if known is None and not label and mine:
        known = Member.objects.filter(session=session, pk=mine).first()
    if known is not None:
        return redirect("member", member=known.pk)
    rule = study.form.label
    refusal = ""
    if not session.is_open and "late" not in study.form.ends:
        refusal = "closed"
    elif rule.required and not label:
        refusal = "label_needed"
    elif rule.known is not None and label not in rule.known:
        refusal = "label_unknown"
    name = " ".join(request.POST.get("name", "").split())
    fault = name_fault(name, lang) if study.form.names and request.method == "POST" else ""
    if request.method == "GET" or refusal or fault:
        return study_response(
            request, "study_door.html", lang, 403 if refusal else 200, title=text_in(study.form.title, lang),
            refusal=refusal, minutes=study.form.minutes, names=study.form.names, name=name, name_most=NAME_MAX,
            fault=fault, in_ranking="in_ranking" in request.POST,
        )  # fmt: skip
    extra = {name: request.GET[name][:200] for name in rule.keep if name in request.GET}
    asks = study.form.names
    member = member_join(
        session, label=label, extra=extra, language=lang, name=name if asks else "",
        in_ranking=asks and "in_ranking" in request.POST,
    )  # fmt: skip
    request.session[MINE] = {**(request.session.get(MINE) or {}), str(session.pk): member.pk}
    return redirect("member", member=member.pk)


def name_fault(name: str, lang: str) -> str:
    """What is wrong with a name for the screen; "" where nothing is, or none was given."""
    if len(name) > NAME_MAX:
        return sentences.sentence(lang, "name_long", f"{len(name)} characters", {"n": len(name), "most": NAME_MAX})
    if any(not one.isprintable() for one in name):
        return sentences.sentence(lang, "name_unprintable", "what cannot be printed")
    return ""


@require_safe
@never_cache
def entry(request: HttpRequest) -> HttpResponse:
    """Where a code is typed that stands on a screen; it leads to a session's door, or to a match's."""
    lang = language_of(request)
    code = "".join(request.GET.get("code", "").upper().split())
    if Session.objects.filter(code=code).exists():
        return redirect("study_door", code=code)
    if code and Run.objects.filter(code=code).exists():
        return redirect("join", code=code)
    return study_response(request, "study_entry.html", lang, 404 if code else 200, code=code[:40], title="Polity")


def _label(request: HttpRequest, study: Study) -> str:
    for name in study.form.label.sources:
        if given := " ".join(request.GET.get(name, "").split()):
            return given[:120]
    return ""


# --- the member's way -------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
def member(request: HttpRequest, member: str) -> HttpResponse:
    """Where a member is now: a function of their row, so that a reload, another device or a restart show the same."""
    one = Member.objects.select_related("session", "session__study").filter(pk=member).first()
    if one is None:
        return nowhere(request, sentences.sentence(language_of(request), "no_such_code", "this address leads nowhere"))
    member_seen(one)
    if request.GET.get("lang") in LANGUAGES and request.GET["lang"] != one.language:
        Member.objects.filter(pk=one.pk).update(language=request.GET["lang"])
        return redirect("member", member=one.pk)
    faults: dict[str, str] = {}
    if request.method == "POST":
        faults = _posted(request, one)
        if not faults:
            return redirect("member", member=one.pk)
        one.refresh_from_db()
    study, lang = study_of(one.session), one.language
    if one.state == MemberState.WALKING:
        return _walking(request, one, study, lang, faults)
    if one.state == MemberState.WAITING:
        return _waiting(request, one, study, lang)
    if one.state == MemberState.PLAYING:
        seat = Participant.objects.filter(member=one, run__study_step=one.step, run__study_round=one.round).first()
        if seat is not None:
            remember_seat(request.session, seat, secret_of(one))
            if seat.run.status in ("finished", "stopped", "failed"):
                return study_response(request, "study_wait.html", lang, member=one, waits=False)
            return redirect("play", participant=seat.pk)
    end = study.form.ends.get(one.state)  # type: ignore[call-overload]
    told: dict[str, Any] = {
        "title": text_in(study.form.title, lang),
        "text": text_in(end.text, lang) if end else "",
        "code": end.code if end else "",
        "url": end.url if end else "",
    }
    return study_response(request, "study_end.html", lang, member=one, pay=one.pay, state=one.state, **told)


def _posted(request: HttpRequest, one: Member) -> dict[str, str]:
    at = Place.read(request.POST.get("at", ""))
    if at is None:
        return {}
    if request.POST.get("do") == "leave":
        advance(one, at, "left", end=MemberState.LEFT)
        return {}
    try:
        return page_submit(one, at, {name: str(value) for name, value in request.POST.items()})
    except BadRequest:
        return {}


def _walking(request: HttpRequest, one: Member, study: Study, lang: str, faults: dict[str, str]) -> HttpResponse:
    step = study.step(one.arm, one.step)
    left = (one.until - clock.now()).total_seconds() if one.until else None
    asked = asked_of(step, lang, request.POST, faults)
    return study_response(
        request, "study_page.html", lang, member=one, at=str(Place.of(one)), text=text_in(step.text, lang), asked=asked,
        agree=step.agree, needs_agreement="agree" in faults, rules=rules_told(study, one.arm, step, lang),
        left_s=None if left is None else max(1, int(left) + 1), title=text_in(study.form.title, lang),
        way=way_of(one, study),
    )  # fmt: skip


def way_of(one: Member, study: Study) -> list[str]:
    """A mark for each step of theirs: done, now or "". None while their arm is not drawn and arms differ in steps."""
    ways = {tuple(steps) for arm, steps in study.arms.items() if one.arm in ("", arm)}
    if len(ways) != 1 or one.step not in (steps := ways.pop()):
        return []
    here = steps.index(one.step)
    return ["done" if n < here else "now" if n == here else "" for n in range(len(steps))]


def asked_of(step: Step, lang: str, given: Any, faults: Any) -> list[dict[str, Any]]:
    """The questions of a page as they are drawn."""
    return [
        {
            "name": name,
            "title": text_in(question.title, lang),
            "kind": _kind(question),
            "choices": list(question.choices or _scale(question)),
            "minimum": question.minimum,
            "maximum": question.maximum,
            "required": question.required,
            "given": given.get(name, ""),
            "fault": faults.get(name, ""),
        }
        for name, question in step.ask.items()
    ]


def _kind(question: Any) -> str:
    if question.choices is not None:
        return "radio"
    if question.shown_as == "likert":
        return "likert"
    if question.shown_as in ("slider", "area"):
        return str(question.shown_as)
    return {"integer": "number", "number": "decimal", "boolean": "yesno"}.get(question.type, "text")


def _scale(question: Any) -> list[int]:
    return list(range(int(question.minimum), int(question.maximum) + 1)) if question.shown_as == "likert" else []


def rules_told(study: Study, arm: str, step: Step, lang: str) -> dict[str, Any] | None:
    """The instructions of the play step that a page names, for the first person's seat."""
    if step.rules is None:
        return None
    scenario = scenario_of(study.step(arm, step.rules))
    condition = scenario.conditions[0]
    seat = next(index for index, agent in enumerate(condition.seats) if agent.kind == "person")
    if scenario.pack.instructions is None:
        return None
    told = instructions(scenario.pack.game, scenario.pack.instructions, condition.config, seat, lang).plain()
    return {**told, "board": first_board(scenario.pack.game, condition.config, seat)}


def _waiting(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    same = Member.objects.filter(session=one.session, state=MemberState.WAITING, step=one.step)
    if study.step(one.arm, one.step).is_led:
        return _waiting_for_lead(request, one, study, lang)
    if one.silo is None:
        here = same.filter(silo=None, arm__in={one.arm, ""}).count()
        of = silo_of(study.step(one.arm, one.step))
    else:
        here = same.filter(silo=one.silo, round=one.round).count()
        of = Member.objects.filter(session=one.session, silo=one.silo, ended=None).count()
    left = (one.until - clock.now()).total_seconds() if one.until else None
    until = None if left is None else max(1, round(left / 60 + 0.49))
    is_blind = bool(study.step(one.arm, one.step).people.get("blind"))
    return study_response(
        request, "study_wait.html", lang, member=one, at=str(Place.of(one)), count=min(here, of), of=of, until_s=until,
        is_blind=is_blind, waits=True, way=way_of(one, study), title=text_in(study.form.title, lang),
    )  # fmt: skip


def _waiting_for_lead(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    """A class waits for its lead; whoever is not in the match that is played is told from which one they are."""
    coming = next_match(one.session, study)
    about = {"number": coming.number, "before": coming.number - 1, "of": coming.of} if coming else {}
    return study_response(
        request, "study_wait.html", lang, member=one, at=str(Place.of(one)), waits=True, led=True, last=coming is None,
        busy=coming is not None and coming.busy, way=way_of(one, study), title=text_in(study.form.title, lang), **about,
    )  # fmt: skip
