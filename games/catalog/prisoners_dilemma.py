"""Prisoner's dilemma: whatever the other does, defecting pays more; both defecting pays less than both cooperating."""

from games.declare import Matrix, policy, setting


def check(config):
    if not config.temptation > config.both_cooperate > config.both_defect > config.sucker:
        return (
            f"temptation {config.temptation:g}, both_cooperate {config.both_cooperate:g}, both_defect "
            f"{config.both_defect:g}, sucker {config.sucker:g}: each must be more than the next, or it is no dilemma"
        )
    return None


PrisonersDilemma = Matrix(
    "Prisoner's dilemma",
    version=2,
    choices={"C": "Cooperate", "D": "Defect"},
    pays={("C", "C"): ("both_cooperate",) * 2, ("C", "D"): ("sucker", "temptation"), ("D", "D"): ("both_defect",) * 2},
    settings={
        "temptation": setting(3, -1000, 1000, label="Temptation"),
        "both_cooperate": setting(2, -1000, 1000, label="Reward: both cooperate"),
        "both_defect": setting(1, -1000, 1000, label="Punishment: both defect"),
        "sucker": setting(0, -1000, 1000, label="Sucker's pay"),
    },
    check=check,
    rounds=10,
    source="A. Rapoport and A. Chammah, Prisoner's Dilemma (1965); pays as in CoopEval (arXiv 2604.15267)",
    about="Whatever the other does, defecting pays more; yet both defecting pays less than both cooperating.",
    coopeval={},
    policies=("tit_for_tat", "grim"),
    treatments={"once": {"rounds": 1}},
)


@policy(PrisonersDilemma, recall=1, source="R. Axelrod, The Evolution of Cooperation (1984)")
def tit_for_tat(seat, now):
    """Cooperates, then does what the other did last."""
    return (now.past.choose[-1][now.partner(seat)] if now.past.choose else None) or "C"


@policy(PrisonersDilemma, source="J. Friedman, A Non-cooperative Equilibrium for Supergames (1971)")
def grim(seat, now):
    """Cooperates until the other defected, and defects for ever after."""
    other = now.partner(seat)
    return "D" if any(row[other] == "D" for row in now.past.choose) else "C"


@policy(PrisonersDilemma, recall=1, source="M. Nowak and K. Sigmund, Nature 364 (1993)")
def win_stay(seat, now):
    """Cooperates, then cooperates where both did the same last, and defects where they did not."""
    return "C" if not now.past.choose or len(set(now.past.choose[-1])) == 1 else "D"


@policy(PrisonersDilemma, recall=1)
def cooperator(seat, now):
    """Cooperates, whatever the other does."""
    return "C"
