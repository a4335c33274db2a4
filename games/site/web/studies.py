"""The pages of a study for its members: the door, and the way through it. They work without scripts."""

from __future__ import annotations

import json
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.errors import sentences
from games.errors.requests import BadRequest
from games.site.models import NAME_MAX, Member, MemberState, Participant, Run, Session, Visit
from games.site.models.identity import opaque_id
from games.site.people.invites import code_typed
from games.site.record import clock
from games.site.studies.answering import draft_keep, page_submit, written_on
from games.site.studies.erasing import erasure_ask, member_withdraw
from games.site.studies.facts import facts_of, text_for
from games.site.studies.form import Step
from games.site.studies.knocking import is_signed
from games.site.studies.loading import Study
from games.site.studies.walking import Place, advance, member_join, member_seen, secret_of, study_of
from games.site.web import waywords
from games.site.web.access import remember_seat
from games.site.web.boards import address_of_step
from games.site.web.studyasked import Asking, asked_of, written
from games.site.web.studyend import end_page, unpaid_play
from games.site.web.studyknock import held_in, remember_member, second_browser
from games.site.web.studypay import ALL, paid_at
from games.site.web.studyshown import (
    LANGUAGES,
    language_of,
    minutes_of,
    nowhere,
    study_response,
    text_in,
    way_response,
)
from games.site.web.studyterms import pay_told, terms_told
from games.site.web.studywait import waiting_page
from games.site.web.studyway import is_check, looked_up, parts_of, rules_told
from games.site.web.waywords import say

# --- the door ---------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
def door(request: HttpRequest, code: str) -> HttpResponse:
    """Where a session's code leads. Only a press on the button makes somebody a member, no visit of a machine, and a
    label leads to its member those alone who hold that place (`games.site.studies.knocking`).
    """
    lang = language_of(request)
    session = Session.objects.select_related("study").filter(code=code_typed(code)).first()
    if session is None:
        return nowhere(request, sentences.sentence(lang, "no_such_code", "this address leads nowhere"))
    study = study_of(session)
    label = _label(request, study)
    mine = held_in(request.session, session)
    known = Member.objects.filter(session=session, **({"label": label} if label else {"pk": mine or "-"})).first()
    rule = study.form.label
    signed = rule.signed is not None and is_signed(label, request.GET.get(rule.signed, ""))
    if known is not None and (signed or known.pk == mine):
        remember_member(request.session, known)
        return redirect("member", member=known.pk)
    refusal = ""
    if rule.signed is not None and not signed:
        refusal = "label_unsigned"
    elif known is not None:
        return second_browser(request, known, study, lang)
    elif not session.is_open and "late" not in study.form.ends:
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
            refusal=refusal, minutes=study.form.minutes, pay=pay_told(study, lang), names=study.form.names,
            name=name, name_most=NAME_MAX, fault=fault, in_ranking="in_ranking" in request.POST,
            ticket=signing.dumps(opaque_id(), salt=_salt(session)),
        )  # fmt: skip
    extra = {name: request.GET[name][:200] for name in rule.keep if name in request.GET}
    asks, ticket = study.form.names, _ticket(request, session) or opaque_id()
    member = member_join(
        session, label=label, extra=extra, language=lang, name=name if asks else "",
        in_ranking=asks and "in_ranking" in request.POST, pk=ticket,
    )  # fmt: skip
    if member.pk != ticket:  # another browser came with this label a moment ago
        return second_browser(request, member, study, lang)
    remember_member(request.session, member)
    return redirect("member", member=member.pk)


def _salt(session: Session) -> str:
    return f"polity.door/{session.pk}"


def _ticket(request: HttpRequest, session: Session) -> str:
    """Who presses the button of one page twice is one member: the id that the page was given; "" where it has none."""
    try:
        return str(signing.loads(request.POST.get("ticket", ""), salt=_salt(session)))
    except signing.BadSignature:
        return ""


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
    code = code_typed(request.GET.get("code", ""))
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
    if not held_in(request.session, one.session):
        remember_member(request.session, one)  # whoever has this address comes back by the door too
    if request.GET.get("lang") in LANGUAGES and request.GET["lang"] != one.language:
        _speak(one, request.GET["lang"])
        return redirect("member", member=one.pk)
    faults: dict[str, str] = {}
    if request.method == "POST":
        spoken = request.POST.get("do", "").removeprefix("speak-")
        if spoken in LANGUAGES and one.state == MemberState.WALKING:
            _speak(one, spoken)  # and the page once more, with what was written on it
        else:
            faults = _posted(request, one)
            if not faults and request.POST.get("do") != "play_unpaid":
                return redirect("member", member=one.pk)
        one.refresh_from_db()
    study, lang = study_of(one.session), one.language
    if one.state == MemberState.WALKING:
        return _walking(request, one, study, lang, faults)
    if one.state == MemberState.WAITING:
        return waiting_page(request, one, study, lang)
    if one.state == MemberState.PLAYING:
        seat = Participant.objects.filter(member=one, run__study_step=one.step, run__study_round=one.round).first()
        if seat is not None:
            remember_seat(request.session, seat, secret_of(one))
            if seat.run.status in ("finished", "stopped", "failed"):
                return way_response(request, "study_wait.html", one, study, lang, waits=False)
            return redirect("play", participant=seat.pk)
    if request.method == "POST" and request.POST.get("do") == "play_unpaid":
        return unpaid_play(request, one, study, lang)
    return end_page(request, one, study, lang)


