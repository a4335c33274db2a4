"""Chicken: who gives way loses to who does not, and both lose most where neither does."""

from games.declare import Matrix, policy, setting


def check(config):
    if not config.straight > config.both > config.swerve > config.crash:
        return (
            f"straight {config.straight:g}, both {config.both:g}, swerve {config.swerve:g}, crash {config.crash:g}: "
            "each must be more than the next"
        )
    return None


Chicken = Matrix(
    "Chicken",
    choices={"swerve": "Swerve", "go": "Go straight"},
    pays={
        ("swerve", "swerve"): ("both", "both"),
        ("swerve", "go"): ("swerve", "straight"),
        ("go", "go"): ("crash",) * 2,
    },
    settings={
        "straight": setting(4, -1000, 1000, label="Alone straight"),
        "both": setting(3, -1000, 1000, label="Both swerve"),
        "swerve": setting(1, -1000, 1000, label="Alone swerves"),
        "crash": setting(0, -1000, 1000, label="Crash"),
    },
    check=check,
    rounds=10,
    source="A. Rapoport and A. Chammah, The Game of Chicken, American Behavioral Scientist 10 (1966)",
    about="Who gives way loses to who does not, and both lose most where neither does.",
    policies=("mild", "bold"),
)


@policy(Chicken, recall=1)
def mild(seat, now):
    """Swerves, whatever the other does."""
    return "swerve"


@policy(Chicken, recall=1)
def bold(seat, now):
    """Goes straight, and swerves once after a crash."""
    return "swerve" if now.past.choose and set(now.past.choose[-1]) == {"go"} else "go"


@policy(Chicken, recall=1, source="A. Cournot (1838): the best reply to what the other did last")
def best_reply(seat, now):
    """Swerves, then does what would have been best against what the other did last."""
    return "swerve" if not now.past.choose or now.past.choose[-1][now.partner(seat)] == "go" else "go"
