"""Sealed auction.

Each values one thing differently and knows only the own value. All bid at once, and the highest bid wins.

Source: W. Vickrey, "Counterspeculation, Auctions, and Competitive Sealed Tenders", Journal of Finance 16 (1961).
"""

from games.declare import Amount, Game, Money, draw, example, measure, policy, setting, stage


class Auction(Game, version=1):
    players: int = setting(4, 2, 8, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    highest: Money = setting(100, 1, 10_000, label="Highest value")
    price: str = setting("first", choices=("first", "second"), label="Price paid")

    value = draw(0, "highest", seen="own")

    @stage(Amount(0, "highest"), silence=0, seen="all", ask="How much do you bid?", event="{by:seat} bids {bid}")
    def bid(self, bids):
        """The highest bid wins the thing, and its bidder pays the {price} highest bid. Ties are drawn."""
        top, second = sorted(bids, reverse=True)[:2]
        best = [seat for seat in self.seats if bids[seat] == top]
        winner = self.rng.choice(best, "tie")
        paid = top if self.price == "first" else second
        return {winner: self.value[winner] - paid}

    def efficiency(self):
        """Whether the thing went to a seat that values it most."""
        best = max(self.bid)
        return int(max(self.value) in [value for value, bid in zip(self.value, self.bid, strict=True) if bid == best])

    examples = [
        example("bid", [10, 30, 20, 0], value=[20, 50, 40, 10], pays=[0, 20, 0, 0], title="First price"),
        example(
            "bid", [10, 30, 20, 0], value=[20, 50, 40, 10], price="second", pays=[0, 30, 0, 0], title="Second price"
        ),
    ]
    measures = [
        measure("bid", "most", headline=True),
        measure("efficiency", lambda game: game.efficiency(), about="1 where the highest bid is of the highest value."),
    ]
    treatments = {"first": {}, "second": {"price": "second"}}
    preset_seats = ("rational", "truthful", "shader")


@policy(Auction, source="Vickrey (1961): dominant where the second price is paid")
def truthful(seat, now):
    """Bids its value."""
    return now.value


@policy(Auction, source="Vickrey (1961): the equilibrium of risk-neutral bidders where the first price is paid")
def shader(seat, now):
    """Bids its value times (n - 1) / n for n players, rounded down."""
    return int(now.value * (now.players - 1) // now.players)


@policy(Auction, source="Vickrey (1961): the equilibrium of risk-neutral bidders under either price")
def rational(seat, now):
    """Bids its value where the second price is paid, and that times (n - 1) / n, rounded down, where the first is."""
    return now.value if now.price == "second" else int(now.value * (now.players - 1) // now.players)
