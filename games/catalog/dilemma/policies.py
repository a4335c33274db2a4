"""The named strategies: those that are machines, and the others who entered Axelrod's first tournament.

Each sees what was carried out, slips included, and remembers the whole match (its state).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from pydantic import BaseModel, Field

from games.catalog.dilemma.answers import COOPERATE, DEFECT, SILENCE
from games.catalog.dilemma.config import Move, Payoffs
from games.catalog.dilemma.entrants import AXELROD_1980, ENTRANTS
from games.catalog.dilemma.labels import LABELS
from games.catalog.dilemma.machines import Machine, memory_one, reactive
from games.catalog.dilemma.state import Action, Observation, Say
from games.core.agents import Memory, NoParams, PolicySpec
from games.core.game import Number
from games.core.rng import Rng
from games.core.settings import Settings


class GenerousParams(Settings):
    """``generous_prob`` None: the most generous chance that ALLD cannot exploit, by the payoffs in force."""

    generous_prob: float | None = Field(None, ge=0, le=1, title="Generosity", description="Chance to forgive a D.")

    def forgives(self, payoffs: Payoffs) -> float:
        """min(1 - (T-R)/(R-S), (R-P)/(T-P)), within 0..1. 1/3 for 5, 3, 1, 0. Source: Nowak and Sigmund (1992)."""
        if self.generous_prob is not None:
            return self.generous_prob
        t, r, p, s = payoffs
        if r == s or t == p:
            return 0.0
        return min(1.0, max(0.0, min(1 - (t - r) / (r - s), (r - p) / (t - p))))


class StayParams(Settings):
    """``threshold`` None: the reward R of the payoffs in force."""

    threshold: float | None = Field(None, title="Win threshold", description="Least payoff that counts as a win.")

    def wins_from(self, payoffs: Payoffs) -> Number:
        return payoffs.reward if self.threshold is None else self.threshold


class RandomParams(Settings):
    p: float = Field(0.5, ge=0, le=1, title="Chance of C", description="Chance to cooperate in each round.")


class ExtortParams(Settings):
    """``phi`` is cut to the largest value that leaves four probabilities under the payoffs in force."""

    slope: float = Field(
        0.5, gt=0, le=1, title="Slope", description="The opponent's shortfall from R per point of its own."
    )
    phi: float = Field(0.25, gt=0, le=1, title="Phi", description="Scale of the reactions.")


class PledgeParams(Settings):
    """``plays`` is played with its parameters' defaults."""

    plays: Literal["ALLC", "ALLD", "TFT", "GRIM", "GTFT", "WSLS", "TF2T", "ZDGTFT2"] = Field(
        "TFT", title="Strategy", description="The strategy that it announces and plays."
    )
    breaks: float = Field(0.0, ge=0, le=1, title="Broken word", description="Chance to play D where it would play C.")


class Strategy(NamedTuple):
    """A strategy as it is known, and what makes its machine."""

    spec: PolicySpec
    make: Callable[[Any, Payoffs], Machine]


def _strategy(
    name: str, source: str, *aka: str, params: type[BaseModel] = NoParams
) -> Callable[[Callable[[Any, Payoffs], Machine]], Strategy]:
    """Names what makes a machine; its docstring is the strategy's rule."""
    return lambda make: Strategy(PolicySpec(name, make.__doc__ or "", source, _playing(name), params, aka), make)


@lru_cache(maxsize=1024)
def machine(name: str, params: BaseModel, payoffs: Payoffs) -> Machine:
    """The strategy's machine under these parameters and payoffs."""
    return _STRATEGIES[name].make(params, payoffs)


def _playing(name: str) -> Callable[[Any, Any, Memory, Rng], tuple[Action, Memory]]:
    def play(params: Any, observation: Observation, memory: Memory, rng: Rng) -> tuple[Action, Memory]:
        if observation.stage == "talk" and not isinstance(params, PledgeParams):
            return SILENCE, memory
        automaton = machine(name, params, observation.payoffs)
        state = _state(name, automaton, observation, memory)
        if observation.stage == "talk":
            return _pledge(_announced(params, observation.payoffs).cooperates[state], observation), memory
        return (COOPERATE if automaton.is_cooperating(state, rng) else DEFECT), [name, observation.round, state]

    return play


