"""Trust.

One sends a part of what it has; what arrives is multiplied, and the other sends back as much of it as it likes.

Source: J. Berg, J. Dickhaut and K. McCabe, "Trust, Reciprocity, and Social History" (1995).
"""

from games.declare import Amount, Game, Money, Reference, example, measure, policy, setting, stage


class Trust(Game, version=1):
    roles = ("sender", "receiver")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    endowment: Money = setting(10, 1, 1000)
    multiplier: int = setting(3, 1, 20)

    def received(self):
        """What arrives at the receiver."""
        return self.multiplier * (self.send[0] or 0)

    @stage(Amount(0, "endowment"), who="sender", silence=0, ask="How much do you send?", event="{by:seat} sends {send}")
    def send(self, sent):
        """Both have {endowment}. The sender sends a part of it, which arrives at the receiver times {multiplier}."""

    @stage(
        Amount(0, "received"),
        who="receiver",
        silence=0,
        ask="How much do you send back?",
        label="Send back",
        event="{by:seat} sends back {give_back}",
    )
    def give_back(self, returned, send):
        """The receiver sends back as much as it likes of what arrived, and keeps the rest."""
        return [self.endowment - send[0] + returned[1], self.endowment + self.received() - returned[1]]

    def equilibria(self):
        """The only outcome of perfect ones: nothing is sent back, therefore nothing is sent."""
        return [{"send": [0, None], "give_back": [None, 0]}]

    def efficient(self):
        return {"send": [self.endowment // 1, None], "give_back": [None, 0]}

    def returned_share(self):
        return float(self.give_back[1] / self.received()) if self.send[0] else None

    examples = [
        example("give_back", [None, 6], send=[4, None], pays=[12, 16], title="4 is sent, and half of 12 comes back"),
        example("give_back", [None, 0], send=[10, None], pays=[0, 40], title="All is sent, and nothing comes back"),
    ]
    measures = [
        measure("send", "share", headline=True),
        measure(
            "returned_share",
            lambda game: game.returned_share(),
            about="Sent back by what arrived. None where nothing did.",
        ),
    ]
    people = [
        Reference(
            "send_share",
            0.516,
            n="32 pairs",
            condition="played once, 10 dollars each, tripled; 30 of 32 sent something",
            source="Berg, Dickhaut and McCabe, Games and Economic Behavior 10 (1995)",
        )
    ]
    treatments = {"pairs": {"groups": 4, "matching": "strangers"}}
    preset_seats = ("truster", "returner")


@policy(Trust, source="the perfect equilibrium under own gain alone")
def equilibrium(seat, now):
    """Sends nothing, and sends nothing back."""
    return 0


@policy(Trust, roles="sender")
def truster(seat, now, share=setting(0.5, 0, 1, label="Share sent")):
    """Sends half of what it has, or the share that is set, rounded down."""
    return int(share * now.endowment)


@policy(
    Trust,
    roles="sender",
    source="U. Fischbacher, S. Gächter and E. Fehr, Economics Letters 71 (2001): conditional cooperation",
)
def careful(seat, now):
    """Sends half, then all where at least as much came back as was sent last, and nothing where less did."""
    back = now.past.give_back[-1][now.partner(seat)] if now.past.send else None
    if back is None:
        return int(now.endowment // 2)
    return int(now.endowment) if back >= now.past.send[-1][seat] else 0


@policy(Trust, roles="receiver", source="E. Fehr and K. Schmidt, Quarterly Journal of Economics 114 (1999): equal pays")
def returner(seat, now, share=setting(0.5, 0, 1, label="Share sent back")):
    """Sends back half of what arrived, or the share that is set, rounded down."""
    return int(share * now.multiplier * now.send[now.partner(seat)])
