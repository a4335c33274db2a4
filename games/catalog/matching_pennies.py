"""Matching pennies: one wins where both show the same, the other where they do not."""

from games.declare import Matrix, policy, setting


def check(config):
    return None if config.win > config.lose else f"win {config.win:g}, lose {config.lose:g}: winning must pay more"


MatchingPennies = Matrix(
    "Matching pennies",
    choices={"heads": "Heads", "tails": "Tails"},
    pays={
        ("heads", "heads"): ("win", "lose"),
        ("heads", "tails"): ("lose", "win"),
        ("tails", "heads"): ("lose", "win"),
        ("tails", "tails"): ("win", "lose"),
    },
    settings={
        "win": setting(1, -1000, 1000, label="Who wins is paid"),
        "lose": setting(-1, -1000, 1000, label="Who loses is paid"),
    },
    check=check,
    roles=("matcher", "mismatcher"),
    rounds=20,
    source="J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior (1944)",
    about="One wins where both show the same, the other where they do not; there is nothing to win together.",
    coopeval={},
    policies=("win_stay", "equilibrium"),
)


@policy(MatchingPennies, source="M. Nowak and K. Sigmund, Nature 364 (1993): win, stay; lose, shift")
def win_stay(seat, now):
    """Shows heads, then the same again after it won, and the other side after it lost."""
    if not now.past.choose:
        return "heads"
    own, other = now.past.choose[-1][seat], now.past.choose[-1][now.partner(seat)]
    won = (own == other) == (now.role == "matcher")
    return own if won else {"heads": "tails", "tails": "heads"}[own]


@policy(MatchingPennies, source="G. Brown, Iterative Solution of Games by Fictitious Play (1951)")
def fictitious(seat, now):
    """Replies best to what the other showed more often so far; heads where both are as often."""
    shown = [row[now.partner(seat)] for row in now.past.choose]
    often = "heads" if 2 * shown.count("heads") >= len(shown) else "tails"
    return often if now.role == "matcher" else {"heads": "tails", "tails": "heads"}[often]