def _state(name: str, automaton: Machine, observation: Observation, memory: Memory) -> int:
    """Where the machine stands: one move on from its memory, or, where that is not its own (a seat handed over in
    mid-match), led through the whole match."""
    mine, theirs = observation.mine, observation.theirs
    if not mine:
        return 0
    match memory:
        case [str(whose), int(asked), int(state)] if whose == name and asked == observation.round - 1:
            return automaton.next(state, mine[-1], theirs[-1])
    state = 0
    for own, opponent in zip(mine, theirs, strict=True):
        state = automaton.next(state, own, opponent)
    return state


def _pledge(chance: float, observation: Observation) -> Say:
    """The move that a strategy with this chance of C will most likely make, and why, as it is called in the match."""
    mine, theirs = observation.mine, observation.theirs
    word: Move = "C" if chance >= 0.5 else "D"
    c, d = LABELS[observation.labels]["C"], LABELS[observation.labels]["D"]
    if not mine:
        text = f"I shall play {c if word == 'C' else d}."
    elif theirs[-1] == "D":
        text = f"You played {d}. I play {c} all the same." if word == "C" else f"You played {d}, so I play {d}."
    elif word == "D":
        text = f"I play {d}."
    elif mine[-1] == "D":
        text = f"I played {d}. Now I play {c}."
    else:
        rounds = len(mine) - 1 - max(mine.rfind("D"), theirs.rfind("D"))
        text = (
            f"{c} for both, {rounds} in a row. I play {c} again." if rounds > 1 else f"{c} for both. I play {c} again."
        )
    return Say(text[: observation.talk_limit])


def _announced(params: PledgeParams, payoffs: Payoffs) -> Machine:
    """The strategy by which it gives its word."""
    return machine(params.plays, POLICIES[params.plays].params(), payoffs)


def label(name: str, params: Mapping[str, Any] | None, payoffs: Payoffs) -> str:
    """The strategy's name with whatever chance or threshold it plays by: ``GTFT(p=0.333)``."""
    match POLICIES[name].params.model_validate(dict(params or {})):
        case GenerousParams() as generous:
            return f"{name}(p={generous.forgives(payoffs):.3g})"
        case RandomParams(p=chance):
            return f"{name}(p={chance:.3g})"
        case StayParams() as stay:
            return f"{name}(win>={stay.wins_from(payoffs):.3g})"
        case ExtortParams(slope=slope, phi=phi):
            return f"{name}(slope={slope:.3g},phi={phi:.3g})"
        case PledgeParams(plays=plays, breaks=breaks):
            return f"{name}({plays},breaks={breaks:.3g})" if breaks else f"{name}({plays})"
    return name


# --- the strategies -------------------------------------------------------------------------------


@_strategy("ALLC", AXELROD_1980, "Cooperator", "Always Cooperate")
def _allc(params: NoParams, payoffs: Payoffs) -> Machine:
    """Always cooperates."""
    return Machine((1.0,), ((0, 0, 0, 0),))


@_strategy("ALLD", AXELROD_1980, "Defector", "Always Defect")
def _alld(params: NoParams, payoffs: Payoffs) -> Machine:
    """Always defects."""
    return Machine((0.0,), ((0, 0, 0, 0),))


@_strategy("TFT", AXELROD_1980, "Tit for Tat")
def _tft(params: NoParams, payoffs: Payoffs) -> Machine:
    """Starts with C, then copies the opponent's previous move."""
    return reactive(1, after_c=1, after_d=0)


@_strategy(
    "GRIM",
    'Friedman, "A non-cooperative equilibrium for supergames", Review of Economic Studies 38 (1971); ' + AXELROD_1980,
    "Grim trigger",
    "Grudger",
    "Friedman",
)
def _grim(params: NoParams, payoffs: Payoffs) -> Machine:
    """Starts with C; once the opponent has defected, defects for ever."""
    return Machine((1, 0), ((0, 1, 0, 1), (1, 1, 1, 1)))


