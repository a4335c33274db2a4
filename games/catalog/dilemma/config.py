"""The settings of a match, each with its bounds and what it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from games.core.answers import ConfigError
from games.core.game import Number
from games.core.settings import Settings, setting
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "words")

Move: TypeAlias = Literal["C", "D"]
Horizon: TypeAlias = Literal["fixed", "geometric"]
Fallback: TypeAlias = Literal["C", "D", "repeat", "void"]
Labels: TypeAlias = Literal["letters", "neutral", "framed"]

LONGEST = 10_000
"""Rounds that a match may have at most."""
DECIMALS = 3
"""Decimal places of a payoff: few enough that every total is exact to 1e-9 in any order of adding."""


class Payoffs(NamedTuple):
    """What one round pays a player, by Axelrod's letters."""

    temptation: Number
    reward: Number
    punishment: Number
    sucker: Number

    def of(self, own: Move, other: Move) -> Number:
        """The payoff of who played ``own`` against ``other``."""
        if own == "C":
            return self.reward if other == "C" else self.sucker
        return self.temptation if other == "C" else self.punishment


class Length(NamedTuple):
    """How long a match is, or what may be known of it; None where hidden or not applicable."""

    horizon: Horizon | None
    rounds: int | None
    stop_prob: float | None


HIDDEN: Final = Length(None, None, None)


def _exact(value: Number) -> Number:
    if round(value, DECIMALS) != value:
        raise ConfigError(WORDS.fault("too_many_decimals", value=str(value), decimals=DECIMALS))
    return int(value) if value == int(value) else value


PayoffNumber = Annotated[
    int | float,
    Field(ge=-1000, le=1000),
    AfterValidator(_exact),
    WithJsonSchema({"type": "number", "minimum": -1000, "maximum": 1000, "multipleOf": 0.001}),
]


class DilemmaConfig(Settings):
    """A match of the iterated prisoner's dilemma."""

    words = WORDS

    temptation: PayoffNumber = setting(5, unit="points", group="payoffs")
    reward: PayoffNumber = setting(3, unit="points", group="payoffs")
    punishment: PayoffNumber = setting(1, unit="points", group="payoffs")
    sucker: PayoffNumber = setting(0, unit="points", group="payoffs")
    declared_not_a_dilemma: bool = setting(False, group="payoffs")
    horizon: Horizon = setting("fixed", group="length")
    rounds: int = setting(200, 1, LONGEST, unit="rounds", group="length")
    stop_prob: float = setting(0.02, most=1, unit="probability", group="length", gt=0)
    max_rounds: int = setting(LONGEST, 1, LONGEST, unit="rounds", group="length")
    known_length: bool = setting(True, group="information")
    show_totals: bool = setting(True, group="information")
    history_window: int = setting(10, 0, LONGEST, unit="rounds", group="information")
    labels: Labels = setting("letters", group="information")
    noise_a: float = setting(0.0, 0, 1, unit="probability", group="noise")
    noise_b: float = setting(0.0, 0, 1, unit="probability", group="noise")
    talk: bool = setting(False, group="talk")
    talk_limit: int = setting(280, 1, 4000, unit="characters", group="talk")
    fallback: Fallback = setting("C", group="answers")
    collapse_k: int = setting(10, 1, LONGEST, unit="rounds", group="metrics")
    collapse_threshold: float = setting(0.2, 0, 1, unit="fraction", group="metrics")

    @model_validator(mode="after")
    def _is_a_dilemma_or_says_not(self) -> DilemmaConfig:
        t, r, p, s = self.payoffs
        if self.declared_not_a_dilemma:
            return self
        if not t > r > p > s:
            raise ConfigError(WORDS.fault("no_dilemma", t=t, r=r, p=p, s=s))
        if not 2 * r > t + s:
            raise ConfigError(WORDS.fault("turns_pay", t=t, r=r, p=p, s=s, double=2 * r, sum=t + s))
        return self

    @property
    def payoffs(self) -> Payoffs:
        return Payoffs(self.temptation, self.reward, self.punishment, self.sucker)

    @property
    def longest(self) -> int:
        """Rounds after which the match is over whatever chance says."""
        return self.rounds if self.horizon == "fixed" else self.max_rounds

    @property
    def length(self) -> Length:
        """How the length is set."""
        if self.horizon == "fixed":
            return Length("fixed", self.rounds, None)
        return Length("geometric", None, self.stop_prob)

    @property
    def shown_length(self) -> Length:
        """What the seats are told of it."""
        return self.length if self.known_length else HIDDEN
