"""Traveller's dilemma.

Two claim what a lost suitcase was worth. Both are paid the lower claim; who claimed less gets a bonus, the other pays
it.

Source: K. Basu, "The Traveler's Dilemma", American Economic Review 84 (1994); small numbers as in CoopEval.
"""

from games.declare import Amount, Game, Money, example, measure, policy, setting, stage


class TravellersDilemma(Game, version=2):
    players = 2
    rounds: int = setting(10, 1, 1000, unit="rounds")
    min_claim: int = setting(2, 0, 1000, label="Lowest claim")
    max_claim: int = setting(5, 1, 1500, label="Highest claim")
    claim_bonus: Money = setting(2, 2, 1000, label="Bonus")

    def check(self):
        return (
            None
            if self.max_claim > self.min_claim
            else f"max_claim {self.max_claim:g}: not above min_claim {self.min_claim:g}"
        )

    @stage(
        Amount("min_claim", "max_claim"),
        silence="min_claim",
        ask="How much do you claim?",
        event="{by:seat} claims {claim}",
    )
    def claim(self, claims):
        """Claim from {min_claim} to {max_claim}, in steps of 1. Both are paid the lower claim; who claimed less gets
        {claim_bonus} more, who claimed more {claim_bonus} less."""
        low = min(claims)
        return [
            low if claims[0] == claims[1] else low + (self.claim_bonus if own == low else -self.claim_bonus)
            for own in claims
        ]

    def equilibria(self):
        """The only one: whoever claims as much as the other gains by claiming 1 less, down to the lowest."""
        return [[self.min_claim] * 2]

    def efficient(self):
        return [self.max_claim] * 2

    examples = [
        example("claim", [5, 5], pays=[5, 5], title="Equal claims"),
        example("claim", [5, 3], pays=[1, 5], title="A lower claim"),
    ]
    measures = [measure("claim", "mean", headline=True)]
    treatments = {"capra": {"min_claim": 80, "max_claim": 200, "claim_bonus": 10}}
    coopeval = {"claim_bonus": 2}
    preset_seats = ("hedger", "random")


@policy(TravellersDilemma, source="C. Capra and others, American Economic Review 89 (1999), on claims that come down")
def undercutter(seat, now):
    """Claims the most, then 1 less than the other claimed last, as far as it may."""
    last = now.past.claim[-1][now.partner(seat)] if now.past.claim else None
    return now.max_claim if last is None else max(now.min_claim, last - 1)


@policy(TravellersDilemma, source="R. Nagel, American Economic Review 85 (1995): steps of reasoning")
def level_k(seat, now, k=setting(1, 0, 20, label="Level")):
    """Claims the most at level 0, and 1 less than the level below it at each further one."""
    return max(now.min_claim, now.max_claim - k)


@policy(TravellersDilemma, source="C. Capra and others (1999): claims fall as the bonus rises")
def hedger(seat, now):
    """Claims as much less than the most as the bonus is, as far as it may, rounded down."""
    return max(now.min_claim, int(now.max_claim - now.claim_bonus))
