"""What eyes may see drawn: the world after the last turn. What is hidden from them is None or left out."""

from __future__ import annotations

from typing import Any, Literal

from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import facts, shown
from games.catalog.nations.scoring import score
from games.catalog.nations.shapes import GoalView, NationsView, NationView
from games.catalog.nations.state import Account, NationsState
from games.core.game import All, Eyes, Seat, SeatEyes

Seen = Literal["all", "own"]


def hearers(seen: Seen, *seats: Seat) -> tuple[Seat, ...] | None:
    """Who learns what these seats are part of, by a setting: None is all."""
    if seen == "all":
        return None
    if len(seats) == 2 and seats[0] != seats[1]:
        return seats if seats[0] < seats[1] else seats[::-1]
    return tuple(sorted(set(seats))) if len(seats) > 1 else seats


def view_of(config: NationsConfig, state: NationsState, eyes: Eyes, stage: str) -> NationsView:
    rules, last = rules_of(config, state.round), state.last
    everything = isinstance(eyes, All)
    own = eyes.seat if isinstance(eyes, SeatEyes) else None

    def sees(seen: Seen, *seats: Seat) -> bool:
        return everything or seen == "all" or own in seats

    def nation(seat: Seat) -> NationView:
        knows, is_own = sees(config.welfare_seen, seat), sees("own", seat)
        return {
            "army": state.army[seat] if sees(config.armies_seen, seat) else None,
            "welfare": shown(state.welfare[seat]) if knows else None,
            "banked": shown(state.banked[seat]) if knows else None,
            "held": state.held[seat] if state.held and is_own else None,
            "goal": _goal(config, state, seat) if is_own else None,
            "budget": _budget(last.accounts[seat]) if last.accounts and knows else None,
        }

    is_end_known = everything or config.end_known
    peak = config.territories * rules.income
    in_force: Any = {
        **rules.amounts(),
        "per_attack": config.penalty == "per_attack",
        "in_proportion": config.cut_off == "in_proportion",
        "paid_at_end": config.income_at == "end",
        "messages": config.messages,
        "message_length": config.message_length,
        "resources": config.resources.each if config.resources else None,
    }
    return {
        "stage": stage,
        "round": state.round,
        "rounds": config.rounds if is_end_known else None,
        "turn": state.turn,
        "turns": rules.turns if is_end_known else None,
        "owners": state.owners,
        "first": state.first,
        "rules": in_force,
        "peak": shown(max(peak, peak * rules.trade // 100)),
        "seats": [nation(seat) for seat in range(config.nations)],
        "attacks": [facts(battle) for battle in last.battles if sees(config.attacks_seen, battle.by, battle.on)],
        "grants": [
            facts(payment) | ({} if sees("own", payment.by) else {"wanted": None})
            for payment in last.payments
            if sees("own", payment.by) or (own == payment.to and payment.paid)
        ],
        "cessions": [ceded._asdict() for ceded in last.cessions],
        "promises": [facts(vow) for vow in state.vows if sees("own", vow.by, vow.to)],
    }


def _budget(account: Account) -> dict[str, Any]:
    """A nation's turn: its money, then what became of its army."""
    told = facts(account)
    army = {name: told.pop(name) for name in ("army", "lost", "deserted", "disbanded")}
    return {**told, "welfare": shown(account.welfare), **army}


def _goal(config: NationsConfig, state: NationsState, seat: Seat) -> GoalView | None:
    """What a bad actor wants and how far it is; None for a normative nation."""
    goal = config.goal_of.get(seat)
    if goal is None:
        return None
    return {
        "kind": goal.kind,
        "rival": goal.rival,
        "heritage": goal.heritage,
        "creed": goal.creed if goal.kind == "ideology" else None,
        "text": goal.text,
        "score": score(config, state, seat),
    }
