"""Promises: messages that their sender marked, and what later acts made of them.

The rules enforce none. A promise that runs out when the round ends before its time counts as kept for peace and as
broken for a gift.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.catalog.nations.money import hundredths
from games.catalog.nations.state import Battle, Ceded, Orders, Payment, Vow
from games.core.game import Seat


def new_vows(orders: Mapping[Seat, Orders], nations: int, turn: int) -> tuple[Vow, ...]:
    """What was promised in this turn, to each who was told; acts count from the next turn on."""
    if not any(order.messages for order in orders.values()):
        return ()
    return tuple(
        Vow(seat, other, message.promise.kind, message.promise.amount, turn + message.promise.turns)
        for seat in range(nations)
        for message in orders[seat].messages
        if message.promise
        for other in (range(nations) if message.to is None else message.to)
        if other != seat
    )


def judge_vows(
    vows: Sequence[Vow],
    turn: int,
    is_last: bool,
    battles: Sequence[Battle],
    payments: Sequence[Payment],
    cessions: Sequence[Ceded],
) -> tuple[tuple[Vow, ...], tuple[Vow, ...], tuple[Vow, ...]]:
    """The promises that stand on, that were kept, and that were broken in this turn."""
    if not vows:
        return (), (), ()
    attacked = {(battle.by, battle.on) for battle in battles}
    paid = Counter[tuple[Seat, Seat]]()
    for payment in payments:
        paid[payment.by, payment.to] += payment.paid
    standing: list[Vow] = []
    kept: list[Vow] = []
    broken: list[Vow] = []
    for vow in vows:
        pair = vow.by, vow.to
        is_over = is_last or turn >= vow.until
        if vow.kind == "peace":
            verdict = broken if pair in attacked else kept if is_over else standing
        else:
            ceded, granted = (vow.by, vow.amount, vow.to) in cessions, paid[pair] >= hundredths(vow.amount)
            is_done = granted if vow.kind == "grant" else ceded
            verdict = kept if is_done else broken if is_over else standing
        verdict.append(vow)
    return tuple(standing), tuple(kept), tuple(broken)
