"""The questions of a page as they are drawn: in a member's own order, with what they wrote and what is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.site.models import Member
from games.site.studies.conditions import holds, test_plain
from games.site.studies.facts import order_of, shuffled, text_for
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.questions import MOVED, SIDES, Question, text_of, value_of
from games.site.studies.values import fields_of, offer_text
from games.site.web.studyshown import text_in
from games.site.web.waywords import say


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked, what is known of them, what stands in the fields, what is wrong, and what was right at a try."""

    member: Member | None = None
    study: Study | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    right: frozenset[str] = frozenset()

    def text(self, texts: Any, lang: str) -> str:
        told = text_in(texts, lang)
        return text_for(told, self.facts, self.study, self.member.arm, lang) if self.member and self.study else told

    def order(self, items: Sequence[Any], question: Question, what: str) -> list[Any]:
        return shuffled(self.member, items, what) if self.member and question.shuffle else list(items)


def asked_of(step: Step, lang: str, asking: Asking) -> list[dict[str, Any]]:
    """The questions that are asked here. One that hangs on another of the same page is there, and hidden by a script
    while it is not asked.
    """
    member, found = asking.member, []
    for name in order_of(member, member.step, step) if member else step.ask:
        question = step.ask[name]
        before = {one: test for one, test in (question.when or {}).items() if one not in step.ask}
        here = {one: test_plain(test) for one, test in (question.when or {}).items() if one in step.ask}
        if member is None or holds(before, asking.facts):
            found.append(_asked(name, question, lang, asking, here))
    return found


def _asked(name: str, question: Question, lang: str, asking: Asking, here: Mapping[str, Any]) -> dict[str, Any]:
    given, shape = asking.given, question.shape
    is_set = shape != "slider" or given.get(f"{name}{MOVED}")
    choices = asking.order(_choices(question, lang), question, f"{name}/choices")
    return {
        "name": name,
        "title": asking.text(question.title, lang),
        "kind": shape,
        "choices": choices,
        "said": dict(choices).get(given.get(name), given.get(name)),
        "minimum": question.minimum,
        "maximum": question.maximum,
        "low": asking.text(question.low, lang),
        "high": asking.text(question.high, lang),
        "notch": "1" if question.type == "integer" else "any",
        "required": question.required,
        "given": given.get(name, "") if is_set else "",
        "fault": asking.faults.get(name, ""),
        "right": name in asking.right,
        "why": asking.text(question.why, lang),
        "picture": question.picture or "",
        "parts": asking.order(_parts(name, question, given, lang), question, f"{name}/parts"),
        "total": f"{question.total:g}" if question.total is not None else "",
        "lead": _lead(question, lang),
        "here": json.dumps(here, ensure_ascii=False) if here else "",
    }


def _lead(question: Question, lang: str) -> str:
    """What is said under a question on how it is answered."""
    match question.shape:
        case "several":
            return say(lang, "several_lead")
        case "ranking":
            return say(lang, "ranking_lead")
        case "allocation":
            return say(lang, "sum_lead", total=f"{question.total:g}")
    return ""


def _choices(question: Question, lang: str) -> list[tuple[str, str]]:
    """What may be chosen, as it is sent and as it is read."""
    match question.shape:
        case "ranking":
            return [(part, part) for part in question.parts]
        case "radio" | "select":
            return [(str(value_of(one)), text_of(one, lang)) for one in question.choices or ()]
        case "matrix" if question.choices is not None:
            return [(str(value_of(one)), text_of(one, lang)) for one in question.choices]
        case "likert" | "matrix":
            return [(str(one), str(one)) for one in question.scale]
        case _:
            return []


def _parts(name: str, question: Question, given: Mapping[str, Any], lang: str) -> list[dict[str, Any]]:
    """The parts of a question: the name of each one's field, what stands in it, what it says."""
    found = []
    for part, told in question.parts.items():
        at = f"{name}.{part}"
        text = told if question.shape == "prices" else text_of(told, lang)
        sides = [(one, offer_text(getattr(told, one), lang)) for one in SIDES] if question.shape == "prices" else []
        found.append(
            {
                "part": part, "name": at, "given": given.get(at, ""), "text": "" if sides else text, "sides": sides,
                "value": "" if sides else value_of(told),
            }
        )  # fmt: skip
    return found


def written(step: Step, answers: Mapping[str, Any]) -> dict[str, str]:
    """Answers as a form holds them."""
    found: dict[str, str] = {}
    for name, value in answers.items():
        if name in step.ask:
            found |= fields_of(step.ask[name], name, value)
    return found
