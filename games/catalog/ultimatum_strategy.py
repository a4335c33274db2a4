"""Ultimatum, by the strategy method.

One offers a share of a pie; the other says beforehand what is the least that it takes.

Source: R. Selten (1967) for the method; W. Güth, R. Schmittberger and B. Schwarze (1982) for the game.
"""

from games.declare import Amount, Game, Money, example, measure, policy, setting, stage


class UltimatumStrategy(Game, version=1):
    roles = ("proposer", "responder")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    pie: Money = setting(10, 1, 10_000)

    @stage(
        Amount(0, "pie"),
        who="responder",
        silence="pie",
        seen="all",
        after="round",
        label="Least accepted",
        ask="What is the least that you take?",
        event="{by:seat} takes {least} or more",
    )
    def least(self, demands):
        """The responder names the least offer that it takes, before it is told any."""

    @stage(Amount(0, "pie"), who="proposer", silence=0, ask="How much do you offer?", event="{by:seat} offers {offer}")
    def offer(self, offers, least):
        """The proposer offers a part of {pie}, not knowing what is taken. An offer below the least leaves both
        nothing."""
        return [self.pie - offers[0], offers[0]] if offers[0] >= least[1] else [0, 0]

    def equilibria(self):
        """One for each least: it is offered, and no more; at the whole pie both may as well fail."""
        return [{"least": [None, one], "offer": [one, None]} for one in range(int(self.pie) + 1)]

    def accepted(self):
        return int(self.offer[0] >= self.least[1])

    examples = [
        example("offer", [4, None], least=[None, 3], pays=[6, 4], title="4 is offered where 3 is enough"),
        example("offer", [3, None], least=[None, 3], pays=[7, 3], title="3 is offered where 3 is the least"),
        example("offer", [2, None], least=[None, 3], pays=[0, 0], title="2 is offered where 3 is the least"),
    ]
    measures = [
        measure("offer", "share", headline=True),
        measure("least", "share"),
        measure("accepted", lambda game: game.accepted(), about="1 where the offer is no less than the least; else 0."),
    ]
    preset_seats = ("even", "fair")


@policy(UltimatumStrategy, source="the perfect equilibrium under own gain alone, where 1 is the least that counts")
def equilibrium(seat, now):
    """Offers 1, and takes 1 or more."""
    return 1


@policy(UltimatumStrategy, roles="proposer")
def even(seat, now):
    """Offers half of the pie, rounded down."""
    return int(now.pie // 2)


@policy(UltimatumStrategy, roles="responder")
def fair(seat, now, share=setting(0.3, 0, 1, label="Least share")):
    """Takes what is at least a share of the pie, 0.3 unless set otherwise, rounded up."""
    return -int(-share * now.pie // 1)