@_strategy(
    "GTFT",
    'Nowak and Sigmund, "Tit for tat in heterogeneous populations", Nature 355 (1992)',
    "Generous Tit for Tat",
    params=GenerousParams,
)
def _gtft(params: GenerousParams, payoffs: Payoffs) -> Machine:
    """Like TFT, but forgives a defection with probability generous_prob."""
    return reactive(1, after_c=1, after_d=params.forgives(payoffs))


@_strategy(
    "WSLS",
    "Nowak and Sigmund, \"A strategy of win-stay, lose-shift that outperforms tit-for-tat in the Prisoner's "
    'Dilemma game", Nature 364 (1993)',
    "Win-Stay Lose-Shift",
    "Pavlov",
    params=StayParams,
)
def _wsls(params: StayParams, payoffs: Payoffs) -> Machine:
    """Starts with C; repeats its move after a payoff of at least the threshold, else switches."""
    wins = params.wins_from(payoffs)
    t, r, p, s = payoffs
    stays = tuple(float(paid >= wins) for paid in (r, s, t, p))
    return memory_one(1, (stays[0], stays[1], 1 - stays[2], 1 - stays[3]))


@_strategy("RANDOM", AXELROD_1980, "Random", params=RandomParams)
def _random(params: RandomParams, payoffs: Payoffs) -> Machine:
    """Cooperates with probability p in each round."""
    return Machine((params.p,), ((0, 0, 0, 0),))


@_strategy("TF2T", 'Axelrod, "The Evolution of Cooperation" (1984)', "Tit for Two Tats")
def _tf2t(params: NoParams, payoffs: Payoffs) -> Machine:
    """Starts with C; defects only after two defections of the opponent in a row."""
    # the state counts them
    return Machine((1, 1, 0), ((0, 1, 0, 1), (0, 2, 0, 2), (0, 2, 0, 2)))


@_strategy(
    "ZDGTFT2",
    'Stewart and Plotkin, "Extortion and cooperation in the Prisoner\'s Dilemma", PNAS 109 (2012)',
    "ZD-GTFT-2",
    params=ExtortParams,
)
def _zdgtft2(params: ExtortParams, payoffs: Payoffs) -> Machine:
    """Plays the zero-determinant line on which its own shortfall from R is 1/slope times the opponent's."""
    # p = (1,1,0,0) + phi [s (own - R) - (opponent's - R)]
    t, r, p, s = payoffs
    slope = params.slope
    pulls = [slope * (own - r) - (theirs - r) for own, theirs in ((r, r), (s, t), (t, s), (p, p))]
    phi = min([params.phi, *(1 / abs(pull) for pull in pulls if pull)])
    base = (1, 1, 0, 0)
    cc, cd, dc, dd = (min(1.0, max(0.0, b + phi * pull)) for b, pull in zip(base, pulls, strict=True))
    return memory_one(1, (cc, cd, dc, dd))


@_strategy(
    "PLEDGER",
    'Farrell and Rabin, "Cheap talk", Journal of Economic Perspectives 10 (1996)',
    "Cheap talk",
    params=PledgeParams,
)
def _pledger(params: PledgeParams, payoffs: Payoffs) -> Machine:
    """Before each move says what its strategy is about to play, then plays it, or breaks its word."""
    announced = _announced(params, payoffs)
    return Machine(tuple(chance * (1 - params.breaks) for chance in announced.cooperates), announced.after)


_STRATEGIES: Final = {
    strategy.spec.name: strategy
    for strategy in (_allc, _alld, _tft, _grim, _gtft, _wsls, _random, _tf2t, _zdgtft2, _pledger)
}
MACHINES: Final[Mapping[str, PolicySpec]] = {name: strategy.spec for name, strategy in _STRATEGIES.items()}
POLICIES: Final[Mapping[str, PolicySpec]] = {**MACHINES, **ENTRANTS}
