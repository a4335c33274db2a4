"""Colonel Blotto.

Two place troops on three fields at once; who has more on a field wins it.

Source: E. Borel, "La théorie du jeu et les équations intégrales à noyau symétrique" (1921).
"""

from fractions import Fraction

from games.declare import Amount, Game, example, measure, policy, setting, stage

FIELDS = ("north", "centre", "south")


class ColonelBlotto(Game, version=1):
    players = 2
    rounds: int = setting(10, 1, 1000, unit="rounds")
    troops: int = setting(12, 3, 100, unit="troops")

    def placed(self, north, centre, south):
        """What stands on the fields, by place: beyond the troops there are, what is named last is left out."""
        rows = zip(north, centre, south, strict=True)
        return [(n, min(c, self.troops - n), max(0, min(s, self.troops - n - c))) for n, c, s in rows]

    @stage(
        north=Amount(0, "troops", unit="troops"),
        centre=Amount(0, "troops", unit="troops"),
        south=Amount(0, "troops", unit="troops"),
        silence={"north": 0, "centre": 0, "south": 0},
        ask="Where do your troops stand?",
        event="{by:seat} places {north}, {centre} and {south}",
    )
    def place(self, north, centre, south):
        """Place up to {troops} troops on three fields; of more than that the last named are left out. A field pays 1 to
        who has more on it, and half to each where both have as many."""
        ours, theirs = self.placed(north, centre, south)
        won = sum(Fraction(1 + (a > b) - (a < b), 2) for a, b in zip(ours, theirs, strict=True))
        return [won, 3 - won]

    def focus(self):
        """The largest part of the troops on one field, mean of both."""
        rows = self.placed(self.north, self.centre, self.south)
        return float(sum(Fraction(max(row), self.troops) for row in rows) / 2)

    examples = [
        example(
            "place", {"north": [6, 4], "centre": [6, 4], "south": [0, 4]}, pays=[2, 1], title="Two fields against all"
        ),
        example(
            "place",
            {"north": [4, 4], "centre": [4, 8], "south": [4, 0]},
            pays=[1.5, 1.5],
            title="A field each, and one shared",
        ),
        example(
            "place", {"north": [12, 0], "centre": [12, 6], "south": [0, 6]}, pays=[1, 2], title="More than there are"
        ),
    ]
    measures = [
        measure(
            "focus",
            lambda game: game.focus(),
            headline=True,
            label="Focus",
            about="Largest part of the troops on one field, mean of both.",
        )
    ]
    preset_seats = ("even", "step_ahead")


def spread(troops, order, share=3):
    """As many troops on each of the first fields of an order, what is left on the first of them."""
    chosen = order[:share]
    return {**dict.fromkeys(FIELDS, 0), **{one: troops // share + (n < troops % share) for n, one in enumerate(chosen)}}


@policy(
    ColonelBlotto, source="A. Arad and A. Rubinstein, Games and Economic Behavior 76 (2012): where reasoning begins"
)
def even(seat, now):
    """Places as many on each field."""
    return spread(now.troops, FIELDS)


@policy(ColonelBlotto, source="A. Arad and A. Rubinstein (2012): one step from an even spread")
def step_ahead(seat, now):
    """Leaves the south empty and places half on each of the others."""
    return spread(now.troops, FIELDS, 2)


@policy(ColonelBlotto)
def shuffled(seat, now, rng):
    """Places half on each of two fields that are drawn."""
    return spread(now.troops, rng.shuffled(FIELDS, "fields"), 2)
