"""Work that no case of a bench.yaml says: the dilemma's tournaments and matches by tables, and a thousand strangers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig
from games.core.answers import JSON
from games.core.registry import Registry
from games.lab.folders.benching import Run, paced
from games.lab.pdbench.tournament import Tournament
from games.lab.populations import meet

SIX: Final = {
    "ALLC": "Cooperator",
    "ALLD": "Defector",
    "TFT": "TitForTat",
    "GRIM": "Grudger",
    "GTFT": "GTFT",
    "WSLS": "WinStayLoseShift",
}
"""The dilemma's six, and what axelrod calls them."""
MATCH: Final = ("TFT", "GTFT")
ROUNDS: Final = 200
REPETITIONS: Final = 20
PLAYED: Final = len(SIX) * (len(SIX) + 1) // 2 * ROUNDS * REPETITIONS
"""Rounds of a tournament."""
STRANGERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Work:
    """What ``play`` does for so many seconds, and what each peer plays beside it. ``rounds``: of one piece of it."""

    game: str
    name: str
    policy: str
    seats: int
    play: Run
    beside: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    rounds: int = 0


def works(slugs: Collection[str]) -> list[Work]:
    """Those of these games."""
    return [one for one in (*dilemma(), strangers()) if one.game in slugs]


def dilemma() -> list[Work]:
    """Tournaments and matches by tables, without slips and with."""
    found = []
    for noise in (0.0, 0.05):
        slips = f", noise {noise:g}"
        robin = f"tournament, {len(SIX)} policies x {ROUNDS} rounds x {REPETITIONS} repetitions, with results{slips}"
        theirs: dict[str, JSON] = {
            "players": list(SIX.values()),
            "turns": ROUNDS,
            "noise": noise,
            "repetitions": REPETITIONS,
        }
        held = paced(partial(tournament, noise))
        found.append(Work("dilemma", robin, "all six", 2, held, {"axelrod": theirs}, PLAYED))
        for rounds in (ROUNDS, 10_000):
            name = f"one match of {rounds} rounds by tables{slips}"
            theirs = {"players": [SIX[policy] for policy in MATCH], "turns": rounds, "noise": noise}
            played = paced(partial(match, noise, rounds))
            found.append(Work("dilemma", name, "+".join(MATCH), 2, played, {"axelrod": theirs}, rounds))
    return found


def tournament(noise: float) -> int:
    """Play, and all that follows: scores, wins, both matrices, both rankings. The rounds that were played."""
    config = DilemmaConfig(rounds=ROUNDS, noise_a=noise, noise_b=noise)
    table = Tournament(config, tuple(Entrant(name) for name in SIX), REPETITIONS).play().standings
    table.matrices, table.wins, table.ranking("mean"), table.ranking("median")
    return PLAYED


def match(noise: float, rounds: int) -> int:
    """Play and add up."""
    config = DilemmaConfig(rounds=rounds, noise_a=noise, noise_b=noise)
    play_matches(config, [Match(Entrant(MATCH[0]), Entrant(MATCH[1]), 1)]).totals()
    return rounds


def strangers() -> Work:
    """Declared, with two policies that are tables."""

    def play() -> int:
        pack, half = Registry().get("prisoners_dilemma"), STRANGERS // 2
        counts = {"tit_for_tat": half, "cooperator": half}
        return len(meet(pack, pack.game.config_type(), counts, STRANGERS, 1).played) * half

    theirs: dict[str, JSON] = {"players": ["TitForTat", "Cooperator"], "turns": STRANGERS}
    name = f"{STRANGERS} strangers, who meet in pairs for {STRANGERS} rounds"
    policies = "tit_for_tat+cooperator"
    return Work("prisoners_dilemma", name, policies, STRANGERS, paced(play), {"axelrod": theirs})
