"""Volunteer's dilemma.

One who volunteers pays for all; where nobody does, nobody gets anything.

Source: A. Diekmann, "Volunteer's Dilemma", Journal of Conflict Resolution 29 (1985).
"""

from fractions import Fraction

from games.declare import Game, Mixed, Money, Pick, example, measure, policy, setting, stage


class VolunteersDilemma(Game, version=1):
    players: int = setting(3, 2, 10, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    benefit: Money = setting(10, 1, 10_000)
    cost: Money = setting(5, 0.01, 10_000)

    def check(self):
        return (
            None
            if self.benefit > self.cost
            else f"benefit {self.benefit:g}, cost {self.cost:g}: it must exceed the cost"
        )

    @stage(Pick(volunteer="Volunteer", wait="Wait"), silence="wait", event="{by:seat} decides: {act:name}")
    def act(self, acts):
        """Where at least one volunteers all get {benefit}, and each who does pays {cost}. Else nobody gets anything."""
        got = self.benefit if "volunteer" in acts else 0
        return [got - self.cost if one == "volunteer" else got for one in acts]

    def chance(self):
        """Of volunteering, where all do with the same chance; to nine decimals."""
        return 1 - Fraction(f"{float(Fraction(self.cost) / self.benefit) ** (1 / (self.players - 1)):.9f}")

    def equilibria(self):
        """The symmetric one, mixed and to nine decimals; then each in which one volunteers."""
        same = Mixed({"volunteer": self.chance(), "wait": 1 - self.chance()})
        lone = [["volunteer" if one == place else "wait" for one in self.seats] for place in self.seats]
        return [[same] * self.players, *lone]

    def efficient(self):
        return ["volunteer", *["wait"] * (self.players - 1)]

    examples = [
        example("act", ["volunteer", "wait", "wait"], pays=[5, 10, 10], title="One volunteers"),
        example("act", ["volunteer", "volunteer", "wait"], pays=[5, 5, 10], title="Two volunteer"),
        example("act", ["wait", "wait", "wait"], pays=[0, 0, 0], title="Nobody does"),
    ]
    measures = [measure("act", choice="volunteer", headline=True)]
    preset_seats = ("equilibrium", "equilibrium", "turns")


@policy(VolunteersDilemma)
def turns(seat, now):
    """Volunteers when its turn comes by the order of seats."""
    order = sorted((*now.others(seat), seat))
    return "volunteer" if order[(now.round - 1) % len(order)] == seat else "wait"


@policy(VolunteersDilemma)
def reluctant(seat, now):
    """Waits, and volunteers after a round in which nobody did."""
    last = [one for one in now.past.act[-1] if one is not None] if now.past.act else []
    return "volunteer" if last and set(last) == {"wait"} else "wait"
