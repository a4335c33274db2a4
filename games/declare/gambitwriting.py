"""Games in normal form written as Gambit's files, and compiled to a declaration."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

from games.declare.gambit import Normal


def quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_nfg(game: Normal) -> str:
    """The game as ``.nfg``, its pays in the order of the format."""
    strategies = " ".join("{ " + " ".join(map(quoted, one)) + " }" for one in game.choices)
    cells = [cell[::-1] for cell in product(*(range(len(one)) for one in reversed(game.choices)))]
    rows = [" ".join(map(str, game.pays[cell])) for cell in cells]
    head = f"NFG 1 R {quoted(game.title)} {{ {' '.join(map(quoted, game.players))} }}"
    return "\n".join([head, "", f"{{ {strategies} }}", quoted(game.about), "", *rows, ""])


def write_efg(game: Normal) -> str:
    """The same as a tree, ``.efg``: one player after the other, none seeing what was chosen before."""
    lines = [f"EFG 2 R {quoted(game.title)} {{ {' '.join(map(quoted, game.players))} }}", quoted(game.about), ""]

    def node(cell: tuple[int, ...]) -> None:
        if len(cell) == len(game.players):
            number = 1 + list(game.pays).index(cell)
            lines.append(f't "" {number} "" {{ {", ".join(map(str, game.pays[cell]))} }}')
            return
        moves = " ".join(map(quoted, game.choices[len(cell)]))
        lines.append(f'p "" {len(cell) + 1} 1 "" {{ {moves} }} 0')
        for n in range(len(game.choices[len(cell)])):
            node((*cell, n))

    node(())
    return "\n".join([*lines, ""])


def keyed(game: Normal) -> list[dict[str, str]]:
    """The choices of each player by keys that a declaration can hold; one mapping where all have the same."""
    if len(set(game.choices)) == 1:
        return [{f"c{n + 1}": name for n, name in enumerate(game.choices[0])}]
    letters = ("a", "b", "c", "d")
    return [{f"{letters[p]}{n + 1}": name for n, name in enumerate(one)} for p, one in enumerate(game.choices)]


def source(game: Normal, name: str, origin: str = "read from a file of Gambit") -> str:
    """The game as a file of the declared form, for a game called ``name``: data alone, whatever the file said."""
    mapped = keyed(game)
    each = mapped * len(game.players) if len(mapped) == 1 else mapped
    keys = [list(one) for one in each]
    rows = [
        f"        {tuple(own[n] for own, n in zip(keys, cell, strict=True))!r}: ({', '.join(map(_literal, paid))}),"
        for cell, paid in game.pays.items()
    ]
    roles = tuple(re.sub(r"[^a-z0-9]+", "_", player.lower()).strip("_") for player in game.players)
    named = len(set(roles)) == len(roles) and all(re.fullmatch(r"[a-z][a-z0-9_]*", role) for role in roles)
    has_parts = any(pay.denominator != 1 for paid in game.pays.values() for pay in paid)
    return "\n".join(
        [
            f'"""{game.title or name}: a game in normal form, {origin}."""',
            "",
            *(["from fractions import Fraction", ""] if has_parts else []),
            "from polity import Matrix",
            "",
            f"{''.join(part.capitalize() for part in name.split('_'))} = Matrix(",
            f"    {game.title or name!r},",
            f"    slug={name!r},",
            f"    choices={mapped[0] if len(mapped) == 1 else mapped!r},",
            *([f"    roles={roles!r},"] if named else []),
            *([f"    about={game.about!r},"] if game.about else []),
            "    pays={",
            *rows,
            "    },",
            ")",
            "",
        ]
    )


def _literal(pay: Fraction) -> str:
    return str(pay) if pay.denominator == 1 else f"Fraction({pay.numerator}, {pay.denominator})"


def of_matrix(cls: Any, config: Any) -> Normal:
    """A declared table of pays under a config, to be written."""
    made, plan = cls.declared, cls.kernel.under(config).plan
    part = next(part for _, _, part in made.fields() if getattr(part, "choices", None))
    keys = [part.choices_of(place) for place in plan.places]
    pays = {
        cell: tuple(
            Fraction(plan.value(pay)) for pay in cls.matrix[tuple(own[n] for own, n in zip(keys, cell, strict=True))]
        )
        for cell in product(*(range(len(own)) for own in keys))
    }
    players = tuple(role.replace("_", " ") or f"player {place + 1}" for place, role in enumerate(plan.roles))
    choices = tuple(tuple(part.choices[key] for key in own) for own in keys)
    return Normal(made.title, players, choices, pays, " ".join(made.about))
