"""Coordination: both want to be at the same place, and none is better than another."""

from games.declare import Matrix, measure, policy, setting

PLACES = {"station": "Station", "square": "Square", "bridge": "Bridge"}


def check(config):
    return None if config.meet > config.miss else f"meet {config.meet:g}, miss {config.miss:g}: meeting must pay more"


Coordination = Matrix(
    "Coordination",
    choices=PLACES,
    pays={(a, b): ("meet", "meet") if a == b else ("miss", "miss") for a in PLACES for b in PLACES},
    settings={
        "meet": setting(2, -1000, 1000, label="Where they meet"),
        "miss": setting(0, -1000, 1000, label="Where they do not"),
    },
    check=check,
    rounds=10,
    source="T. Schelling, The Strategy of Conflict (1960)",
    about="Both want to be at the same place, and none is better than another.",
    policies=("follower", "keeper"),
    measures=(measure("met", lambda game: int(len(set(game.choose)) == 1), headline=True, label="Met"),),
)


@policy(Coordination, recall=1, source="A. Cournot (1838): the best reply to what the other did last")
def follower(seat, now):
    """Goes to the station, then where the other went last."""
    return (now.past.choose[-1][now.partner(seat)] if now.past.choose else None) or "station"


@policy(Coordination, source="V. Crawford and H. Haller, Learning How to Cooperate, Econometrica 58 (1990)")
def keeper(seat, now, rng):
    """Goes anywhere until they have met, and stays there for ever after."""
    met = [row[seat] for row in now.past.choose if row[seat] == row[now.partner(seat)]]
    return met[0] if met else rng.choice(tuple(PLACES), "where")
