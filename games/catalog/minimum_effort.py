"""Minimum effort.

All choose an effort and pay for it, and all are paid by the least of them.

Source: J. Van Huyck, R. Battalio and R. Beil, "Tacit Coordination Games" (1990), with their pays in dollars.
"""

from games.declare import Amount, Game, Money, example, measure, policy, setting, stage


class MinimumEffort(Game, version=1):
    players: int = setting(6, 2, 16, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    levels: int = setting(7, 2, 100, label="Highest effort")
    benefit: Money = setting(0.2, 0, 100, label="Paid a step of the least")
    cost: Money = setting(0.1, 0, 100, label="Cost of a step")
    base: Money = setting(0.6, -100, 1000, label="Paid in any case")
    unit = ("dollar", "dollars")

    def check(self):
        return (
            None
            if self.benefit > self.cost
            else f"benefit {self.benefit:g}, cost {self.cost:g}: it must exceed the cost"
        )

    @stage(Amount(1, "levels", unit="steps"), silence=1, ask="How much effort?", event="{by:seat} chooses {effort}")
    def effort(self, efforts):
        """Choose an effort from 1 to {levels}. Each is paid {benefit} times the least effort of all, less {cost} times
        its own, and {base}."""
        return [self.benefit * min(efforts) - self.cost * own + self.base for own in efforts]

    def equilibria(self):
        """All pure ones: every effort that all choose, the best first."""
        return [[level] * self.players for level in range(self.levels, 0, -1)]

    def efficient(self):
        return [self.levels] * self.players

    examples = [
        example("effort", [7, 7, 7, 7, 7, 7], pays=[1.3] * 6, title="All choose 7"),
        example("effort", [7, 7, 7, 7, 7, 1], pays=[0.1, 0.1, 0.1, 0.1, 0.1, 0.7], title="One chooses 1"),
    ]
    measures = [measure("effort", "mean", headline=True), measure("effort", "least")]
    treatments = {"pair": {"players": 2}}
    preset_seats = ("follower", "follower", "secure")
    unheeded = dict.fromkeys(
        ("benefit", "cost", "base"), "to do as much as the least pays best while effort pays at all, as it must"
    )


@policy(MinimumEffort, source="Van Huyck, Battalio and Beil (1990): security")
def secure(seat, now):
    """Chooses 1, with which nobody can make it lose."""
    return 1


@policy(MinimumEffort, source="V. Crawford, Econometrica 63 (1995): adaptive dynamics")
def follower(seat, now):
    """Chooses the most, then what was the least of all last."""
    return min((one for one in last(now) if one is not None), default=now.levels)


def last(now):
    """What was chosen in the last round, as far as it was seen."""
    return now.past.effort[-1] if now.past.effort else ()
