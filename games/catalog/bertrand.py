"""Bertrand.

Firms name prices for the same good, and all buy from the cheapest.

Source: J. Bertrand, review of Cournot, Journal des Savants (1883).
"""

from fractions import Fraction

from games.declare import Amount, Game, example, measure, policy, setting, stage


class Bertrand(Game, version=1):
    players: int = setting(2, 2, 6, unit="firms")
    rounds: int = setting(20, 1, 1000, unit="rounds")
    demand: int = setting(100, 4, 1000, label="Highest price")
    cost: int = setting(10, 0, 996, label="Cost of a piece")

    def check(self):
        return (
            None
            if self.cost <= self.demand - 4
            else f"cost {self.cost:g}: at most the highest price less 4, {self.demand - 4}"
        )

    @stage(Amount(0, "demand"), silence="demand", ask="What is your price?", event="{by:seat} asks {price}")
    def price(self, prices):
        """Name a price. The cheapest sells {demand} less its price, in pieces that cost {cost} each; equals share."""
        low = min(prices)
        each = Fraction((low - self.cost) * (self.demand - low), prices.count(low))
        return [each if own == low else 0 for own in prices]

    def equilibria(self):
        """The symmetric ones in whole prices: 1 above cost, and at cost."""
        return [[self.cost + 1] * self.players, [self.cost] * self.players]

    def efficient(self):
        """For the firms: the price that one alone would ask."""
        return [(self.demand + self.cost) // 2] * self.players

    examples = [
        example("price", [50, 55], pays=[2000, 0], title="The cheaper sells all"),
        example("price", [55, 55], pays=[1012.5, 1012.5], title="Equals share"),
    ]
    measures = [measure("price", "least", headline=True), measure("price", "mean")]
    preset_seats = ("undercutter", "collusive")


@policy(Bertrand, source="Bertrand (1883)")
def undercutter(seat, now):
    """Asks what one alone would ask, then 1 less than the cheapest of the others last, above cost."""
    last = [now.past.price[-1][one] for one in now.others(seat)] if now.past.price else []
    least = min((one for one in last if one is not None), default=(now.demand + now.cost) // 2 + 1)
    return max(now.cost + 1, least - 1)


@policy(Bertrand, source="the price that pays all most together; J. Friedman (1971) for what follows")
def collusive(seat, now):
    """Asks what one alone would ask, until another asked less, and 1 above cost for ever after."""
    alone = (now.demand + now.cost) // 2
    was_cut = any(one is not None and one < alone for row in now.past.price for one in row)
    return now.cost + 1 if was_cut else alone
