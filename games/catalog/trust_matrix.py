"""Trust, in a table: the first gives or keeps, and the second, at the same time, gives back or keeps."""

from games.declare import Matrix, policy

TrustMatrix = Matrix(
    "Trust matrix",
    choices={"give": "Give", "keep": "Keep"},
    pays={
        ("give", "give"): (10, 10),
        ("give", "keep"): (0, 20),
        ("keep", "give"): (6, 2),
        ("keep", "keep"): (4, 4),
    },
    roles=("first", "second"),
    rounds=10,
    source="CoopEval (arXiv 2604.15267), after J. Berg, J. Dickhaut and K. McCabe (1995)",
    about="What the first gives is worth more to the second, who gives back a part of it or keeps all.",
    coopeval={},
    policies=("tit_for_tat", "tit_for_tat"),
)


@policy(TrustMatrix, recall=1, source="R. Axelrod, The Evolution of Cooperation (1984)")
def tit_for_tat(seat, now):
    """Gives, then does what the other did last."""
    return (now.past.choose[-1][now.partner(seat)] if now.past.choose else None) or "give"


@policy(TrustMatrix, recall=1)
def giver(seat, now):
    """Gives, whatever the other does."""
    return "give"
