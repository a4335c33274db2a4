"""Double auction.

Each buyer and seller knows what a thing is worth to it, and all bid and ask for it in public.

Source: V. Smith, "An Experimental Study of Competitive Market Behavior", Journal of Political Economy 70 (1962).
"""

from games.declare import Amount, Game, Money, carried, draw, example, measure, policy, setting, stage

SIDE = 6
CARDS = [130, 120, 110, 100, 90, 80, 70, 80, 90, 100, 110, 120]


class DoubleAuction(Game, version=1):
    roles = (*("buyer",) * SIDE, *("seller",) * SIDE)
    rounds: int = setting(60, 1, 1000, unit="rounds")
    steps: int = setting(12, 1, 1000, unit="rounds", help="Rounds in a trading period.")
    lowest: Money = setting(60, 1, 10_000, label="Lowest card")
    highest: Money = setting(140, 1, 10_000, label="Highest card")
    ceiling: Money = setting(200, 1, 10_000, label="Highest quote")

    card = draw("lowest", "highest", each="match", label="Card")

    bid, ask = carried(0, label="Best bid"), carried(0, label="Best ask")
    bidder = carried(-1, label="Place of the best bid, -1 none", unit="place")
    asker = carried(-1, label="Place of the best ask, -1 none", unit="place")
    price = carried(0, label="Last price")
    trades = carried(0, label="Trades of the period", unit="trades")
    turnover = carried(0, label="Paid in the period")
    gained = carried(0, by="seat", seen="own", label="Gained in the period")
    served = carried(0, by="seat", label="Period of the last trade", unit="period")

    def period(self):
        return (self.round - 1) // self.steps + 1

    def is_last(self):
        """Whether this round is the last of its period."""
        return self.round % self.steps == 0

    def waiting(self):
        """Who has not yet traded in this period; all, whose quotes are idle, where everybody has."""
        return [place for place in self.seats if self.served[place] < self.period()] or list(self.seats)

    @stage(Amount(0, "ceiling"), who="waiting", silence=0, label="Quote", ask="What do you quote?")
    def quote(self, quotes):
        """Buyers bid, sellers ask, 0 is no quote; they come in a drawn order. A bid that reaches the best ask, or an
        ask that reaches the best bid, trades at the price that stood there first. The buyer gets its card less the
        price, the seller the price less its card. Each trades once in a period of {steps} rounds, which begins without
        quotes; after a trade all quotes are gone."""
        if (self.round - 1) % self.steps == 0:
            self.trades = self.turnover = 0
            self.gained = [0] * len(self.seats)
        pays, served = [0] * len(self.seats), list(self.served)
        for place in self.rng.shuffled(self.seats, "arrival"):
            if quotes[place] and served[place] < self.period():
                self.arrive(place, quotes[place], pays, served)
        self.served = served
        self.gained = [gained + pay for gained, pay in zip(self.gained, pays, strict=True)]
        if self.is_last():
            self.clear()
        return pays

    def clear(self):
        self.bid, self.bidder, self.ask, self.asker = 0, -1, 0, -1

    def arrive(self, place, quote, pays, served):
        """A quote that trades with the best of the other side, or becomes the best of its own."""
        buys = place < SIDE
        if buys and self.asker >= 0 and quote >= self.ask:
            self.trade(place, self.asker, self.ask, pays, served)
        elif not buys and self.bidder >= 0 and quote <= self.bid:
            self.trade(self.bidder, place, self.bid, pays, served)
        elif buys and quote > self.bid:
            self.bid, self.bidder = quote, place
        elif not buys and (self.asker < 0 or quote < self.ask):
            self.ask, self.asker = quote, place

    def trade(self, buyer, seller, price, pays, served):
        pays[buyer], pays[seller] = self.card[buyer] - price, price - self.card[seller]
        served[buyer] = served[seller] = self.period()
        self.price, self.trades, self.turnover = price, self.trades + 1, self.turnover + price
        self.clear()

    def curves(self):
        """Values of buyers from the highest, costs of sellers from the lowest, and how many pairs of them gain."""
        values, costs = sorted(self.card[:SIDE], reverse=True), sorted(self.card[SIDE:])
        return values, costs, sum(value >= cost for value, cost in zip(values, costs, strict=True))

    def equilibrium(self):
        """The lowest and the highest price at which as many would buy as sell; None where nobody would trade."""
        values, costs, traded = self.curves()
        if not traded:
            return None
        lowest, highest = costs[traded - 1], values[traded - 1]
        return (lowest, highest) if traded == SIDE else (max(lowest, values[traded]), min(highest, costs[traded]))

    def mean_price(self):
        """The mean price of a period, when it is over; None where nothing was traded."""
        return float(self.turnover / self.trades) if self.is_last() and self.trades else None

    def error(self):
        """How far the mean price of the last period lies from the equilibrium, as a share of its middle."""
        mean, bounds = self.mean_price(), self.equilibrium()
        if mean is None or bounds is None or self.round <= self.rounds - self.steps:
            return None
        lowest, highest = map(float, bounds)
        return max(0.0, lowest - mean, mean - highest) * 2 / (lowest + highest)

    def efficiency(self):
        """Gains from trade of a period, when it is over, as a share of the most that there are."""
        values, costs, traded = self.curves()
        most = sum(values[:traded]) - sum(costs[:traded])
        return float(sum(self.gained) / most) if self.is_last() and most else None

    examples = [
        example(
            "quote", [100, 95, 0, 0, 0, 0, 100, 105, 0, 0, 0, 0], card=CARDS, title="A bid meets an ask",
            pays=[30, 0, 0, 0, 0, 0, 30, 0, 0, 0, 0, 0], becomes={"price": 100, "trades": 1},
        ),
        example(
            "quote", [100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], card=CARDS, ask=95, asker=8, title="The older price",
            pays=[35, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0], becomes={"price": 95, "ask": 0, "asker": -1},
        ),
        example(
            "quote", [90, 95, 0, 0, 0, 0, 110, 105, 0, 0, 0, 0], card=CARDS, title="Bids below asks",
            pays=[0] * 12, becomes={"bid": 95, "bidder": 1, "ask": 105, "asker": 7},
        ),
    ]  # fmt: skip
    measures = [
        measure(
            "error", lambda game: game.error(), headline=True, label="Distance from equilibrium",
            about="Of the last period's mean price from the equilibrium's range, as a share. None without a trade.",
        ),
        measure("mean_price", lambda game: game.mean_price(), label="Mean price", about="Of a period's trades."),
        measure(
            "efficiency", lambda game: game.efficiency(), label="Efficiency",
            about="Gains from trade of a period, as a share of the most that there are.",
        ),
    ]  # fmt: skip
    treatments = {"adaptive": {}, "one_period": {"rounds": 12}, "constrained": {}, "unconstrained": {}}
    preset_seats = {
        "default": ("adaptive",),
        "constrained": ("constrained",),
        "unconstrained": ("unconstrained",),
    }


