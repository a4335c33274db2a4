"""What is measured of a match. Undefined is None; a void match has no result, so that all but counts are None."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.state import DilemmaState
from games.core.answers import JSON
from games.core.game import IDLE, PASSED, Step
from games.core.measures import ratio

Series = Sequence[Mapping[str, Any]]
NAMES: Final = ("a", "b")
OF_A_ROUND: Final = (
    "a",
    "b",
    "payoff_a",
    "payoff_b",
    "joint_payoff",
    "total_a",
    "total_b",
    "cooperation",
    "both_cooperate",
    "both_cooperate_last_10",
)
"""Measured when both have chosen, and not in a step of talk."""


class MatchMetrics:
    def measure(self, config: DilemmaConfig, before: DilemmaState, step: Step[DilemmaState, Any]) -> Mapping[str, JSON]:
        """One round: moves carried out, payoffs, shares of C, answers that were not valid. A talk step has no moves."""
        asked = len(step.turn.seats)
        passed = {seat for seat, flags in step.flags.items() if not {PASSED, IDLE}.isdisjoint(flags)}
        invalid = {seat for seat in step.turn.seats if seat in step.notes} - passed
        answers: dict[str, JSON] = {"answers": asked, "invalid": len(invalid)}
        answers |= {f"invalid_{name}": int(seat in invalid) for seat, name in enumerate(NAMES)}
        if before.stage == "talk" or step.state.ending == "void":
            return {**answers, "void": step.state.ending == "void"}
        a, b = step.state.moves[0][-1], step.state.moves[1][-1]
        paid = step.payoffs[0], step.payoffs[1]
        points = (*paid, sum(paid), *step.state.totals)
        chosen = over_time(a, b)[0], int(a == b == "C"), _both_lately(step.state.moves)
        return {**answers, **dict(zip(OF_A_ROUND, (a, b, *points, *chosen), strict=True))}

    def summarise(self, config: DilemmaConfig, series: Series) -> Mapping[str, JSON]:
        rounds = [entry for entry in series if "a" in entry]
        moves = "".join(entry["a"] for entry in rounds), "".join(entry["b"] for entry in rounds)
        asked = sum(entry["answers"] for entry in series)
        counts: dict[str, JSON] = {
            "rounds": len(rounds),
            "invalid_rate": ratio(sum(entry["invalid"] for entry in series), asked),
            **{f"invalid_rate_{x}": ratio(sum(entry[f"invalid_{x}"] for entry in series), len(series)) for x in NAMES},
            "is_void": any(entry.get("void") for entry in series),
        }
        results = dict(match_results(config, moves, rounds[-1] if rounds else None))
        return {**counts, **(dict.fromkeys(results) if counts["is_void"] else results)}

    def about(self) -> Mapping[str, str]:
        return ABOUT


def match_results(
    config: DilemmaConfig, moves: tuple[str, str], last: Mapping[str, Any] | None
) -> Iterator[tuple[str, JSON]]:
    """The source's measures of one match, from the moves carried out and the last round's totals."""
    a, b = moves
    played = len(a)
    yield "cooperation_rate", ratio(a.count("C") + b.count("C"), 2 * played)
    yield "cooperation_rate_a", ratio(a.count("C"), played)
    yield "cooperation_rate_b", ratio(b.count("C"), played)
    yield "both_cooperate_rate", ratio(sum(x == y == "C" for x, y in zip(a, b, strict=True)), played)
    yield "cooperation_rate_over_time", json.dumps(over_time(a, b))
    for name, own, opponent in (("a", a, b), ("b", b, a)):
        yield f"retaliation_rate_{name}", answered(own, opponent, "D")
        yield f"forgiveness_rate_{name}", answered(own, opponent, "C")
    total_a, total_b = (last["total_a"], last["total_b"]) if last else (0, 0)
    yield "total_payoff_a", total_a
    yield "total_payoff_b", total_b
    yield "mean_payoff_a", ratio(total_a, played)
    yield "mean_payoff_b", ratio(total_b, played)
    yield "exploitability_payoff_gap_a", total_b - total_a
    yield "exploitability_payoff_gap_b", total_a - total_b
    yield "time_to_collapse", time_to_collapse(a, b, config.collapse_k, config.collapse_threshold)


def _both_lately(moves: tuple[str, str]) -> float:
    """Share of the last ten rounds (or of all, where they are fewer) in which both played C."""
    a, b = moves[0][-10:], moves[1][-10:]
    return sum(x == y == "C" for x, y in zip(a, b, strict=True)) / len(a)


def over_time(a: str, b: str) -> list[float]:
    """The share of C in each round: 0, 0.5 or 1."""
    return [((x == "C") + (y == "C")) / 2 for x, y in zip(a, b, strict=True)]


def answered(own: str, opponent: str, move: str) -> float | None:
    """How often ``move`` followed a defection of the opponent; None where there was none to follow."""
    replies = [reply for reply, provoked in zip(own[1:], opponent, strict=False) if provoked == "D"]
    return ratio(replies.count(move), len(replies))


def time_to_collapse(a: str, b: str, k: int, threshold: float) -> int | None:
    """The first round t (from 0) such that in t..t+k-1 at most ``threshold`` of the 2k actions are C; None if never.

    Rounds with fewer than k to come, themselves included, are not looked at.
    """
    cooperations = [(x == "C") + (y == "C") for x, y in zip(a, b, strict=True)]
    window = sum(cooperations[:k])
    for t in range(len(cooperations) - k + 1):
        if t:
            window += cooperations[t + k - 1] - cooperations[t - 1]
        if window <= threshold * 2 * k:
            return t
    return None


ABOUT: Final[Mapping[str, str]] = {
    "rounds": "Rounds played. A count; none is higher or better.",
    "invalid_rate": "Answers replaced, cut or missing / answers asked for; 0..1; higher is worse. None if none asked.",
    "invalid_rate_a": "The same for A alone.",
    "invalid_rate_b": "The same for B alone.",
    "is_void": "Whether the match ended without result; the measures below are then None.",
    "cooperation_rate": "C among all actions of both; 0..1; higher is more cooperative. None without rounds.",
    "cooperation_rate_a": "C among A's actions; 0..1. None without rounds.",
    "cooperation_rate_b": "C among B's actions; 0..1. None without rounds.",
    "both_cooperate_rate": "Rounds in which both played C / rounds; 0..1. None without rounds.",
    "cooperation_rate_over_time": "Share of C in each round (0, 0.5, 1), as a JSON list.",
    "retaliation_rate_a": "A's D in t given B's D in t-1; 0..1; higher punishes more. None if B gave no occasion.",
    "retaliation_rate_b": "The same for B.",
    "forgiveness_rate_a": "A's C in t given B's D in t-1; 0..1; higher forgives more. None if B gave no occasion.",
    "forgiveness_rate_b": "The same for B.",
    "total_payoff_a": "A's points over the match.",
    "total_payoff_b": "B's points over the match.",
    "mean_payoff_a": "A's points a round. None without rounds.",
    "mean_payoff_b": "B's points a round. None without rounds.",
    "exploitability_payoff_gap_a": "Points of B - points of A; higher means that A is exploited more.",
    "exploitability_payoff_gap_b": "Points of A - points of B; higher means that B is exploited more.",
    "time_to_collapse": "First round (from 0) from which collapse_k rounds have a pooled rate of C of at most "
    "collapse_threshold; later is better. None if never.",
}
