"""Rounds a second of processor time for the shelf of classics, beside a plain loop and axelrod's, by turns in one run.

python -m tests.bench.shelf
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import axelrod
import numpy as np

from games.core.agents import deciding
from games.core.engine import play
from games.core.registry import Registry
from games.declare.batch import MatrixBatch
from games.lab import populations

TURNS = 5
PAYS = {("C", "C"): (2, 2), ("C", "D"): (0, 3), ("D", "C"): (3, 0), ("D", "D"): (1, 1)}


def batch(pairs: int, rounds: int) -> int:
    """Tit for tat against win-stay in so many pairs at once."""
    pack = Registry().get("prisoners_dilemma")
    game: Any = pack.game
    form, config = MatrixBatch(game.made, game), game.config_type(rounds=rounds)
    two = [
        form.memory(config, pack.policies[name].bind(), seat) for seat, name in enumerate(("tit_for_tat", "win_stay"))
    ]
    form.play(config, [(two[0], two[1])] * pairs)
    return pairs * rounds


def loop(rounds: int) -> int:
    """The same two in a plain loop that keeps moves and totals."""
    a, b, totals, rows = "C", "C", [0, 0], []
    for _ in range(rounds):
        rows.append((a, b))
        pays = PAYS[a, b]
        totals[0] += pays[0]
        totals[1] += pays[1]
        a, b = b, "C" if a == b else "D"
    return len(rows)


def of_axelrod(rounds: int) -> int:
    axelrod.Match((axelrod.TitForTat(), axelrod.WinStayLoseShift()), turns=rounds).play()
    return rounds


def one_world(slug: str, seats: dict[int, str], rounds: int) -> int:
    """One match, observed and resolved step by step."""
    pack = Registry().get(slug)
    config = pack.game.config_type(rounds=rounds, **({"budget": 0} if slug == "public_goods" else {}))
    for _ in play(pack.game, config, 1, {seat: deciding(pack.policies[name].bind()) for seat, name in seats.items()}):
        pass
    return rounds


def strangers() -> int:
    """A thousand that meet in pairs for a thousand rounds."""
    pack = Registry().get("prisoners_dilemma")
    counts = {"tit_for_tat": 500, "cooperator": 500}
    return len(populations.meet(pack, pack.game.config_type(), counts, 1000, 1).played) * 500


CASES: dict[str, Callable[[], int]] = {
    "prisoners_dilemma, 10 000 pairs at once": lambda: batch(10_000, 200),
    "prisoners_dilemma, one world": lambda: one_world("prisoners_dilemma", {0: "tit_for_tat", 1: "win_stay"}, 1000),
    "public_goods, four seats, one world": lambda: one_world("public_goods", dict.fromkeys(range(4), "matcher"), 1000),
    "population of 1 000 strangers, 1 000 rounds": strangers,
    "plain loop": lambda: loop(100_000),
    "axelrod, one match": lambda: of_axelrod(1000),
}


def main() -> None:
    speeds: dict[str, list[float]] = {name: [] for name in CASES}
    for turn in range(TURNS + 1):
        for name, case in CASES.items():
            began = time.process_time()
            rounds = case()
            if turn:  # the first warms up
                speeds[name].append(rounds / (time.process_time() - began))
    found = {name: float(np.round(median(values), -2)) for name, values in speeds.items()}
    by = {name: round(speed / found["axelrod, one match"], 2) for name, speed in found.items()}
    sys.stdout.write(json.dumps({"rounds_per_s": found, "times_axelrod": by}, indent=1) + "\n")


if __name__ == "__main__":
    main()
