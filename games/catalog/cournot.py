"""Cournot.

Firms choose how much to bring to one market; the more they bring together, the lower the price.

Source: A. Cournot, "Recherches sur les principes mathématiques de la théorie des richesses" (1838).
"""

from games.declare import Amount, Game, example, measure, policy, setting, stage


class Cournot(Game, version=1):
    players: int = setting(2, 2, 6, unit="firms")
    rounds: int = setting(20, 1, 1000, unit="rounds")
    demand: int = setting(100, 1, 1000, label="Highest price")
    cost: int = setting(10, 0, 999, label="Cost of a piece")

    def check(self):
        return None if self.cost < self.demand else f"cost {self.cost:g}: less than the highest price, {self.demand:g}"

    @stage(
        Amount(0, "demand", unit="pieces"), silence=0, ask="How much do you bring?", event="{by:seat} brings {quantity}"
    )
    def quantity(self, quantities):
        """Bring pieces that cost {cost} each. All are sold at {demand} less one for each piece that all bring together,
        or at nothing."""
        price = max(0, self.demand - sum(quantities))
        return [(price - self.cost) * own for own in quantities]

    def equilibria(self):
        """Equal quantities, (demand - cost) / (n + 1); what does not divide is brought one each by the first."""
        each, over = divmod(self.demand - self.cost, self.players + 1)
        return [[each + (place < over) for place in self.seats]]

    def efficient(self):
        """For the firms: together what one alone would bring."""
        each, over = divmod((self.demand - self.cost) // 2, self.players)
        return [each + (place < over) for place in self.seats]

    def price(self):
        return max(0, self.demand - sum(self.quantity))

    examples = [
        example("quantity", [30, 30], pays=[900, 900], title="30 each, at a price of 40"),
        example("quantity", [20, 40], pays=[600, 1200], title="20 and 40, at the same price"),
        example("quantity", [60, 60], pays=[-600, -600], title="Too much for any price"),
    ]
    measures = [
        measure("quantity", "sum", headline=True),
        measure("price", lambda game: game.price(), about="Highest price less all that is brought; 0 at the least."),
    ]
    treatments = {"four": {"players": 4}}
    preset_seats = ("best_reply", "imitate_best")


@policy(Cournot, source="Cournot (1838)")
def best_reply(seat, now):
    """Brings a quarter of the competitive total, then the best reply to what the others brought last, rounded down."""
    made = seen(now)
    if not made:
        return (now.demand - now.cost) // 4
    return max(0, (now.demand - now.cost - sum(made) + now.past.quantity[-1][seat]) // 2)


@policy(Cournot, source="the quantity that pays all most together")
def collusive(seat, now):
    """Brings an equal part of what one firm alone would bring, rounded down."""
    return (now.demand - now.cost) // 2 // now.players


@policy(Cournot, source="F. Vega-Redondo, The Evolution of Walrasian Behavior, Econometrica 65 (1997)")
def imitate_best(seat, now):
    """Brings a part of the competitive total, then what the firm that earned most brought last."""
    made = seen(now)
    if not made:
        return (now.demand - now.cost) // now.players
    return max(made) if sum(made) <= now.demand - now.cost else min(made)


def seen(now):
    """What was brought in the last round, as far as it was seen."""
    return [one for one in now.past.quantity[-1] if one is not None] if now.past.quantity else []
