"""Who else entered Axelrod's first tournament: rules that look at the whole match, as no machine can.

Source: Axelrod, "Effective choice in the Prisoner's Dilemma", Journal of Conflict Resolution 24 (1980), appendix. Where
it leaves a detail open, the reading is that of the `axelrod` library, which a test holds these to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, Final, TypeAlias

from games.catalog.dilemma.answers import COOPERATE, DEFECT, SILENCE
from games.catalog.dilemma.machines import MOVE_DRAW
from games.catalog.dilemma.state import Action, Observation
from games.core.agents import Memory, NoParams, PolicySpec, rule_of
from games.core.game import Number
from games.core.rng import Rng

AXELROD_1980: Final = 'Axelrod, "Effective choice in the Prisoner\'s Dilemma", Journal of Conflict Resolution 24 (1980)'
Rule: TypeAlias = Callable[[Observation, Rng], bool]
"""Whether the seat cooperates in the round that it is asked for."""
CHI_SQUARE: Final = 3.841458820694124
"""The 95% point of chi-squared with one degree of freedom."""
ODD: Final = frozenset({1, 6, 7, 17, 22, 23, 26, 29, 30, 31, 33, 38, 39, 45, 49, 54, 55, 58, 61})
"""The sums after which Nydegger's rule defects."""


def _is_random(theirs: str) -> bool:
    """Whether C and D are as frequent as a coin's: a chi-squared test does not refuse it at 5%."""
    lead = 2 * theirs.count("C") - len(theirs)
    return lead * lead <= CHI_SQUARE * len(theirs)


def _left(seen: Observation) -> float:
    """Rounds that are left, this one included; endless where the length is not told."""
    return float("inf") if seen.rounds is None else seen.rounds - len(seen.mine)


def _echoes(seen: Observation) -> bool:
    """Tit for tat."""
    return seen.theirs[-1:] != "D"


def tideman(seen: Observation, rng: Rng) -> bool:
    """Tit for tat whose punishment grows by a move with each run of defections; who is ten points behind, has not just
    defected and is no coin is given a fresh start of two cooperations, at most every twenty moves and not in the last
    ten. Defects on the last two moves.
    """
    if _left(seen) <= 2:
        return False
    own: Number = 0
    other: Number = 0
    length = owed = started = defections = 0
    is_cooperating, is_fresh = True, False
    for at, (mine, theirs) in enumerate(seen.rounds_played(), start=1):
        defections += theirs == "D"
        own, other = own + seen.payoffs.of(mine, theirs), other + seen.payoffs.of(theirs, mine)
        if is_fresh:
            is_cooperating, is_fresh = True, False
        elif (
            theirs == "C"
            and own - other >= 10
            and (started == 0 or at + 1 - started >= 20)
            and (seen.rounds is None or seen.rounds - at > 10)
            and abs(defections - at / 2) >= 1.5 * sqrt(at)
        ):
            is_cooperating, is_fresh, started = True, True, at + 1
            length = owed = defections = 0
        elif owed:
            is_cooperating, owed = False, owed - 1
        elif theirs == "D":
            length += 1
            is_cooperating, owed = False, length - 1
        else:
            is_cooperating = True
    return is_cooperating


def nydegger(seen: Observation, rng: Rng) -> bool:
    """Tit for tat for three moves, but D on the third after D and C of the other; from then on the last three outcomes
    are weighed 16, 4 and 1 (the other's D counts 2, its own 1), and certain sums bring a defection.
    """
    if len(seen.mine) < 3:
        return _echoes(seen) and seen.theirs != "DC"
    last = zip(seen.mine[:-4:-1], seen.theirs[:-4:-1], (16, 4, 1), strict=True)
    return sum(weight * ((mine == "D") + 2 * (theirs == "D")) for mine, theirs, weight in last) not in ODD


def grofman(seen: Observation, rng: Rng) -> bool:
    """Cooperates after equal moves, else with probability 2/7."""
    return seen.mine[-1:] == seen.theirs[-1:] or rng.chance(2 / 7, MOVE_DRAW)


def shubik(seen: Observation, rng: Rng) -> bool:
    """Answers a departure from mutual cooperation with one defection, the next with two, and so on."""
    length = owed = 0
    is_cooperating = True
    for mine, theirs in seen.rounds_played():
        if owed:
            is_cooperating, owed = False, owed - 1
        elif theirs == "D" and mine == "C":
            length += 1
            is_cooperating, owed = False, length - 1
        else:
            is_cooperating = True
    return is_cooperating


