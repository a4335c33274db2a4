"""Dictator.

One divides a pie, and the other takes what it is given.

Source: R. Forsythe, J. Horowitz, N. Savin and M. Sefton, "Fairness in Simple Bargaining Experiments" (1994).
"""

from games.declare import Amount, Game, Money, example, measure, policy, setting, stage


class Dictator(Game, version=1):
    roles = ("dictator", "recipient")
    rounds: int = setting(1, 1, 1000, unit="rounds")
    pie: Money = setting(10, 1, 10_000)

    @stage(Amount(0, "pie"), who="dictator", silence=0, ask="How much do you give?", event="{by:seat} gives {give}")
    def give(self, gifts):
        """The dictator gives a part of {pie} to the recipient, who has no say, and keeps the rest."""
        return [self.pie - gifts[0], gifts[0]]

    def equilibria(self):
        """The only one under own gain alone."""
        return [[0, None]]

    examples = [example("give", [3, None], pays=[7, 3], title="3 of 10 is given")]
    measures = [measure("give", "share", headline=True)]
    treatments = {"large": {"pie": 100}}
    preset_seats = ("sharer", "random")


@policy(Dictator, roles="dictator", source="E. Fehr and K. Schmidt, Quarterly Journal of Economics 114 (1999)")
def sharer(seat, now, share=setting(0.5, 0, 1, label="Share given")):
    """Gives half of the pie, or the share that is set, rounded down."""
    return int(share * now.pie)
