"""What a member is told of money: what they will get, and what they got in lines that add up."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from games.site.models import Member
from games.site.studies.form import EndName
from games.site.studies.loading import Study
from games.site.studies.paying import amount
from games.site.web.waywords import say

ALL: Final = "all"


def money(value: Decimal | float | str, currency: str) -> str:
    """An amount with its currency: to the cent, finer where it is."""
    exact = Decimal(str(value))
    places = max(2, -int(exact.normalize().as_tuple().exponent))
    sign = "−" if exact < 0 else ""
    return f"{sign}{abs(exact):.{places}f} {currency}"


def paid_at(study: Study, end: EndName) -> str:
    """What an end other than done is paid; "" where that is nothing, `ALL` where it is what was earned."""
    ending, pay = study.form.ends.get(end), study.form.pay
    if ending is not None and ending.pay == ALL:
        return ALL
    if end in ("late", "declined") and (ending is None or ending.pay is None):
        return ""
    total = amount(pay, ending, False, [], (0, 0)).total
    return money(total, pay.currency) if total else ""


def bounds_of(study: Study) -> tuple[str, str]:
    """What whoever comes to the end gets at least and at most; "" for nothing, and for no bound."""
    pay = study.form.pay
    least = amount(pay, study.form.ends.get("done"), True, [], (0, 0)).total
    return money(least, pay.currency) if least else "", "" if pay.most is None else money(pay.most, pay.currency)


def lines_of(one: Member, study: Study, lang: str) -> tuple[list[tuple[str, str]], str]:
    """What each part of a member's pay is for, and their sum; none where nothing was paid for anything."""
    paid = one.pay
    if not paid or not paid.get("currency"):
        return [], ""
    pay, currency = study.form.pay, str(paid["currency"])
    show_up, bonus, total = (Decimal(str(paid[name])) for name in ("show_up", "bonus", "total"))
    found: list[tuple[str, Decimal]] = []
    if one.state == "done" or bonus:
        points = Decimal(str(paid["points"]))
        earned = points * Decimal(str(pay.point))
        if show_up:
            found.append((say(lang, "pay_show_up"), show_up))
        if pay.point:
            facts = {"points": f"{points.normalize():f}", "rate": money(pay.point, currency)}
            drawn = paid.get("paid_run")
            if drawn is None:
                found.append((say(lang, "pay_points", **facts), earned))
            else:
                n, number = int(drawn) + 1, paid.get("paid_round")
                name = "pay_points_drawn" if number is None else "pay_points_round"
                found.append((say(lang, name, n=n, round=number, **facts), earned))
        rest = total - show_up - (earned if pay.point else 0)
        if rest:
            is_cut = pay.most is not None and total >= Decimal(str(pay.most)) - Decimal(str(pay.round_to)) and rest < 0
            most = money(pay.most or 0, currency)
            found.append((say(lang, "pay_most", amount=most) if is_cut else say(lang, "pay_round"), rest))
    elif total:
        found.append((say(lang, f"pay_{one.state}"), total))
    return [(label, money(value, currency)) for label, value in found], money(total, currency)
