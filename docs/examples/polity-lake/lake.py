"""A lake that all fish in.

Each takes fish at the same time. Who takes more than the lake bears empties it, and then nobody has any.
"""

from polity import Amount, Game, example, measure, policy, setting, stage


class Lake(Game, version=1):
    players: int = setting(3, 2, 12, unit="players")
    rounds: int = setting(10, 1, 1000, unit="rounds")
    most: int = setting(10, 1, 100, unit="fish")
    stock: int = setting(15, 1, 1000, unit="fish")

    @stage(Amount(0, "most"), silence=0, ask="How many fish do you take?", event="{by:seat} takes {take}")
    def take(self, catches):
        """Take up to {most} fish. If all {players} together take more than {stock}, nobody keeps any."""
        if sum(catches) > self.stock:
            return [0 for _ in catches]
        return list(catches)

    examples = [
        example("take", [5, 5, 5], pays=[5, 5, 5]),
        example("take", [10, 5, 1], pays=[0, 0, 0]),
    ]
    measures = [measure("take", "mean", headline=True)]
    preset_seats = ("sharer", "sharer", "greedy")


@policy(Lake)
def sharer(seat, now):
    """Takes an equal share of what the lake bears."""
    return min(int(now.most), int(now.stock) // int(now.players))


@policy(Lake)
def greedy(seat, now):
    """Takes all that one may."""
    return int(now.most)
