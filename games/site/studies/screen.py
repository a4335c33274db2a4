"""A session as everybody in the room may see it: how it stands, who plays with whom, who has moved and never what.

It is asked for every other second by a screen, so that it reads rows of members and of the matches under way alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from django.db.models import prefetch_related_objects

from games.core.instructions import Instructions, instructions
from games.core.prompts import LANGUAGES
from games.core.registry import get
from games.lab.wire.screen import (
    ClassScreen,
    Clock,
    GroupOnScreen,
    Phase,
    Played,
    SeatOnScreen,
    SeatStands,
    ShortRules,
    WaitingOnScreen,
)
from games.site.models import (
    ENDED,
    HOLDING,
    Member,
    MemberState,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
    Session,
)
from games.site.record import clock, selectors, summary, waiting
from games.site.studies.findings import may_tell, screened_step
from games.site.studies.gathering import PRESENT
from games.site.studies.leading import next_match
from games.site.studies.loading import Study
from games.site.studies.playing import group_size, scenario_of
from games.site.studies.walking import study_of

LINES: Final = 4
"""Of the rules."""


def screen_of(session: Session) -> ClassScreen:
    """What the screen of a session shows now."""
    study = study_of(session)
    step = screened_step(study)
    members = list(Member.objects.filter(session=session).order_by("number"))
    runs = list(Run.objects.filter(session=session).order_by("created", "pk"))
    current = _current(runs, step)
    coming = next_match(session, study)
    is_blind = any(run.people.get("blind") for run in current) or _is_blind(study)
    prefetch_related_objects(current, "seats")
    company = summary.Company.of_all(current)
    groups = [_group(run, company[run.pk], study, is_blind=is_blind) for run in current]
    match = max((run.study_round + 1 for run in current if run.study_step == step), default=0)
    under_way = [one for one in members if not one.ended]
    phase = _phase(session, current, under_way)
    is_on = phase in ("playing", "paused")
    # Who stands in a match on the screen stands there alone, also when it is over and the others still play.
    sitting = {one.member_id for run in current for one in company[run.pk].people if is_on and one.state in HOLDING}
    apart = [one for one in under_way if one.pk not in sitting]
    here = [one for one in under_way if clock.now() - one.seen <= PRESENT]
    over = sorted({run.study_round for run in runs if run.study_step == step} - _open_rounds(runs, step))
    return {
        "session": session.pk,
        "code": session.code,
        "title": dict(study.form.title) or {"en": session.study.slug},
        "open": session.is_open,
        "played": _played(_Asked(study.hash, step, study)) if step else None,
        "blind": is_blind,
        "phase": phase,
        "match": match,
        "here": len(here),
        "away": len(under_way) - len(here),
        "done": sum(one.state == MemberState.DONE for one in members),
        "groups": groups if is_on else [],
        "waiting": _waiting(apart, study, coming.number if coming else None, is_blind=is_blind),
        "clock": _clock(current, company, groups) if is_on else None,
        "next": {
            "number": coming.number,
            "of": coming.of,
            "here": coming.here,
            "least": coming.least,
            "can_start": coming.can_start,
        }
        if coming
        else None,
        "over": [number + 1 for number in over] if step and may_tell(session, study, step) else [],
    }


def _phase(session: Session, current: Sequence[Run], under_way: Sequence[Member]) -> Phase:
    going = [run for run in current if run.status not in ENDED]
    if any(run.status == RunStatus.PAUSED for run in going):
        return "paused"
    if going:
        return "playing"
    if not session.is_open and not under_way:
        return "over"
    return "between" if current else "gathering"


def _current(runs: Sequence[Run], step: str | None) -> list[Run]:
    """The matches on the screen: all that began with one that is under way, else those that were played last."""
    going = [run for run in runs if run.status not in ENDED]
    if not going:
        own = [run for run in runs if run.study_step == step]
        last = max((run.study_round for run in own), default=0)
        return [run for run in own if run.study_round == last]
    together = {(run.study_step, run.study_round, run.silo) for run in going}
    return [run for run in runs if (run.study_step, run.study_round, run.silo) in together]


def _open_rounds(runs: Sequence[Run], step: str | None) -> set[int]:
    return {run.study_round for run in runs if run.study_step == step and run.status not in ENDED}


def _is_blind(study: Study) -> bool:
    return any(bool(step.people.get("blind")) for step in study.form.steps.values() if step.is_play)


# --- groups -----------------------------------------------------------------------------------------


def _group(run: Run, company: summary.Company, study: Study, *, is_blind: bool) -> GroupOnScreen:
    held = {one.seat: one for one in company.people if one.state in HOLDING}
    missing, is_over = set(company.missing(run)), run.status in ENDED
    turn = run.open_turn
    is_open = turn is not None and turn["step"] == run.head + 1
    return {
        "seats": [
            _seat(seat.index, held.get(seat.index), has_moved=is_over or (is_open and seat.index not in missing),
                  study=study, is_blind=is_blind)
            for seat in selectors.seats_of(run)
        ],
        "round": _round_of(run),
        "over": is_over,
    }  # fmt: skip


def _seat(seat: int, one: Participant | None, *, has_moved: bool, study: Study, is_blind: bool) -> SeatOnScreen:
    stands: SeatStands = "moved" if has_moved else "deciding"
    away: float | None = None
    if one is None:
        stands = "program"
    elif is_blind:  # who is away would tell who is a person
        pass
    elif one.state == ParticipantState.SUBSTITUTED:
        stands = "substituted"
    elif one.gone_at is not None and not has_moved:
        stands, away = "away", (clock.now() - one.seen).total_seconds()
    if is_blind and stands == "program":
        stands = "moved" if has_moved else "deciding"
    name, number = _called(one.member, study, is_blind=is_blind) if one and one.member else ("", None)
    return {"seat": seat, "name": name, "number": number, "stands": stands, "away_s": away}


def _called(member: Member, study: Study, *, is_blind: bool) -> tuple[str, int | None]:
    """The name that was given for the screen, or else a number; labels of panels stand on no screen."""
    if is_blind:
        return "", None
    name = member.name if study.form.names else ""
    return name, None if name else member.number + 1


def _round_of(run: Run) -> int:
    """The round that is open, or that of the last step where the run is over: mostly it stands in the run's row."""
    turn = run.open_turn
    if run.head < 0:
        return 0
    if run.status not in ENDED and turn is not None and turn["step"] == run.head + 1 and "clock" in turn:
        return _labelled(run.game, turn["clock"])
    if run.status in ENDED and run.clock:
        return _labelled(run.game, run.clock)
    return _round(run.pk, run.head)


