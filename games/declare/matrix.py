"""`Matrix`: a game in normal form, by its choices and a table of pays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product
from types import new_class
from typing import Any, Final, Literal

from games.declare.declaration import MATCHINGS
from games.declare.fields import Pick
from games.declare.form import BadDeclaration, Setting, example, measure, setting, show, stage
from games.declare.game import Game
from games.declare.money import Money, plain
from games.declare.theory import by_table

EVENT: Final = "{by:seat} chooses {choose:name}"
PARTNERS: Final = {"fixed": "partners", "strangers": "strangers", "perfect": "perfect"}
ROLES: Final = ("row", "column", "third", "fourth")
EXAMPLES_MAX: Final = 16
"""So many cells are shown as worked examples; a larger table is in the rules alone."""
Choices = Sequence[str] | Mapping[str, str] | Sequence[Mapping[str, str]]
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
    roles: Sequence[str] = (),
    settings: Mapping[str, Setting] | None = None,
    check: Callable[[Any], str | None] | None = None,
    **more: Any,
) -> Any:
    """A game in which all choose at once and a table says what they are paid.

    ``choices``   by key, with their words where these are not the keys; a mapping for each player where these differ
    ``pays``      by what each player chooses, in the order of the players: numbers, or names of ``settings``; where a
                  combination of two is missing, they change places
    ``partner``   who meets whom where several groups play
    ``silence``   what no answer plays: the last of the choices where nothing is said
    ``roles``     what the players are called where the table is not the same for all: row and column unless said
    ``settings``  pays that can be set, by name: ``{"reward": setting(2, -1000, 1000)}``; ``check`` refuses
    ``more``      what else a class of a game holds: ``treatments``, ``people``, ``measures`` …
    """
    each = [dict(one) for one in choices] if _differ(choices) else [_worded(choices)]  # type: ignore[arg-type]
    words = {key: word for one in each for key, word in one.items()}
    keys = [tuple(one) for one in each]
    table, players = _whole(title, keys, pays)
    keys = keys if len(keys) > 1 else keys * players
    alike = len(each) == 1 and _is_symmetric(table)
    by = keys if len(each) > 1 else ()
    last = tuple(one[-1] for one in keys) if by else silence or keys[0][-1]

    def choose(self: Any, moves: Sequence[str]) -> Sequence[Any]:
        return _paid(self, table[tuple(moves)])

    choose.table = table  # type: ignore[attr-defined]
    choose.__doc__ = f"All choose at once. By what they choose, in the order of the players: {_told(words, table)}."

    def payoffs(self: Any) -> Any:
        """What is paid, with the cell that was played."""
        rows, columns = keys
        made = self.choose
        at = [rows.index(made[0]), columns.index(made[1])] if made and None not in made else None
        cells = [[" · ".join(map(str, map(plain, _paid(self, table[row, col])))) for col in columns] for row in rows]
        return {"rows": list(rows), "columns": list(columns), "cells": cells, "at": at}

    shown = list(table.items())[:EXAMPLES_MAX]
    named = {name: one.default for name, one in (settings or {}).items()}
    body: dict[str, Any] = {
        **(settings or {}),
        "__doc__": "\n\n".join(part for part in (title, about, source and f"Source: {source}") if part),
        "__module__": sys._getframe(1).f_globals["__name__"],
        "__annotations__": {"rounds": int, "matching": str, **dict.fromkeys(settings or {}, Money)},
        "players": players,
        "rounds": setting(rounds, 1, 100_000, unit="rounds"),
        "choose": stage(Pick(words, by=by), silence=last, verb="Choose", event=EVENT)(choose),
        "examples": tuple(
            example("choose", list(moves), pays=[named.get(pay, pay) for pay in paid]) for moves, paid in shown
        ),
        "measures": tuple(measure("choose", "share", choice=key, headline=n == 0) for n, key in enumerate(words)),
        "preset_seats": tuple(policies),
        "matrix": table,
        "matching": setting(PARTNERS[partner], choices=MATCHINGS, group="around"),
        **by_table(table, keys),
        **({} if alike else {"roles": tuple(roles) or ROLES[:players]}),
        **({"check": check} if check else {}),
        **more,
    }  # fmt: skip
    if players == 2:
        body["payoffs"] = show("matrix", label="Pays")(payoffs)
    name = "".join(
        part.capitalize() for part in "".join(c if c.isalnum() else " " for c in title.replace("'", "")).split()
    )
    return new_class(name, (Game,), {"version": version}, lambda room: room.update(body))


def _differ(choices: Choices) -> bool:
    return not isinstance(choices, Mapping) and any(isinstance(one, Mapping) for one in choices)


def _worded(choices: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
    return dict(choices) if isinstance(choices, Mapping) else {key: key.replace("_", " ") for key in choices}


def _paid(self: Any, pays: Sequence[Any]) -> Sequence[Any]:
    """The pays of a cell under the settings in force."""
    return [getattr(self, pay) if isinstance(pay, str) else pay for pay in pays]


def _whole(
    title: str, keys: Sequence[tuple[str, ...]], pays: Table
) -> tuple[dict[tuple[str, ...], tuple[Any, ...]], int]:
    """The table with every combination, and the number of players."""
    players = len(next(iter(pays)))
    sets = keys if len(keys) > 1 else list(keys) * players
    if len(sets) != players:
        raise BadDeclaration(f"Matrix {title!r}: choices for {len(sets)} players, pays for {players}; as many of each")
    found = {moves: tuple(paid) for moves, paid in pays.items()}
    for moves, paid in found.items():
        if len(moves) != players or len(paid) != players or any(m not in k for m, k in zip(moves, sets, strict=True)):
            told = " x ".join(", ".join(one) for one in keys)
            raise BadDeclaration(f"Matrix {title!r}: pays {moves} -> {paid}; {players} of {told}, a pay for each")
    for moves in product(*sets):
        if moves in found:
            continue
        if moves[::-1] not in pays or players != 2:
            raise BadDeclaration(f"Matrix {title!r}: pays of {moves} are missing")
        found[moves] = tuple(reversed(pays[moves[::-1]]))
    return {moves: found[moves] for moves in product(*sets)}, players


def _is_symmetric(table: Table) -> bool:
    """Whether any two players may change places."""
    return all(
        tuple(paid[place] for place in order) == table[tuple(moves[place] for place in order)]
        for moves, paid in table.items()
        for order in permutations(range(len(moves)))
    )


def _told(words: Mapping[str, str], table: Table) -> str:
    """The table as a sentence: who chooses what, and the pays; a pay that is a setting by its name."""
    rows = (
        (" and ".join(words[key] for key in moves), " and ".join(_pay(pay) for pay in paid))
        for moves, paid in table.items()
    )
    return "; ".join(f"{chosen} pays {paid}" for chosen, paid in rows)


def _pay(pay: Any) -> str:
    return f"{{{pay}}}" if isinstance(pay, str) else str(plain(pay))
