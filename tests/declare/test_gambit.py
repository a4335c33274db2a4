"""Gambit's files: read, written, compiled to a game that plays; strangers' files are refused with line and remedy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import load_pack
from games.declare import gambit, gambitwriting
from games.declare.gambit import BadFile, Normal
from games.errors.faults import Refused
from games.lab.newgame.copying import make_from

TABLE = """NFG 1 R "Two by three" { "Ann" "Bob" }
{ { "up" "down" } { "left" "mid" "right" } }
"Said of it"
1 2  3 1/2
0 0  2.5 -1
4 4  0 1
"""
COUNTED = 'NFG 1 D "Counted" { "A" "B" } { 2 2 }\n{ { "win" 1, 0 } { "" 0 1/3 } }\n1 0 2 1'
ENTRY = """EFG 2 R "Entry" { "Entrant" "Incumbent" }
"A small market"
p "" 1 1 "" { "in" "out" } 0
c "" 1 "" { "good" 1/4 "bad" 3/4 } 0
p "" 2 1 "" { "fight" "share" } 0
t "" 1 "" { -1, -1 }
t "" 2 "" { 4, 1 }
p "" 2 1 0
t "" 1
t "" 3 "" { 0, 0 }
t "" 4 "" { 0, 2 }
"""


def walked(pack: Any, config: Any, seated: Mapping[int, str]) -> list[Any]:
    deciders = {seat: deciding(pack.policies[name].bind()) for seat, name in seated.items()}
    return list(play(pack.game, config, 1, deciders))


def random_game(draw: random.Random) -> Normal:
    counts = [draw.randint(2, 4) for _ in range(draw.randint(2, 4))]
    pays = {
        cell: tuple(Fraction(draw.randint(-40, 40), draw.choice((1, 1, 2, 3))) for _ in counts)
        for cell in product(*map(range, counts))
    }
    named = tuple(tuple(f"{p} does {n}" for n in range(count)) for p, count in enumerate(counts))
    return Normal(f"Game {draw.random()}", tuple(f"p {p}" for p in range(len(counts))), named, pays, "as drawn")


def test_a_table_is_read_with_the_first_players_choice_the_fastest() -> None:
    game = gambit.read(TABLE)
    assert game.choices == (("up", "down"), ("left", "mid", "right"))
    assert game.pays[1, 0] == (3, Fraction(1, 2))
    assert game.pays[1, 1] == (Fraction(5, 2), -1)
    assert game.pays[0, 2] == (4, 4)
    assert game.about == "Said of it"


def test_outcomes_by_number_and_strategies_by_count_are_read_and_number_0_pays_nothing() -> None:
    game = gambit.read(COUNTED)
    assert game.choices == (("1", "2"), ("1", "2"))
    assert game.pays == {(0, 0): (1, 0), (1, 0): (0, 0), (0, 1): (0, Fraction(1, 3)), (1, 1): (1, 0)}


def test_a_tree_is_the_table_of_its_plans_with_chance_at_its_expected_pay() -> None:
    """In and fight: -1 in either case. In and share: a quarter of 4 and 1, three quarters of nothing."""
    game = gambit.read(ENTRY)
    assert game.choices == (("in", "out"), ("fight", "share"))
    assert game.pays == {
        (0, 0): (-1, -1), (0, 1): (1, Fraction(1, 4)), (1, 0): (0, 2), (1, 1): (0, 2),
    }  # fmt: skip


def test_what_is_written_is_read_as_the_same_game_as_a_table_and_as_a_tree() -> None:
    draw = random.Random(5)
    for _ in range(20):
        game = random_game(draw)
        assert gambit.read(gambitwriting.write_nfg(game)) == game
        tree = gambit.read(gambitwriting.write_efg(game))
        assert (tree.players, tree.choices, tree.pays) == (game.players, game.choices, game.pays)


def test_a_file_becomes_a_game_that_plays_and_is_written_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "bi.nfg").write_text(TABLE, "utf-8")
    made = make_from("two_by_three", tmp_path / "bi.nfg", tmp_path / "mine")
    pack = load_pack(str(made))
    config = pack.game.config_type(rounds=3)
    last = walked(pack, config, {0: "random", 1: "equilibrium"})[-1]
    assert last.state.over == "length"
    assert [one.role for one in pack.game.seats(config)] == ["ann", "bob"]
    written = gambitwriting.of_matrix(pack.game.made.cls, config)  # type: ignore[attr-defined]
    assert (written.choices, written.pays) == (gambit.read(TABLE).choices, gambit.read(TABLE).pays)
    assert pack.theory is not None
    assert pack.theory(config)["equilibria"][0]["moves"] == {"choose": ["a1", "b3"]}  # type: ignore[index]


def test_a_file_of_three_with_the_same_choices_becomes_a_game_of_three(tmp_path: Path) -> None:
    pays = {cell: (Fraction(sum(cell)),) * 3 for cell in product(range(2), repeat=3)}
    game = Normal("Three", ("A", "B", "C"), (("no", "yes"),) * 3, pays)
    (tmp_path / "three.nfg").write_text(gambitwriting.write_nfg(game), "utf-8")
    pack = load_pack(str(make_from("three", tmp_path / "three.nfg", tmp_path / "mine")))
    assert walked(pack, pack.game.config_type(rounds=1), {0: "random", 1: "random", 2: "random"})[-1].state.over


HEAD = 'NFG 1 R "x" { "a" "b" } '
TREE = 'EFG 2 R "x" { "a" "b" } "" '
BAD: list[tuple[bytes | str, str]] = [
    ("", "line 1: the file ends where NFG or EFG is expected. Complete it"),
    ("GIF89a", "line 1: begins with 'GIF89a'; a file of Gambit begins with NFG or EFG"),
    (b"\x89PNG\r\n\x1a\n", "line 1: byte 0x89 is no UTF-8. Save the file as UTF-8"),
    (b"PK\x03\x04" + b"\x00" * 40, "line 1: begins with"),
    ("NFG 7 R", "NFG 1 R is read"),
    ("NFG 1 Q", "NFG 1 R is read"),
    ('NFG 1 R "x', "line 1: a quotation mark that is not closed"),
    ("NFG 1 R x", "line 1: 'x' where a title in quotation marks is expected"),
    (HEAD + "{ 2 2 }\n1 2 3", "line 2: the file ends where a pay of cell 2 of 4 is expected"),
    (HEAD + "{ 2 2 }\n1 2 3 4 5 6 7 8 9", "line 2: '9' after the end of the game. Remove what follows"),
    (HEAD + "{ 2 2 }\n1 2 3 x 5 6 7 8", "line 2: 'x' where a pay of cell 2 of 4 is expected: a number"),
    (HEAD + "{ 2 2 }\n1 2 3 1/0 5 6 7 8", "line 2: '1/0': nothing is divided by 0"),
    (HEAD + "{ 2 2 }\n1 2 3 1e999 5 6 7 8", "'1e999' where a pay"),
    (HEAD + "{ 2 2 }\n1 2 3 nan 5 6 7 8", "'nan' where a pay"),
    (HEAD + "{ 2 2 }\n" + "9" * 5000 + " 2 3 4 5 6 7 8", "where a pay of cell 1 of 4"),
    (HEAD + "{ 2 2 }\n99999999999 2 3 4 5 6 7 8", "a pay of cell 1 of 4 beyond 1000000000. Scale the game down"),
    (HEAD + "{ 2 1 }\n1 2 3 4", "1 strategies; each player needs two"),
    (HEAD + "{ 2 99 }", "99: a number of strategies is a whole number from 0 to 12"),
    ('NFG 1 R "x" { "a" "b" "c" "d" } { 12 12 12 12 }', "20736 cells; 1296 at most. Give fewer strategies"),
    ('NFG 1 R "x" { "a" "b" "c" "d" "e" }', "more than 4 of players; 4 at most"),
    ('NFG 1 R "x" { "a" }', "1 of players; 2 at least"),
    (HEAD + '{ { "p" "p" } { "q" "r" } }', "two strategies of a player are called 'p'. Name them apart"),
    ('NFG 1 R "{{ 7*7 }}" { "a" "b" }', "a title holds '{'. Name it with letters"),
    ('NFG 1 R "<script>" { "a" "b" }', "a title holds '<'"),
    ('NFG 1 R "a\\"\\"\\"; import os" { "a" "b" }', "a title holds '\"'"),
    ('NFG 1 R "' + "long " * 90 + '" { "a" "b" }', "characters; 120 at most. Shorten it"),
    ('NFG 1 R "x\u202e" { "a" "b" }', "a title holds"),
    (HEAD + '{ 2 2 }\n{ { "" 1 2 } }\n1 1 5 1', "line 3: 5: an outcome's number is a whole number from 0 to 1"),
    ("x" * (gambit.BYTES_MAX + 1), "bytes; 262144 at most. Give a smaller game"),
    (TREE + 'p "" 1 1 "" { "l" "r" } 0 ' * 100, "deeper than 60. Give a smaller tree"),
    (TREE + 'p "" 1 1 0', "information set 1 has no moves yet. List them"),
    (TREE + 'p "" 3 1 "" { "l" "r" } 0', "3: a player's number is a whole number from 0 to 2"),
    (TREE + 'c "" 1 "" { "l" 1/2 "r" 1/3 } 0', "none below 0, and together 1"),
    (TREE + 't "" 1 "" { 1, 2 }', "player a has 1 plans; 2 to 12 are played"),
    (TREE + 't "" 9', "outcome 9 is not paid anywhere"),
    (TREE + 'q "" 1', "'q' where a node begins: c, p or t"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line"), BAD)
def test_a_hostile_or_broken_file_is_refused_in_one_line_with_what_would_do(text: bytes | str, line: str) -> None:
    with pytest.raises(BadFile) as refused:
        gambit.read(text)
    told = str(refused.value)
    assert line in told
    assert "\n" not in told
    assert len(told) < 300


def test_a_file_that_is_refused_leaves_no_game_behind(tmp_path: Path) -> None:
    (tmp_path / "bad.nfg").write_text(HEAD + "{ 2 2 }\n1 2", "utf-8")
    with pytest.raises(Refused, match=r"bad.nfg: line 2: the file ends where a pay of cell 2 of 4 is expected"):
        make_from("bad", tmp_path / "bad.nfg", tmp_path / "mine")
    assert not (tmp_path / "mine" / "bad.py").exists()
