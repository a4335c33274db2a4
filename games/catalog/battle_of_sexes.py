"""Battle of the sexes: both would rather be together than apart, and each would rather be together elsewhere."""

from games.declare import Matrix, measure, policy, setting


def check(config):
    pays = config.favourite, config.other, config.apart
    if not pays[0] > pays[1] > pays[2]:
        return "favourite {:g}, other {:g}, apart {:g}: each must be more than the next".format(*pays)
    return None


BattleOfSexes = Matrix(
    "Battle of sexes",
    choices={"opera": "Opera", "fight": "Fight"},
    pays={
        ("opera", "opera"): ("favourite", "other"),
        ("fight", "fight"): ("other", "favourite"),
        ("opera", "fight"): ("apart", "apart"),
        ("fight", "opera"): ("apart", "apart"),
    },
    settings={
        "favourite": setting(3, -1000, 1000, label="At one's favourite"),
        "other": setting(2, -1000, 1000, label="At the other's favourite"),
        "apart": setting(0, -1000, 1000, label="Apart"),
    },
    check=check,
    roles=("opera_lover", "fight_fan"),
    rounds=10,
    source="R. D. Luce and H. Raiffa, Games and Decisions (1957)",
    about="Both would rather be together than apart, and each would rather be together elsewhere.",
    policies=("turns", "turns"),
    measures=(measure("meet", lambda game: int(len(set(game.choose)) == 1), headline=True, label="Together"),),
)


@policy(BattleOfSexes)
def turns(seat, now):
    """Goes to the opera in odd rounds and to the fight in even ones."""
    return "opera" if now.round % 2 else "fight"


@policy(BattleOfSexes, recall=1)
def stubborn(seat, now):
    """Goes where it likes best, whatever the other does."""
    return "opera" if now.role == "opera_lover" else "fight"


@policy(BattleOfSexes, recall=1, source="A. Cournot (1838): the best reply to what the other did last")
def follower(seat, now):
    """Goes where it likes best, then where the other went last."""
    return (now.past.choose[-1][now.partner(seat)] if now.past.choose else None) or stubborn(seat, now)
