"""The way of a member in steps as they are counted for them: each page, each part of the instructions, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.core.instructions import instructions
from games.lab.folders.replayfile import words_of
from games.lab.wire.firstboard import first_board
from games.site.models import Member, MemberState
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.playing import scenario_of


@dataclass(frozen=True, slots=True)
class Stop:
    """One step of the way. ``part``: which part of the instructions it is, "" where it is a whole page; ``name`` in
    `games.site.web.waywords`.
    """

    step: str
    part: str
    name: str


@lru_cache(maxsize=256)
def rules_told(study: Study, arm: str, name: str, lang: str) -> Mapping[str, Any] | None:
    """The instructions of a play step, or of the one that a page names, for the first person's seat: kept, since each
    member asks for the same.
    """
    step = study.step(arm, name)
    play = name if step.is_play else step.rules
    if play is None:
        return None
    scenario = scenario_of(study.step(arm, play))
    condition = scenario.conditions[0]
    seat = next(index for index, agent in enumerate(condition.seats) if agent.kind == "person")
    if scenario.pack.instructions is None:
        return None
    told = instructions(scenario.pack.game, scenario.pack.instructions, condition.config, seat, lang).plain()
    board = first_board(scenario.pack.game, condition.config, seat)
    own = words_of(scenario.pack).get(lang, {}).get("name")
    return {**told, "name": told["name"] or own or scenario.pack.title, "board": board, "play": play}


def parts_of(told: Mapping[str, Any] | None) -> list[str]:
    """The parts in which instructions are read; one that has nothing to say is absent."""
    if told is None:
        return []
    return ["what", *(["do"] if told["acts"] else []), "time"]


def looked_up(study: Study, arm: str, name: str) -> str | None:
    """The step whose instructions stand beside a page of questions: its own, or the last before it."""
    steps = list(study.arms[arm or next(iter(study.arms))].items())
    found = None
    for each, step in steps:
        found = each if step.rules is not None else found
        if each == name:
            return found if step.rules is not None or is_check(step) else None
    return None


def is_check(step: Step) -> bool:
    """Whether a page asks something that can be answered wrongly."""
    return any(one.answer is not None and not one.attention for one in step.ask.values())


@lru_cache(maxsize=256)
def stops_of(study: Study, arm: str) -> tuple[Stop, ...]:
    """Every step of an arm, in order. None while the arm is not drawn and arms differ in their steps."""
    if not arm and len({tuple(steps) for steps in study.arms.values()}) != 1:
        return ()
    found: list[Stop] = []
    for name, step in study.arms[arm or next(iter(study.arms))].items():
        parts = [] if step.is_play else parts_of(rules_told(study, arm, name, "en"))
        pays = "time_pay" if is_paid(study) else "time"
        found += [Stop(name, part, pays if part == "time" else part) for part in parts]
        if not parts or step.ask:
            found.append(Stop(name, "ask" if parts else "", _kind(step, found)))
    return (*found, Stop("", "", "payment" if is_paid(study) else "end"))


def is_paid(study: Study) -> bool:
    return bool(study.form.pay.show_up or study.form.pay.point)


def _kind(step: Step, before: Sequence[Stop]) -> str:
    if step.is_play:
        return "practice" if step.practice else "game"
    if step.agree:
        return "welcome"
    if step.ask:
        return "survey" if any(one.name == "game" for one in before) and not is_check(step) else "questions"
    return "reading"


def way_of(one: Member, study: Study) -> dict[str, Any]:
    """The stops of a member, which of them is the first of where they are, and how many there are; 0: unknown.

    ``done``  so many lie behind them: whoever came to an early end has not been at those between
    """
    stops = stops_of(study, one.arm)
    at = next((n for n, stop in enumerate(stops) if stop.step == one.step), len(stops) - 1)
    here = at if one.ended is None else len(stops) - 1
    return {"stops": stops, "here": here, "done": here if one.state == MemberState.DONE else at, "of": len(stops)}
