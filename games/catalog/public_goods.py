"""Public goods with punishment.

All give to a fund that grows and is shared equally; then all see the gifts and may take from each other, at a cost.

Source: E. Fehr and S. Gächter, "Cooperation and Punishment in Public Goods Experiments" (2000).
"""

from games.declare import Amount, Game, Money, Points, example, measure, policy, setting, stage


class PublicGoods(Game, version=1):
    players: int = setting(4, 2, 20, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    endowment: Money = setting(20, 1, 10_000)
    multiplier: float = setting(1.6, 1, 20)
    budget: int = setting(10, 0, 100, unit="points")
    fine: Money = setting(3, 0, 100)

    @stage(Amount(0, "endowment"), silence=0, ask="How much do you give?", event="{by:seat} gives {contribute}")
    def contribute(self, gifts):
        """Give a part of your {endowment}. The fund is multiplied by {multiplier} and shared by all {players}."""
        share = sum(gifts) * self.multiplier / self.players
        return [self.endowment - gift + share for gift in gifts]

    @stage(Points(to="others", most="budget", cost=1), silence={}, seen="own", when="budget")
    def punish(self, points):
        """Take from others: a point costs you 1 and takes {fine} from whom you give it. Nobody learns who gave it."""
        return [-points.by(seat) - self.fine * points.to(seat) for seat in self.seats]

    def equilibria(self):
        """The only one under own gain alone: nobody gives or fines; all give where a gift comes back whole."""
        return [{"contribute": [self.endowment if self.multiplier > self.players else 0] * self.players}]

    def efficient(self):
        return {"contribute": [self.endowment if self.multiplier > 1 else 0] * self.players}

    examples = [
        example("contribute", [0, 0, 10, 20], pays=[32, 32, 22, 12]),
        example("punish", {2: {0: 2}, 3: {1: 4}}, pays=[-6, -12, -2, -4]),
    ]
    measures = [measure("contribute", "mean", headline=True), measure("punish", "sum")]
    treatments = {"without": {"budget": 0}, "with": {}}
    coopeval = {"players": 3, "multiplier": 1.5, "endowment": 1}
    preset_seats = ("punisher", "punisher", "free_rider")
    unheeded = {
        "multiplier": "while it is less than the players, to give pays nobody; who gives goes by what others give",
        "fine": "who fines goes by who gave least, whatever it takes from them",
    }


@policy(PublicGoods, source="Fehr and Gächter (2000)")
def free_rider(seat, now):
    """Gives nothing and fines nobody."""
    return 0 if now.stage == "contribute" else {}


@policy(PublicGoods, source="Fehr and Gächter (2000)")
def punisher(seat, now):
    """Gives all, and a point to each who gave least."""
    if now.stage == "contribute":
        return int(now.endowment)
    return {one: 1 for one in now.others(seat) if now.contribute[one] == min(now.contribute) < max(now.contribute)}


@policy(PublicGoods, source="U. Fischbacher, S. Gächter and E. Fehr, Economics Letters 71 (2001)")
def matcher(seat, now, slope=setting(1.0, 0, 1, label="Part of the others' gifts")):
    """Gives half, then what the others gave last on average, or the part of it that is set; fines nobody."""
    if now.stage != "contribute":
        return {}
    last = [now.past.contribute[-1][one] for one in now.others(seat)] if now.past.contribute else []
    known = [one for one in last if one is not None]
    return int(slope * sum(known) / len(known)) if known else int(now.endowment // 2)
