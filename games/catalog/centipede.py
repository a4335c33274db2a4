"""Centipede.

Two take turns: take the larger of two piles and end it, or pass and let both double. A match is one such game.

Source: R. McKelvey and T. Palfrey, "An Experimental Study of the Centipede Game", Econometrica 60
(1992), with its pays.
"""

from games.declare import Fixed, Game, Money, Pick, When, carried, example, measure, policy, setting, stage


class Centipede(Game, version=1):
    roles = ("first", "second")
    nodes: int = setting(6, 2, 20, unit="moves")
    large: Money = setting(0.4, 0.01, 100, label="Larger pile at first")
    small: Money = setting(0.1, 0.01, 100, label="Smaller pile at first")
    unit = ("dollar", "dollars")
    span = "match"

    passes = carried(0, unit="times")
    taken = carried(0, label="Taken", unit="times")

    def check(self):
        return None if self.large > self.small else f"large {self.large:g}, small {self.small:g}: it must be the larger"

    def mover(self):
        """Who moves: the first in odd moves."""
        return [self.passes % 2]

    @stage(Pick(take="Take", go="Pass"), who="mover", silence="take", event="{by:seat}: {move:name}")
    def move(self, moves):
        """By turns, take or pass. Who takes gets the larger pile, {large} at first, the other the smaller, {small} at
        first, and it is over. Each pass doubles both; after {nodes} passes the larger is the next one's in turn."""
        place = self.passes % 2
        is_take = moves[place] == "take"
        self.taken, self.passes = int(is_take), self.passes + (not is_take)
        if not is_take and self.round < self.nodes:
            return None
        winner = place if is_take else 1 - place
        times = 2**self.passes
        return {winner: self.large * times, 1 - winner: self.small * times}

    def is_over(self):
        """It is over as soon as one takes."""
        return bool(self.taken)

    ends = (Fixed("nodes"), When("is_over"))

    def equilibria(self):
        """The only outcome: whoever moves last would take, so each before takes, and the first at once."""
        return [{"move": ["take", "take"]}]

    def efficient(self):
        return {"move": ["go", "go"]}

    examples = [
        example("move", ["take", None], pays=[0.4, 0.1], becomes={"taken": 1}, title="The first takes at once"),
        example("move", ["go", None], pays=[0, 0], becomes={"passes": 1}, title="The first passes"),
    ]
    measures = [measure("passes", "sum", headline=True), measure("move", choice="go")]
    treatments = {"four": {"nodes": 4}}
    preset_seats = ("passer", "passer")


@policy(Centipede, source="the perfect equilibrium under own gain alone")
def equilibrium(seat, now):
    """Takes."""
    return "take"


@policy(Centipede, source="McKelvey and Palfrey (1992): an altruist always passes")
def altruist(seat, now):
    """Passes, always."""
    return "go"


@policy(Centipede, source="T. Kawagoe and H. Takizawa, Games and Economic Behavior 75 (2012): steps of reasoning")
def passer(seat, now, steps=setting(2, 0, 20, label="Moves from the end")):
    """Passes until so many moves, two unless set otherwise, are left, and takes then."""
    return "take" if now.round > now.nodes - steps else "go"