def stein(seen: Observation, rng: Rng) -> bool:
    """Cooperates four times, then plays tit for tat; every fifteen moves it asks whether the other plays by chance, and
    defects until it asks again where it seems so. Defects on the last two moves.
    """
    played = len(seen.mine)
    if _left(seen) <= 2:
        return False
    asked = (played + 1) // 15 * 15
    if asked and _is_random(seen.theirs[: asked - 1]):
        return False
    return played < 4 or _echoes(seen)


def davis(seen: Observation, rng: Rng) -> bool:
    """Cooperates ten times; from then on defects if the other ever has."""
    return len(seen.mine) < 10 or "D" not in seen.theirs


def graaskamp(seen: Observation, rng: Rng) -> bool:
    """Tit for tat for 56 moves, except for D on the 51st; then defects for ever against who once seems to play by
    chance, plays tit for tat with tit for tat and with its twin, and otherwise defects once in 5 to 15 moves.
    """
    mine, theirs, played = seen.mine, seen.theirs, len(seen.mine)
    if played < 56:
        return _echoes(seen) and played != 50
    if any(_is_random(theirs[:until]) for until in range(56, played + 1)):
        return False
    if theirs[1:] == mine[:-1] or theirs == mine:
        return _echoes(seen)
    since = played - max(56, mine.rfind("D"))
    return not (since >= 5 and rng.chance(1 / max(1, 16 - since), MOVE_DRAW))


def downing(seen: Observation, rng: Rng) -> bool:
    """Estimates how often the other answers its C and its D with C, and does what pays more by that for ever; opens
    with two defections, and alternates where both pay the same.
    """
    mine, theirs = seen.mine, seen.theirs
    if len(mine) < 2:
        return False
    answered = list(zip("C" + mine, theirs, strict=False))
    after_c = answered.count(("C", "C")) / (mine.count("C") + 1)
    after_d = answered.count(("D", "C")) / max(mine.count("D"), 2)
    t, r, p, s = seen.payoffs
    with_c, with_d = after_c * r + (1 - after_c) * s, after_d * t + (1 - after_d) * p
    return with_c > with_d or (with_c == with_d and mine[-1] == "D")


def feld(seen: Observation, rng: Rng) -> bool:
    """Defects after D; after C cooperates with a chance that falls evenly from 1 to 1/2 over two hundred moves."""
    played = len(seen.mine)
    return not played or (_echoes(seen) and rng.chance(max(0.5, 1 - played / 400), MOVE_DRAW))


def joss(seen: Observation, rng: Rng) -> bool:
    """Defects after D; after C cooperates nine times in ten."""
    return not seen.mine or (_echoes(seen) and rng.chance(0.9, MOVE_DRAW))


def tullock(seen: Observation, rng: Rng) -> bool:
    """Cooperates eleven times; then a tenth less often than the other has in the ten moves before."""
    return len(seen.mine) < 11 or rng.chance(max(0.0, seen.theirs[-10:].count("C") / 10 - 0.1), MOVE_DRAW)


def withheld(seen: Observation, rng: Rng) -> bool:
    """Of a student whose name was withheld: cooperates with a chance that wanders between 30% and 70%."""
    return rng.chance(0.3 + 0.4 * rng.unit("chance"), MOVE_DRAW)


def _playing(rule: Rule) -> Callable[[Any, Any, Memory, Rng], tuple[Action, Memory]]:
    def play(params: Any, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
        if observation.stage == "talk":
            return SILENCE, memory
        return (COOPERATE if rule(observation, rng) else DEFECT), memory

    return play


ENTRANTS: Final[Mapping[str, PolicySpec]] = {
    name: PolicySpec(name, rule_of(rule), AXELROD_1980, _playing(rule), NoParams, aka)
    for name, rule, aka in (
        ("TIDEMAN", tideman, ("Tideman and Chieruzzi",)),
        ("NYDEGGER", nydegger, ("Nydegger",)),
        ("GROFMAN", grofman, ("Grofman",)),
        ("SHUBIK", shubik, ("Shubik",)),
        ("STEIN", stein, ("Stein and Rapoport",)),
        ("DAVIS", davis, ("Davis",)),
        ("GRAASKAMP", graaskamp, ("Graaskamp",)),
        ("DOWNING", downing, ("Downing",)),
        ("FELD", feld, ("Feld",)),
        ("JOSS", joss, ("Joss",)),
        ("TULLOCK", tullock, ("Tullock",)),
        ("WITHHELD", withheld, ("Name withheld",)),
    )
}
"""The twelve that `games.catalog.dilemma.policies` has no machine for; tit for tat, Friedman and random it has."""
