"""Commons.

All take from one stock, and what is left grows back. Who takes more than grows back leaves less for everybody.

Source: E. Ostrom, R. Gardner and J. Walker, "Rules, Games, and Common-Pool Resources" (1994); M. Schaefer (1954).
"""

from games.declare import Amount, Fixed, Game, Money, When, carried, example, measure, policy, setting, stage


class Commons(Game, version=1):
    players: int = setting(4, 2, 20, unit="players")
    rounds: int = setting(20, 1, 1000, unit="rounds")
    capacity: Money = setting(120, 10, 100_000)
    growth: float = setting(0.4, 0, 4)
    collapse: Money = setting(8, 0, 10_000, label="Collapse below")

    stock = carried("capacity")

    def share(self):
        """The most that one may take: an equal part of the stock."""
        return self.stock / self.players

    @stage(Amount(0, "share"), silence=0, ask="How much do you take?", event="{by:seat} takes {harvest}")
    def harvest(self, taken):
        """Take up to an equal part of the stock. The rest S grows by {growth} x S x (1 - S / {capacity})."""
        left = self.stock - sum(taken)
        self.stock = left + self.growth * left * (1 - left / self.capacity)
        return taken

    def is_gone(self):
        """It ends early when the stock has fallen below {collapse}."""
        return self.stock < self.collapse

    def yield_share(self):
        """What is taken by growth x capacity / 4, the most that grows back, at half of the capacity."""
        return float(sum(self.harvest) * 4 / (self.growth * self.capacity)) if self.growth else None

    ends = (Fixed("rounds"), When("is_gone"))
    examples = [
        example("harvest", [0, 0, 0, 0], stock=60, pays=[0, 0, 0, 0], becomes={"stock": 72}, title="Nobody takes"),
        example("harvest", [3, 3, 3, 3], stock=72, pays=[3, 3, 3, 3], becomes={"stock": 72}, title="What grows back"),
        example("harvest", [18, 18, 18, 18], stock=72, pays=[18, 18, 18, 18], becomes={"stock": 0}, title="All of it"),
    ]
    measures = [
        measure("stock", "sum", headline=True),
        measure("harvest", "mean"),
        measure("yield_share", lambda game: game.yield_share(), about="Taken by what the best stock gives for ever."),
    ]
    treatments = {"slow": {"growth": 0.2}, "fast": {"growth": 1}}
    preset_seats = ("sustainer", "sustainer", "grabber", "sustainer")


@policy(Commons)
def sustainer(seat, now):
    """Takes its part of what has to go so that half of the capacity stays, rounded down."""
    return max(0, int((now.stock - now.capacity / 2) // now.players))


@policy(Commons)
def grabber(seat, now, part=setting(0.5, 0, 1, label="Part")):
    """Takes a fixed part of the most that it may, half of it unless set otherwise, rounded down."""
    return int(part * (now.stock // now.players))
