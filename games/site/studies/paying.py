"""Points to money: pure. Amounts are reckoned in exact decimals and rounded once, at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from games.core.rng import Rng
from games.site.studies.form import Ending, Pay


@dataclass(frozen=True, slots=True)
class Amount:
    """What somebody gets. ``paid_run``: the number (from 0) of the one match, or round, that is paid; None: all are."""

    show_up: Decimal
    bonus: Decimal
    total: Decimal
    points: float
    paid_run: int | None


def amount(pay: Pay, ending: Ending | None, is_done: bool, points: Sequence[float], draw: tuple[int, int]) -> Amount:
    """What one member gets for the points of their paid runs, in order.

    ``ending``  what the file says of their end; where it names no pay, those who are done get all and others what they
                came for
    ``draw``    the session's seed and the member's number: they draw the one run that is paid
    """
    paid_run = None
    counted = list(points)
    if pay.play != "all" and counted:
        paid_run = Rng.root(draw[0]).at("studies.pay").below(len(counted), "run", draw[1])
        counted = [counted[paid_run]]
    given = (ending.pay if ending is not None else None) or ("all" if is_done else "show_up")
    if ending is not None and ending.pay == 0:
        given = 0.0
    show_up = _exact(pay.show_up)
    bonus = sum((_exact(one) for one in counted), Decimal(0)) * _exact(pay.point)
    if given == "show_up":
        bonus = Decimal(0)
    elif given != "all":
        show_up, bonus = _exact(given), Decimal(0)
    total = show_up + max(bonus, Decimal(0))
    if pay.most is not None:
        total = min(total, _exact(pay.most))
    step = _exact(pay.round_to)
    total = (total / step).to_integral_value(ROUND_HALF_UP) * step
    return Amount(show_up, total - show_up, total, float(sum(counted)), paid_run)


def _exact(value: float) -> Decimal:
    return Decimal(repr(float(value)))
