"""Time and pay of a match in a study, as its members are told them before they play: a name and a sentence a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents_app.people import PeopleSettings
from games.site.studies.form import Step
from games.site.studies.loading import Study
from games.site.studies.playing import scenario_of
from games.site.web.studypay import ALL, bounds_of, money, paid_at
from games.site.web.waywords import say


def terms_told(study: Study, arm: str, name: str, told: Mapping[str, Any], lang: str) -> list[tuple[str, str]]:
    """Rows of a play step: how long, what silence means, what is earned, leaving, what others see."""
    step = study.step(arm, name)
    terms = scenario_of(step).conditions[0].people
    rows = [
        ("how_long", [*told["length"], *_clock(terms, lang), *_repeats(step, lang)]),
        ("no_answer", _silence(step, terms, told, lang)),
        ("you_earn", _earned(study, step, lang)),
        ("leaving", [_leaving(study, lang)]),
        ("others_see", [say(lang, "see_seat")]),
    ]
    gap = "" if lang == "zh" else " "
    return [(say(lang, title), gap.join(lines)) for title, lines in rows if lines]


def lasting(seconds: float, lang: str) -> str:
    """A duration as people say it: seconds below two minutes, then minutes."""
    if seconds < 120:
        return say(lang, "seconds", n=f"{seconds:g}")
    return say(lang, "minutes_short", n=f"{seconds / 60:.3g}")


def _clock(terms: PeopleSettings, lang: str) -> list[str]:
    if terms.is_ticking and terms.tick_s is not None:
        return [say(lang, "each_tick", time=lasting(terms.tick_s, lang))]
    if terms.turn_s is not None:
        return [say(lang, "each_turn", time=lasting(terms.turn_s, lang))]
    return [say(lang, "no_clock")]


def _repeats(step: Step, lang: str) -> list[str]:
    if step.repeat == 1:
        return []
    rule = step.match if step.match in ("partner", "perfect") else "stranger"
    return [say(lang, "times", n=step.repeat), say(lang, f"with_{rule}")]


def _silence(step: Step, terms: PeopleSettings, told: Mapping[str, Any], lang: str) -> list[str]:
    if terms.turn_s is None and terms.tick_s is None:
        return []
    lines = [say(lang, "substitute_answers")] if terms.default == "substitute" else list(told["silence"])
    if terms.out_after is not None:
        lines.append(say(lang, "out_after_one" if terms.out_after == 1 else "out_after", n=terms.out_after))
    return [*lines, say(lang, "gone", time=lasting(terms.grace_s, lang)), *_missed(step, lang)]


def _missed(step: Step, lang: str) -> list[str]:
    return [] if step.practice else [say(lang, "missed_unpaid")]


def _earned(study: Study, step: Step, lang: str) -> list[str]:
    if not step.practice:
        return pay_told(study, lang)
    return [*_for_coming(study, lang), say(lang, "earn_nothing")]


def pay_told(study: Study, lang: str) -> list[str]:
    """What a study pays: for coming, how more comes of points, and between what bounds; empty where it pays nothing."""
    pay = study.form.pay
    lines = _for_coming(study, lang)
    if not pay.point:
        return lines
    lines.append(say(lang, "earn_point", amount=money(pay.point, pay.currency)))
    paid = [one for one in study.form.steps.values() if one.is_play and not one.practice]
    if pay.play == "round":
        lines.append(say(lang, "earn_round"))
    elif pay.play == "one" and sum(one.repeat for one in paid) > 1:
        lines.append(say(lang, "earn_one"))
    least, most = bounds_of(study)
    name = "earn_between" if least and most else "earn_least" if least else "earn_most" if most else ""
    return [*lines, say(lang, name, least=least, most=most)] if name else lines


def _for_coming(study: Study, lang: str) -> list[str]:
    pay = study.form.pay
    return [say(lang, "earn_show_up", amount=money(pay.show_up, pay.currency))] if pay.show_up else []


def _leaving(study: Study, lang: str) -> str:
    paid = paid_at(study, "left")
    if paid == ALL:
        return say(lang, "leave_earned")
    return say(lang, "leave_paid", amount=paid) if paid else say(lang, "leave_unpaid")
