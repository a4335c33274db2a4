"""Gift exchange.

A firm pays a wage, whatever comes of it; the worker then chooses an effort, which costs it.

Source: E. Fehr, G. Kirchsteiger and A. Riedl, "Does Fairness Prevent Market Clearing?" (1993); the firm's profit here
is value x effort - wage.
"""

from games.declare import Amount, Game, Money, example, measure, policy, setting, stage

COSTS = (0, 1, 2, 4, 6, 8, 10, 12, 15, 18)


class GiftExchange(Game, version=1):
    roles = ("firm", "worker")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    value: Money = setting(100, 20, 10_000, label="Worth of full effort")

    @stage(
        Amount(0, "value"), who="firm", silence=0, ask="What wage do you pay?", event="{by:seat} pays a wage of {wage}"
    )
    def wage(self, wages):
        """The firm pays a wage from 0 to {value}, whatever effort follows."""

    @stage(
        Amount(1, 10, unit="tenths"),
        who="worker",
        silence=1,
        ask="How much effort?",
        event="{by:seat} gives {effort} tenths of full effort",
    )
    def effort(self, efforts, wage):
        """The worker chooses 1 to 10 tenths of full effort, which cost 0, 1, 2, 4, 6, 8, 10, 12, 15 and 18. The firm
        gets as many tenths of {value}, less the wage; the worker the wage, less the cost."""
        return [self.value * efforts[1] / 10 - wage[0], wage[0] - COSTS[efforts[1] - 1]]

    def equilibria(self):
        """The only outcome of perfect ones: the least effort, therefore no wage."""
        return [{"wage": [0, None], "effort": [None, 1]}]

    def efficient(self):
        best = max(range(1, 11), key=lambda effort: self.value * effort / 10 - COSTS[effort - 1])
        return {"wage": [0, None], "effort": [None, best]}

    examples = [
        example("effort", [None, 5], wage=[40, None], pays=[10, 34], title="Half the effort for a wage of 40"),
        example(
            "effort", [None, 10], wage=[40, None], value=50, pays=[10, 22], title="All of it, where it is worth 50"
        ),
        example("effort", [None, 1], wage=[40, None], pays=[-30, 40], title="The least for the same"),
    ]
    measures = [measure("effort", "mean", headline=True), measure("wage", "share")]
    preset_seats = ("trusting", "reciprocal")


@policy(GiftExchange, source="the perfect equilibrium under own gain alone")
def equilibrium(seat, now):
    """Pays no wage, and gives the least effort."""
    return 0 if now.stage == "wage" else 1


@policy(GiftExchange, roles="firm", source="G. Akerlof, Labor Contracts as Partial Gift Exchange (1982)")
def trusting(seat, now, share=setting(0.4, 0, 1, label="Share paid")):
    """Pays a share of what full effort is worth, 0.4 unless set otherwise, rounded down."""
    return int(share * now.value)


@policy(GiftExchange, roles="worker", source="Fehr, Kirchsteiger and Riedl (1993): effort that rises with the wage")
def reciprocal(seat, now):
    """Gives one tenth, and one more for each tenth of full worth that the wage is, rounded down."""
    return min(10, 1 + int(10 * now.wage[now.partner(seat)] // now.value))