@require_POST
@never_cache
def sign(request: HttpRequest, member: str) -> HttpResponse:
    """A sign of life of a page that is read, with what is written on it by now and how often they looked away."""
    one = Member.objects.select_related("session").filter(pk=member).first()
    if one is None:
        return HttpResponse(status=404)
    member_seen(one)
    if (at := Place.read(request.POST.get("at", ""))) is not None:
        draft_keep(one, at, {name: str(value) for name, value in request.POST.items()})
    return HttpResponse(status=204)


def _speak(one: Member, lang: str) -> None:
    Member.objects.filter(pk=one.pk).update(language=lang)
    one.language = lang


def _posted(request: HttpRequest, one: Member) -> dict[str, str]:
    if (do := request.POST.get("do")) in ("withdraw", "erase"):
        if request.POST.get("sure") != "yes":
            return {"withdraw": "needed"}
        if do == "erase":
            erasure_ask(one, who=f"member {one.number}")
        else:
            member_withdraw(one)
        return {}
    at = Place.read(request.POST.get("at", ""))
    if at is None:
        return {}
    if do == "leave":
        advance(one, at, "left", end=MemberState.LEFT)
        return {}
    try:
        return page_submit(one, at, {name: str(value) for name, value in request.POST.items()})
    except BadRequest:
        return {}


def _walking(request: HttpRequest, one: Member, study: Study, lang: str, faults: dict[str, str]) -> HttpResponse:
    step = study.step(one.arm, one.step)
    given: Any = request.POST
    tried = _tried(one)
    if tried and not request.POST:
        given, faults = written(step, tried), dict.fromkeys(tried["wrong"], "wrong")
    elif not request.POST:
        given = written_on(one)
    wrong = set(tried["wrong"]) if tried else set()
    right = {
        name for name, asked in step.ask.items()
        if tried and asked.answer is not None and not asked.attention and name not in wrong
    }  # fmt: skip
    facts = facts_of(one, study)
    asked = asked_of(step, lang, Asking(one, study, facts, given, faults, frozenset(right)))
    text = text_for(text_in(step.text, lang), facts, study, one.arm, lang)
    left = max(1, int((one.until - clock.now()).total_seconds()) + 1) if one.until else None
    return page_shown(request, one, study, lang, asked, text, faults, left)


def page_shown(
    request: HttpRequest, one: Member, study: Study, lang: str, asked: list[dict[str, Any]], text: str,
    faults: dict[str, str], left: int | None, **more: Any,
) -> HttpResponse:  # fmt: skip
    """A page with its text and questions as they stand now; of a match, its instructions."""
    step = study.step(one.arm, one.step)
    source = one.step if step.is_play else looked_up(study, one.arm, one.step)
    told = rules_told(study, one.arm, source, lang) if source else None
    return way_response(
        request, "study_page.html", one, study, lang, text=text, asked=asked,
        heading=_heading(step, study, len(asked), faults, lang), agree=step.agree,
        needs_agreement="agree" in faults, rules=told, parts=parts_of(told), is_check=is_check(step),
        module=address_of_step(step.plug) if step.plug else "", settings=json.dumps(step.given), faults=faults,
        is_look=source not in (None, one.step) and told is not None,
        facts=terms_told(study, one.arm, told["play"], told, lang) if told else [],
        tries=_tries(step, study, one.attempt, lang), left_s=left, left_text=minutes_of(left or 0), **more,
    )  # fmt: skip


def _tried(one: Member) -> dict[str, Any] | None:
    """What was answered at the last try of the page that stands; None at the first."""
    if not one.attempt:
        return None
    visit = Visit.objects.filter(member=one, step=one.step, round=one.round, attempt=one.attempt - 1, why="wrong")
    found = visit.values_list("data", flat=True).last()
    return found if found and "wrong" in found else None


def _heading(step: Step, study: Study, count: int, faults: dict[str, str], lang: str) -> dict[str, str]:
    """The title of a page and the line under it."""
    if not count:
        name = "ready" if step.rules is not None else ""
        title = say(lang, name) if name else text_in(study.form.title, lang)
        return {"title": title, "lead": say(lang, "ready_lead") if name else ""}
    if count == 1:
        title = say(lang, "question")
    else:
        title = say(lang, "many_questions", number=waywords.number(lang, count))
    wrong = sum(why == "wrong" for why in faults.values())
    lead = "" if is_check(step) else say(lang, "your_answers")
    if wrong:
        lead = say(lang, "one_wrong" if wrong == 1 else "some_wrong", n=wrong)
    elif faults:
        lead = say(lang, "faulty")
    return {"title": title, "lead": lead}


def _tries(step: Step, study: Study, attempt: int, lang: str) -> str:
    """How often one may still answer, and what happens then; "" where nothing can be wrong."""
    if not is_check(step):
        return ""
    left = max(1, step.tries - attempt)
    lines = [say(lang, "try_left" if left == 1 else "tries_left" if attempt else "tries", n=left)]
    if step.otherwise == "next":
        lines.append(say(lang, "then_next"))
    else:
        paid = paid_at(study, step.otherwise)
        lines.append(say(lang, "then_end_paid", amount=paid) if paid and paid != ALL else say(lang, "then_end"))
    return ("" if lang == "zh" else " ").join(lines)
