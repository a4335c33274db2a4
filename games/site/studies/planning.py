"""The plan of a study: which steps come in each arm, which of them show what is the arm's own, where arms are drawn.

Nobody who has no arm yet may be shown what differs between arms: every step before the assignment is the same in all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.core.instructions import instructions
from games.errors.faults import Fault
from games.errors.sentences import said
from games.lab.wire.firstboard import first_board
from games.site.studies.form import Step, StudyForm
from games.site.studies.naming import call_faults
from games.site.studies.playing import scenario_of, silo_of

Arms = Mapping[str, Mapping[str, Step]]
FILE_NAME: Final = re.compile(r"[\w./ -]{1,120}\.(md|markdown|txt|html?)")


@dataclass(frozen=True, slots=True)
class Stop:
    """A step of an arm. ``drawn`` whether the arm is drawn by then; ``shows`` the play whose instructions it shows."""

    name: str
    step: Step
    drawn: bool
    shows: str


def plan_of(form: StudyForm, arms: Arms, arm: str, at: str) -> list[Stop]:
    """The way through one arm, in order."""
    names = list(form.steps)
    return [
        Stop(name, step, names.index(name) >= names.index(at), step.rules or "") for name, step in arms[arm].items()
    ]


def assigned_at(form: StudyForm, arms: Arms) -> str:
    """Where arms are drawn: the file's, else the first step that is not the same in all arms, else the first play that
    is paid, else the first step.
    """
    plays = [name for name, step in form.steps.items() if step.is_play]
    paid = [name for name in plays if not form.steps[name].practice]
    apart = (name for name in form.steps if differs(arms, name)) if len(arms) > 1 else iter(())
    return form.assign.at or next(apart, "") or next(iter([*paid, *plays, *form.steps]))


def differs(arms: Arms, name: str) -> bool:
    """Whether a step is not the same for members of all arms, by itself or by the instructions that it shows."""
    steps = [steps.get(name) for steps in arms.values()]
    first = steps[0]
    if first is None or any(step != first for step in steps):
        return True
    if first.rules is None:
        return False
    told = [_told(steps[first.rules]) if first.rules in steps else None for steps in arms.values()]
    return any(one != told[0] for one in told)


def _told(step: Step) -> Any:
    """All that instructions say of a play step: rules, board, clock, how often and with whom it is played."""
    scenario = scenario_of(step)
    condition, teller = scenario.conditions[0], scenario.pack.instructions
    seat = next((index for index, agent in enumerate(condition.seats) if agent.kind == "person"), None)
    if teller is None or seat is None:
        return None
    told = instructions(scenario.pack.game, teller, condition.config, seat, "en").plain()
    board = first_board(scenario.pack.game, condition.config, seat)
    return told, board, condition.people, step.repeat, step.match, step.practice


def plan_faults(form: StudyForm, arms: Arms, at: str, source: str) -> Iterator[Fault]:
    """What cannot be played or shown as it stands, found by walking every arm. The steps themselves are good."""
    yield from _unshown(form, source)
    names = list(form.steps)
    for name in names[: names.index(at)] if len(arms) > 1 else ():
        if differs(arms, name):
            yield Fault.of(source, _place(form, name), said("study_before_arm", step=name, at=at))
    if form.steps[at].is_play and (missing := [arm for arm, steps in arms.items() if at not in steps]):
        yield Fault.of(source, "assign.at", said("study_at_missing", at=at, arm=missing[0]))
    if form.steps[at].is_play and form.steps[at].when and len(arms) > 1:
        yield Fault.of(source, f"steps.{at}.if", said("study_at_if", at=at))
    for arm, steps in arms.items():
        yield from call_faults(form, steps, source)
        silo = 0
        for stop in plan_of(form, arms, arm, at):
            if stop.step.keeps_silo and silo != silo_of(stop.step):
                found = said("study_silo_kept", silo=silo_of(stop.step), before=silo, arm=arm)
                yield Fault.of(source, f"steps.{stop.name}.gather.start", found)
            if stop.step.is_play:
                silo = 0 if stop.step.is_led else silo_of(stop.step)
            if not stop.shows:
                continue
            place = f"steps.{stop.name}.rules"
            if stop.shows not in steps:
                yield Fault.of(source, place, said("study_rules_arm", play=stop.shows, arm=arm))
            elif scenario_of(steps[stop.shows]).pack.instructions is None:
                yield Fault.of(source, place, said("study_rules_none", play=stop.shows))


def _place(form: StudyForm, name: str) -> str:
    """Where a file says what makes a step differ."""
    if form.steps[name].only is not None:
        return f"steps.{name}.only"
    if changed := [arm for arm, changes in form.arms.items() if name in changes]:
        return f"arms.{changed[0]}.{name}"
    return f"steps.{name}.rules"


def _unshown(form: StudyForm, source: str) -> Iterator[Fault]:
    """Texts with nothing in them, and names of files that are not there: a participant would read just that."""
    texts: list[tuple[str, Mapping[str, str] | None]] = [("title", form.title)]
    for name, step in form.steps.items():
        texts.append((f"steps.{name}.text", step.text))
        for asked, one in step.ask.items():
            texts += [(f"steps.{name}.ask.{asked}.{key}", getattr(one, key)) for key in ("title", "why")]
    texts += [(f"ends.{name}.text", one.text) for name, one in form.ends.items()]
    for place, text in texts:
        if text == {} and place != "title":
            yield Fault.of(source, place, said("study_text_empty"))
        for lang, words in (text or {}).items():
            if FILE_NAME.fullmatch(words.strip()):
                yield Fault.of(source, place, said("study_text_file", name=words.strip()))
            elif not words.strip():
                yield Fault.of(source, f"{place}.{lang}", said("study_text_empty"))
