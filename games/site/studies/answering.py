"""What a member sends from a page: read by the page's own questions, refused by name, kept once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.answers import Note
from games.errors.requests import BadRequest
from games.errors.sentences import fault as sentence
from games.site.models import Member, MemberState
from games.site.studies.form import Question, Step
from games.site.studies.walking import Place, advance, study_of, tried_again

TEXT_MAX = 5_000
"""Characters of an answer in words."""
MOVED = ".moved"
"""After the name of a slider: yes where somebody has put it there; a slider stands somewhere before anybody has."""
LOOKED_MAX = 1e6


def page_submit(member: Member, at: Place, sent: Mapping[str, str]) -> dict[str, str]:
    """Go on from a page with its answers; what is wrong by question, empty where it was taken (or was before).

    A page on which somebody does not agree ends their walk. A wrong answer to a question that has one is a try.
    """
    if Place.of(member) != at:
        return {}
    step = study_of(member.session).step(member.arm, at.step)
    if step.is_play:
        raise BadRequest("wrong_status", "this step is played; there is nothing to send here", why="play")
    if step.agree and sent.get("agree") != "yes":
        if sent.get("agree") == "no":
            advance(member, at, "declined", end="declined")
            return {}
        return {"agree": "needed"}
    draft_keep(member, at, sent)
    answers, faults = answers_read(step, sent, member.language)
    if faults:
        return faults
    wrong = [name for name, one in step.ask.items() if is_right(one, answers.get(name)) is False]
    if not wrong:
        advance(member, at, "answered", answers)
    elif at.attempt + 1 < step.tries:
        tried_again(member, at, {**answers, "wrong": wrong})
        return dict.fromkeys(wrong, "wrong")
    else:
        end = "" if step.otherwise == "next" else step.otherwise
        advance(member, at, "failed", {**answers, "wrong": wrong}, end=end)
    return {}


def draft_keep(member: Member, at: Place, sent: Mapping[str, str]) -> None:
    """What is written on the page where somebody is, as its form has it, and how often they looked away."""
    if Place.of(member) != at or member.state != MemberState.WALKING:
        return
    step = study_of(member.session).step(member.arm, at.step)
    fields = {part: sent[part][:TEXT_MAX] for name in step.ask for part in (name, f"{name}{MOVED}") if part in sent}
    before = member.draft if member.draft.get("at") == str(at) else {}
    looked = {key: max(_count(sent.get(f"looked.{key}", "")), before.get(key, 0)) for key in ("n", "s")}
    member.draft = {"at": str(at), "sent": {**before.get("sent", {}), **fields}, **looked}
    Member.objects.filter(pk=member.pk, step=at.step, round=at.round, attempt=at.attempt).update(draft=member.draft)


def written_on(member: Member) -> dict[str, str]:
    """What was written on the page where somebody is, by field, of which their browser told."""
    return dict(member.draft["sent"]) if member.draft.get("at") == str(Place.of(member)) else {}


def _count(text: str) -> float:
    try:
        return min(max(0.0, float(text)), LOOKED_MAX) if len(text) < 20 else 0.0
    except ValueError:
        return 0.0


def page_timed_out(member: Member) -> bool:
    """The time of a page is over: it goes on, with what was written on it and can be read."""
    at = Place.of(member)
    answers, _ = answers_read(study_of(member.session).step(member.arm, at.step), written_on(member))
    return advance(member, at, "timed_out", answers)


def is_right(question: Question, value: Any) -> bool | None:
    """Whether an answer is the file's; None where it has none."""
    return None if question.answer is None else bool(value == question.answer)


def answers_read(step: Step, sent: Mapping[str, str], language: str = "en") -> tuple[dict[str, Any], dict[str, str]]:
    """Answers by question as values of their kinds, and what is wrong with the others."""
    answers: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, question in step.ask.items():
        is_set = question.shown_as != "slider" or sent.get(f"{name}{MOVED}") == "yes"
        raw = sent.get(name, "").strip() if is_set else ""
        if not raw:
            if question.required:
                faults[name] = "needed"
            continue
        try:
            value = _value(question, raw)
        except ValueError:
            faults[name] = sentence(Note(KINDS[question.type], {"value": raw[:40]}), language)
            continue
        if note := question.fault(value):
            faults[name] = sentence(note, language)
        else:
            answers[name] = value
    return answers, faults


KINDS = {"integer": "whole_number", "number": "number", "boolean": "true_or_false", "string": "text"}


def _value(question: Question, raw: str) -> str | int | float | bool:
    if question.choices is not None:
        return next((one for one in question.values if str(one) == raw), raw)
    match question.type:
        case "integer":
            return int(raw)
        case "number":
            number = float(raw)
            if number != number or abs(number) == float("inf"):
                raise ValueError(raw)
            return number
        case "boolean":
            return {"yes": True, "no": False}[raw] if raw in ("yes", "no") else _no(raw)
        case _:
            return raw[:TEXT_MAX]


def _no(raw: str) -> bool:
    raise ValueError(raw)
