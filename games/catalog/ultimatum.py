"""Ultimatum.

One offers a share of a pie to another, who takes it or leaves both with nothing.

Source: W. Güth, R. Schmittberger and B. Schwarze, "An Experimental Analysis of Ultimatum Bargaining" (1982).
"""

from games.declare import Amount, Game, Money, Pick, Reference, example, measure, policy, setting, stage


class Ultimatum(Game, version=1):
    roles = ("proposer", "responder")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    pie: Money = setting(10, 1, 10_000)

    @stage(Amount(0, "pie"), who="proposer", silence=0, ask="How much do you offer?", event="{by:seat} offers {offer}")
    def offer(self, offers):
        """The proposer offers a part of {pie} to the responder."""

    @stage(Pick("accept", "reject"), who="responder", silence="reject", event="{by:seat} answers: {reply:name}")
    def reply(self, replies, offer):
        """The responder accepts, and the proposer keeps the rest; or rejects, and both get nothing."""
        return [self.pie - offer[0], offer[0]] if replies[1] == "accept" else [0, 0]

    examples = [
        example("reply", [None, "accept"], offer=[4, None], pays=[6, 4], title="An offer of 4 is accepted"),
        example("reply", [None, "reject"], offer=[1, None], pays=[0, 0], title="An offer of 1 is rejected"),
    ]
    measures = [measure("offer", "share", headline=True), measure("reply", choice="accept")]
    people = [
        Reference(
            "offer_share",
            0.4,
            n="75 results of 37 papers",
            condition="the mean over published experiments; 16% of offers are rejected",
            source="Oosterbeek, Sloof and van de Kuilen, Experimental Economics 7 (2004), abstract",
        )
    ]
    treatments = {"pairs": {"groups": 4, "matching": "strangers"}, "large": {"pie": 100}}
    preset_seats = ("even", "fair")


@policy(Ultimatum, roles="proposer")
def even(seat, now):
    """Offers half of the pie, rounded down."""
    return int(now.pie // 2)


@policy(Ultimatum, roles="proposer", source="the equilibrium under own gain alone")
def least(seat, now):
    """Offers 1, the least that is more than nothing."""
    return 1


@policy(Ultimatum, roles="responder")
def fair(seat, now, share=setting(0.3, 0, 1, label="Least share")):
    """Accepts what is at least a share of the pie, 0.3 unless set otherwise."""
    return "accept" if now.offer[now.partner(seat)] >= share * now.pie else "reject"


@policy(Ultimatum, roles="responder", source="the equilibrium under own gain alone")
def agreeable(seat, now):
    """Accepts everything."""
    return "accept"
