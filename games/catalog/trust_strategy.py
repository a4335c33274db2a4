"""Trust, by the strategy method.

One sends none, half or all of what it has, which is multiplied; the other says beforehand what it would send back.

Source: R. Selten (1967) for the method; J. Berg, J. Dickhaut and K. McCabe (1995) for the game.
"""

from games.declare import Amount, Game, Money, Pick, example, measure, policy, setting, stage


class TrustStrategy(Game, version=1):
    roles = ("sender", "receiver")
    rounds: int = setting(1, 1, 1000, unit="rounds")
    endowment: Money = setting(10, 2, 1000)
    multiplier: int = setting(3, 1, 20)

    def arrives_of_half(self):
        """What arrives where half is sent."""
        return self.multiplier * (self.endowment // 2)

    def arrives_of_all(self):
        """What arrives where all is sent."""
        return self.multiplier * self.endowment

    @stage(
        Amount(0, "arrives_of_half"),
        who="receiver",
        silence=0,
        seen="all",
        after="end",
        label="If half is sent",
        ask="How much do you send back if half is sent?",
        event="{by:seat} sends back {of_half} of half",
    )
    def of_half(self, backs):
        """The receiver says what it sends back where half of {endowment} is sent and arrives times {multiplier}."""

    @stage(
        Amount(0, "arrives_of_all"),
        who="receiver",
        silence=0,
        seen="all",
        after="end",
        label="If all is sent",
        ask="How much do you send back if all is sent?",
        event="{by:seat} sends back {of_all} of all",
    )
    def of_all(self, backs):
        """The receiver says what it sends back where all is sent."""

    @stage(
        Pick(none="Nothing", half="Half", all="All"),
        who="sender",
        silence="none",
        ask="What do you send?",
        event="{by:seat} sends {send:name}",
    )
    def send(self, sent, of_half, of_all):
        """Both have {endowment}. The sender sends a part, which arrives times {multiplier}; what the receiver said of
        it comes back."""
        away, arrives, back = {
            "none": (0, 0, 0),
            "half": (self.endowment // 2, self.arrives_of_half(), of_half[1]),
            "all": (self.endowment, self.arrives_of_all(), of_all[1]),
        }[sent[0]]
        return [self.endowment - away + back, self.endowment + arrives - back]

    def equilibria(self):
        """The only outcome of perfect ones: nothing would be sent back, therefore nothing is sent."""
        return [{"of_half": [None, 0], "of_all": [None, 0], "send": ["none", None]}]

    def efficient(self):
        return {"of_half": [None, 0], "of_all": [None, 0], "send": ["all", None]}

    examples = [
        example("send", ["half", None], of_half=[None, 6], of_all=[None, 20], pays=[11, 19]),
        example("send", ["all", None], of_half=[None, 6], of_all=[None, 20], pays=[20, 20]),
        example("send", ["none", None], of_half=[None, 6], of_all=[None, 20], pays=[10, 10]),
    ]
    measures = [
        measure("send", choice="all", headline=True),
        measure("of_half", "mean"),
        measure("of_all", "mean"),
    ]
    preset_seats = ("truster", "returner")


@policy(TrustStrategy, source="the perfect equilibrium under own gain alone")
def equilibrium(seat, now):
    """Sends nothing, and would send nothing back."""
    return "none" if now.stage == "send" else 0


@policy(TrustStrategy, roles="sender", source="J. Berg, J. Dickhaut and K. McCabe (1995): half was sent on average")
def truster(seat, now):
    """Sends half."""
    return "half"


@policy(TrustStrategy, roles="receiver", source="E. Fehr and K. Schmidt (1999): equal pays")
def returner(seat, now, share=setting(0.5, 0, 1, label="Share sent back")):
    """Would send back half of what arrives, or the share that is set, rounded down."""
    arrives = now.multiplier * (now.endowment // 2 if now.stage == "of_half" else now.endowment)
    return int(share * arrives)
