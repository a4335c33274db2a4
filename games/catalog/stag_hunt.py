"""Stag hunt: two who hunt together catch a stag; a hare one catches alone."""

from games.declare import Matrix, policy

StagHunt = Matrix(
    "Stag hunt",
    choices={"stag": "Stag", "hare": "Hare"},
    pays={("stag", "stag"): (5, 5), ("stag", "hare"): (0, 3), ("hare", "hare"): (3, 3)},
    rounds=20,
    partner="fixed",
    source="J.-J. Rousseau, Discourse on Inequality (1755); R. Cooper and others, Selection Criteria (1990)",
    about="Two who hunt together catch a stag; a hare one catches alone.",
    coopeval={},
    policies=("hopeful", "wary"),
)


@policy(StagHunt)
def trusting(seat, now):
    """Hunts the stag until the other hunted the hare, and the hare for ever after."""
    other = now.partner(seat)
    return "hare" if any(row[other] == "hare" for row in now.past.choose) else "stag"


@policy(StagHunt, recall=1)
def wary(seat, now):
    """Hunts the hare, then what the other hunted last."""
    return now.past.choose[-1][now.partner(seat)] if now.past.choose else "hare"


@policy(StagHunt, recall=1)
def alone(seat, now):
    """Hunts the hare, whatever the other does."""
    return "hare"


@policy(StagHunt, recall=1)
def hopeful(seat, now):
    """Hunts the stag, then what the other hunted last."""
    return now.past.choose[-1][now.partner(seat)] if now.past.choose else "stag"
