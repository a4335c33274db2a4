"""By what each nation is scored in a round: welfare, or a bad actor's own condition."""

from __future__ import annotations

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.money import shown
from games.catalog.nations.state import NationsState
from games.core.game import Number, Seat
from games.core.measures import gini


def score(config: NationsConfig, state: NationsState, seat: Seat) -> Number:
    """The score of the round so far.

    welfare: points of welfare. territories: share of the world's territories, 0 to 1. heritage: share of its heritage,
    0 to 1. damage, rival: money destroyed, of all or of the rival. ideology: its creed, 0 to 1. Higher is better.
    """
    goal = config.goal_of.get(seat)
    if goal is None:
        return shown(state.welfare[seat])
    match goal.kind:
        case "territories":
            return state.owners.count(seat) / config.territories
        case "heritage":
            wanted = set(goal.heritage)
            return sum(state.owners[number - 1] == seat for number in wanted) / len(wanted)
        case "damage":
            return shown(sum(done for by, _, done in state.harm if by == seat))
        case "rival":
            return shown(sum(done for by, on, done in state.harm if (by, on) == (seat, goal.rival)))
        case "ideology":
            if goal.creed == "equality":
                return round(1 - (gini([shown(points) for points in state.welfare]) or 0.0), 9)
            others = [army for other, army in enumerate(state.army) if other != seat]
            return sum(army == 0 for army in others) / len(others)
