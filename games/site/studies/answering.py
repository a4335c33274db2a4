"""What a member sends from a page: read by the page's own questions, refused by name, kept once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.errors.requests import BadRequest
from games.errors.sentences import fault as sentence
from games.site.models import Member, MemberState
from games.site.studies.conditions import Facts, holds
from games.site.studies.facts import answered, facts_of
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.plugging import scored
from games.site.studies.questions import TEXT_MAX
from games.site.studies.values import answer_read
from games.site.studies.walking import Place, advance, study_of, tried_again

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
    study = study_of(member.session)
    answers, faults = answers_read(step, sent, member.language, facts_of(member, study))
    if faults:
        return faults
    missed = [name for name in answers if step.ask[name].is_right(answers[name]) is False]
    wrong = [name for name in missed if not step.ask[name].attention]
    inattentive = study.form.attention if len(missed) > len(wrong) else None
    if inattentive and inattentive.failed <= failed_checks(member, study) + len(missed) - len(wrong):
        advance(member, at, "inattentive", scored(step, answers), end=inattentive.then)
    elif not wrong:
        advance(member, at, "answered", scored(step, answers))
    elif at.attempt + 1 < step.tries:
        tried_again(member, at, {**answers, "wrong": wrong})
        return dict.fromkeys(wrong, "wrong")
    else:
        end = "" if step.otherwise == "next" else step.otherwise
        advance(member, at, "failed", {**scored(step, answers), "wrong": wrong}, end=end)
    return {}


def draft_keep(member: Member, at: Place, sent: Mapping[str, str]) -> None:
    """What is written on the page where somebody is, as its form has it, and how often they looked away."""
    if Place.of(member) != at or member.state != MemberState.WALKING:
        return
    step = study_of(member.session).step(member.arm, at.step)
    asked = tuple(f"{name}." for name in step.ask)
    fields = {name: text[:TEXT_MAX] for name, text in sent.items() if name in step.ask or name.startswith(asked)}
    before = member.draft if member.draft.get("at") == str(at) else {}
    looked = {key: max(_count(sent.get(f"looked.{key}", "")), before.get(key, 0)) for key in ("n", "s")}
    # A page sends all its fields at once: a box that is no longer ticked is none of them.
    member.draft = {"at": str(at), "sent": fields or before.get("sent", {}), **looked}
    Member.objects.filter(pk=member.pk, step=at.step, round=at.round, attempt=at.attempt).update(draft=member.draft)


def written_on(member: Member) -> dict[str, str]:
    """What was written on the page where somebody is, by field, of which their browser told."""
    return dict(member.draft["sent"]) if member.draft.get("at") == str(Place.of(member)) else {}


def failed_checks(member: Member, study: Study) -> int:
    """How many checks of attention a member has failed by now, the last answer of each."""
    return sum(
        one.is_right(given.get(name)) is False
        for step, given in answered(member).items()
        for name, one in study.step(member.arm, step).ask.items()
        if one.attention and name in given
    )


def _count(text: str) -> float:
    try:
        return min(max(0.0, float(text)), LOOKED_MAX) if len(text) < 20 else 0.0
    except ValueError:
        return 0.0


def page_timed_out(member: Member) -> bool:
    """The time of a page is over: it goes on, with what was written on it and can be read."""
    at = Place.of(member)
    study = study_of(member.session)
    step = study.step(member.arm, at.step)
    answers, _ = answers_read(step, written_on(member), facts=facts_of(member, study))
    return advance(member, at, "timed_out", scored(step, answers))


def answers_read(
    step: Step, sent: Mapping[str, str], language: str = "en", facts: Facts | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Answers by question as values of their kinds, and what is wrong with the others.

    ``facts``: what was answered on earlier pages. Nothing is read of a question whose conditions do not hold.
    """
    answers: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for name, question in step.ask.items():
        if not holds(question.when, {**(facts or {}), **answers}):
            continue
        value, fault = answer_read(question, name, sent)
        if fault is not None:
            faults[name] = fault if isinstance(fault, str) else sentence(fault, language)
        elif value is not None:
            answers[name] = value
    return answers, faults
