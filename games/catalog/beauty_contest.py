"""Beauty contest.

All guess a number; whose guess is nearest to a part of the mean of all guesses wins.

Source: R. Nagel, "Unraveling in Guessing Games", American Economic Review 85 (1995).
"""

from fractions import Fraction

from games.declare import Amount, Game, Money, Reference, example, measure, policy, setting, stage

MOST = 100


class BeautyContest(Game, version=1):
    players: int = setting(5, 2, 30, unit="players")
    rounds: int = setting(4, 1, 1000, unit="rounds")
    part: str = setting("2/3", choices=("1/2", "2/3", "4/3"), label="Part of the mean")
    prize: Money = setting(20, 0, 10_000)

    @stage(
        Amount(0, MOST, unit="points"),
        silence=50,
        after="round",
        ask="What do you guess?",
        event="{by:seat} guesses {guess}",
    )
    def guess(self, guesses):
        """Guess a number from 0 to 100. The guess nearest to {part} of the mean of all guesses wins {prize};
        equals share."""
        target = Fraction(self.part) * sum(guesses) / self.players
        off = [abs(guess - target) for guess in guesses]
        return [Fraction(self.prize, off.count(min(off))) if one == min(off) else 0 for one in off]

    def equilibria(self):
        """The symmetric ones in whole numbers: nobody wins alone by another guess than all the others'."""
        part, n = Fraction(self.part), self.players

        def is_stable(guess):
            targets = ((other, part * (guess * (n - 1) + other) / n) for other in range(MOST + 1))
            return all(abs(other - target) >= abs(guess - target) for other, target in targets)

        return [[guess] * n for guess in range(MOST + 1) if is_stable(guess)]

    examples = [
        example("guess", [50, 30, 20, 40, 10], pays=[0, 0, 20, 0, 0], title="Two thirds of the mean of 30 is 20"),
        example("guess", [0, 0, 0, 0, 90], pays=[5, 5, 5, 5, 0], title="Four share"),
    ]
    measures = [measure("guess", "mean", headline=True)]
    people = [
        Reference(
            "guess_mean",
            32.4,
            n="19,196 readers",
            condition="a newspaper's contest, played once; two thirds of the mean was 21.6",
            source="Politiken (2005), as told by Wikipedia, Guess 2/3 of the average",
            given={"part": "2/3"},
        )
    ]
    treatments = {"half": {"part": "1/2"}}
    preset_seats = ("level_k", "imitator_of_target", "random")


@policy(BeautyContest, source="Nagel (1995): level k begins at 50 and multiplies by the part k times")
def level_k(seat, now, k=setting(2, 0, 10, label="Level")):
    """Guesses 50 times the part, as many times as its level, rounded down."""
    return min(MOST, int(50 * Fraction(now.part) ** k))


@policy(BeautyContest, source="Nagel (1995): adjustment towards what would have won")
def imitator_of_target(seat, now):
    """Guesses 50, then what would have won the round before, rounded down."""
    last = (
        [one for one in now.past.guess[-1] if one is not None]
        if now.past.guess
        else [Fraction(50) / Fraction(now.part)]
    )
    return min(MOST, int(Fraction(now.part) * sum(last) / len(last)))
