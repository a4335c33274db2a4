"""Market entry.

A market, or a bar, is worth going to if few enough go; who stays out gets the same in any case.

Source: R. Selten and W. Güth (1982); W. B. Arthur, "Inductive Reasoning and Bounded Rationality" (1994), for the bar.
"""

from itertools import combinations

from games.declare import Game, Money, Pick, example, measure, policy, setting, stage


class MarketEntry(Game, version=2):
    players: int = setting(6, 2, 10, unit="players")
    rounds: int = setting(20, 1, 1000, unit="rounds")
    capacity: int = setting(4, 1, 9, label="Room for")
    base: Money = setting(1, -1000, 1000, label="Paid to who stays out")
    vacancy: Money = setting(2, 0.01, 1000, label="Paid a place that is left")
    shape: str = setting("linear", choices=("linear", "threshold"), label="How pay falls")

    def check(self):
        return (
            None
            if self.capacity < self.players
            else f"capacity {self.capacity:g}: less than the {self.players:g} players"
        )

    def worth(self, many):
        """What each of so many who go is paid."""
        if self.shape == "linear":
            return self.base + self.vacancy * (self.capacity - many)
        return self.base + (self.vacancy if many <= self.capacity else -self.vacancy)

    @stage(Pick(go="Go", stay="Stay out"), silence="stay", event="{by:seat} decides: {entry:name}")
    def entry(self, entries):
        """Who stays out gets {base}. Who goes gets {base} too, and {vacancy} for each place left of {capacity}, or less
        for each beyond; by a threshold {vacancy} more where all find room, else as much less."""
        many = entries.count("go")
        return [self.worth(many) if one == "go" else self.base for one in entries]

    def equilibria(self):
        """All pure ones: as many go as there is room for, or one less where the last place is worth nothing."""
        sizes = (self.capacity, self.capacity - 1) if self.shape == "linear" else (self.capacity,)
        return [
            ["go" if place in chosen else "stay" for place in self.seats]
            for size in sizes
            for chosen in combinations(self.seats, size)
        ]

    def efficient(self):
        """As many as earn most together."""
        best = max(self.seats, key=lambda many: many * (self.worth(many) - self.base))
        return ["go"] * best + ["stay"] * (self.players - best)

    examples = [
        example("entry", ["go", "go", "stay", "stay", "stay", "stay"], pays=[5, 5, 1, 1, 1, 1], title="Two go"),
        example("entry", ["go"] * 6, pays=[-3] * 6, title="All go"),
        example(
            "entry", ["go"] * 5 + ["stay"], shape="threshold", pays=[-1] * 5 + [1], title="Too many, by a threshold"
        ),
    ]
    measures = [measure("entry", choice="go", headline=True)]
    treatments = {"el_farol": {"players": 10, "capacity": 6, "shape": "threshold"}}
    preset_seats = ("symmetric", "contrarian", "symmetric")
    unheeded = dict.fromkeys(("base", "vacancy"), "these policies weigh which of the two pays more, which it leaves")


@policy(
    MarketEntry,
    source="A. Rapoport and others, Journal of Experimental Psychology 27 (1998), for pay that falls in a line",
)
def symmetric(seat, now, rng):
    """Goes with the chance (capacity - 1) / (players - 1), where going is worth as much as staying out if pay falls in
    a line; by a threshold with the chance capacity / players."""
    off = 1 if now.shape == "linear" else 0
    return "go" if rng.below(now.players - off, "entry") < now.capacity - off else "stay"


@policy(MarketEntry, source="Arthur (1994): as many as last time")
def contrarian(seat, now):
    """Goes, then goes where there was room last time, and stays out where there was none."""
    went = sum(one == "go" for one in now.past.entry[-1]) if now.past.entry else 0
    return "go" if went < now.capacity else "stay"
