"""What policies earned in matches of any game, as a table: the game of whom one sends into a match.

Mechanisms around it are mechanisms around whole matches: who meets whom again, who is known for what, what a contract
pays for the policy that one sends. M. Wellman, "Methods for empirical game-theoretic analysis" (AAAI 2006).
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Final

from games.declare.gambit import CELLS_MAX, CHOICES_MAX, PLAYERS_MAX, Normal
from games.errors.faults import Refused
from games.lab.analysis.lineups import LineUps, read

BYTES_MAX: Final = 16 * 1024 * 1024


def match_table(source: Path, title: str) -> Normal:
    """The game of a file of line-ups, as `polity population --out` writes it: each seat chooses a policy, and is paid
    the mean of what it earned in that line-up, to the hundredth. Raises `Refused`."""
    if source.stat().st_size > BYTES_MAX:
        raise Refused(f"{source}: {source.stat().st_size} bytes; {BYTES_MAX} at most. Keep fewer matches")
    try:
        found = read(json.loads(source.read_bytes()))
    except ValueError as error:
        raise Refused(f"{source}: no JSON: {error}") from None
    many, seats = len(found.agents), found.seats
    if seats > PLAYERS_MAX or many > CHOICES_MAX or many**seats > CELLS_MAX:
        raise Refused(
            f"{source}: {seats} seats and {many} policies; a table takes {PLAYERS_MAX} seats, {CHOICES_MAX} policies "
            f"and {CELLS_MAX} cells at most. Take fewer"
        )
    found.check_whole("a table")
    about = f"Each sends a policy into a match. Pays are what it earned there on average, in {_matches(found)}."
    return Normal(title, ("player",) * seats, (found.agents,) * seats, _pays(found), about)


def _pays(found: LineUps) -> dict[tuple[int, ...], tuple[Fraction, ...]]:
    table, where = found.table()[0], {one.lineup: at for at, one in enumerate(found.matches)}
    return {
        cell: tuple(Fraction(f"{table[where[tuple(sorted(cell))], agent]:.2f}") for agent in cell)
        for cell in product(range(len(found.agents)), repeat=found.seats)
    }


def _matches(found: LineUps) -> str:
    counts = sorted({len(one.payoffs) for one in found.matches})
    many = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{many} {'match' if counts == [1] else 'matches'} of each line-up"
