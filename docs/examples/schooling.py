"""Schooling.

A worker knows its own skill and may buy schooling, which costs it less the more skilled it is and adds nothing to its
work; an employer sees the schooling alone and offers a wage.

Source: M. Spence, "Job Market Signaling", Quarterly Journal of Economics 87 (1973).
"""

from polity import Amount, Game, Money, Pick, draw, example, measure, policy, setting, stage


class Schooling(Game, version=1):
    roles = ("worker", "employer")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    output: Money = setting(12, 1, 1000, label="Output of a point of skill")
    outside: Money = setting(6, 0, 1000, label="What a worker earns elsewhere")
    most: int = setting(10, 0, 100, label="Most schooling")

    skill = draw(1, 3, by="group", seen="worker", label="Skill")

    @stage(Amount(0, "most", unit="years"), who="worker", silence=0, ask="How much schooling?", verb="Learn")
    def learn(self, years):
        """The worker, who alone knows its skill, 1 to 3, buys schooling. A year costs it 3 divided by its skill."""

    @stage(Amount(0, 36), who="employer", silence=0, ask="What wage do you offer?", verb="Offer")
    def wage(self, wages):
        """The employer, who has seen the schooling alone, offers a wage."""

    @stage(Pick(take="Take it", leave="Leave it"), who="worker", silence="leave", ask="Do you take it?", verb="Answer")
    def answer(self, answers, learn, wage):
        """Who takes it is paid the wage, and the employer {output} for each point of skill, less the wage. Who leaves
        it earns {outside} elsewhere, and the employer nothing. Schooling is paid for in any case."""
        cost = 3 * learn[0] / self.skill
        if answers[0] == "leave":
            return [self.outside - cost, 0]
        return [wage[1] - cost, self.output * self.skill - wage[1]]

    examples = [
        example("answer", ["take", None], learn=[4, None], wage=[None, 20], skill=2, pays=[14, 4]),
        example("answer", ["leave", None], learn=[0, None], wage=[None, 5], skill=1, pays=[6, 0]),
    ]
    discloses = {"paid": "an employer sees by its pay what the worker can do"}
    measures = [measure("learn", "mean", headline=True), measure("wage", "mean"), measure("answer", choice="take")]


@policy(Schooling, roles="worker")
def separating(seat, now):
    """Learns three years for each point of skill above the least, and takes what is more than it earns elsewhere."""
    if now.stage == "learn":
        return min(now.most, 3 * (now.skill - 1))
    return "take" if now.wage[now.partner(seat)] > now.outside else "leave"


@policy(Schooling, roles="employer")
def believing(seat, now):
    """Takes three years for a point of skill, and offers half of what that brings."""
    return int(now.output * (1 + now.learn[now.partner(seat)] // 3) / 2)
