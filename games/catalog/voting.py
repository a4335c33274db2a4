"""Voting over proposals.

The chair proposes how a pie is shared, and all vote on it; without enough votes nobody gets anything.

Source: D. Baron and J. Ferejohn, "Bargaining in Legislatures", American Political Science Review 83 (1989), one
session.
"""

from games.declare import Game, Pick, Points, example, measure, policy, setting, stage


class Voting(Game, version=1):
    roles = ("chair", "voter")
    players: int = setting(3, 3, 9, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    pie: int = setting(30, 1, 10_000)
    rule: str = setting("majority", choices=("majority", "unanimity"))

    def needed(self):
        """Votes of others that the chair needs beside its own."""
        return self.players - 1 if self.rule == "unanimity" else self.players // 2

    @stage(Points(to="others", most="pie", unit="units"), who="chair", silence={}, ask="Who gets how much?")
    def propose(self, shares):
        """The chair proposes how much of {pie} each of the others gets; the rest is its own."""

    @stage(Pick(yes="Yes", no="No"), silence="no", ask="Do you accept it?", event="{by:seat} votes: {vote:name}")
    def vote(self, votes, propose):
        """All vote at once, the chair too. By {rule}, the proposal is paid; otherwise nobody gets anything."""
        if votes.count("yes") <= self.needed():
            return [0] * self.players
        return [self.pie - propose.by(0), *(propose.to(seat) for seat in self.seats[1:])]

    def equilibria(self):
        """Perfect, where who gets nothing votes no: 1 for as many as are needed, here the first, the rest for the
        chair."""
        bought = dict.fromkeys(self.seats[1 : 1 + min(self.needed(), self.pie)], 1)
        votes = ["yes" if seat == 0 or seat in bought else "no" for seat in self.seats]
        return [{"propose": [bought, *[None] * (self.players - 1)], "vote": votes}]

    def passed(self):
        return int(self.vote.count("yes") > self.needed())

    def kept(self):
        return float(1 - self.propose.by(0) / self.pie)

    examples = [
        example(
            "vote", ["yes", "yes", "no"], propose=[{1: 10}, {}, {}], pays=[20, 10, 0], title="Two of three are enough"
        ),
        example("vote", ["yes", "no", "no"], propose=[{1: 1}, {}, {}], pays=[0, 0, 0], title="Nobody else agrees"),
        example(
            "vote",
            ["yes", "yes", "no"],
            propose=[{1: 10}, {}, {}],
            rule="unanimity",
            pays=[0, 0, 0],
            title="One against it, by unanimity",
        ),
    ]
    measures = [
        measure(
            "kept", lambda game: game.kept(), headline=True, label="Kept by the chair", about="Of the pie, as proposed."
        ),
        measure("passed", lambda game: game.passed(), about="1 where the proposal has enough votes; else 0."),
    ]
    treatments = {"unanimity": {"rule": "unanimity"}}
    preset_seats = ("coalition", "fair", "fair")


@policy(Voting, source="Baron and Ferejohn (1989), one session under own gain alone")
def equilibrium(seat, now):
    """Offers 1 to as many as are needed, the first of the others, and votes for what gives it anything."""
    if now.stage == "propose":
        needed = now.players - 1 if now.rule == "unanimity" else now.players // 2
        return dict.fromkeys(now.others(seat)[: min(needed, now.pie)], 1)
    return "yes" if share(seat, now) else "no"


@policy(Voting, source="W. Gamson, A Theory of Coalition Formation (1961): equal shares within the least coalition")
def coalition(seat, now):
    """Offers equal shares to as many as are needed and keeps one itself, and votes for what gives it anything."""
    if now.stage == "vote":
        return "yes" if share(seat, now) else "no"
    needed = now.players - 1 if now.rule == "unanimity" else now.players // 2
    return dict.fromkeys(now.others(seat)[:needed], now.pie // (needed + 1))


@policy(Voting)
def fair(seat, now, part=setting(0.5, 0, 1, label="Part of an equal share")):
    """Offers all the same, and votes for what gives it at least half, or the part that is set, of an equal share."""
    if now.stage == "propose":
        return dict.fromkeys(now.others(seat), now.pie // now.players)
    return "yes" if share(seat, now) >= part * now.pie / now.players else "no"


def share(seat, now):
    """What the proposal gives a seat."""
    chair = next(one for one in (seat, *now.others(seat)) if now.propose[one] is not None)
    given = {one.to: one.units for one in now.propose[chair]}
    return now.pie - sum(given.values()) if seat == chair else given.get(seat, 0)
