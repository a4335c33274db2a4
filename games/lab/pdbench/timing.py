"""The bulk path beside the axelrod library, in the same process and run: `pdbench bench`, `polity bench dilemma`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig
from games.lab.pdbench.tournament import Results, Tournament

SIX: Final = ("ALLC", "ALLD", "TFT", "GRIM", "GTFT", "WSLS")
PEERS: Final = ("Cooperator", "Defector", "TitForTat", "Grudger", "GTFT", "WinStayLoseShift")
ROUNDS: Final = 200
REPETITIONS: Final = 100
LEAST_S: Final = 0.2
"""Seconds that a case is measured for at least, ours and the peer's together."""
MATCH: Final = ("TFT", "GTFT")
PEER_MATCH: Final = ("TitForTat", "GTFT")


def timings(repeats: int, peer: bool = True) -> list[dict[str, Any]]:
    """Each case: the best of ``repeats``, ours and the peer's (where it is installed) taking turns.

    A short case is repeated for `LEAST_S`: three times would measure how cold the interpreter is.
    """
    peer = peer and find_spec("axelrod") is not None
    pairs = len(SIX) * (len(SIX) + 1) // 2
    robin = f"tournament, {len(SIX)} policies x {ROUNDS} rounds x {REPETITIONS} repetitions, with results"
    rows = []
    for noise in (0.0, 0.05):
        theirs = partial(peer_tournament, noise) if peer else None
        rows.append(_timed(robin, noise, pairs * ROUNDS * REPETITIONS, repeats, partial(tournament, noise), theirs))
        for rounds in (200, 10_000):
            case = f"one match of {rounds} rounds, {MATCH[0]} and {MATCH[1]}"
            theirs = partial(peer_match, noise, rounds) if peer else None
            rows.append(_timed(case, noise, rounds, repeats, partial(match, noise, rounds), theirs))
    return rows


def line(row: Mapping[str, Any]) -> str:
    """A row in a line."""
    pace = f"{row['seconds']:.5f} s, {row['rounds_per_s']:,.0f} rounds/s"
    peers = f"; axelrod {row['peer_seconds']:.4f} s, {row['times']:.0f} times" if row["times"] else ""
    return f"{row['case']}, noise {row['noise']:g}: {pace}{peers}"


def tournament(noise: float) -> Results:
    """Play, and all that follows: scores, wins, both matrices, both rankings."""
    config = DilemmaConfig(rounds=ROUNDS, noise_a=noise, noise_b=noise)
    results = Tournament(config, tuple(Entrant(name) for name in SIX), REPETITIONS).play()
    table = results.standings
    table.matrices, table.wins, table.ranking("mean"), table.ranking("median")
    return results


def match(noise: float, rounds: int) -> tuple[list[Any], list[Any]]:
    """Play and add up."""
    config = DilemmaConfig(rounds=rounds, noise_a=noise, noise_b=noise)
    return play_matches(config, [Match(Entrant(MATCH[0]), Entrant(MATCH[1]), 1)]).totals()


def peer_tournament(noise: float) -> Any:
    axelrod: Any = import_module("axelrod")
    players = [getattr(axelrod, name)() for name in PEERS]
    results = axelrod.Tournament(players, turns=ROUNDS, repetitions=REPETITIONS, noise=noise, seed=1)
    return results.play(progress_bar=False)


def peer_match(noise: float, rounds: int) -> Any:
    axelrod: Any = import_module("axelrod")
    game = axelrod.Match([getattr(axelrod, name)() for name in PEER_MATCH], turns=rounds, noise=noise, seed=1)
    game.play()
    return game.final_score()


def _timed(
    case: str, noise: float, rounds: int, repeats: int, ours: Callable[[], Any], theirs: Callable[[], Any] | None
) -> dict[str, Any]:
    ours()
    mine: list[float] = []
    known: list[float] = []
    while len(mine) < repeats or sum(mine) + sum(known) < LEAST_S:
        mine.append(_seconds(ours))
        if theirs is not None:
            known.append(_seconds(theirs))
    best, peer = min(mine), min(known, default=None)
    return {
        "case": case,
        "noise": noise,
        "seconds": best,
        "rounds_per_s": rounds / best,
        "peer_seconds": peer,
        "times": None if peer is None else peer / best,
    }


def _seconds(work: Callable[[], Any]) -> float:
    """This process's own processor time: both sides run in one thread, and a busy neighbour falsifies less."""
    began = time.process_time()
    work()
    return time.process_time() - began
