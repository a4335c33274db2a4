"""Runs of the dilemma as the Axelrod library keeps its own: one row a player of a match, with all that it chose."""

import csv
import io

INDICES = ("Interaction index", "Player index", "Opponent index", "Repetition")
HEADER = (*INDICES, "Player name", "Opponent name", "Actions")


def interactions(folders):
    """``axelrod.csv`` of all runs of a list of `polity.Runs`; ValueError where one is of another game."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADER)
    index = 0
    for runs in folders:
        chosen = {}
        for row in runs.rows("decisions"):
            move = (row["action"] or {}).get("move")
            if move is not None:
                match = (row["condition"], row["replicate"])
                chosen.setdefault(match, {}).setdefault(row["seat"], []).append(move)
        for (condition, replicate), seats in chosen.items():
            if sorted(seats) != [0, 1] or not set("".join(seats[0] + seats[1])) <= {"C", "D"}:
                raise ValueError(f"{condition}: no match of two who cooperate or defect")
            for me, other in ((0, 1), (1, 0)):
                names = (f"{condition}/{me}", f"{condition}/{other}")
                rows.writerow((index, me, other, replicate, *names, "".join(seats[me])))
            index += 1
    if not index:
        raise ValueError("no match of the dilemma among these runs")
    return "axelrod.csv", "text/csv; charset=utf-8", text.getvalue().encode()


interactions.about = {"en": "Interactions as the Axelrod library reads them", "zh": "Axelrod 库所读的对局记录"}
