"""States that look the same to one nation: others' hidden armies, welfare, budgets, grants, resources and promises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.state import Battle, NationsState, Payment, Vow
from games.core.game import Seat


def indistinguishable(config: NationsConfig, state: NationsState, seat: Seat) -> Iterator[NationsState]:
    """The state with everything changed that this nation may not know, in two ways."""
    for more in (1, 7):
        yield _changed(config, state, seat, more)


def _changed(config: NationsConfig, state: NationsState, seat: Seat, more: int) -> NationsState:
    def others(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(value if at == seat else 2 * value + more for at, value in enumerate(values))

    def foreign(by: Seat, to: Seat) -> bool:
        return seat not in (by, to)

    last = state.last
    rest = [other for other in range(config.nations) if other != seat]
    pair = [(rest[0], rest[1])] if len(rest) > 1 else []
    payments = tuple(payment for payment in last.payments if not foreign(payment.by, payment.to))
    payments += tuple(Payment(by, to, 100 * more, 100, 200) for by, to in pair)
    vows = tuple(vow for vow in state.vows if not foreign(vow.by, vow.to))
    vows += tuple(Vow(by, to, "peace", 0, 1000) for by, to in pair)
    changed = replace(
        state,
        vows=vows,
        held=tuple(own if at == seat else tuple(more + had for had in own) for at, own in enumerate(state.held)),
        last=replace(last, payments=payments, kept=(), broken=()),
    )
    if config.attacks_seen == "own":
        battles = tuple(battle for battle in last.battles if not foreign(battle.by, battle.on))
        secret = tuple(Battle(by, on, more, 0, 100) for by, on in pair)
        harm = tuple(each for each in state.harm if not foreign(each[0], each[1]))
        changed = replace(changed, harm=harm, last=replace(changed.last, battles=battles + secret))
    if config.armies_seen == "own":
        changed = replace(changed, army=others(state.army))
    if config.welfare_seen == "own":
        accounts = tuple(
            account if at == seat else replace(account, left=account.left + more, army=account.army + more)
            for at, account in enumerate(last.accounts)
        )
        changed = replace(
            changed,
            welfare=others(state.welfare),
            banked=others(state.banked),
            last=replace(changed.last, accounts=accounts),
        )
    return changed