def _labelled(game: str, labels: Sequence[tuple[str, int]]) -> int:
    told = dict(labels)
    return int(told.get(get(game).game.counted, next(iter(told.values()), 0)))


@lru_cache(maxsize=1024)
def _round(run_id: str, head: int) -> int:
    """As `_round_of`, of a run that nobody is asked in: its state says which round is open after a step."""
    play = selectors.playing(selectors.run_get(run_id))
    last = selectors.step(play, head).step
    turn = play.game.turn(play.config, last.state) or last.turn
    return _labelled(play.run.game, turn.clock)


def _clock(runs: Sequence[Run], company: Mapping[str, summary.Company], groups: Sequence[GroupOnScreen]) -> Clock:
    lefts = [_left(run) for run in runs if run.status not in ENDED and company[run.pk].missing(run)]
    rounds = [one["round"] for one in groups if not one["over"]]
    people = [seat for one in groups for seat in one["seats"] if seat["stands"] != "program"]
    running = [left for left in lefts if left is not None]
    return {
        "left_s": min(running, default=None),
        "first": min(rounds, default=0),
        "last": max(rounds, default=0),
        "moved": sum(seat["stands"] in ("moved", "substituted") for seat in people),
        "of": len(people),
    }


def _left(run: Run) -> float | None:
    turn = run.open_turn
    return None if turn is None else waiting.left_of(turn)


# --- who waits --------------------------------------------------------------------------------------


def _waiting(under_way: Sequence[Member], study: Study, coming: int | None, *, is_blind: bool) -> list[WaitingOnScreen]:
    found: list[WaitingOnScreen] = []
    for one in under_way:
        if one.state == MemberState.PLAYING:
            continue
        name, number = _called(one, study, is_blind=is_blind)
        found.append(
            {
                "name": name,
                "number": number,
                "plays_from": coming if one.state == MemberState.WAITING else None,
                "reading": one.state == MemberState.WALKING,
                "away": clock.now() - one.seen > PRESENT,
            }
        )
    return found


# --- what is played ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """A step of a study's file, which never changes."""

    hash: str
    name: str
    study: Study = field(compare=False)


@lru_cache(maxsize=32)
def _played(asked: _Asked) -> Played:
    step = asked.study.step("", asked.name)
    scenario = scenario_of(step)
    condition = scenario.conditions[0]
    game, teller = scenario.pack.game, scenario.pack.instructions
    seat = next(index for index, agent in enumerate(condition.seats) if agent.kind == "person")
    told = {lang: instructions(game, teller, condition.config, seat, lang) for lang in LANGUAGES if teller is not None}
    rounds = game.rounds(condition.config)
    return {
        "game": scenario.pack.slug,
        "step": asked.name,
        "matches": step.repeat,
        "rounds": rounds if told and told["en"].facts.get("horizon") == rounds else None,
        "size": group_size(step),
        "match": step.match,
        "led": step.is_led,
        "grace_s": condition.people.grace_s,
        "rules": {lang: _short(one) for lang, one in told.items()},
    }


def _short(told: Instructions) -> ShortRules:
    table = told.table
    lines = [*told.aim[:1], *told.do[:2], *told.length[:1]][:LINES]
    return {
        "name": told.name,
        "lines": [*told.length[:1]] if table else lines,
        "table": {
            "title": table.title,
            "columns": list(table.columns),
            "rows": list(table.rows),
            "cells": [[list(pair) for pair in row] for row in table.cells],
        }
        if table
        else None,
    }
