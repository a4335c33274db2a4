"""What is known of a member by now: their answers, the results of their matches, and the order of what they are shown.

All of it follows from rows and the session's seed, so that a reload, another device and the tables say the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from games.core.rng import Rng
from games.site.models import Member, Participant, Visit
from games.site.studies.conditions import PIPE, RESULTS, filled
from games.site.studies.earning import earned, gains_of, points_of
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.naming import names_called
from games.site.studies.questions import Question, text_of, value_of
from games.site.studies.values import rows_of

T = TypeVar("T")


def answered(member: Member) -> dict[str, dict[str, Any]]:
    """The last answers of each step, by question."""
    visits = Visit.objects.filter(member=member).order_by("pk")
    return {step: data for step, data in visits.values_list("step", "data") if data}


def facts_of(member: Member, study: Study) -> dict[str, Any]:
    """By the names that the study's conditions and texts call: ``STEP.QUESTION`` (and ``.PART``), ``PLAY.points``.

    Results of matches are read only where something asks for them.
    """
    called = names_called(study.form)
    facts: dict[str, Any] = {"number": member.number + 1}
    for step, data in answered(member).items() if called else ():
        known = step in study.arms[member.arm or next(iter(study.arms))]
        asked = study.step(member.arm, step).ask if known else {}
        facts |= {
            f"{step}.{name}": data[name] for name in data if known and name in study.step(member.arm, step).stores
        }
        for name, question in asked.items():
            if name in data:
                facts[f"{step}.{name}"] = data[name]
                parts = rows_of(question, data[name])
                facts |= {f"{step}.{name}.{part}": value for part, value in parts if part}
    for step in {name.rpartition(".")[0] for name in called if name.rpartition(".")[2] in RESULTS}:
        if step in study.form.steps and study.form.steps[step].is_play:
            facts |= {f"{step}.{name}": value for name, value in _results(member, step).items()}
    if "points" in called:
        facts["points"] = sum(points_of(member, study), 0.0)
    return facts


def _results(member: Member, step: str) -> dict[str, float]:
    seats = list(Participant.objects.filter(member=member, run__study_step=step).select_related("run"))
    if not seats:
        return {}
    gains = [gained for one in seats for seat, gained in _gained(one).items() if seat != one.seat]
    others = sum(gains) / len(gains) if gains else None
    told = {"points": sum(earned(one.run, one) for one in seats), "matches": float(len(seats))}
    return told | ({} if others is None else {"others": others})


def _gained(one: Participant) -> dict[int, float]:
    """What each seat of a match got in it."""
    total: dict[int, float] = {}
    for gains in gains_of(one.run_id, one.run.head):
        for seat, gained in gains.items():
            total[seat] = total.get(seat, 0.0) + gained
    return total


def text_for(text: str, facts: Mapping[str, Any], study: Study, arm: str, lang: str) -> str:
    """A text with a member's own answers and results in it, answers as they read them."""

    def told(name: str) -> str:
        value = facts.get(name)
        step, _, asked = name.partition(".")
        question = study.step(arm, step).ask.get(asked) if step in study.arms[arm or next(iter(study.arms))] else None
        return said(value, question, lang)

    return filled(text, told) if PIPE.search(text) else text


def said(value: Any, question: Question | None, lang: str) -> str:
    """A value in a text; "" where there is none."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ("、" if lang == "zh" else ", ").join(said(one, question, lang) for one in value)
    if isinstance(value, bool):
        return {True: ("Yes", "是"), False: ("No", "否")}[value][lang == "zh"]
    if question is not None and question.choices is not None:
        return next((text_of(one, lang) for one in question.choices if value_of(one) == value), str(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


# --- the order of what is shown -----------------------------------------------------------------------


def order_of(member: Member, name: str, step: Step) -> list[str]:
    """The questions of a page in this member's order."""
    if step.shuffle is None:
        return list(step.ask)
    blocks: dict[str, list[str]] = {}
    for asked, question in step.ask.items():
        blocks.setdefault(question.block or f"\n{asked}", []).append(asked)
    groups = list(blocks.values())
    if step.shuffle in ("blocks", "both") or not any(one.block for one in step.ask.values()):
        groups = shuffled(member, groups, f"{name}/blocks")
    if step.shuffle in ("questions", "both"):
        groups = [shuffled(member, group, f"{name}/{group[0]}/questions") for group in groups]
    return [asked for group in groups for asked in group]


def shuffled(member: Member, items: Sequence[T], what: str) -> list[T]:
    """Items in an order of the member's own."""
    return Rng.root(member.session.seed).at("studies.order").shuffled(items, what, member.number)
