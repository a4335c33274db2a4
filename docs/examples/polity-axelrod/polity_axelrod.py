"""The strategies of the Axelrod library as agents: ``agent/axelrod/Grudger`` sits in a seat of the dilemma."""

import axelrod


def make(variant):
    """``decide(request)`` for a strategy by its name in the library; ValueError where there is none."""
    kind = getattr(axelrod, variant or "TitForTat", None)
    if kind not in axelrod.all_strategies:
        raise ValueError(f"{variant!r}: no strategy of the Axelrod library, such as Grudger")

    def decide(request):
        seen = request.observation
        if seen.stage != "choose":
            return {"text": ""}
        me, other = kind(), axelrod.MockPlayer()
        me.set_seed(0)
        for mine, theirs in zip(seen.mine, seen.theirs, strict=True):
            me.strategy(other)  # strategies may remember what they thought
            me.history.append(axelrod.Action.from_char(mine), axelrod.Action.from_char(theirs))
            other.history.append(axelrod.Action.from_char(theirs), axelrod.Action.from_char(mine))
        return {"move": str(me.strategy(other))}

    return decide