@policy(
    DoubleAuction, source="Easley and Ledyard, in: The Double Auction Market (1993): reservation prices that concede"
)
def adaptive(seat, now, rng, spread=setting(10, 0, 100, label="Spread")):
    """Begins a period at a price better than the last by up to the spread, and concedes to its card in the end."""
    if not now.price:
        return constrained(seat, now, rng)
    buys, card = now.role == "buyer", now.card
    done = ((now.round - 1) % now.steps + 1) / now.steps
    off = rng.unit("wish") * spread
    if buys:
        wish = now.price - off
        return int(min(card, wish + max(0, card - wish) * done**2))
    wish = now.price + off
    return min(now.ceiling, int(max(card, wish - max(0, wish - card) * done**2)) + 1)


@policy(DoubleAuction, source="Gode and Sunder, Journal of Political Economy 101 (1993): ZI-C")
def constrained(seat, now, rng):
    """Quotes any price at which it does not lose, each as likely."""
    card = int(now.card)
    if now.role == "buyer":
        return 1 + rng.below(card, "quote")
    return card + rng.below(max(1, int(now.ceiling) - card + 1), "quote")


@policy(DoubleAuction, source="Gode and Sunder, Journal of Political Economy 101 (1993): ZI-U")
def unconstrained(seat, now, rng):
    """Quotes any price, each as likely, at a loss too."""
    return 1 + rng.below(int(now.ceiling), "quote")
