"""What eyes may see drawn: the world after the last turn. What is hidden from them is null or left out."""

from __future__ import annotations

from games.catalog.nations.config import NationsConfig, rules_of
from games.catalog.nations.money import shown
from games.catalog.nations.scoring import score
from games.catalog.nations.state import Account, NationsState
from games.core.answers import JSON
from games.core.game import All, Eyes, Seat, SeatEyes, View


def view_of(config: NationsConfig, state: NationsState, eyes: Eyes, stage: str) -> View:
    """Territories go by their place in ``owners``, from 1; money with its decimals.

    ``budgets`` has each nation's last turn, ``peak`` the most welfare that the world could make in a turn.
    """
    rules = rules_of(config, state.round)
    everything = isinstance(eyes, All)
    own = eyes.seat if isinstance(eyes, SeatEyes) else None

    def sees(seat: Seat, is_public: bool) -> bool:
        return everything or is_public or seat == own

    last = state.last
    peak = config.territories * rules.income
    return {
        "stage": stage,
        "round": state.round,
        "rounds": config.rounds if everything or config.end_known else None,
        "turn": state.turn,
        "turns": rules.turns if everything or config.end_known else None,
        "owners": list(state.owners),
        "first": list(state.first),
        "rules": {
            "income": shown(rules.income),
            "price": shown(rules.price),
            "upkeep": shown(rules.upkeep),
            "damage": shown(rules.damage),
            "defence": shown(rules.defence),
            "penalty": shown(rules.penalty),
            "trade": shown(rules.trade),
            "per_attack": config.penalty == "per_attack",
            "in_proportion": config.cut_off == "in_proportion",
            "paid_at_end": config.income_at == "end",
            "messages": config.messages,
            "message_length": config.message_length,
            "resources": list(config.resources.each) if config.resources else None,
        },
        "peak": shown(max(peak, peak * rules.trade // 100)),
        "seats": [
            {
                "army": state.army[seat] if sees(seat, config.armies_seen == "all") else None,
                "welfare": shown(state.welfare[seat]) if sees(seat, config.welfare_seen == "all") else None,
                "banked": shown(state.banked[seat]) if sees(seat, config.welfare_seen == "all") else None,
                "held": list(state.held[seat]) if state.held and sees(seat, False) else None,
                "goal": _goal(config, state, seat) if sees(seat, False) else None,
                "budget": _budget(last.accounts[seat])
                if last.accounts and sees(seat, config.welfare_seen == "all")
                else None,
            }
            for seat in range(config.nations)
        ],
        "attacks": [
            {"by": one.by, "on": one.on, "mils": one.mils, "lost": one.lost, "damage": shown(one.damage)}
            for one in last.battles
            if everything or config.attacks_seen == "all" or own in (one.by, one.on)
        ],
        "grants": [
            {
                "by": one.by,
                "to": one.to,
                "wanted": shown(one.wanted) if everything or own == one.by else None,
                "paid": shown(one.paid),
                "arrived": shown(one.arrived),
            }
            for one in last.payments
            if everything or own == one.by or (own == one.to and one.paid)
        ],
        "cessions": [{"by": by, "territory": number, "to": to} for by, number, to in last.cessions],
        "promises": [
            {"by": vow.by, "to": vow.to, "kind": vow.kind, "amount": vow.amount, "until": vow.until}
            for vow in state.vows
            if everything or own in (vow.by, vow.to)
        ],
    }


def _goal(config: NationsConfig, state: NationsState, seat: Seat) -> JSON:
    """What a bad actor wants and how far it is; null for a normative nation."""
    goal = config.goal_of.get(seat)
    if goal is None:
        return None
    return {
        "kind": goal.kind,
        "rival": goal.rival,
        "heritage": list(goal.heritage),
        "creed": goal.creed if goal.kind == "ideology" else None,
        "text": goal.text,
        "score": score(config, state, seat),
    }


def _budget(one: Account) -> JSON:
    return {
        "territories": one.territories,
        "gross": shown(one.gross),
        "damage": shown(one.damage),
        "penalty": shown(one.penalty),
        "upkeep": shown(one.upkeep),
        "wanted": one.wanted,
        "bought": one.bought,
        "spent": shown(one.spent),
        "granted": shown(one.granted),
        "left": shown(one.left),
        "received": shown(one.received),
        "welfare": shown(one.welfare),
        "army": one.army,
        "lost": one.lost,
        "deserted": one.deserted,
        "disbanded": one.disbanded,
    }
