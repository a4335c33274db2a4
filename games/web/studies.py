"""The pages of a study for its members: the door, and the way through it. They work without scripts."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import sentences
from games.errors.requests import BadRequest
from games.models import ENDED, NAME_MAX, Member, MemberState, Participant, Run, Session, Visit
from games.record import clock
from games.studies.answering import page_submit
from games.studies.form import Step
from games.studies.gathering import queue_of
from games.studies.leading import next_match
from games.studies.loading import Study, silo_of
from games.studies.walking import Place, advance, member_join, member_seen, secret_of, study_of
from games.web import waywords
from games.web.access import remember_seat
from games.web.studypay import ALL, lines_of, paid_at
from games.web.studyterms import lasting, terms_told
from games.web.studyway import is_check, looked_up, parts_of, rules_kept, way_of
from games.web.studywords import words
from games.web.waywords import say

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
        _speak(one, request.GET["lang"])
        return redirect("member", member=one.pk)
    faults: dict[str, str] = {}
    if request.method == "POST":
        spoken = request.POST.get("do", "").removeprefix("speak-")
        if spoken in LANGUAGES and one.state == MemberState.WALKING:
            _speak(one, spoken)  # and the page once more, with what was written on it
        else:
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
                return way_response(request, "study_wait.html", one, study, lang, waits=False)
            return redirect("play", participant=seat.pk)
    return _ended(request, one, study, lang)


def way_response(
    request: HttpRequest, template: str, one: Member, study: Study, lang: str, **more: Any
) -> HttpResponse:
    """A page of the way: what it shows, the steps, and which of them this is."""
    way = way_of(one)
    return study_response(
        request, template, lang, member=one, at=str(Place.of(one)), title=text_in(study.form.title, lang),
        s=waywords.words(lang), way=way, number=say(lang, "number", n=one.number + 1),
        minutes=say(lang, "minutes", n=f"{study.form.minutes:g}") if study.form.minutes else "", **more,
    )  # fmt: skip


def _speak(one: Member, lang: str) -> None:
    Member.objects.filter(pk=one.pk).update(language=lang)
    one.language = lang


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
    source = looked_up(study, one.arm, one.step)
    told = rules_kept(one.session.study_id, one.arm, source, lang) if source else None
    given: Any = request.POST
    tried = _tried(one)
    if tried and not request.POST:
        given, faults = _written(tried), dict.fromkeys(tried["wrong"], "wrong")
    wrong = set(tried["wrong"]) if tried else set()
    right = {name for name, asked in step.ask.items() if tried and asked.answer is not None and name not in wrong}
    return way_response(
        request, "study_page.html", one, study, lang, text=text_in(step.text, lang),
        asked=asked_of(step, lang, given, faults, right), heading=_heading(step, study, faults, lang), agree=step.agree,
        needs_agreement="agree" in faults, rules=told, parts=parts_of(told), is_check=is_check(step),
        is_look=step.rules is None and told is not None,
        facts=terms_told(study, one.arm, told["play"], told, lang) if told else [],
        tries=_tries(step, study, Place.of(one).attempt, lang),
        left_s=None if left is None else max(1, int(left) + 1),
    )  # fmt: skip


def _tried(one: Member) -> dict[str, Any] | None:
    """What was answered at the last try of the page that stands; None at the first."""
    if not one.attempt:
        return None
    visit = Visit.objects.filter(member=one, step=one.step, round=one.round, attempt=one.attempt - 1, why="wrong")
    found = visit.values_list("data", flat=True).last()
    return found if found and "wrong" in found else None


def _written(answers: dict[str, Any]) -> dict[str, str]:
    """Answers as a form holds them."""
    plain = {True: "yes", False: "no"}
    return {name: plain[value] if isinstance(value, bool) else str(value) for name, value in answers.items()}


def _heading(step: Step, study: Study, faults: dict[str, str], lang: str) -> dict[str, str]:
    """The title of a page and the line under it."""
    if not step.ask:
        name = "ready" if step.rules is not None else ""
        title = say(lang, name) if name else text_in(study.form.title, lang)
        return {"title": title, "lead": say(lang, "ready_lead") if name else ""}
    count = len(step.ask)
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


def asked_of(
    step: Step, lang: str, given: Any, faults: Any, right: frozenset[str] | set[str] = frozenset()
) -> list[dict[str, Any]]:
    """The questions of a page as they are drawn; ``right``: those that were answered rightly at an earlier try."""
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
            "right": name in right,
            "why": text_in(question.why, lang),
            "picture": question.picture or "",
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


# --- waiting ----------------------------------------------------------------------------------------


def _waiting(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    step = study.step(one.arm, one.step)
    if step.is_led:
        return _waiting_for_lead(request, one, study, lang)
    is_blind = bool(step.people.get("blind"))
    before = None
    if one.silo is None:
        queue, of = queue_of(one), silo_of(step)
        if one.pk not in queue:  # their group was made after they were read
            return redirect("member", member=one.pk)
        place = queue.index(one.pk) // of
        here = min(of, len(queue) - place * of)
        before = place > 0
    else:
        same = Member.objects.filter(session=one.session, state=MemberState.WAITING, step=one.step, silo=one.silo)
        here = same.filter(round=one.round).count()
        of = Member.objects.filter(session=one.session, silo=one.silo, ended=None).count()
    missing = max(0, of - here)
    name = "wait_group" if is_blind else ("wait_now", "wait_one")[missing] if missing < 2 else "wait_more"
    squares = ["you", *["present"] * (here - 1), *["open"] * missing]
    return way_response(
        request, "study_wait.html", one, study, lang, waits=True, is_blind=is_blind, here=here, group_of=of,
        heading=say(lang, name, n=missing), lead=say(lang, "wait_blind") if is_blind else say(lang, "wait_lead", of=of),
        squares=[] if is_blind else squares, before=["present"] * of if before and not is_blind else [],
        count=say(lang, "n_of", n=here, of=of), before_count=say(lang, "starts_now", n=of, of=of),
        facts=_waited(one, step, study, is_blind, lang),
    )  # fmt: skip


def _waiting_for_lead(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    """A class waits for its lead; whoever is not in the match that is played is told from which one they are."""
    coming = next_match(one.session, study)
    name = "led_last" if coming is None else "led_busy" if coming.busy else "led"
    about = {} if coming is None else {"n": coming.number, "before": coming.number - 1, "of": coming.of}
    since = _minutes((clock.now() - one.since).total_seconds())
    return way_response(
        request, "study_wait.html", one, study, lang, waits=True, heading=say(lang, name, **about),
        lead=say(lang, "led_lead"), facts=[(say(lang, "wait_since"), since)],
    )  # fmt: skip


def _waited(one: Member, step: Step, study: Study, is_blind: bool, lang: str) -> list[tuple[str, str]]:
    """Since when somebody waits, who may still come, and what happens when the wait is over."""
    since = _minutes((clock.now() - one.since).total_seconds())
    if one.until is None:
        return [(say(lang, "wait_since"), since)]
    most = _minutes(step.gather.wait_s)
    rows = [(say(lang, "wait_since"), say(lang, "since_most", since=since, most=most))]
    ahead = study.names()[: study.names().index(one.step)]
    coming = Member.objects.filter(
        session=one.session, state=MemberState.WALKING, step__in=ahead, arm__in={one.arm, ""}
    ).count()
    if coming and not is_blind:
        rows.append((say(lang, "on_the_way"), say(lang, "person" if coming == 1 else "people", n=coming)))
    if step.gather.otherwise == "fill":
        then = say(lang, "then_fill")
    else:
        paid = paid_at(study, "unmatched")
        then = say(lang, "then_unmatched_paid", amount=paid) if paid and paid != ALL else say(lang, "then_unmatched")
    return [*rows, (say(lang, "after", time=lasting(step.gather.wait_s, lang)), then)]


def _minutes(seconds: float) -> str:
    """Minutes and seconds: 1:05."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


# --- the end ----------------------------------------------------------------------------------------


def _ended(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    end = study.form.ends.get(one.state)  # type: ignore[call-overload]
    lines, total = lines_of(one, study, lang)
    if one.state == MemberState.DONE:
        heading = say(lang, "thanks_earned", amount=total) if lines else say(lang, "thanks")
    else:
        heading = say(lang, "no_group" if one.state == MemberState.UNMATCHED else "ends_here")
    told = text_in(end.text, lang) if end else ""
    code, url = (end.code, end.url) if end else (None, None)
    return way_response(
        request, "study_end.html", one, study, lang, heading=heading, text=told or say(lang, f"said_{one.state}"),
        lines=lines, total=total, code=code or "", url=url or "", matches=_own_matches(one),
    )  # fmt: skip


def _own_matches(one: Member) -> list[str]:
    """The matches that a member sat in, where anybody may see them."""
    if not one.session.is_public:
        return []
    return list(
        Participant.objects.filter(member=one, run__status__in=ENDED)
        .order_by("joined")
        .values_list("run_id", flat=True)
    )
