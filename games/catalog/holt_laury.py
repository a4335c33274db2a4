"""Holt and Laury's list.

Ten choices between a safer and a riskier lottery; one of them is drawn and played.

Source: C. Holt and S. Laury, "Risk Aversion and Incentive Effects", American Economic Review 92 (2002), with its pays.
"""

from fractions import Fraction
from typing import Any

from games.declare import Game, Money, Pick, example, measure, policy, setting, stage

LOTTERY = {"safe": "Safer: 2.00 or 1.60", "risky": "Riskier: 3.85 or 0.10"}
LISTED: dict[str, Any] = {f"choice_{row}": Pick(LOTTERY, label=f"{row} in ten for the higher") for row in range(1, 11)}
PAYS = {"safe": (Fraction(2), Fraction(8, 5)), "risky": (Fraction(77, 20), Fraction(1, 10))}


class HoltLaury(Game, version=1):
    players = 1
    rounds: int = setting(1, 1, 100, unit="rounds")
    scale: Money = setting(1, 0.1, 1000, label="All pays times")
    unit = ("dollar", "dollars")
    mechanisms = ("groups", "matching")

    @stage(**LISTED, silence=dict.fromkeys(LISTED, "safe"), label="Ten choices", event="{by:seat} has chosen")
    def choose(
        self, choice_1, choice_2, choice_3, choice_4, choice_5, choice_6, choice_7, choice_8, choice_9, choice_10
    ):
        """In choice n the higher pay of either lottery comes with n chances in ten: 2.00 else 1.60, or 3.85 else 0.10,
        times {scale}. One of the ten choices is drawn, and its lottery played."""
        rows = (choice_1, choice_2, choice_3, choice_4, choice_5, choice_6, choice_7, choice_8, choice_9, choice_10)
        drawn = self.rng.below(10, "row")
        high, low = PAYS[rows[drawn][0]]
        return [self.scale * (high if self.rng.below(10, "lottery") <= drawn else low)]

    def safe(self):
        """How many of the ten choices are the safer."""
        return sum(getattr(self, name)[0] == "safe" for name in LISTED)

    examples = [example("choose", {name: ["safe"] for name in LISTED}, title="Ten times the safer: 2.00 or 1.60")]
    measures = [
        measure(
            "safe",
            lambda game: game.safe(),
            headline=True,
            label="Safer choices",
            about="Of ten; 4 where risk is neither sought nor shunned.",
        )
    ]
    preset_seats = ("neutral",)
    unheeded = {"scale": "all pays grow alike, and these policies weigh them against each other"}


@policy(HoltLaury, source="Holt and Laury (2002): expected value")
def neutral(seat, now):
    """Takes the safer four times and the riskier from the fifth choice on, as expected pay says."""
    return switching(seat, now, 4)


@policy(HoltLaury, source="Holt and Laury (2002): one who switches once")
def switching(seat, now, safe=setting(6, 0, 10, label="Safer choices")):
    """Takes the safer so many times, six unless set otherwise, and then the riskier."""
    return {name: "safe" if row < safe else "risky" for row, name in enumerate(LISTED)}
