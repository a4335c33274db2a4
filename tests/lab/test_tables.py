"""A table of pays: what it is, by hand and beside the solver of games, and a match of bots in it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.declare.gambit import read
from games.errors.faults import Refused
from games.lab.tables import BOTS, told

HEAD = 'NFG 1 R "Stag, hare, wait" { "A" "B" }\n{ { "stag" "hare" "wait" } { "stag" "hare" "wait" } }\n""\n'
HUNT = HEAD + "5 5  3 0  1 0\n0 3  3 3  1 3\n0 1  3 1  2 2\n"
THREE = 'NFG 1 R "Three" { "A" "B" "C" } { { "a" "b" } { "a" "b" } { "a" "b" } }\n""\n' + " ".join(
    f"{int(a == b == c)} {int(a == b == c)} {int(a == b == c)}" for c in (0, 1) for b in (0, 1) for a in (0, 1)
)


def cell(table: dict[str, Any], *at: int) -> dict[str, Any]:
    return next(dict(one) for one in table["cells"] if one["at"] == list(at))


def test_equilibria_pays_and_dominated_moves_of_a_hunt_are_as_by_hand() -> None:
    table = told(read(HUNT))
    assert [(one["pure"], one["pays"]) for one in table["equilibria"]] == [
        (True, ["5", "5"]),
        (True, ["3", "3"]),
        (False, ["3", "3"]),
    ]
    assert table["equilibria"][2]["chances"] == [["3/5", "2/5", "0"]] * 2  # 5x = 3: a hare brings 3 for sure
    assert table["dominated"] == [{"player": 0, "move": 2, "by": 1}, {"player": 1, "move": 2, "by": 1}]
    assert table["whole"]
    assert cell(table, 0, 0) == {
        "at": [0, 0],
        "pays": ["5", "5"],
        "total": "10",
        "best": [True, True],
        "efficient": True,
    }
    assert cell(table, 0, 1)["best"] == [False, False]
    assert cell(table, 1, 2)["best"] == [True, False]
    assert read(table["nfg"]) == read(HUNT)


def test_of_three_players_pure_equilibria_are_told_and_that_mixed_ones_are_not_looked_for() -> None:
    table = told(read(THREE))
    assert not table["whole"]
    assert [[row.index("1") for row in one["chances"]] for one in table["equilibria"]] == [[0, 0, 0], [1, 1, 1]]


def test_fractions_stay_exact() -> None:
    table = told(read('NFG 1 R "x" { "A" "B" } { { "a" "b" } { "a" "b" } }\n""\n1/3 1 0 0 0 0 2/3 1'))
    mixed = [one for one in table["equilibria"] if not one["pure"]]
    assert mixed[0]["chances"] == [["1/2", "1/2"], ["2/3", "1/3"]]
    assert mixed[0]["pays"] == ["2/9", "1/2"]


def test_each_bot_plays_as_it_is_called() -> None:
    match = told(read(HUNT), ["beliefs", "efficient"], 20)["match"]
    assert [row[1] for row in match["moves"]] == [0] * 20
    assert match["moves"][0][0] == 1  # all seen once: 5/3, 9/3 and 4/3
    assert match["moves"][-1][0] == 0
    for later in range(1, 20):  # stag once it was seen in three of five
        assert match["moves"][later][0] == int(
            Fraction(1 + later, 3 + later) * 5 <= 3 * Fraction(2 + later, 3 + later) + Fraction(1, 3 + later)
        )
    replies = told(read(HUNT), ["reply", "random"], 30)["match"]["moves"]
    best = [0, 1, 1]
    assert [row[0] for row in replies[1:]] == [best[row[1]] for row in replies[:-1]]
    assert told(read(HUNT), ["equilibrium", "equilibrium"], 5)["match"]["counts"] == [{"at": [0, 0], "times": 5}]


def test_the_same_seed_plays_the_same_match_and_another_another() -> None:
    plays = [told(read(HUNT), ["random", "random"], 50, seed)["match"] for seed in (1, 1, 2)]
    assert plays[0] == plays[1]
    assert plays[0]["moves"] != plays[2]["moves"]
    counted = sum(one["times"] for one in plays[0]["counts"])
    assert counted == 50


@pytest.mark.parametrize(
    ("bots", "rounds", "line"),
    [
        (["random"], 10, "bots: 1 for 2 players; one for each"),
        (["randon", "random"], 10, "bots: 'randon': there is none of that name; did you mean random"),
        (["random", "random"], 10_000, "rounds: 10000; 1 to 1000 in a table of 9 cells"),
    ],
)
def test_a_match_that_cannot_be_is_refused(bots: list[str], rounds: int, line: str) -> None:
    with pytest.raises(Refused, match=line):
        told(read(HUNT), bots, rounds)


def test_every_bot_plays_among_three() -> None:
    for name in BOTS:
        assert len(told(read(THREE), [name] * 3, 5)["match"]["moves"]) == 5
