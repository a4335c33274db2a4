"""The names that a study's conditions and texts call, and those that its steps make known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.core.answers import Note
from games.errors.faults import Fault, no_such, shown
from games.errors.sentences import said
from games.site.studies.conditions import OWN, RESULTS, Bounds, Test, piped
from games.site.studies.form import Step, StudyForm
from games.site.studies.questions import Question, Texts

KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,),
}  # fmt: skip


def names_called(form: StudyForm) -> set[str]:
    """Every name that a condition or a text of the study calls."""
    called: set[str] = set()
    for step in form.steps.values():
        called |= set(step.when or ()) | _piped(step.text)
        for one in step.ask.values():
            called |= set(one.when or ()) | _piped(one.title) | _piped(one.why)
    return called.union(*(_piped(one.text) for one in form.ends.values()))


def _piped(texts: Texts | None) -> set[str]:
    return {name for text in (texts or {}).values() for name in piped(text)}


def call_faults(form: StudyForm, steps: Mapping[str, Step], source: str) -> Iterator[Fault]:
    """Of one arm: names that nothing before them makes known, and conditions that can never hold."""
    made: dict[str, Question | None] = dict.fromkeys(OWN)
    for name, step in steps.items():
        at = f"steps.{name}"
        yield from _unknown(f"{at}.text", _piped(step.text), made, source)
        yield from _tests(f"{at}.if", step.when or {}, made, source)
        here: dict[str, Question | None] = {}
        for asked, one in step.ask.items():
            place = f"{at}.ask.{asked}"
            yield from _unknown(f"{place}.title", _piped(one.title), made, source)
            yield from _unknown(f"{place}.why", _piped(one.why), made, source)
            yield from _tests(f"{place}.if", one.when or {}, made | here, source)
            if step.shuffle and not here.keys().isdisjoint(one.when or ()):
                yield Fault.of(source, f"{place}.if", said("study_if_shuffled"))
            here[asked] = one
        made |= _made(step, name)
    for end, ending in form.ends.items():
        yield from _unknown(f"ends.{end}.text", _piped(ending.text), made, source)


def _made(step: Step, name: str) -> dict[str, Question | None]:
    """What whoever has been through a step can be asked by."""
    made: dict[str, Question | None] = {f"{name}.{one}": None for one in RESULTS} if step.is_play else {}
    made |= dict.fromkeys(f"{name}.{one}" for one in step.stores)
    for asked, one in step.ask.items():
        parts = one.values if one.shape in ("several", "ranking") else one.parts
        made |= {f"{name}.{asked}": one, **{f"{name}.{asked}.{part}": None for part in parts}}
    return made


def _unknown(place: str, called: set[str], made: Mapping[str, Question | None], source: str) -> Iterator[Fault]:
    for name in sorted(called - made.keys()):
        yield Fault.of(source, place, no_such(name, list(made)))


def _tests(place: str, when: Mapping[str, Test], made: Mapping[str, Question | None], source: str) -> Iterator[Fault]:
    yield from _unknown(place, set(when), made, source)
    for name, test in when.items():
        question = made.get(name)
        if question is None or isinstance(test, Bounds):
            continue
        for value in test if isinstance(test, tuple) else (test,):
            if note := _never(question, value):
                yield Fault.of(source, f"{place}.{name}", note)


def _never(question: Question, value: object) -> Note | None:
    """Why no answer of a question is that value; None where one can be."""
    if question.choices is None and question.shape not in ("matrix", "allocation", "prices"):
        is_kind = isinstance(value, KINDS[question.type]) and isinstance(value, bool) == (question.type == "boolean")
        if not is_kind:
            return said("study_answer_kind", value=shown(value), type=question.type)
    return question.fault(value)
