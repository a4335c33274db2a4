"""`Matrix`: a game in normal form, by its choices and a table of pays."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import product
from types import new_class
from typing import Any, Final, Literal

from games.declare.declaration import MATCHINGS
from games.declare.fields import Pick
from games.declare.form import BadDeclaration, example, measure, setting, show, stage
from games.declare.game import Game

EVENT: Final = "{by:seat} chooses {choose:name}"
PARTNERS: Final = {"fixed": "partners", "strangers": "strangers", "perfect": "perfect"}
Choices = Sequence[str] | Mapping[str, str]
Table = Mapping[tuple[str, ...], Sequence[Any]]


def Matrix(  # noqa: N802 - it makes a class
    title: str,
    *,
    choices: Choices,
    pays: Table,
    rounds: int = 20,
    partner: Literal["fixed", "strangers", "perfect"] = "fixed",
    source: str = "",
    about: str = "",
    silence: str = "",
    version: int = 1,
    policies: Sequence[str] = (),
) -> Any:
    """A game in which all choose at once and a table says what they are paid.

    ``choices``  by key, with their words where these are not the keys
    ``pays``     by what each player chooses, in the order of the players; where a combination of two is missing, they
                 change places
    ``partner``  who meets whom where several groups play
    ``silence``  what no answer plays: the last of the choices where nothing is said
    """
    words = dict(choices) if isinstance(choices, Mapping) else {key: key.replace("_", " ") for key in choices}
    table, players = _whole(title, tuple(words), pays)

    def choose(self: Any, moves: Sequence[str]) -> Sequence[Any]:
        return table[tuple(moves)]

    choose.table = table  # type: ignore[attr-defined]
    choose.__doc__ = f"All choose at once. By what they choose, in the order of the players: {_told(words, table)}."

    def payoffs(self: Any) -> Any:
        """What is paid, with the cell that was played."""
        keys = list(words)
        made = self.choose
        at = [keys.index(made[0]), keys.index(made[1])] if made and None not in made else None
        cells = [[" · ".join(map(str, table[row, col])) for col in keys] for row in keys]
        return {"rows": [words[key] for key in keys], "columns": [words[key] for key in keys], "cells": cells, "at": at}

    body: dict[str, Any] = {
        "__doc__": "\n\n".join(part for part in (title, about, source and f"Source: {source}") if part),
        "__module__": sys._getframe(1).f_globals["__name__"],
        "__annotations__": {"rounds": int, "matching": str},
        "players": players,
        "rounds": setting(rounds, 1, 100_000, unit="rounds"),
        "choose": stage(Pick(words), silence=silence or list(words)[-1], verb="Choose", event=EVENT)(choose),
        "examples": tuple(example("choose", list(moves), pays=paid) for moves, paid in table.items()),
        "measures": tuple(measure("choose", "share", choice=key, headline=n == 0) for n, key in enumerate(words)),
        "preset_seats": tuple(policies),
        "matrix": table,
        "matching": setting(PARTNERS[partner], choices=MATCHINGS, group="around"),
    }
    if players == 2:
        body["payoffs"] = show("matrix", label="Pays")(payoffs)
    name = "".join(part.capitalize() for part in title.replace("-", " ").split())
    return new_class(name, (Game,), {"version": version}, lambda room: room.update(body))


def _whole(title: str, keys: tuple[str, ...], pays: Table) -> tuple[dict[tuple[str, ...], tuple[Any, ...]], int]:
    """The table with every combination, and the number of players."""
    players = len(next(iter(pays)))
    found = {moves: tuple(paid) for moves, paid in pays.items()}
    for moves, paid in found.items():
        if len(moves) != players or len(paid) != players or set(moves) - set(keys):
            raise BadDeclaration(
                f"Matrix {title!r}: pays {moves} -> {paid}; {players} of {', '.join(keys)}, a pay for each"
            )
    for moves in product(keys, repeat=players):
        if moves in found:
            continue
        if moves[::-1] not in pays or players != 2:
            raise BadDeclaration(f"Matrix {title!r}: pays of {moves} are missing")
        found[moves] = tuple(reversed(pays[moves[::-1]]))
    return {moves: found[moves] for moves in product(keys, repeat=players)}, players


def _told(words: Mapping[str, str], table: Table) -> str:
    """The table as a sentence: who chooses what, and the pays."""
    rows = ((" and ".join(words[key] for key in moves), " and ".join(map(str, paid))) for moves, paid in table.items())
    return "; ".join(f"{chosen} pays {paid}" for chosen, paid in rows)
